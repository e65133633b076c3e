import t from 'tap';
import { readAgentCard } from '../../../src/scanner/parsers/manifests/a2a.js';
import { readApiCatalog } from '../../../src/scanner/parsers/manifests/api-catalog.js';
import { readCatalog } from '../../../src/scanner/parsers/manifests/catalog.js';
import { readMcpManifest, toMcpManifest } from '../../../src/scanner/parsers/manifests/mcp.js';
import { readProtectedResource } from '../../../src/scanner/parsers/manifests/oauth.js';
import { isOwnOpenApi } from '../../../src/scanner/parsers/manifests/openapi.js';
import { httpUrlOf, type ManifestReading } from '../../../src/scanner/parsers/manifests/shape.js';

const URL_HERE = new URL('https://www.fixture-site.com/.well-known/x');

const READERS: readonly (readonly [name: string, read: (text: string) => ManifestReading<unknown>])[] = [
  ['MCP manifest', (text) => readMcpManifest(text, URL_HERE, true)],
  ['ARD catalog', (text) => readCatalog(text, URL_HERE, 'ard')],
  ['AI catalog', (text) => readCatalog(text, URL_HERE, 'aiCatalog')],
  ['agent card', (text) => readAgentCard(text, URL_HERE, false)],
  ['API catalog', (text) => readApiCatalog(text, URL_HERE)],
  ['OAuth metadata', (text) => readProtectedResource(text, { url: URL_HERE, hops: [] })],
];

t.test('every reader takes hostile input for what it is', async (t) => {
  const inputs: readonly (readonly [what: string, text: string, kind: ManifestReading<unknown>['kind']])[] = [
    ['100,000 open brackets', '['.repeat(100_000), 'overLimit'],
    ['objects 1,000 deep', '{"a":'.repeat(1_000), 'overLimit'],
    ['a NUL byte', '{"name":"\u0000"}', 'broken'],
    ['no JSON', 'null', 'broken'],
    ['only white space', ' \n', 'broken'],
    ['keys of every object', '{"__proto__":{"name":"x","version":"1"},"constructor":{"linkset":[]}}', 'read'],
    [
      'arrays in place of everything',
      '{"name":[],"linkset":{},"skills":{},"entries":"","resource":[],"remotes":0}',
      'read',
    ],
  ];
  for (const [what, text, kind] of inputs) {
    for (const [name, read] of READERS) {
      const reading = read(text);
      t.equal(reading.kind, kind, `${name}: ${what}`);
      if (reading.kind === 'read') t.not(reading.problems.length, 0, `${name}: ${what} is not a valid document`);
    }
  }
});

t.test('a long list of entries is read in part', async (t) => {
  const reading = readCatalog(JSON.stringify({ entries: Array(40_000).fill(0) }), URL_HERE, 'ard');
  t.equal(reading.kind === 'read' ? reading.value.entries.length : 0, 500);
  const mcp = { type: 'application/mcp-server-card+json' };
  const many = readCatalog(JSON.stringify({ entries: Array(400).fill(mcp) }), URL_HERE, 'ard');
  const manifest = many.kind === 'read' ? toMcpManifest(many.value.entries, many.problems) : many;
  t.ok(manifest.kind === 'read' && manifest.value.entries.length === 20 && manifest.problems.length < 100);
});

t.test('a large and a deep ARD document end', async (t) => {
  const deep = `{"entries":[{"type":"application/mcp-server-card+json","data":${'{"a":'.repeat(5_000)}`;
  t.equal(readCatalog(deep, URL_HERE, 'ard').kind, 'overLimit');
  const wide = `{"entries":[${'{},'.repeat(30_000)}{}]}`;
  t.equal(readCatalog(wide, URL_HERE, 'ard').kind, 'overLimit');
  const identifier = `urn:air:${'a'.repeat(500_000)}:${'b:'.repeat(200_000)}`;
  const long = readCatalog(JSON.stringify({ entries: [{ identifier }] }), URL_HERE, 'ard');
  t.ok(long.kind === 'read' && long.value.entries[0]?.problems.length !== 0);
});

const ENTRY = {
  identifier: 'urn:air:lantern-works.com:mcp:stock',
  displayName: 'Stock',
  type: 'application/mcp-server-card+json',
  url: 'https://lantern-works.com/mcp/server-card',
};

/** The faults of a whole document that count for MCP. */
async function faultsOf(document: unknown, dialect: 'ard' | 'aiCatalog'): Promise<string> {
  const reading = readCatalog(JSON.stringify(document), URL_HERE, dialect);
  if (reading.kind === 'broken') return reading.problem.text;
  if (reading.kind !== 'read') return reading.kind;
  const manifest = toMcpManifest(reading.value.entries, reading.problems);
  return manifest.kind === 'read' ? manifest.problems.map(({ text }) => text).join('; ') : manifest.kind;
}

t.test('a catalog is valid by either form', async (t) => {
  const held = { ...ENTRY, url: undefined };
  const unnamed = { ...ENTRY, displayName: undefined };
  const valid: readonly (readonly [what: string, document: unknown, faults: string])[] = [
    ['no entries', { entries: [] }, 'unrelated'],
    ['one entry', { entries: [ENTRY] }, ''],
    ['no namespace in the identifier', { entries: [{ ...ENTRY, identifier: 'urn:air:lantern-works.com:stock' }] }, ''],
    ['the card itself', { entries: [{ ...held, data: { name: 'x' } }] }, ''],
    ['further members', { specVersion: '1.0', host: {}, collections: [], entries: [ENTRY] }, ''],
    [
      'further members of an entry',
      {
        entries: [
          { ...ENTRY, '@context': { x: 'https://x.com/' }, 'x:tier': 1, trustManifest: { identity: 'did:web:x' } },
        ],
      },
      '',
    ],
  ];
  for (const [what, document, faults] of valid) {
    t.equal(await faultsOf(document, 'ard'), faults, `ARD: ${what}`);
    t.equal(await faultsOf(document, 'aiCatalog'), faults, `AI catalog: ${what}`);
  }
  const invalid: readonly (readonly [document: unknown, ard: RegExp, aiCatalog: RegExp])[] = [
    [[], /not an object/, /not an object/],
    [{ specVersion: '1.0' }, /lacks "entries"/, /lacks "entries"/],
    [{ entries: [unnamed] }, /entry 1 lacks "displayName"/, /^$/],
    [{ entries: [{ ...ENTRY, data: {} }] }, /both "url" and "data"/, /both "url" and "data"/],
    [{ entries: [{ ...ENTRY, identifier: 'https://lantern-works.com/mcp' }] }, /invalid "identifier"/, /^$/],
    [{ entries: [{ ...ENTRY, identifier: 'urn:ai:lantern-works.com:x' }] }, /invalid "identifier"/, /^$/],
    [{ entries: [{ ...ENTRY, representativeQueries: 'find stock' }] }, /invalid "representativeQueries"/, /^$/],
    [{ entries: [{ ...ENTRY, type: undefined, mediaType: ENTRY.type }] }, /lacks "type"/, /^$/],
  ];
  for (const [document, ard, aiCatalog] of invalid) {
    t.match(await faultsOf(document, 'ard'), ard, JSON.stringify(document));
    t.match(await faultsOf(document, 'aiCatalog'), aiCatalog, JSON.stringify(document));
  }
});

t.test('the fault of an entry for something else is none of MCP’s', async (t) => {
  const other = { type: 'application/a2a-agent-card+json', identifier: '', url: 1 };
  t.equal(await faultsOf({ entries: [0, {}, other, ENTRY] }, 'ard'), '');
});

t.test('older MCP forms: an endpoint is what they say it is, not any address', async (t) => {
  const endpointsOf = async (document: object): Promise<string[]> => {
    const reading = readMcpManifest(JSON.stringify({ name: 'Shop', ...document }), URL_HERE, true);
    return reading.kind === 'read' ? reading.value.endpoints.map(({ url }) => url.href) : [];
  };
  const cases: readonly (readonly [object, string[]])[] = [
    [{ endpoint: 'https://a.example/mcp' }, ['https://a.example/mcp']],
    [{ transport: { type: 'sse', url: 'https://a.example/sse' } }, ['https://a.example/sse']],
    [{ transports: [{ endpoint: '/mcp' }] }, ['https://www.fixture-site.com/mcp']],
    [{ endpoints: { http: 'https://a.example/', ws: 'wss://a.example/' } }, ['https://a.example/']],
    [
      { servers: [{ url: 'https://a.example/' }, { url: 'https://b.example/' }] },
      ['https://a.example/', 'https://b.example/'],
    ],
    [{ url: 'https://site.example/', endpoint: 'https://a.example/' }, ['https://a.example/', 'https://site.example/']],
    [{ publisher: { url: 'https://site.example/' }, serverInfo: { websiteUrl: 'https://site.example/' } }, []],
    [{ endpoint: 'https://{tenant}.example/mcp' }, []],
    [{ endpoint: 'javascript:alert(1)' }, []],
  ];
  for (const [document, expected] of cases) t.same(await endpointsOf(document), expected, JSON.stringify(document));
});

t.test('OpenAPI in YAML is told from its head', async (t) => {
  const head = 'openapi: 3.0.3\ninfo:\n  title: Shop\n  version: 1.0.0\n';
  const cases: readonly (readonly [what: string, text: string, isOpenApi: boolean])[] = [
    ['a description', `${head}paths:\n  /a:\n    get: {}\n`, true],
    ['long sections', `${head}paths:\n${'  /a:\n    get: {}\n'.repeat(5_000)}`, true],
    ['comments and a document mark', `# API\n---\n${head}\n# Paths\npaths:\n  "/a": {}\n`, true],
    ['JSON in a YAML file', '{"openapi":"3.1.0","info":{"title":"x"},"paths":{"/a":{}}}', true],
    ['no paths', `${head}paths: {}\n`, false],
    ['another file', 'version: 3.0.3\nservices:\n  web: {}\n', false],
    ['a server elsewhere', `${head}servers:\n  - url: https://api.example.net\npaths:\n  /a: {}\n`, false],
    ['a server here', `${head}servers:\n  - url: /v1\npaths:\n  /a: {}\n`, true],
    [
      'one server of two here',
      `${head}servers:\n  - url: https://api.example.net\n  - url: /v1\npaths:\n  /a: {}\n`,
      true,
    ],
    ['a server without an address', `${head}servers:\n  - description: x\n  - 5\npaths:\n  /a: {}\n`, false],
    ['Swagger', 'swagger: "2.0"\ninfo:\n  title: Shop\npaths:\n  /a: {}\n', true],
    ['Swagger of this host', `swagger: "2.0"\ninfo:\n  title: Shop\nhost: ${URL_HERE.host}\npaths:\n  /a: {}\n`, true],
    ['Swagger of another host', 'swagger: "2.0"\ninfo:\n  title: Shop\nhost: example.net\npaths:\n  /a: {}\n', false],
    ['a path without a slash', `${head}paths:\n  a: {}\n`, false],
    ['no title', 'openapi: 3.0.3\ninfo:\n  version: 1.0.0\npaths:\n  /a: {}\n', false],
    ['another version', 'openapi: 4.0.0\ninfo:\n  title: Shop\npaths:\n  /a: {}\n', false],
    ['a section 20 lines away', `${head}${'x:\n'.repeat(20)}paths:\n${'\n'.repeat(18)}  /a: {}\n`, true],
    ['aliases, which nobody unfolds', `${head}x: &a [x]\npaths:\n  /a: &b [*a,*a,*a]\n  /b: &c [*b,*b,*b]\n`, true],
    ['deep flow', `${head}paths: ${'['.repeat(100_000)}`, false],
    ['an HTML page', '<!doctype html>\nopenapi: 3.0.3\n', false],
    ['a text instead of a mapping', 'openapi:3.0.3\n', false],
    ['a fault after all that tells it', `${head}paths:\n  /a: {}\n  /b: "\n`, false],
  ];
  for (const [what, text, isOpenApi] of cases) t.equal(isOwnOpenApi(text, URL_HERE), isOpenApi, what);
});

t.test('an address of up to 4,096 characters is one', async (t) => {
  const ofLength = (length: number) => httpUrlOf(`https://example.com/`.padEnd(length, 'a'));
  t.equal(ofLength(4096)?.href.length, 4096);
  t.equal(ofLength(4097), null);
});

t.test('an API catalog names what it links to, each address once, and no template', async (t) => {
  const read = async (relations: object) => {
    const reading = readApiCatalog(JSON.stringify({ linkset: [{ anchor: '/api', ...relations }] }), URL_HERE);
    return reading.kind === 'read' ? reading.value : null;
  };
  const targets = (...hrefs: readonly string[]) => hrefs.map((href) => ({ href }));
  const some = await read({
    'service-desc': targets('/openapi.json#a', '/openapi.json', '/{version}/openapi.json', 'mailto:a@example.com'),
    'service-doc': targets('/docs'),
    license: targets('/license'),
  });
  const pathsOf = (urls: Iterable<string>) => [...urls].map((href) => new URL(href).pathname);
  t.same(pathsOf(some?.targets.map(({ url }) => url.href) ?? []), ['/openapi.json', '/docs']);
  t.same(pathsOf(some?.hrefs ?? []), ['/openapi.json', '/docs', '/license']);
});
