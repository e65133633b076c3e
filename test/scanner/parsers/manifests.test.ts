import t from 'tap';
import { readAgentCard } from '../../../src/scanner/parsers/manifests/a2a.js';
import { readApiCatalog } from '../../../src/scanner/parsers/manifests/api-catalog.js';
import { readCatalog } from '../../../src/scanner/parsers/manifests/catalog.js';
import type { ManifestReading } from '../../../src/scanner/parsers/manifests/document.js';
import { readMcpCard, readMcpEntries } from '../../../src/scanner/parsers/manifests/mcp.js';
import { isOpenApi } from '../../../src/scanner/parsers/manifests/openapi.js';
import { AGENT_CARD, OLDER_CARD, SKILL } from '../checks/endpoint-sites.js';

const HERE = new URL('https://www.fixture-site.com/.well-known/x');

/** What is wrong with a document, or the kind of its reading. */
function problemsOf(reading: ManifestReading<unknown>): string {
  return reading.kind === 'read' ? reading.problems.map(({ text }) => text).join('; ') : reading.kind;
}

function valueOf<T>(reading: ManifestReading<T>): T | null {
  return reading.kind === 'read' ? reading.value : null;
}

t.test('a part of what is long is read', async (t) => {
  const entriesOf = (...entries: unknown[]) => readCatalog(JSON.stringify({ entries }), HERE, 'ard');
  t.equal(valueOf(entriesOf(...Array<number>(40_000).fill(0)))?.length, 500);
  t.equal(entriesOf(...Array<object>(30_001).fill({})).kind, 'unknown');
  const many = entriesOf(...Array<object>(400).fill({ type: 'application/mcp-server-card+json' }));
  const manifest = many.kind === 'read' ? readMcpEntries(many.value ?? [], many.problems) : many;
  t.match(manifest, { kind: 'read', value: { entries: { length: 20 } } });
  const contexts = Array.from({ length: 1001 }, () => ({ anchor: '/x', license: [{ href: '/l' }] }));
  const ofApi = { anchor: '/api', 'service-doc': [{ href: '/docs' }] };
  const linkset = (...items: object[]) => problemsOf(readApiCatalog(JSON.stringify({ linkset: items }), HERE));
  t.equal(linkset(...contexts, ofApi), 'unknown', 'what is behind the limit may link to an API');
  t.equal(linkset(ofApi, ...contexts), '');
});

t.test('an entry of ARD has an identifier of its form, and an AI catalog any', async (t) => {
  const faultsOf = (changes: object, dialect: 'ard' | 'aiCatalog'): string => {
    const identifier = 'urn:air:lantern-works.com:mcp:stock';
    const type = 'application/mcp-server-card+json';
    const entry = { identifier, displayName: 'Stock', type, url: '/card', ...changes };
    const reading = readCatalog(JSON.stringify({ entries: [0, {}, entry] }), HERE, dialect);
    return problemsOf(reading.kind === 'read' ? readMcpEntries(reading.value ?? [], reading.problems) : reading);
  };
  const cases: readonly (readonly [changes: object, ard: RegExp])[] = [
    [{}, /^$/],
    [{ identifier: 'urn:air:lantern-works.com:stock' }, /^$/],
    [{ identifier: 'https://lantern-works.com/mcp' }, /entry 3 has an invalid "identifier"/],
    [{ identifier: 'urn:ai:lantern-works.com:x' }, /entry 3 has an invalid "identifier"/],
    [{ identifier: `urn:air:${'a'.repeat(500_000)}:${'b:'.repeat(200_000)}` }, /entry 3 has an invalid "identifier"/],
  ];
  for (const [changes, ard] of cases) {
    t.match(faultsOf(changes, 'ard'), ard, JSON.stringify(changes).slice(0, 80));
    t.equal(faultsOf(changes, 'aiCatalog'), '');
  }
  t.match(faultsOf({ representativeQueries: 'find stock' }, 'ard'), /invalid "representativeQueries"/);
});

const SERVER = 'https://a.example/mcp';

t.test('older MCP forms: an endpoint is in the members that these forms use', async (t) => {
  const endpointsOf = (document: object): string[] =>
    valueOf(readMcpCard(JSON.stringify(document), HERE, true))?.endpoints.map(({ url }) => url.href) ?? [];
  const other = 'https://b.example/mcp';
  const cases: readonly (readonly [object, readonly string[]])[] = [
    ...['transport', 'server', 'mcp', 'connection'].map((member) => [{ [member]: { url: SERVER } }, [SERVER]] as const),
    ...['transports', 'servers', 'mcpServers', 'connections', 'endpoints', 'remotes'].flatMap((member) => [
      [{ [member]: [{ url: SERVER }, { url: other }] }, [SERVER, other]] as const,
      [{ [member]: { a: SERVER, b: { url: other } } }, [SERVER, other]] as const,
    ]),
    ...'endpoint url uri href mcp_endpoint mcpEndpoint server_url serverUrl'
      .split(' ')
      .flatMap((member) => [
        [{ [member]: SERVER }, [SERVER]] as const,
        [{ transport: { [member]: SERVER } }, [SERVER]] as const,
      ]),
    [{ transports: [{ endpoint: '/mcp' }] }, ['https://www.fixture-site.com/mcp']],
    [{ endpoints: { http: SERVER, ws: 'wss://a.example/' } }, [SERVER]],
    [{ url: 'https://site.example/', endpoint: SERVER }, [SERVER, 'https://site.example/']],
    [{ url: '/mcp' }, []],
    [{ publisher: { url: SERVER }, serverInfo: { websiteUrl: SERVER } }, []],
    [{ endpoint: 'https://{tenant}.example/mcp' }, []],
    [{ endpoint: 'javascript:alert(1)' }, []],
  ];
  for (const [document, expected] of cases) t.same(endpointsOf(document), expected, JSON.stringify(document));
  const elsewhere = (document: object) => problemsOf(readMcpCard(JSON.stringify(document), HERE));
  for (const mark of 'serverInfo transport transports endpoint endpoints servers mcpServers server'.split(' '))
    t.equal(elsewhere({ [mark]: 0 }), 'has no absolute http(s) endpoint', mark);
  t.match(elsewhere({ connection: SERVER }), /\$schema/, 'read as a card of today');
});

t.test('an agent card is read as the SDKs of its version read it', async (t) => {
  const older = { ...OLDER_CARD, preferredTransport: 'JSONRPC' };
  const readAgent = (card: object) => readAgentCard(JSON.stringify(card), HERE, false);
  const skillWith = (changes: object) => ({ skills: [{ ...SKILL, ...changes }] });
  const able = (capabilities: object) => ({ capabilities });
  // By a2a-sdk 1.3.0, 1.0.0 and 0.3.26 for Python.
  const invalid: readonly object[] = [
    ...[able({ streaming: 'yes' }), able({ pushNotifications: 7 }), able({ extensions: {} })],
    ...[able({ extensions: [{ params: [1] }] }), { iconUrl: 5 }, { documentationUrl: { href: '/docs' } }],
    ...[{ provider: 'o' }, { provider: { organization: ['Harbour'], url: '/' } }, { provider: { organization: 'H' } }],
    ...[skillWith({ examples: 'x' }), skillWith({ inputModes: ['a', 1] }), skillWith({ tags: { a: 'b' } })],
    ...[{ signatures: ['x'] }, { securitySchemes: ['bearer'] }, { version: null }, skillWith({ tags: [null] })],
  ];
  const nulls = { iconUrl: null, provider: null, signatures: null, securitySchemes: null };
  for (const card of [AGENT_CARD, older]) {
    t.equal(problemsOf(readAgent({ ...card, ...nulls, ...skillWith({ examples: null }) })), '');
    for (const changes of invalid) t.not(problemsOf(readAgent({ ...card, ...changes })), '', JSON.stringify(changes));
  }
  const named: [card: object, problems: string][] = [
    [{ ...AGENT_CARD, ...able({ streaming: 'yes' }) }, '"capabilities" has an invalid "streaming"'],
    [{ ...AGENT_CARD, provider: { organization: 'Harbour' } }, '"provider" lacks "url"'],
    [
      { ...AGENT_CARD, ...able({ extensions: [{}, { uri: 5 }] }) },
      'extension 2 of "capabilities" has an invalid "uri"',
    ],
    [{ ...AGENT_CARD, securitySchemes: { PLEASE: {}, OBEY: 1 } }, 'security scheme 2 has the wrong type'],
    [{ ...older, skills: ['x'] }, 'skill 1 has the wrong type'],
    [{ ...older, url: undefined }, 'lacks "url"'],
    [{ ...AGENT_CARD, supportedInterfaces: undefined }, 'lacks "supportedInterfaces"'],
    [{ ...AGENT_CARD, supportedInterfaces: [] }, 'has an invalid "supportedInterfaces"'],
  ];
  for (const [card, problems] of named) t.equal(problemsOf(readAgent(card)), problems);
  const notesOf = (supportedInterfaces: unknown) =>
    valueOf(readAgent({ ...older, ...AGENT_CARD, supportedInterfaces }))?.notes ?? [];
  t.match(notesOf([]), [{ text: /^Its "supportedInterfaces" cannot be used/ }]);
  for (const usable of [AGENT_CARD.supportedInterfaces, null]) t.same(notesOf(usable), []);
});

t.test('an OpenAPI description has a version and a path', async (t) => {
  const head = 'openapi: 3.0.3\ninfo:\n  title: Shop\n  version: 1.0.0\n';
  const cases: readonly (readonly [text: string, isDescription: boolean])[] = [
    ['{"openapi":"3.1.0","info":{"title":"x"},"paths":{"/a":{}}}', true],
    ['{"swagger":"2.0","info":{"title":"x"},"paths":{"/a":{}}}', true],
    ['{"openapi":"3.1.0","info":{"title":"x"},"paths":{}}', false],
    ['{"openapi":"3.1.0","info":{},"paths":{"/a":{}}}', false],
    ['{"openapi":"4.0.0","info":{"title":"x"},"paths":{"/a":{}}}', false],
    [`${head}paths:\n${'  /a:\n    get: {}\n'.repeat(5_000)}`, true],
    [`# API\n---\n${head}\npaths: # all\n\n  # the first\n  "/a": {}\n`, true],
    ['swagger: "2.0"\ninfo:\n  title: Shop\npaths:\n  /a: {}\n', true],
    [`${head}paths: {}\n`, false],
    [`${head}paths:\n  a: {}\n`, false],
    ['version: 3.0.3\nservices:\n  web: {}\n', false],
    [`${head}paths: ${'['.repeat(100_000)}`, false],
    [`${head}${'paths:\n'.repeat(50_000)}${' '.repeat(500_000)}`, false],
  ];
  for (const [text, isDescription] of cases) t.equal(isOpenApi(text, HERE), isDescription, text.slice(0, 90));
});

t.test('an API catalog names what it links to, each address once, and no template', async (t) => {
  const targets = (...hrefs: readonly string[]) => hrefs.map((href) => ({ href }));
  const linkset = {
    anchor: '/api',
    'service-desc': targets('/openapi.json#a', '/openapi.json', '/{version}/openapi.json', 'mailto:a@example.com'),
    'service-doc': targets('/docs'),
    license: targets('/license'),
  };
  const catalog = valueOf(readApiCatalog(JSON.stringify({ linkset: [linkset] }), HERE));
  const named = catalog?.targets.map(({ url }) => url.pathname);
  t.same(named, ['/openapi.json', '/docs']);
  const linked = [...(catalog?.hrefs ?? [])].map((href) => new URL(href).pathname);
  t.same(linked, ['/openapi.json', '/docs', '/license']);
});
