import { gzipSync } from 'node:zlib';
import t from 'tap';
import { cWk01 } from '../../../src/scanner/checks/c-wk-01.js';
import { openFixtureRun } from '../../support/collect.js';
import type { FixtureAnswer, FixtureRoute } from '../../support/fixture-site.js';
import {
  ALIVE,
  CANARY,
  CARD_ENTRY,
  CARD_PATH,
  type Case,
  HOME,
  JSON_RPC,
  type Routes,
  SERVER_CARD,
  catalog,
  json,
  linking,
  runCases,
  toPost,
  url,
} from './endpoint-sites.js';

const mcpCard = (changes: object, routes: Routes = { '/mcp': ALIVE }): Routes => ({
  [CARD_PATH]: json({ ...SERVER_CARD, ...changes }),
  ...routes,
});

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
      /not valid JSON: the error is on line 1 \(byte 10\)\./,
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
      'a remote that is not a web address',
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
      'a catalog that a header names, which is not there',
      { '/': { body: HOME, headers: { link: '</ard.json>; rel="ard"' } } },
      'FAIL MISSING',
      /by rel="ard" is not there\./,
    ],
    [
      'a well-known catalog that a header names, which is not there',
      { '/': { body: HOME, headers: { link: '</.well-known/ard.json>; rel="ard"' } } },
      'FAIL MISSING',
    ],
    [
      'a catalog that robots.txt names, which is not there',
      { '/robots.txt': 'Agentmap: https://www.fixture-site.com/ard.json\n' },
      'FAIL WK_UNREACHABLE',
    ],
    [
      'a catalog of a subdomain',
      {
        '/': { body: HOME, headers: { link: '<https://api.fixture-site.com/.well-known/ard.json>; rel="ard"' } },
        'https://api.fixture-site.com/.well-known/ard.json': json({ entries: [] }),
      },
      'NOT_APPLICABLE',
    ],
    [
      'a server card of a subdomain',
      {
        '/': {
          body: HOME,
          headers: { link: `<https://mcp.fixture-site.com${CARD_PATH}>; rel="mcp-server-card"` },
        },
        [`https://mcp.fixture-site.com${CARD_PATH}`]: json(SERVER_CARD),
      },
      'NOT_APPLICABLE',
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
  const packed = gzipSync(JSON.stringify(SERVER_CARD)).subarray(0, -20);
  const early = { 'content-encoding': 'gzip', 'content-length': `${packed.length}` };
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
    [
      'compressed data that ends early',
      withEndpoint({ type: 'application/json', headers: early, body: packed }),
      'UNDETERMINED',
    ],
    ['a challenge', withEndpoint(challenge), 'UNDETERMINED', /remote 1 answers with a bot challenge from SiteGround/],
    [
      'a challenge alongside a dead one',
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

t.test('C-WK-01 asks at most 3 endpoints, each once by each method, and reads no stream to its end', async (t) => {
  const remotes = ['/a', '/a', '/b', '/c', '/d'].map((path) => ({ type: 'sse', url: url(path) }));
  const stream: FixtureRoute = { type: 'text/event-stream', body: 'data: x\n\n'.repeat(1_000_000) };
  const run = openFixtureRun({
    routes: { '/': HOME, ...mcpCard({ remotes }), '/a': stream, '/b': ALIVE, '/c': ALIVE },
  });
  const evidence = await run.context.evidence('mcp');
  t.ok('ok' in evidence);
  t.same(
    run.requests
      .filter((asked) => /\/[a-d]$/.test(asked.url))
      .map((asked) => `${asked.method} ${new URL(asked.url).pathname}`),
    ['GET /a', 'GET /b', 'GET /c', 'POST /b', 'POST /c'],
  );
  await run.close();
});
