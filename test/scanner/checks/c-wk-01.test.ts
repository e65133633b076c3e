import { gzipSync } from 'node:zlib';
import t from 'tap';
import { cWk01 } from '../../../src/scanner/checks/c-wk-01.js';
import { openFixtureRun } from '../../support/collect.js';
import type { FixtureAnswer, FixtureRoute } from '../../support/fixture-site.js';
import { ALIVE, announcing, CARD_ENTRY, CARD_PATH, catalog, expectOn, expectWords, HOME } from './endpoint-sites.js';
import { JSON_RPC, SERVER_CARD, toPost } from './endpoint-sites.js';
import { CANARY, json, type Routes, url } from './expect-findings.js';

const mcpCard = (changes: object, routes: Routes = { '/mcp': ALIVE }): Routes => ({
  [CARD_PATH]: json({ ...SERVER_CARD, ...changes }),
  ...routes,
});
/** A document of an older form, whose endpoint is alive. */
const older = (document: object, path = '/.well-known/mcp.json'): Routes => ({ [path]: json(document), '/mcp': ALIVE });
const remote = (changes: object) => mcpCard({ remotes: [{ type: 'sse', url: url('/mcp'), ...changes }] });

t.test('C-WK-01: MCP discovery', async (t) => {
  await expectOn(t, cWk01, {
    NOT_APPLICABLE: {
      'programs for the reader’s own machine': [
        older({ mcpServers: { shop: { command: 'npx' } } }),
        /mcp\.json lists /,
      ],
      'a catalog of a subdomain': {
        ...announcing('https://api.fixture-site.com/.well-known/ard.json', 'ard'),
        'https://api.fixture-site.com/.well-known/ard.json': json({ entries: [] }),
      },
      'a server card of a subdomain': {
        ...announcing(`https://mcp.fixture-site.com${CARD_PATH}`, 'mcp-server-card'),
        [`https://mcp.fixture-site.com${CARD_PATH}`]: json(SERVER_CARD),
      },
    },
    PASS: {
      'a card without remotes is valid by its schema': mcpCard({ remotes: undefined }),
      'a templated remote is not asked': { ...remote({ url: 'https://{host}/mcp' }), '/mcp': 404 },
      'a BOM before the JSON': { ...mcpCard({}), [CARD_PATH]: `\uFEFF${JSON.stringify(SERVER_CARD)}` },
      'JSON under another type is only a note': [
        { ...mcpCard({}), [CARD_PATH]: json(SERVER_CARD, 'text/plain') },
        /Content-Type does not say JSON/,
      ],
      'mcp.json with name and endpoint': older({ name: 'Shop', endpoint: url('/mcp') }),
      'SEP-1649 with a path': [
        older({ serverInfo: { name: 'Shop' }, transport: { type: 'streamable-http', endpoint: '/mcp' } }, CARD_PATH),
        /endpoint 1 answers/,
      ],
    },
    'FAIL MISSING': {
      'a catalog that a header names': [announcing('/ard.json', 'ard'), /with rel="ard" does not exist\./],
    },
    'FAIL WK_UNREACHABLE': { 'a card of a catalog': [catalog([CARD_ENTRY]), /the card of entry 1 does not exist/] },
    UNDETERMINED: { 'what is unknown may be the valid one': { [CARD_PATH]: '{', '/.well-known/mcp.json': 429 } },
  });
  await expectWords(t, cWk01, {
    'FAIL INVALID_MANIFEST': {
      'no absolute http(s) endpoint': older({ name: CANARY, tools: [] }),
      'not valid JSON: the error is on line 1 (byte 10).': { [CARD_PATH]: `{"name": ${CANARY}}` },
      'not an object': { [CARD_PATH]: '[]' },
      'HTML page': { [CARD_PATH]: { type: 'text/html', body: HOME } },
      'the card of entry 1 lacks "version"': catalog([CARD_ENTRY], {
        '/cards/shop.json': json({ ...SERVER_CARD, version: '' }),
      }),
    },
  });
});

t.test('C-WK-01: an endpoint is alive', async (t) => {
  const withEndpoint = (endpoint: FixtureRoute): Routes => mcpCard({}, { '/mcp': endpoint });
  const gone: FixtureAnswer = { status: 404, body: 'no' };
  const packed = gzipSync(JSON.stringify(SERVER_CARD)).subarray(0, -20);
  const early = { 'content-encoding': 'gzip', 'content-length': `${packed.length}` };
  const challenge: FixtureAnswer = { headers: { 'sg-captcha': 'challenge' }, body: HOME };
  const two = { remotes: [{ type: 'sse', url: url('/old') }, ...SERVER_CARD.remotes] };
  await expectOn(t, cWk01, {
    PASS: {
      ...Object.fromEntries([400, 401, 402, 403, 405, 406, 415].map((status) => [status, withEndpoint(status)])),
      JSON: withEndpoint(json({ name: 'mcp' })),
      '404 to GET, an answer to POST': withEndpoint(toPost(JSON_RPC, gone)),
      'a page for people to GET, an answer to POST': withEndpoint(toPost(JSON_RPC, { body: HOME })),
      'a silent event stream, an answer to POST': withEndpoint(toPost(JSON_RPC, { failure: 'stalled' })),
      'a JSON-RPC error under 404': withEndpoint(toPost({ ...JSON_RPC, status: 404 }, gone)),
      'only the older handshake is known': withEndpoint(({ body }) =>
        body?.includes('"initialize"') === true ? JSON_RPC : gone,
      ),
      'one of two remotes': [mcpCard(two), /remote 2 answers\. However, remote 1 returns status 404/],
    },
    'FAIL WK_UNREACHABLE': {
      'what is answered to any GET, and to no POST': [
        { ...withEndpoint(toPost(gone, json({ ok: true }))), '*': json({ ok: true }) },
        /status 404/,
      ],
      'a page to both': [withEndpoint({ body: HOME }), /returns a page/],
      'a page that takes no POST': withEndpoint(toPost({ status: 405 }, { body: HOME })),
      'a stall of both': [withEndpoint({ failure: 'stalled' }), /in time/],
    },
    UNDETERMINED: {
      '429': withEndpoint(429),
      'compressed data that ends early': withEndpoint({ type: 'application/json', headers: early, body: packed }),
      'a challenge': [withEndpoint(challenge), /remote 1 returns a bot challenge from SiteGround/],
      'a challenge alongside a dead one': [
        mcpCard(two, { '/mcp': challenge }),
        /remote 1 returns status 404 and remote 2 returns a bot challenge/,
      ],
    },
  });
});

t.test('C-WK-01: an advertised endpoint without a document', async (t) => {
  await expectOn(t, cWk01, {
    'FAIL MISSING': {
      'by Link header': [{ ...announcing('/mcp', 'mcp'), '/mcp': JSON_RPC }, /refers to an MCP endpoint that works/],
    },
    NOT_APPLICABLE: { 'under another relation': { ...announcing('/mcp', 'help'), '/mcp': JSON_RPC } },
  });
});

t.test('C-WK-01 asks at most 3 endpoints, each once by each method, and reads no stream to its end', async (t) => {
  const remotes = ['/a', '/a', '/b', '/c', '/d'].map((path) => ({ type: 'sse', url: url(path) }));
  const stream: FixtureRoute = { type: 'text/event-stream', body: 'data: x\n\n'.repeat(1_000_000) };
  const routes = { '/': HOME, ...mcpCard({ remotes }), '/a': stream, '/b': ALIVE, '/c': ALIVE };
  const run = openFixtureRun({ routes });
  t.ok('ok' in (await run.context.evidence('mcp')));
  await run.close();
  const paths = run.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  const asked = paths.filter((path) => /\/[a-d]$/.test(path));
  t.same(asked, ['GET /a', 'GET /b', 'GET /c', 'POST /b', 'POST /c']);
});
