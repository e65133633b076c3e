import t from 'tap';
import { cWk02 } from '../../../src/scanner/checks/c-wk-02.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { AGENT_CARD, AGENT_PATH, ALIVE, announcing, CARD_ENTRY, catalog, expectOn } from './endpoint-sites.js';
import { expectWords, HOME, INTERFACE, linking, OLDER_CARD, SKILL } from './endpoint-sites.js';
import { CANARY, json, type Routes, url } from './expect-findings.js';

const ENTRY = { ...CARD_ENTRY, type: 'application/a2a-agent-card+json', url: url('/cards/agent.json') };
const OLDER_PATH = '/.well-known/agent.json';
const agentCard = (changes: object, routes: Routes = { '/a2a': ALIVE }): Routes => ({
  [AGENT_PATH]: json({ ...AGENT_CARD, ...changes }),
  ...routes,
});
const older = (changes: object, path = OLDER_PATH): Routes => ({
  [path]: json({ ...OLDER_CARD, ...changes }),
  '/a2a': ALIVE,
});

t.test('C-WK-02: the A2A agent card', async (t) => {
  await expectOn(t, cWk02, {
    NOT_APPLICABLE: {
      'no card': [{}, /no A2A agent card/],
      'a page for everything': { '*': HOME },
      'another manifest at the older path': { [OLDER_PATH]: json({ flows: [] }) },
      'another manifest with capabilities of its own': {
        [OLDER_PATH]: json({ name: 'x', capabilities: ['search'] }),
      },
    },
    PASS: {
      'A2A 1.0': [agentCard({}), /interface 1 answers/],
      'A2A 0.3': older({}, AGENT_PATH),
      'at the older path': [older({}), /Newer clients/],
      'at an address that the home page names': {
        ...announcing('/agent', 'agent-card'),
        '/agent': json(AGENT_CARD),
        '/a2a': ALIVE,
      },
      'a gRPC interface is not asked': [
        agentCard({ supportedInterfaces: [{ ...INTERFACE, url: 'grpc.example.com:443', protocolBinding: 'GRPC' }] }),
        /offers only gRPC/,
      ],
      'no interface of 1.0 alongside a whole card of 0.3': [
        agentCard({ ...OLDER_CARD, supportedInterfaces: [] }),
        /clients of A2A 1\.0 find no interface/,
      ],
      'a catalog that links to a card': catalog([ENTRY], { '/cards/agent.json': json(AGENT_CARD), '/a2a': ALIVE }),
    },
    'FAIL MISSING': { 'named, but absent': [announcing('/agent', 'agent-card'), /card that does not exist/] },
    'FAIL INVALID_MANIFEST': {
      'an unfinished card at the older path': { [OLDER_PATH]: json({ capabilities: {} }) },
      'no interface': [agentCard({ supportedInterfaces: [] }), /"supportedInterfaces"|"url"/],
    },
    'FAIL WK_UNREACHABLE': {
      'a dead interface': [agentCard({}, {}), /status 404/],
      'a refused card': [{ ...linking(AGENT_PATH), [AGENT_PATH]: 401 }, /status 401/],
    },
    UNDETERMINED: { 'a card cut off': { [AGENT_PATH]: { ...json(AGENT_CARD), cut: true } } },
  });
  await expectWords(t, cWk02, {
    'FAIL INVALID_MANIFEST': {
      'lacks "skills"': agentCard({ skills: undefined }),
      'skill 2 lacks "tags"': agentCard({ skills: [SKILL, { ...SKILL, tags: undefined, name: CANARY }] }),
      '"capabilities" has an invalid "streaming"': agentCard({ capabilities: { streaming: CANARY } }),
      'security scheme 1 has the wrong type': agentCard({ securitySchemes: { [CANARY]: CANARY } }),
      'interface 1 has an invalid "url"': agentCard({ supportedInterfaces: [{ ...INTERFACE, url: '/a2a' }] }),
    },
  });
});

t.test('C-WK-02 sends no message to the agent', async (t) => {
  const bodies: (string | undefined)[] = [];
  const agent: FixtureRoute = ({ method, body }) => {
    if (method === 'POST') bodies.push(body);
    return 404;
  };
  await findingOf(cWk02, { routes: { '/': HOME, ...agentCard({}, { '/a2a': agent }) } });
  t.same(bodies, ['{}']);
});

t.test('C-WK-02 asks an HTTP+JSON agent by GET alone, at the paths of its version', async (t) => {
  const rest = { url: url('/a2a/'), protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' };
  const current = (item: object): object => ({ ...AGENT_CARD, supportedInterfaces: [{ ...rest, ...item }] });
  const cases: [card: object, asked: string][] = [
    [current({}), '/a2a/extendedAgentCard /a2a/tasks /a2a/message:send /a2a/'],
    [current({ tenant: 'x?y' }), '/a2a/x%3Fy/extendedAgentCard /a2a/x%3Fy/tasks /a2a/x%3Fy/message:send /a2a/'],
    [current({ protocolVersion: '0.3' }), '/a2a/v1/card /a2a/v1/tasks /a2a/v1/message:send /a2a/'],
    [
      { ...OLDER_CARD, url: url('/a2a/v1'), preferredTransport: 'http_json' },
      '/a2a/v1/card /a2a/v1/tasks /a2a/v1/message:send /a2a/v1',
    ],
  ];
  for (const [card, expected] of cases) {
    const asked: string[] = [];
    const agent: FixtureRoute = ({ method, url: { pathname } }) => {
      if (pathname.startsWith('/a2a')) asked.push(method === 'GET' ? pathname : `${method} ${pathname}`);
      return 404;
    };
    const { result } = await findingOf(cWk02, { routes: { '/': HOME, [AGENT_PATH]: json(card), '*': agent } });
    t.equal(result, 'UNDETERMINED');
    t.equal(asked.join(' '), expected);
  }
});
