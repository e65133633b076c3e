import t from 'tap';
import { cWk02 } from '../../../src/scanner/checks/c-wk-02.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import {
  AGENT_CARD,
  AGENT_PATH,
  ALIVE,
  CANARY,
  CARD_ENTRY,
  HOME,
  JSON_RPC,
  OLDER_CARD,
  type Routes,
  catalog,
  json,
  linking,
  runCases,
  toPost,
  url,
} from './endpoint-sites.js';

const AGENT_ENTRY = { ...CARD_ENTRY, type: 'application/a2a-agent-card+json', url: url('/cards/agent.json') };
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
      'modes that are not a list',
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
      'no interface of 1.0 alongside a whole card of 0.3',
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
