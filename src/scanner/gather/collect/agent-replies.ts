import type { TriedToken } from '../../agents/tokens.js';
import { TRIED_TOKENS } from '../../agents/tokens.js';
import { found, lacking } from '../../evidence/evidence.js';
import type { AgentReplies, AgentReply, AgentTrial } from '../../evidence/agents.js';
import type { Outcome } from '../../evidence/resource.js';
import type { RobotsFile } from '../../evidence/robots.js';
import { safeText } from '../../evidence/safe-text.js';
import { isAllowedByAll } from '../../parse/robots-readings.js';
import type { Asker } from './agent-reply.js';
import { openAsker } from './agent-reply.js';
import { agentUserAgent, inventedUserAgent } from './agent-user-agents.js';
import type { Collector } from './collector.js';
import type { Visit } from '../fetch/visit.js';

/** The pause between a refusal and its repeat, so that a rate limit is not mistaken for a refusal by name. */
const REPEAT_PAUSE_MS = 1000;

/**
 * Requests the home page under the name of each agent that robots.txt admits: one request each on a site that serves them all.
 * The controls follow only if a name is turned away; the repeats follow only if the controls are served, a second apart, and
 * after them our own name again.
 */
export const collectAgentReplies: Collector<'agentReplies'> = async (context) => {
  const { target, visit } = context;
  if (!target.isOwnershipVerified) return NOT_VERIFIED;
  const [home, robots] = await Promise.all([context.evidence('home'), context.evidence('robots')]);
  if ('failed' in home) return home;
  if (home.ok.page === null) return NO_PAGE;
  const isBarred = 'ok' in robots ? readPolicy(robots.ok, home.ok.url) : null;
  if (isBarred === null) return NO_POLICY;

  const barred = TRIED_TOKENS.filter(isBarred);
  const admitted = TRIED_TOKENS.filter((agent) => !isBarred(agent));
  if (admitted.length === 0) return ALL_BARRED;
  const ask = openAsker(visit, home.ok.url, home.ok.page.text.length);
  return found<AgentReplies>({ barred, ...(await tryAgents(admitted, ask, visit)) });
};

const NOT_VERIFIED = lacking(
  'NOT_APPLICABLE',
  safeText`The ownership of this site is not verified, so no other agent's name is used. Verify it to have this checked.`,
);
const NO_PAGE = lacking(
  'NOT_APPLICABLE',
  safeText`This site has no HTML home page of its own that agents could be served.`,
);
const NO_POLICY = lacking(
  'NOT_APPLICABLE',
  safeText`robots.txt could not be read, so it is not known which agents it admits.`,
);
const ALL_BARRED = lacking(
  'NOT_APPLICABLE',
  safeText`robots.txt bars all agents that this check tries from the home page.`,
);

/** Which agents robots.txt bars from the home page, by any reading; null if that is unknown. */
function readPolicy(robots: Outcome<RobotsFile>, home: URL): ((agent: TriedToken) => boolean) | null {
  if (robots.kind === 'absent') return () => false;
  if (robots.kind !== 'present' || robots.value.file.isHtml) return null;
  const rules = robots.value.robots;
  return (agent) => !isAllowedByAll(rules, agent, home);
}

async function tryAgents(
  agents: readonly TriedToken[],
  ask: Asker,
  visit: Visit,
): Promise<Omit<AgentReplies, 'barred'>> {
  const firsts = await Promise.all(agents.map(async (agent) => ({ agent, first: await askAs(agent, ask, visit) })));
  const isAnyTurnedAway = firsts.some(({ first }) => isTurnedAway(first));
  const [googlebot, controlled] = await Promise.all([
    isAnyTurnedAway ? ask(`${agentUserAgent('Googlebot')} ${visit.userAgent}`) : null,
    Promise.all(
      firsts.map(async ({ agent, first }) => ({
        ...{ agent, first },
        invented: isTurnedAway(first) ? await ask(`${inventedUserAgent(agent)} ${visit.userAgent}`) : null,
      })),
    ),
  ]);
  let repeats = 0;
  const trials = await Promise.all(
    controlled.map(async (trial): Promise<AgentTrial> => {
      if (!isWorthRepeating(trial, googlebot)) return { ...trial, second: null };
      repeats += 1;
      await visit.pause(repeats * REPEAT_PAUSE_MS);
      return { ...trial, second: await askAs(trial.agent, ask, visit, true) };
    }),
  );
  const baseline = repeats > 0 ? await ask(visit.userAgent, true) : null;
  return { trials, googlebot, baseline };
}

function askAs(agent: TriedToken, ask: Asker, visit: Visit, isRepeat = false): Promise<AgentReply> {
  return ask(`${agentUserAgent(agent)} ${visit.userAgent}`, isRepeat);
}

function isTurnedAway({ kind }: AgentReply): boolean {
  return kind === 'refused' || kind === 'stalled';
}

/** Repeats what proved nothing; repeats what was turned away only if the name may be the cause. */
function isWorthRepeating({ first, invented }: Omit<AgentTrial, 'second'>, googlebot: AgentReply | null): boolean {
  if (first.kind === 'unsettled') return true;
  return isTurnedAway(first) && invented?.kind === 'served' && googlebot?.kind === 'served';
}
