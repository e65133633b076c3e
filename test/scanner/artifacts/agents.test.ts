import t from 'tap';
import { type Agent, AGENTS, AGENTS_SEEN_ON, type AgentToken } from '../../../src/scanner/artifacts/agents.js';
import { BLOCKABLE_TOKENS, CORE_TOKENS, NOTED_TOKENS } from '../../../src/scanner/artifacts/agents.js';
import { inventAgentName, agentNameOf } from '../../../src/scanner/gatherers/named-requests.js';

const agents: readonly Agent[] = AGENTS;

t.test('the list of agents is well formed', async (t) => {
  const tokens = agents.map(({ token }) => token.toLowerCase());
  t.equal(new Set(tokens).size, tokens.length, 'no token twice');
  t.match(AGENTS_SEEN_ON, /^\d{4}-\d{2}-\d{2}$/);
  for (const { token, source, obeys, isUndocumented, fallbacks = [], role, userAgent, isTried } of agents) {
    t.match(token, /^[A-Za-z_-]+$/, `${token} is a product token (RFC 9309 §2.2.1)`);
    t.ok(source === null ? obeys === 'unknown' : source.startsWith('https://'), `${token}: what is known has a source`);
    for (const other of fallbacks) t.ok(tokens.includes(other.toLowerCase()), `${token} follows a token of the list`);
    if (role === 'core') t.equal(obeys, 'yes', `${token} obeys, or barring it could not be charged`);
    if (isUndocumented) t.equal(role, undefined, `${token} has no group that could be noted`);
    if (userAgent) t.ok(userAgent.includes(`${token}/`), `${token} names itself`);
    if (isTried) t.not(obeys, 'unknown', `${token} is not a stranger`);
  }
});

t.test('an agent is asked under the string that its vendor publishes, or under its token alone', async (t) => {
  for (const { token, userAgent = token } of agents) t.equal(agentNameOf(token as AgentToken).userAgent, userAgent);
  t.same(inventAgentName('Claude-User'), { token: 'Lumiquary', userAgent: 'Lumiquary' });
  const { userAgent } = inventAgentName('PerplexityBot');
  t.match(userAgent, /compatible; Lumiquary\/1\.0; \+https:\/\/lumiquary\.example\/about\)$/);
});

t.test('each token has one part in the checks', async (t) => {
  t.equal(CORE_TOKENS.length, 6);
  for (const token of [...CORE_TOKENS, ...NOTED_TOKENS])
    t.notOk(BLOCKABLE_TOKENS.has(token.toLowerCase()), `${token} answers people, so it is no training crawler`);
});
