import t from 'tap';
import { cWk02 } from '../../../src/scanner/checks/c-wk-02.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { AGENT_CARD, AGENT_PATH, ALIVE, expectOn } from './endpoint-sites.js';
import { expectWords, HOME, OLDER_CARD, SKILL } from './endpoint-sites.js';
import { CANARY, json, type Routes, url } from './expect-findings.js';

const OLDER_PATH = '/.well-known/agent.json';
const agentCard = (changes: object, routes: Routes = { '/a2a': ALIVE }): Routes => ({
  [AGENT_PATH]: json({ ...AGENT_CARD, ...changes }),
  ...routes,
});
const older: Routes = { [OLDER_PATH]: json(OLDER_CARD), '/a2a': ALIVE };

t.test('C-WK-02: the A2A agent card', async (t) => {
  await expectOn(t, cWk02, {
    NOT_APPLICABLE: {
      'another manifest at the older path': { [OLDER_PATH]: json({ flows: [] }) },
      'one with capabilities of its own': { [OLDER_PATH]: json({ name: 'x', capabilities: ['search'] }) },
    },
    PASS: { 'at the older path': [older, /Newer clients/] },
    'FAIL INVALID_MANIFEST': { 'an unfinished card at the older path': { [OLDER_PATH]: json({ capabilities: {} }) } },
    UNDETERMINED: { 'a card cut off': { [AGENT_PATH]: { ...json(AGENT_CARD), cut: true } } },
  });
  await expectWords(t, cWk02, {
    'FAIL INVALID_MANIFEST': {
      'skill 2 lacks "tags"': agentCard({ skills: [SKILL, { ...SKILL, tags: undefined, name: CANARY }] }),
    },
  });
});

t.test('C-WK-02 sends no message to the agent', async (t) => {
  const bodies: unknown[] = [];
  const agent: FixtureRoute = ({ method, body }) => {
    if (method === 'POST') bodies.push(body);
    return 404;
  };
  await findingOf(cWk02, { routes: { '/': HOME, ...agentCard({}, { '/a2a': agent }) } });
  t.same(bodies, ['{}']);
});

t.test('C-WK-02 asks an HTTP+JSON agent by GET alone, in the segment of its tenant', async (t) => {
  const asked: string[] = [];
  const agent: FixtureRoute = ({ method, url: { pathname } }) => {
    if (pathname.startsWith('/a2a')) asked.push(method === 'GET' ? pathname : `${method} ${pathname}`);
    return 404;
  };
  const rest = { url: url('/a2a/'), protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 'x?y' };
  const card = agentCard({ supportedInterfaces: [rest] }, { '*': agent });
  const finding = await findingOf(cWk02, { routes: { '/': HOME, ...card } });
  t.equal(finding.result, 'UNDETERMINED');
  t.same(asked, ['/a2a/x%3Fy/extendedAgentCard', '/a2a/x%3Fy/tasks', '/a2a/x%3Fy/message:send', '/a2a/']);
});
