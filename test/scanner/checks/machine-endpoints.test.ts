import t, { type Test } from 'tap';
import { cWk01 } from '../../../src/scanner/checks/c-wk-01/check.js';
import { cWk02 } from '../../../src/scanner/checks/c-wk-02/check.js';
import { cWk03 } from '../../../src/scanner/checks/c-wk-03/check.js';
import type { Check } from '../../../src/scanner/findings/check.js';
import { findingOf, openFixtureRun } from '../../support/collect.js';
import type { FixtureAnswer, FixtureRequest, FixtureRoute, FixtureSite } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';

type Routes = FixtureSite['routes'];
/** A site, its result (with the error type of a FAIL), and what the detail says. */
type Case = [what: string, routes: Routes, result: string, detail?: RegExp];

const HOME = '<!doctype html><title>Home</title><p>Welcome</p>';
const CANARY = 'IGNORE-ALL-PREVIOUS-INSTRUCTIONS';

async function runCases(t: Test, check: Check, cases: readonly Case[]): Promise<void> {
  for (const [what, routes, expected, detail] of cases) {
    const { result, errorType, detail: given } = await findingOf(check, { routes: { '/': HOME, ...routes } });
    t.equal(errorType === null ? result : `${result} ${errorType}`, expected, what);
    if (detail) t.match(given, detail, what);
    t.notMatch(given ?? '', CANARY, `${what}: nothing of the site is in the detail`);
  }
}

/** A home page that leads to these addresses. */
const linking = (...paths: readonly string[]): Routes => ({
  '/': HOME + paths.map((path) => `<a href="${path}">x</a>`).join(''),
});
const json = (value: unknown, type = 'application/json'): FixtureAnswer => ({ type, body: JSON.stringify(value) });
const url = (path: string): string => FIXTURE_ORIGIN + path;
/** What a server answers that takes POST alone, as most endpoints of both protocols do. */
const ALIVE: FixtureAnswer = { status: 405, type: null };
const toPost = (answer: FixtureAnswer, toGet: FixtureAnswer): FixtureRoute => {
  return ({ method }: FixtureRequest) => (method === 'POST' ? answer : toGet);
};
const JSON_RPC = json({ jsonrpc: '2.0', id: 1, result: {} });

const SERVER_CARD = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: 'com.fixture-site/shop',
  version: '1.0.0',
  description: 'Finds products.',
  remotes: [{ type: 'streamable-http', url: url('/mcp') }],
};
const CARD_PATH = '/.well-known/mcp/server-card.json';
const mcpCard = (changes: object, routes: Routes = { '/mcp': ALIVE }): Routes => ({
  [CARD_PATH]: json({ ...SERVER_CARD, ...changes }),
  ...routes,
});
const catalog = (entries: unknown[], routes: Routes = {}): Routes => ({
  '/.well-known/ai-catalog.json': json({ specVersion: '1.0', entries }),
  ...routes,
});
const CARD_ENTRY = {
  identifier: 'urn:air:fixture-site.com:mcp:shop',
  type: 'application/mcp-server-card+json',
  url: url('/cards/shop.json'),
};

t.test('C-WK-01: MCP discovery', async (t) => {
  await runCases(t, cWk01, [
    ['no document', {}, 'NOT_APPLICABLE', /No MCP server is announced/],
    ['a single-page app that answers 200 with its page to everything', { '*': HOME }, 'NOT_APPLICABLE'],
    ['an echo host', { '*': json({ ok: true }) }, 'NOT_APPLICABLE'],
    ['a card and a live endpoint', mcpCard({}), 'PASS', /remote 1 answers/],
    ['a later version of the schema', mcpCard({ $schema: SERVER_CARD.$schema.replace('v1', 'v2') }), 'PASS'],
    ['a card without remotes is valid by its schema', mcpCard({ remotes: undefined }), 'PASS'],
    ['a templated remote is not asked', mcpCard({ remotes: [{ type: 'sse', url: 'https://{host}/mcp' }] }, {}), 'PASS'],
    ['a BOM before the JSON', { ...mcpCard({}), [CARD_PATH]: `\uFEFF${JSON.stringify(SERVER_CARD)}` }, 'PASS'],
    [
      'JSON under another type is only a note',
      { ...mcpCard({}), [CARD_PATH]: json(SERVER_CARD, 'text/plain') },
      'PASS',
      /Content-Type does not say JSON/,
    ],
    [
      'a catalog that links to a card',
      catalog([CARD_ENTRY], { '/cards/shop.json': json(SERVER_CARD), '/mcp': ALIVE }),
      'PASS',
      /remote 1 of the card of entry 1 answers/,
    ],
    [
      'a catalog that holds the card',
      catalog([{ ...CARD_ENTRY, url: undefined, data: SERVER_CARD }], { '/mcp': ALIVE }),
      'PASS',
    ],
    [
      'the older name of an entry’s type',
      catalog([{ ...CARD_ENTRY, type: undefined, mediaType: CARD_ENTRY.type }], {
        '/cards/shop.json': json(SERVER_CARD),
        '/mcp': ALIVE,
      }),
      'PASS',
    ],
    [
      'a catalog of other things',
      catalog([{ ...CARD_ENTRY, type: 'application/a2a-agent-card+json' }]),
      'NOT_APPLICABLE',
      /no entry for an MCP server/,
    ],
    [
      'mcp.json with name and endpoint',
      { '/.well-known/mcp.json': json({ name: 'Shop', endpoint: url('/mcp') }), '/mcp': ALIVE },
      'PASS',
    ],
    [
      'SEP-1649 with a path',
      {
        [CARD_PATH]: json({ serverInfo: { name: 'Shop' }, transport: { type: 'streamable-http', endpoint: '/mcp' } }),
        '/mcp': ALIVE,
      },
      'PASS',
      /endpoint 1 answers/,
    ],
    [
      'SEP-1960',
      { '/.well-known/mcp': json({ server_name: 'Shop', endpoints: { streamable_http: url('/mcp') } }), '/mcp': ALIVE },
      'PASS',
    ],
    [
      'servers by name',
      { '/.well-known/mcp.json': json({ mcpServers: { shop: { url: url('/mcp') } } }), '/mcp': ALIVE },
      'PASS',
    ],
    [
      'programs for the reader’s own machine',
      { '/.well-known/mcp.json': json({ mcpServers: { shop: { command: 'npx' } } }) },
      'NOT_APPLICABLE',
    ],
    [
      'the same as an editor keeps them',
      { '/.well-known/mcp.json': json({ servers: { shop: { type: 'stdio', command: 'npx' } } }) },
      'NOT_APPLICABLE',
    ],
    [
      'an older form without endpoint',
      { '/.well-known/mcp.json': json({ name: CANARY, tools: [] }) },
      'FAIL INVALID_MANIFEST',
      /no absolute http\(s\) endpoint/,
    ],
    ['one valid document is enough', { ...mcpCard({}), '/.well-known/mcp.json': '{' }, 'PASS'],
    [
      'not JSON',
      { [CARD_PATH]: `{"name": ${CANARY}}` },
      'FAIL INVALID_MANIFEST',
      /not valid JSON: the error is at byte 10\./,
    ],
    ['an empty file', { [CARD_PATH]: '' }, 'FAIL INVALID_MANIFEST', /is empty/],
    ['a JSON array', { [CARD_PATH]: '[]' }, 'FAIL INVALID_MANIFEST', /not an object/],
    [
      'an HTML page of its own',
      { [CARD_PATH]: { type: 'text/html', body: HOME } },
      'FAIL INVALID_MANIFEST',
      /HTML page/,
    ],
    ['a name without namespace', mcpCard({ name: CANARY }), 'FAIL INVALID_MANIFEST', /has an invalid "name"/],
    [
      'a dated schema',
      mcpCard({ $schema: 'https://static.modelcontextprotocol.io/schemas/2025-11-25/server-card.schema.json' }),
      'FAIL INVALID_MANIFEST',
      /"\$schema"/,
    ],
    [
      'a remote without type',
      mcpCard({ remotes: [{ url: url('/mcp') }] }),
      'FAIL INVALID_MANIFEST',
      /remote 1 lacks "type"/,
    ],
    [
      'a range in place of a version',
      mcpCard({ version: '^1.0.0' }),
      'FAIL INVALID_MANIFEST',
      /has a range in "version", not one version/,
    ],
    [
      'a transport that the schema does not list',
      mcpCard({ remotes: [{ type: CANARY, url: url('/mcp') }] }),
      'FAIL INVALID_MANIFEST',
      /remote 1 has an invalid "type"/,
    ],
    ['a long version', mcpCard({ version: '1'.repeat(256) }), 'PASS', /Its "version" has more than the 255 characters/],
    ['a version of 255 characters', mcpCard({ version: '1'.repeat(255) }), 'PASS', /remote 1 answers\.$/],
    [
      'a remote that is no web address',
      mcpCard({ remotes: [{ type: 'sse', url: '/mcp' }] }),
      'FAIL INVALID_MANIFEST',
      /remote 1 has an invalid "url"/,
    ],
    [
      'an entry without content',
      catalog([{ identifier: 'x', type: CARD_ENTRY.type }]),
      'FAIL INVALID_MANIFEST',
      /entry 1 lacks "url" or "data"/,
    ],
    [
      'a card of a catalog at fault',
      catalog([CARD_ENTRY], { '/cards/shop.json': json({ ...SERVER_CARD, version: '' }) }),
      'FAIL INVALID_MANIFEST',
      /the card of entry 1 lacks "version"/,
    ],
    [
      'a card of a catalog that is not there',
      catalog([CARD_ENTRY]),
      'FAIL WK_UNREACHABLE',
      /the card of entry 1 is not there/,
    ],
    [
      'the document is refused',
      { ...linking(CARD_PATH), [CARD_PATH]: { status: 403 } },
      'FAIL WK_UNREACHABLE',
      /refused with status 403/,
    ],
    [
      'the document fails',
      { ...linking(CARD_PATH), [CARD_PATH]: { status: 502 } },
      'FAIL WK_UNREACHABLE',
      /502 on every try/,
    ],
    [
      'the document stalls',
      { ...linking(CARD_PATH), [CARD_PATH]: { failure: 'stalled' } },
      'FAIL WK_UNREACHABLE',
      /in time/,
    ],
    ['the document asks us to wait', { [CARD_PATH]: { status: 429 } }, 'UNDETERMINED'],
    [
      'what is unknown may be the valid one',
      { [CARD_PATH]: '{', '/.well-known/mcp.json': { status: 429 } },
      'UNDETERMINED',
    ],
  ]);
});

t.test('C-WK-01: an endpoint is alive', async (t) => {
  const withEndpoint = (endpoint: FixtureRoute): Routes => mcpCard({}, { '/mcp': endpoint });
  const gone: FixtureAnswer = { status: 404, body: 'no' };
  const challenge: FixtureAnswer = { headers: { 'sg-captcha': 'challenge' }, body: HOME };
  await runCases(t, cWk01, [
    ...[400, 401, 402, 403, 405, 406, 415].map((status): Case => [
      `status ${status}`,
      withEndpoint({ status }),
      'PASS',
    ]),
    [
      'an event stream',
      withEndpoint({ type: 'text/event-stream', body: 'event: endpoint\ndata: /messages\n\n' }),
      'PASS',
    ],
    ['JSON', withEndpoint(json({ name: 'mcp' })), 'PASS'],
    ['404 to GET, an answer to POST', withEndpoint(toPost(JSON_RPC, gone)), 'PASS'],
    ['a page for people to GET, an answer to POST', withEndpoint(toPost(JSON_RPC, { body: HOME })), 'PASS'],
    ['a silent event stream, an answer to POST', withEndpoint(toPost(JSON_RPC, { failure: 'stalled' })), 'PASS'],
    ['a JSON-RPC error under 404', withEndpoint(toPost({ ...JSON_RPC, status: 404 }, gone)), 'PASS'],
    [
      'only the older handshake is known',
      withEndpoint(({ body }) => (body?.includes('"initialize"') === true ? JSON_RPC : gone)),
      'PASS',
    ],
    [
      'what is answered to any GET, and to no POST',
      { ...withEndpoint(toPost(gone, json({ ok: true }))), '*': json({ ok: true }) },
      'FAIL WK_UNREACHABLE',
      /status 404/,
    ],
    ['404 to both', withEndpoint(gone), 'FAIL WK_UNREACHABLE', /remote 1 answers with status 404/],
    ['a page to both', withEndpoint({ body: HOME }), 'FAIL WK_UNREACHABLE', /like a page/],
    ['a page that takes no POST', withEndpoint(toPost({ status: 405 }, { body: HOME })), 'FAIL WK_UNREACHABLE'],
    ['an error to both', withEndpoint({ status: 500 }), 'FAIL WK_UNREACHABLE', /status 500/],
    ['a stall of both', withEndpoint({ failure: 'stalled' }), 'FAIL WK_UNREACHABLE', /in time/],
    ['429', withEndpoint({ status: 429 }), 'UNDETERMINED'],
    ['a challenge', withEndpoint(challenge), 'UNDETERMINED', /remote 1 answers with a bot challenge from SiteGround/],
    [
      'a challenge beside a dead one',
      mcpCard({ remotes: [{ type: 'sse', url: url('/old') }, ...SERVER_CARD.remotes] }, { '/mcp': challenge }),
      'UNDETERMINED',
      /remote 1 answers with status 404 and remote 2 answers with a bot challenge/,
    ],
    [
      'a host that does not exist',
      mcpCard({ remotes: [{ type: 'sse', url: 'https://gone.example.net/' }] }),
      'FAIL WK_UNREACHABLE',
      /does not exist/,
    ],
    [
      'an address that no scanner may visit',
      mcpCard({ remotes: [{ type: 'sse', url: 'http://127.0.0.1:1/' }] }),
      'FAIL INVALID_MANIFEST',
      /remote 1 is in a private network/,
    ],
    [
      'one of two remotes',
      mcpCard({ remotes: [{ type: 'sse', url: url('/old') }, ...SERVER_CARD.remotes] }),
      'PASS',
      /remote 2 answers\. Of the others, remote 1 answers with status 404/,
    ],
  ]);
});

t.test('C-WK-01: an advertised endpoint without a document', async (t) => {
  const link = (rel: string): Routes => ({ '/': { body: HOME, headers: { link: `</mcp>; rel="${rel}"` } } });
  await runCases(t, cWk01, [
    ['by Link header', { ...link('mcp'), '/mcp': JSON_RPC }, 'FAIL MISSING', /names an MCP endpoint, which answers/],
    ['by <link>', { '/': `<!doctype html><link rel="mcp-server" href="/mcp"><p>x`, '/mcp': JSON_RPC }, 'FAIL MISSING'],
    ['but no JSON-RPC', { ...link('mcp'), '/mcp': ALIVE }, 'NOT_APPLICABLE'],
    ['under another relation', { ...link('help'), '/mcp': JSON_RPC }, 'NOT_APPLICABLE'],
  ]);
});

t.test('C-WK-01 asks at most 3 endpoints, each once, and reads no stream to its end', async (t) => {
  const remotes = ['/a', '/a', '/b', '/c', '/d'].map((path) => ({ type: 'sse', url: url(path) }));
  const stream: FixtureRoute = { type: 'text/event-stream', body: 'data: x\n\n'.repeat(1_000_000) };
  const run = openFixtureRun({
    routes: { '/': HOME, ...mcpCard({ remotes }), '/a': stream, '/b': ALIVE, '/c': ALIVE },
  });
  const evidence = await run.context.evidence('mcp');
  t.ok('ok' in evidence);
  t.same(
    run.urls().filter((asked) => /\/[a-d]$/.test(asked)),
    ['/a', '/b', '/c'].map(url),
  );
  await run.close();
});

const AGENT_CARD = {
  name: 'Shop agent',
  description: 'Answers questions about orders.',
  version: '1.0.0',
  supportedInterfaces: [{ url: url('/a2a'), protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'orders', name: 'Orders', description: 'Says where an order is.', tags: ['orders'] }],
};
const OLDER_CARD = { ...AGENT_CARD, supportedInterfaces: undefined, url: url('/a2a'), protocolVersion: '0.3.0' };
const AGENT_ENTRY = { ...CARD_ENTRY, type: 'application/a2a-agent-card+json', url: url('/cards/agent.json') };
const AGENT_PATH = '/.well-known/agent-card.json';
const agentCard = (changes: object, routes: Routes = { '/a2a': ALIVE }): Routes => ({
  [AGENT_PATH]: json({ ...AGENT_CARD, ...changes }),
  ...routes,
});

t.test('C-WK-02: the A2A agent card', async (t) => {
  const older = (changes: object): Routes => ({
    '/.well-known/agent.json': json({ ...OLDER_CARD, ...changes }),
    '/a2a': ALIVE,
  });
  const skill = AGENT_CARD.skills[0];
  await runCases(t, cWk02, [
    ['no card', {}, 'NOT_APPLICABLE', /No A2A agent/],
    ['a page for everything', { '*': HOME }, 'NOT_APPLICABLE'],
    ['A2A 1.0', agentCard({}), 'PASS', /interface 1 answers/],
    ['A2A 0.3', { [AGENT_PATH]: json(OLDER_CARD), '/a2a': ALIVE }, 'PASS'],
    [
      'both in one, complete for the older',
      agentCard({ ...OLDER_CARD, supportedInterfaces: [{ url: url('/a2a') }] }),
      'PASS',
    ],
    ['at the older path', older({}), 'PASS', /Newer readers/],
    ['A2A 0.2 knew no protocolVersion', older({ protocolVersion: undefined }), 'PASS'],
    ['another manifest at the older path', { '/.well-known/agent.json': json({ flows: [] }) }, 'NOT_APPLICABLE'],
    [
      'another manifest with capabilities of its own',
      { '/.well-known/agent.json': json({ name: 'x', capabilities: ['search'] }) },
      'NOT_APPLICABLE',
    ],
    [
      'an unfinished card at the older path',
      { '/.well-known/agent.json': json({ capabilities: {} }) },
      'FAIL INVALID_MANIFEST',
    ],
    [
      'at an address that the home page names',
      {
        '/': { body: HOME, headers: { link: '</agent>; rel="agent-card"' } },
        '/agent': json(AGENT_CARD),
        '/a2a': ALIVE,
      },
      'PASS',
    ],
    [
      'a gRPC interface is not asked',
      agentCard({
        supportedInterfaces: [{ url: 'grpc.example.com:443', protocolBinding: 'GRPC', protocolVersion: '1.0' }],
      }),
      'PASS',
      /offers gRPC only/,
    ],
    ['404 to GET, an answer to an empty object', agentCard({}, { '/a2a': toPost(JSON_RPC, { status: 404 }) }), 'PASS'],
    [
      'named, but absent',
      { '/': { body: HOME, headers: { link: '</agent>; rel="agent-card"' } } },
      'FAIL MISSING',
      /but the card is not there/,
    ],
    ['no skills', agentCard({ skills: undefined }), 'FAIL INVALID_MANIFEST', /lacks "skills"/],
    [
      'a skill without tags',
      agentCard({ skills: [skill, { ...skill, tags: undefined, name: CANARY }] }),
      'FAIL INVALID_MANIFEST',
      /skill 2 lacks "tags"/,
    ],
    [
      'modes that are no list',
      agentCard({ defaultInputModes: 'text' }),
      'FAIL INVALID_MANIFEST',
      /invalid "defaultInputModes"/,
    ],
    ['a blank version', agentCard({ version: ' ' }), 'FAIL INVALID_MANIFEST', /"version"/],
    ['no interface', agentCard({ supportedInterfaces: [] }), 'FAIL INVALID_MANIFEST', /"supportedInterfaces"|"url"/],
    [
      'A2A 0.3 without protocolVersion',
      { [AGENT_PATH]: json({ ...OLDER_CARD, protocolVersion: undefined }), '/a2a': ALIVE },
      'PASS',
      /It names no "protocolVersion"/,
    ],
    ['A2A 0.3 whose protocolVersion is a number', older({ protocolVersion: 0.3 }), 'FAIL INVALID_MANIFEST'],
    [
      'a member of another type',
      agentCard({ capabilities: { streaming: CANARY } }),
      'FAIL INVALID_MANIFEST',
      /"capabilities" has an invalid "streaming"/,
    ],
    [
      'a scheme whose name the site chose',
      agentCard({ securitySchemes: { [CANARY]: CANARY } }),
      'FAIL INVALID_MANIFEST',
      /security scheme 1 has the wrong type/,
    ],
    ['null for what is not set', agentCard({ provider: null, iconUrl: null }), 'PASS', /interface 1 answers\.$/],
    ['nothing to do', agentCard({ skills: [] }), 'PASS', /Nothing is in "skills", where A2A asks for content\./],
    [
      'no interface of 1.0 beside a whole card of 0.3',
      agentCard({ ...OLDER_CARD, supportedInterfaces: [] }),
      'PASS',
      /clients of A2A 1\.0 find no interface/,
    ],
    [
      'a relative interface',
      agentCard({ supportedInterfaces: [{ ...AGENT_CARD.supportedInterfaces[0], url: '/a2a' }] }),
      'FAIL INVALID_MANIFEST',
      /interface 1 has an invalid "url"/,
    ],
    [
      'a catalog that links to a card',
      catalog([AGENT_ENTRY], { '/cards/agent.json': json(AGENT_CARD), '/a2a': ALIVE }),
      'PASS',
    ],
    [
      'a catalog that links to a card in a private network',
      catalog([{ ...AGENT_ENTRY, url: 'https://10.1.2.3/card.json' }]),
      'FAIL INVALID_MANIFEST',
      /The agent card of entry 1 of .*private network/,
    ],
    [
      'a catalog that links to the card of another site',
      catalog([{ ...AGENT_ENTRY, url: 'https://other.example.net/card.json' }]),
      'NOT_APPLICABLE',
    ],
    ['a dead interface', agentCard({}, {}), 'FAIL WK_UNREACHABLE', /status 404/],
    ['a refused card', { ...linking(AGENT_PATH), [AGENT_PATH]: { status: 401 } }, 'FAIL WK_UNREACHABLE', /status 401/],
    ['a card cut off', { [AGENT_PATH]: { ...json(AGENT_CARD), cut: true } }, 'UNDETERMINED'],
  ]);
});

t.test('C-WK-02 sends no message to the agent', async (t) => {
  const bodies: (string | undefined)[] = [];
  const agent: FixtureRoute = ({ method, body }) => {
    if (method === 'POST') bodies.push(body);
    return { status: 404 };
  };
  await findingOf(cWk02, { routes: { '/': HOME, ...agentCard({}, { '/a2a': agent }) } });
  t.same(bodies, ['{}']);
});

t.test('C-WK-02 asks an HTTP+JSON agent by GET alone, at the paths of its version', async (t) => {
  const askedOf = async (card: object): Promise<string[]> => {
    const asked: string[] = [];
    const agent: FixtureRoute = ({ method, url: { pathname } }) => {
      if (pathname.startsWith('/a2a')) asked.push(`${method} ${pathname}`);
      return { status: 404 };
    };
    const { result } = await findingOf(cWk02, { routes: { '/': HOME, [AGENT_PATH]: json(card), '*': agent } });
    t.equal(result, 'UNDETERMINED');
    return asked;
  };
  const rest = { url: url('/a2a/'), protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' };
  const current = (item: object): object => ({ ...AGENT_CARD, supportedInterfaces: [{ ...rest, ...item }] });
  const below = (base: string, card: string): string[] =>
    [card, 'tasks', 'message:send'].map((operation) => `GET ${base}/${operation}`);
  t.same(await askedOf(current({})), [...below('/a2a', 'extendedAgentCard'), 'GET /a2a/']);
  t.same(await askedOf(current({ tenant: 'x?y' })), [...below('/a2a/x%3Fy', 'extendedAgentCard'), 'GET /a2a/']);
  t.same(await askedOf(current({ protocolVersion: '0.3' })), [...below('/a2a/v1', 'card'), 'GET /a2a/']);
  t.same(await askedOf({ ...OLDER_CARD, url: url('/a2a/v1'), preferredTransport: 'http_json' }), [
    ...below('/a2a/v1', 'card'),
    'GET /a2a/v1',
  ]);
});

const API_CATALOG = {
  linkset: [
    {
      anchor: url('/api'),
      'service-desc': [{ href: url('/openapi.json'), type: 'application/json' }],
      'service-doc': [{ href: '/docs', type: 'text/html' }],
    },
  ],
};
const OPENAPI = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: { '/orders': {} } };
const OPENAPI_YAML = 'openapi: 3.1.0\ninfo:\n  title: Shop\n  version: "1"\npaths:\n  /orders:\n    get: {}\n';
const CATALOG_PATH = '/.well-known/api-catalog';
const apiCatalog = (value: unknown, routes: Routes = { '/openapi.json': json(OPENAPI), '/docs': HOME }): Routes => ({
  [CATALOG_PATH]: json(value, 'application/linkset+json'),
  ...routes,
});
const resource = (value: unknown): Routes => ({ '/.well-known/oauth-protected-resource': json(value) });
const SERVER = {
  issuer: FIXTURE_ORIGIN,
  authorization_endpoint: url('/auth'),
  token_endpoint: url('/token'),
  response_types_supported: ['code'],
};
const authServer = (changes: object): Routes => ({
  '/.well-known/oauth-authorization-server': json({ ...SERVER, ...changes }),
});
/** One whose well-known path redirects to a tenant of a login host. */
const redirectedServer = (path: string): Routes => ({
  '/.well-known/openid-configuration': {
    status: 302,
    headers: { location: 'https://login.fixture-site.com/tenant/.well-known/openid-configuration' },
  },
  'https://login.fixture-site.com/tenant/.well-known/openid-configuration': json({
    ...SERVER,
    issuer: `https://login.fixture-site.com${path}`,
  }),
});

t.test('C-WK-03: API catalog and auth metadata', async (t) => {
  const entry = API_CATALOG.linkset[0];
  await runCases(t, cWk03, [
    ['nothing', {}, 'NOT_APPLICABLE', /No API is announced/],
    ['a catalog whose links work', apiCatalog(API_CATALOG), 'PASS', /service-desc 1 of linkset entry 1 is there/],
    ['items alone, without anchor', apiCatalog({ linkset: [{ item: [{ href: url('/api') }] }] }), 'PASS'],
    [
      'a context about something else beside it',
      apiCatalog({ linkset: [entry, { anchor: url('/'), describedby: [{ href: '/x' }] }] }),
      'PASS',
    ],
    ['a catalog without linkset', apiCatalog({ apis: [] }), 'FAIL INVALID_MANIFEST', /no "linkset" array/],
    [
      'a relation that is no array',
      apiCatalog({ linkset: [{ anchor: url('/'), rel: 'item', href: CANARY }] }),
      'FAIL INVALID_MANIFEST',
      /not an array of links/,
    ],
    [
      'no API relation',
      apiCatalog({ linkset: [{ anchor: url('/'), links: [{ rel: 'service-doc', href: '/docs' }] }] }),
      'FAIL INVALID_MANIFEST',
      /links to no API/,
    ],
    [
      'a description of nothing',
      apiCatalog({ linkset: [{ ...entry, anchor: undefined }] }),
      'FAIL INVALID_MANIFEST',
      /lacks "anchor"/,
    ],
    [
      'a link without address',
      apiCatalog({ linkset: [{ ...entry, item: [{}] }] }),
      'FAIL INVALID_MANIFEST',
      /without "href"/,
    ],
    [
      'a dead description',
      apiCatalog(API_CATALOG, { '/docs': HOME }),
      'FAIL WK_UNREACHABLE',
      /service-desc 1 .* status 404/,
    ],
    [
      'a refused documentation',
      apiCatalog(API_CATALOG, { '/openapi.json': json(OPENAPI), '/docs': { status: 403 } }),
      'UNDETERMINED',
      /status 403/,
    ],
    [
      'a failing documentation',
      apiCatalog(API_CATALOG, { '/openapi.json': json(OPENAPI), '/docs': { status: 503 } }),
      'FAIL WK_UNREACHABLE',
      /status 503/,
    ],
    [
      'an endpoint with its state alone',
      apiCatalog({ linkset: [{ anchor: url('/api'), status: [{ href: '/up' }] }] }, {}),
      'PASS',
    ],
    [
      'the state of the catalog itself',
      apiCatalog({ linkset: [{ anchor: CATALOG_PATH, status: [{ href: '/up' }] }] }),
      'FAIL INVALID_MANIFEST',
      /links to no API/,
    ],
    [
      'another site refuses us',
      apiCatalog(
        { linkset: [{ anchor: url('/'), 'service-doc': [{ href: 'https://docs.example.net/' }] }] },
        { 'https://docs.example.net/': { status: 403 } },
      ),
      'UNDETERMINED',
    ],
    ['protected resource metadata', resource({ resource: FIXTURE_ORIGIN }), 'PASS'],
    ['a resource with a path', resource({ resource: url('/mcp') }), 'PASS'],
    [
      'a resource on another origin',
      resource({ resource: 'https://other.example.net' }),
      'FAIL INVALID_MANIFEST',
      /another origin/,
    ],
    ['no resource', resource({}), 'FAIL INVALID_MANIFEST', /lacks "resource"/],
    ['authorization server metadata', authServer({}), 'PASS'],
    ['a trailing slash', authServer({ issuer: `${FIXTURE_ORIGIN}/` }), 'PASS'],
    ['no www', authServer({ issuer: FIXTURE_ORIGIN.replace('www.', '') }), 'PASS'],
    ['an issuer with a path, to which a redirect leads', redirectedServer('/tenant'), 'PASS'],
    ['another path than the redirect’s', redirectedServer('/other'), 'FAIL INVALID_MANIFEST', /"issuer"/],
    [
      'tokens for machines alone',
      authServer({
        grant_types_supported: ['client_credentials'],
        authorization_endpoint: undefined,
        response_types_supported: undefined,
      }),
      'PASS',
    ],
    ['another issuer', authServer({ issuer: 'https://login.example.net' }), 'FAIL INVALID_MANIFEST', /"issuer"/],
    ['an issuer with a path', authServer({ issuer: url('/tenant') }), 'FAIL INVALID_MANIFEST'],
    ['no token endpoint', authServer({ token_endpoint: undefined }), 'FAIL INVALID_MANIFEST', /lacks "token_endpoint"/],
    [
      'all present must be valid',
      { ...resource({ resource: FIXTURE_ORIGIN }), ...authServer({ issuer: '' }) },
      'FAIL INVALID_MANIFEST',
      /oauth-authorization-server lacks "issuer"/,
    ],
    [
      'openid-configuration fails',
      { ...linking('/.well-known/openid-configuration'), '/.well-known/openid-configuration': { status: 500 } },
      'FAIL WK_UNREACHABLE',
    ],
    ['a catalog that asks us to wait', { [CATALOG_PATH]: { status: 429 } }, 'UNDETERMINED'],
    [
      'fetching goes before content',
      { ...linking(CATALOG_PATH), ...resource({}), [CATALOG_PATH]: { status: 403 } },
      'FAIL WK_UNREACHABLE',
      /1 more fault is in the API documents/,
    ],
  ]);
});

t.test('C-WK-03: an OpenAPI description that nothing names', async (t) => {
  const description = (value: object): Routes => ({ '/openapi.json': json({ ...OPENAPI, ...value }) });
  const documented: Routes = { '/': '<!doctype html><a href="/docs/api">For programmers</a>', '/docs/api': HOME };
  await runCases(t, cWk03, [
    ['in JSON', { ...documented, ...description({}) }, 'FAIL MISSING', /at \/openapi\.json/],
    ['in YAML', { ...documented, '/openapi.yaml': OPENAPI_YAML }, 'FAIL MISSING', /at \/openapi\.yaml/],
    [
      'Swagger 2.0',
      { ...documented, '/swagger.json': json({ swagger: '2.0', info: { title: 'Shop' }, paths: { '/orders': {} } }) },
      'FAIL MISSING',
      /at \/swagger\.json/,
    ],
    [
      'beside valid metadata',
      { ...documented, ...description({}), ...resource({ resource: FIXTURE_ORIGIN }) },
      'FAIL MISSING',
    ],
    ['that nothing offers', description({}), 'NOT_APPLICABLE', /No page that was looked at and no llms\.txt leads to/],
    [
      'that nothing offers, beside valid metadata',
      { ...description({}), ...resource({ resource: FIXTURE_ORIGIN }) },
      'PASS',
      /is valid\. No page that was looked at/,
    ],
    [
      'whose documentation is gone',
      { ...documented, '/docs/api': { status: 404 }, ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'whose documentation links to it',
      { ...documented, '/docs/api': '<!doctype html><a href="/openapi.json">Download</a>', ...description({}) },
      'NOT_APPLICABLE',
      /no OAuth metadata\.$/,
    ],
    [
      'whose documentation llms.txt links',
      {
        '/llms.txt': '# Shop\n\n- [API](/developers)\n',
        '/developers': '<title>API reference</title><p>x',
        ...description({}),
      },
      'FAIL MISSING',
    ],
    [
      'beside a handbook of something else',
      {
        '/': '<!doctype html><a href="/docs">Care of tents</a>',
        '/docs': '<title>Tents</title><p>Dry them.',
        ...description({}),
      },
      'NOT_APPLICABLE',
    ],
    [
      'named by a relative link of llms.txt',
      { ...documented, '/llms.txt': '# Shop\n\n- [API](openapi.json)\n', ...description({}) },
      'NOT_APPLICABLE',
    ],
    ['of another site’s API', description({ servers: [{ url: 'https://api.example.net' }] }), 'NOT_APPLICABLE'],
    [
      'of the site’s own API host',
      { ...documented, ...description({ servers: [{ url: 'https://api.fixture-site.com/v1' }] }) },
      'FAIL MISSING',
    ],
    ['without paths', description({ paths: {} }), 'NOT_APPLICABLE'],
    ['another JSON file', { '/openapi.json': json({ hello: 'world' }) }, 'NOT_APPLICABLE'],
    [
      'named by a Link header',
      { '/': { body: HOME, headers: { link: '</openapi.json>; rel="service-desc"' } }, ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'named by <link>',
      { '/': '<!doctype html><link rel="service-desc" href="/openapi.json"><p>x', ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'named by a link',
      { '/': '<!doctype html><a href="/openapi.json#a">API</a>', ...description({}) },
      'NOT_APPLICABLE',
    ],
    ['named by llms.txt', { '/llms.txt': '# Shop\n\n- [API](/openapi.json)\n', ...description({}) }, 'NOT_APPLICABLE'],
    [
      'named in the text of llms.txt',
      { '/llms.txt': `# Shop\n\nSee ${url('/openapi.json')} for the API.\n`, ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'perhaps named by an llms.txt that asks us to wait',
      { '/llms.txt': { status: 429 }, ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'named on another host of the site',
      { '/': '<!doctype html><a href="http://fixture-site.com/openapi.json">API</a>', ...description({}) },
      'NOT_APPLICABLE',
    ],
    [
      'named by an address that redirects to it',
      {
        '/': '<!doctype html><a href="/openapi.json">API</a>',
        '/openapi.json': { status: 302, headers: { location: '/v1/openapi.json' } },
        '/v1/openapi.json': json(OPENAPI),
      },
      'NOT_APPLICABLE',
    ],
    [
      'of the same name on another site',
      {
        ...documented,
        '/': '<!doctype html><a href="https://example.net/openapi.json">API</a><a href="/docs/api">API</a>',
        ...description({}),
      },
      'FAIL MISSING',
    ],
    [
      'beside a catalog that is refused, and may name it',
      { ...documented, ...description({}), [CATALOG_PATH]: { status: 403 } },
      'NOT_APPLICABLE',
      /api-catalog is refused with status 403, and nothing that was looked at names it/,
    ],
    ['left to the catalog’s items', apiCatalog({ linkset: [{ item: [{ href: '/api' }] }] }), 'PASS'],
  ]);
});

t.test('each required field is asked for, by its name', async (t) => {
  const without = (value: object, field: string): object =>
    Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
  const catalogPath = '/.well-known/ai-catalog.json';
  const ardPath = '/.well-known/ard.json';
  const skills = (skill: object): object => ({ ...AGENT_CARD, skills: [skill] });
  const interfaces = (item: object): object => ({ ...AGENT_CARD, supportedInterfaces: [item] });
  const entries = (entry: object): object => ({ specVersion: '1.0', entries: [entry] });
  const remotes = (remote: object): object => ({ ...SERVER_CARD, remotes: [remote] });
  const same = (value: object): object => value;
  const table: readonly [
    check: Check,
    path: string,
    whole: object,
    fields: readonly string[],
    put?: (part: object) => object,
  ][] = [
    [cWk01, catalogPath, { entries: [] }, ['entries']],
    [cWk01, catalogPath, CARD_ENTRY, ['identifier', 'url'], entries],
    [cWk01, ardPath, { entries: [] }, ['entries']],
    [cWk01, ardPath, { ...CARD_ENTRY, displayName: 'Shop' }, ['identifier', 'displayName', 'url'], entries],
    [cWk01, ardPath, { ...CARD_ENTRY, displayName: 'Shop', mediaType: CARD_ENTRY.type }, ['type'], entries],
    [cWk01, CARD_PATH, SERVER_CARD, ['$schema', 'name', 'version', 'description']],
    [cWk01, CARD_PATH, { type: 'sse', url: url('/mcp') }, ['type', 'url'], remotes],
    [
      cWk02,
      AGENT_PATH,
      AGENT_CARD,
      ['name', 'description', 'version', 'capabilities', 'defaultInputModes', 'defaultOutputModes', 'skills'],
    ],
    [cWk02, AGENT_PATH, AGENT_CARD.skills[0] ?? {}, ['id', 'name', 'description', 'tags'], skills],
    [
      cWk02,
      AGENT_PATH,
      AGENT_CARD.supportedInterfaces[0] ?? {},
      ['url', 'protocolBinding', 'protocolVersion'],
      interfaces,
    ],
    [cWk02, AGENT_PATH, OLDER_CARD, ['url']],
    [
      cWk03,
      '/.well-known/oauth-authorization-server',
      SERVER,
      ['issuer', 'authorization_endpoint', 'token_endpoint', 'response_types_supported'],
    ],
  ];
  for (const [check, path, whole, fields, put = same] of table) {
    for (const field of fields) {
      const site = { '/': HOME, '/mcp': ALIVE, '/a2a': ALIVE, [path]: json(put(without(whole, field))) };
      const finding = await findingOf(check, { routes: site });
      t.match(finding, { errorType: 'INVALID_MANIFEST', detail: `lacks "${field}"` }, `${path}: ${field}`);
    }
  }
});
