import t from 'tap';
import { readAgentCard } from '../../../src/scanner/parsers/manifests/a2a.js';
import { readApiCatalog } from '../../../src/scanner/parsers/manifests/api-catalog.js';
import { readCatalog } from '../../../src/scanner/parsers/manifests/catalog.js';
import type { ManifestReading } from '../../../src/scanner/parsers/manifests/document.js';
import { readMcpCard, readMcpEntries } from '../../../src/scanner/parsers/manifests/mcp.js';
import { readProtectedResource } from '../../../src/scanner/parsers/manifests/oauth.js';
import { isOpenApi } from '../../../src/scanner/parsers/manifests/openapi.js';
import { AGENT_CARD, INTERFACE, OLDER_CARD, SERVER_CARD, SKILL } from '../checks/endpoint-sites.js';

const HERE = new URL('https://www.fixture-site.com/.well-known/x');

const READERS: Record<string, (text: string) => ManifestReading<unknown>> = {
  'MCP card': (text) => readMcpCard(text, HERE, true),
  'ARD catalog': (text) => readCatalog(text, HERE, 'ard'),
  'AI catalog': (text) => readCatalog(text, HERE, 'aiCatalog'),
  'agent card': (text) => readAgentCard(text, HERE, false),
  'API catalog': (text) => readApiCatalog(text, HERE),
  'OAuth metadata': (text) => readProtectedResource(text, { url: HERE, hops: [] }),
};

/** What is wrong with a document, or the kind of its reading. */
function problemsOf(reading: ManifestReading<unknown>): string {
  return reading.kind === 'read' ? reading.problems.map(({ text }) => text).join('; ') : reading.kind;
}

function valueOf<T>(reading: ManifestReading<T>): T | null {
  return reading.kind === 'read' ? reading.value : null;
}

t.test('every reader reports hostile input, and reads a part of what is long', async (t) => {
  const inputs: Record<string, RegExp> = {
    ['['.repeat(100_000)]: /^unknown$/,
    ['{"a":'.repeat(1_000)]: /^unknown$/,
    '{"name":"\u0000"}': /not valid JSON/,
    null: /not an object/,
    ' \n': /is empty/,
    '{"__proto__":{"name":"x","version":"1"},"constructor":{"linkset":[]}}': /./,
    '{"name":[],"linkset":{},"skills":{},"entries":"","resource":[],"remotes":0}': /./,
  };
  for (const [text, says] of Object.entries(inputs))
    for (const [name, read] of Object.entries(READERS))
      t.match(problemsOf(read(text)), says, `${name}: ${text.slice(0, 40)}`);
  const entriesOf = (...entries: unknown[]) => readCatalog(JSON.stringify({ entries }), HERE, 'ard');
  t.equal(valueOf(entriesOf(...Array<number>(40_000).fill(0)))?.length, 500);
  t.equal(entriesOf(...Array<object>(30_001).fill({})).kind, 'unknown');
  const many = entriesOf(...Array<object>(400).fill({ type: 'application/mcp-server-card+json' }));
  const manifest = many.kind === 'read' ? readMcpEntries(many.value ?? [], many.problems) : many;
  t.match(manifest, { kind: 'read', value: { entries: { length: 20 } } });
  const identifier = `urn:air:${'a'.repeat(500_000)}:${'b:'.repeat(200_000)}`;
  t.not(valueOf(entriesOf({ identifier }))?.[0]?.problems.length, 0);
  const contexts = Array.from({ length: 1001 }, () => ({ anchor: '/x', license: [{ href: '/l' }] }));
  const ofApi = { anchor: '/api', 'service-doc': [{ href: '/docs' }] };
  const linkset = (...items: object[]) => problemsOf(readApiCatalog(JSON.stringify({ linkset: items }), HERE));
  t.equal(linkset(...contexts, ofApi), 'unknown', 'what is behind the limit may link to an API');
  t.equal(linkset(ofApi, ...contexts), '');
});

t.test('a catalog is valid by either form', async (t) => {
  const entry = {
    identifier: 'urn:air:lantern-works.com:mcp:stock',
    displayName: 'Stock',
    type: 'application/mcp-server-card+json',
    url: 'https://lantern-works.com/mcp/server-card',
  };
  /** The faults of a whole document that count for MCP. */
  const faultsOf = (document: unknown, dialect: 'ard' | 'aiCatalog'): string => {
    const reading = readCatalog(JSON.stringify(document), HERE, dialect);
    return problemsOf(reading.kind === 'read' ? readMcpEntries(reading.value ?? [], reading.problems) : reading);
  };
  const entriesWith = (...changes: object[]) => ({ entries: changes.map((change) => ({ ...entry, ...change })) });
  const cases: readonly (readonly [document: unknown, ard: RegExp, aiCatalog: RegExp])[] = [
    [{ entries: [] }, /^unrelated$/, /^unrelated$/],
    [{ specVersion: '1.0', host: {}, collections: [], ...entriesWith({}) }, /^$/, /^$/],
    [entriesWith({ identifier: 'urn:air:lantern-works.com:stock' }), /^$/, /^$/],
    [entriesWith({ url: undefined, data: { name: 'x' } }), /^$/, /^$/],
    [entriesWith({ '@context': { x: 'https://x.com/' }, 'x:tier': 1 }), /^$/, /^$/],
    [{ entries: [0, {}, { type: 'application/a2a-agent-card+json', url: 1 }, entry] }, /^$/, /^$/],
    [{ specVersion: '1.0' }, /lacks "entries"/, /lacks "entries"/],
    [entriesWith({ displayName: undefined }), /entry 1 lacks "displayName"/, /^$/],
    [entriesWith({ data: {} }), /both "url" and "data"/, /both "url" and "data"/],
    [entriesWith({ identifier: 'https://lantern-works.com/mcp' }), /invalid "identifier"/, /^$/],
    [entriesWith({ identifier: 'urn:ai:lantern-works.com:x' }), /invalid "identifier"/, /^$/],
    [entriesWith({ representativeQueries: 'find stock' }), /invalid "representativeQueries"/, /^$/],
    [entriesWith({ type: undefined, mediaType: entry.type }), /lacks "type"/, /^$/],
  ];
  for (const [document, ard, aiCatalog] of cases) {
    t.match(faultsOf(document, 'ard'), ard, JSON.stringify(document));
    t.match(faultsOf(document, 'aiCatalog'), aiCatalog, JSON.stringify(document));
  }
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

/**
 * Changes of a card that `ServerCard` of the MCP card extension's schema.json (24 July 2026, commit 8924e08) accepts or refuses, by
 * jsonschema 4.26.0 for Python. Only the description of `version` forbids ranges.
 */
t.test('a server card is read as its schema says, but for its lengths, which no client enforces', async (t) => {
  const [remote] = SERVER_CARD.remotes;
  const versions = ['2026-11-23', 'v4', '4.0.2-rc.1+build.7', '1.2.3 - 2.0.0', '=4.0.2', '4.0.2x', '1'.repeat(256)];
  const ranges = ['^4.0.2', '~4', '> 4', '<5.0.0', '>=4.0.0 <5', '^4 || ^5', '4.0.X', 'v4.*', '4.x.x'];
  const valid = [
    ...[{}, { remotes: [{ ...remote, type: 'sse' }] }, { remotes: [{ ...remote, url: '{base}/mcp' }] }],
    ...[{ description: 'a'.repeat(101) }, ...versions.map((version) => ({ version }))],
  ];
  const invalid = [
    ...['http', 'streamable_http', 'SSE', 'stdio'].map((type) => ({ remotes: [{ ...remote, type }] })),
    ...[{ remotes: [{ ...remote, url: '/mcp' }] }, ...ranges.map((version) => ({ version }))],
  ];
  const problems = (changes: object) => problemsOf(readMcpCard(JSON.stringify({ ...SERVER_CARD, ...changes }), HERE));
  for (const changes of valid) t.equal(problems(changes), '', JSON.stringify(changes));
  for (const changes of invalid) t.not(problems(changes), '', JSON.stringify(changes));
});

const OLDER = { ...OLDER_CARD, preferredTransport: 'JSONRPC' };
const BOTH = { ...OLDER, ...AGENT_CARD };

const readAgent = (card: object) => readAgentCard(JSON.stringify(card), HERE, false);
const skillWith = (changes: object) => ({ skills: [{ ...SKILL, ...changes }] });
const able = (capabilities: object) => ({ capabilities });

/** Changes that readers of A2A's Python SDK (a2a-sdk 1.3.0, 1.0.0 and, for 0.3, 0.3.26) or the letter of the standard accept, and refuse. */
const VALID: readonly object[] = [
  { capabilities: { memory: 'long' }, 'x-team': 5 },
  {
    ...{ capabilities: { streaming: null, extensions: null }, ...skillWith({ examples: null, inputModes: null }) },
    ...{ iconUrl: null, provider: null, signatures: null, securitySchemes: null },
  },
  ...[{ skills: [] }, { defaultInputModes: [] }, { description: '' }, skillWith({ tags: [], description: '' })],
  { securitySchemes: { a: { type: 'http', scheme: 'bearer' } } },
];
const INVALID: readonly object[] = [
  ...[able({ streaming: 'yes' }), able({ pushNotifications: 7 }), able({ extensions: {} })],
  ...[able({ extensions: [{ params: [1] }] }), { iconUrl: 5 }, { documentationUrl: { href: '/docs' } }],
  ...[{ provider: 'o' }, { provider: { organization: ['Harbour'], url: '/' } }, { provider: { organization: 'H' } }],
  ...[skillWith({ examples: 'x' }), skillWith({ inputModes: ['a', 1] }), skillWith({ tags: { a: 'b' } })],
  ...[{ signatures: ['x'] }, { securitySchemes: ['bearer'] }, { version: null }, skillWith({ tags: [null] })],
];
const CASES: [card: object, valid: readonly object[], invalid: readonly object[]][] = [
  [
    AGENT_CARD,
    [...VALID, { supportedInterfaces: [{ ...INTERFACE, tenant: null }] }],
    [
      ...INVALID,
      { supportedInterfaces: [{ ...INTERFACE, tenant: 5 }] },
      { supportedInterfaces: [] },
      { supportedInterfaces: INTERFACE },
    ],
  ],
  [
    OLDER,
    [...VALID, { protocolVersion: undefined }, { protocolVersion: null, preferredTransport: null }],
    [...INVALID, { preferredTransport: ['JSONRPC'] }, { protocolVersion: 0.3 }],
  ],
  [
    BOTH,
    [{}, { supportedInterfaces: [] }, { supportedInterfaces: [{ url: INTERFACE.url }] }, { supportedInterfaces: null }],
    [able({ streaming: 'yes' })],
  ],
];

t.test('an agent card is read as the SDKs of its version read it', async (t) => {
  for (const [card, valid, invalid] of CASES) {
    for (const changes of valid) t.equal(problemsOf(readAgent({ ...card, ...changes })), '', JSON.stringify(changes));
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
    [{ ...OLDER, skills: ['x'] }, 'skill 1 has the wrong type'],
    [{ ...OLDER, url: undefined }, 'lacks "url"'],
    [{ ...AGENT_CARD, supportedInterfaces: undefined }, 'lacks "supportedInterfaces"'],
    [{ ...AGENT_CARD, supportedInterfaces: [] }, 'has an invalid "supportedInterfaces"'],
  ];
  for (const [card, problems] of named) t.equal(problemsOf(readAgent(card)), problems);
});

t.test('a card of both versions that fits only the older one has a note', async (t) => {
  const unusable = 'Its "supportedInterfaces" cannot be used, so clients of A2A 1.0 find no interface.';
  const notesOf = (card: object) => valueOf(readAgent(card))?.notes.map(({ text }) => text);
  for (const card of [AGENT_CARD, OLDER, BOTH, { ...BOTH, supportedInterfaces: null }]) t.same(notesOf(card), []);
  for (const supportedInterfaces of [[], [{ url: INTERFACE.url, protocolBinding: 5 }]])
    t.same(notesOf({ ...BOTH, supportedInterfaces }), [unusable]);
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
  t.same(
    [...(catalog?.hrefs ?? [])].map((href) => new URL(href).pathname),
    ['/openapi.json', '/docs', '/license'],
  );
});
