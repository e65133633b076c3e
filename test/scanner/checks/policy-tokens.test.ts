import t from 'tap';
import { POLICY_TOKENS } from '../../../src/scanner/artifacts/agents/policy-tokens.js';
import { AGENTS } from '../../../src/scanner/artifacts/agents/agents.js';
import { findOpposedSignals, findSignalsOfBarredGroups } from '../../../src/scanner/checks/c-bot-02/signals.js';
import type { Home } from '../../../src/scanner/artifacts/pages.js';
import { parseRobots } from '../../../src/scanner/parsers/robots.js';

// No policy token is known yet, so these are invented.
const TOKENS = ['purpose-a', 'purpose-b'];
const HOME = { preferenceHeaders: [] } as unknown as Home;

t.test('a group for policy tokens alone is not a policy of access', async (t) => {
  const shut = (names: string) => `${names}\nContent-Signal: search=yes\nContent-Signal: search=no\nDisallow: /`;
  const policy = await parseRobots(shut('User-agent: Purpose-A\nUser-agent: purpose-b'));
  t.equal(findOpposedSignals(policy, HOME, TOKENS).length, 0);
  t.equal(findSignalsOfBarredGroups(policy, TOKENS).length, 0);
  const mixed = await parseRobots(shut('User-agent: purpose-a\nUser-agent: a'));
  t.equal(findOpposedSignals(mixed, HOME, TOKENS).length, 1);
  t.equal(findSignalsOfBarredGroups(mixed, TOKENS).length, 1);
});

t.test('no policy token is an agent', async (t) => {
  t.same(
    AGENTS.filter(({ token }) => POLICY_TOKENS.includes(token.toLowerCase())),
    [],
  );
});
