import type { TriedToken } from '../artifacts/agents/tokens.js';
import { TRIED_TOKENS } from '../artifacts/agents/tokens.js';
import { standingOf } from '../artifacts/agent-standing.js';
import type { AgentPage, AgentReplies } from '../artifacts/agent-replies.js';
import { found, lacking, valueOf } from '../artifacts/evidence.js';
import type { Outcome } from '../artifacts/resource.js';
import { readableRobots, type RobotsFile, type RobotsTxt } from '../artifacts/robots.js';
import { safeText } from '../artifacts/safe-text.js';
import { AgentTrials } from './agent-trials.js';
import type { Collector } from '../probe/collector.js';
import { NamedRequests, type TriedPage } from './named-requests.js';

/**
 * Requests the home page under the name of each agent that robots.txt admits, then the other sampled pages under two names: ten
 * requests on a site that serves them all. Controls and repeats follow only where a name is turned away. What is proven on one page
 * ends it, and so does a site that serves no other name than ours or asks for fewer requests.
 */
export const collectAgentReplies: Collector<'agentReplies'> = async (context) => {
  const { target, visit } = context;
  if (!target.isOwnershipVerified) return NOT_VERIFIED;
  const [home, robots] = await Promise.all([context.evidence('home'), context.evidence('robots')]);
  if ('failed' in home) return home;
  const { page: facts, url } = home.ok;
  if (facts === null) return NO_PAGE;
  const policy = 'ok' in robots ? readPolicy(robots.ok) : null;
  if (policy === null) return NO_POLICY;

  const requests = new NamedRequests(visit, policy.rules);
  const admittedTo = (to: URL): TriedToken[] => TRIED_TOKENS.filter((agent) => requests.admits(agent, to));
  const admitted = admittedTo(url);
  if (admitted.length === 0) return ALL_BARRED;
  const homePage = { position: 1, origin: safeText`home page`, url, facts };
  const first = await new AgentTrials(homePage, requests).tryAll(admitted);
  const others = hasSettled(first) ? [] : (valueOf(await context.evidence('sample'))?.pages.slice(1) ?? []);
  const { pages, unasked } = await tryOthers(others, first, requests, await context.fileOrigin(), admittedTo);
  const barred = TRIED_TOKENS.filter((agent) => !admitted.includes(agent));
  return found<AgentReplies>({ barred, pages: [first, ...pages], unasked });
};

const NOT_VERIFIED = lacking(
  'NOT_APPLICABLE',
  safeText`The ownership of this site is not verified, or its proof was not found for days, so no other agent's name is used. Verify it to have this checked.`,
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

/** The rules of robots.txt, null if it has none; null if they are unknown. */
function readPolicy(robots: Outcome<RobotsFile>): { readonly rules: RobotsTxt | null } | null {
  if (robots.kind === 'absent') return { rules: null };
  const file = readableRobots(robots);
  return file && { rules: file.robots };
}

/** Whether the home page answers the question for the site: a name is proven to be turned away, or no name can be proven to be. */
function hasSettled(home: AgentPage): boolean {
  return isProven(home, []) || home.trials.some((trial) => standingOf(trial, home, []) === 'filtered');
}

async function tryOthers(
  sampled: readonly TriedPage[],
  home: AgentPage,
  requests: NamedRequests,
  governed: URL,
  admittedTo: (url: URL) => TriedToken[],
): Promise<{ pages: AgentPage[]; unasked: number[] }> {
  const pages: AgentPage[] = [];
  const unasked: number[] = [];
  for (const page of sampled) {
    const earlier = [home, ...pages];
    const isGoverned = page.url.origin === governed.origin;
    const admitted = isGoverned ? admittedTo(page.url) : [];
    if (!isGoverned || requests.left === 0 || requests.limitedCount > 0 || earlier.some(isLast))
      unasked.push(page.position);
    else if (admitted.length > 0) pages.push(await new AgentTrials(page, requests, earlier).tryFew(admitted));
  }
  return { pages, unasked };
}

/** Whether a refusal is proven there, or by then our own name is not served either. */
function isLast(page: AgentPage, at: number, pages: readonly AgentPage[]): boolean {
  return isProven(page, pages.slice(0, at)) || (page.baseline !== null && page.baseline.kind !== 'served');
}

function isProven(page: AgentPage, others: readonly AgentPage[]): boolean {
  return page.trials.some((trial) => ['rejected', 'timed-out'].includes(standingOf(trial, page, others)));
}
