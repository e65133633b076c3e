import { type TriedToken, TRIED_TOKENS } from '../artifacts/agents/tokens.js';
import { NAMES_NOT_TRIED, treatmentOf, type AgentPage, type AgentReplies } from '../artifacts/agent-replies.js';
import { found, lacking, valueOf } from '../artifacts/evidence.js';
import { readableRobots, type RobotsTxt, type RobotsOutcome } from '../artifacts/robots.js';
import { safeText } from '../artifacts/safe-text.js';
import { AgentTrials } from './agent-trials.js';
import type { Collector } from '../probe/context.js';
import { NamedRequests, type TriedPage } from './named-requests.js';

/**
 * Requests the home page as each agent that robots.txt allows, then the other sampled pages as one agent of each purpose: ten requests
 * on a site that serves them all. Sends controls and repeats only if an agent is refused. Stops once a refusal is proven, if the site
 * serves only our own name, or if it asks for fewer requests.
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
  const allowedAgents = (to: URL): TriedToken[] => TRIED_TOKENS.filter((agent) => requests.isAllowed(agent, to));
  const allowed = allowedAgents(url);
  if (allowed.length === 0) return ALL_DISALLOWED;
  const homePage = { position: 1, origin: safeText`home page`, url, facts };
  const first = await new AgentTrials(homePage, requests).tryAll(allowed);
  const others = isConclusive(first) ? [] : (valueOf(await context.evidence('sample'))?.pages.slice(1) ?? []);
  const { pages, skipped } = await tryOthers(others, first, requests, await context.fileOrigin(), allowedAgents);
  const disallowed = TRIED_TOKENS.filter((agent) => !allowed.includes(agent));
  return found<AgentReplies>({ disallowed, pages: [first, ...pages], skipped });
};

const NOT_VERIFIED = lacking('NOT_APPLICABLE', NAMES_NOT_TRIED);
const NO_PAGE = lacking(
  'NOT_APPLICABLE',
  safeText`This site has no HTML home page of its own that agents could be served.`,
);
const NO_POLICY = lacking(
  'NOT_APPLICABLE',
  safeText`robots.txt could not be read, so it is not known which agents it admits.`,
);
const ALL_DISALLOWED = lacking(
  'NOT_APPLICABLE',
  safeText`robots.txt disallows the home page for all agents that this check tries.`,
);

/** Returns the rules of robots.txt (null if there is no file), or null if they are unknown. */
function readPolicy(robots: RobotsOutcome): { readonly rules: RobotsTxt | null } | null {
  if (robots.kind === 'absent') return { rules: null };
  const file = readableRobots(robots);
  return file && { rules: file.robots };
}

/** True if the home page decides for the whole site: a refusal is proven there, or cannot be proven at all. */
function isConclusive(home: AgentPage): boolean {
  return isProven(home, []) || home.trials.some((trial) => treatmentOf(trial, home, []) === 'filtered');
}

async function tryOthers(
  sampled: readonly TriedPage[],
  home: AgentPage,
  requests: NamedRequests,
  robotsOrigin: URL,
  allowedAgents: (url: URL) => TriedToken[],
): Promise<{ pages: AgentPage[]; skipped: number[] }> {
  const pages: AgentPage[] = [];
  const skipped: number[] = [];
  for (const page of sampled) {
    const earlier = [home, ...pages];
    const isCovered = page.url.origin === robotsOrigin.origin;
    const allowed = isCovered ? allowedAgents(page.url) : [];
    if (!isCovered || requests.left === 0 || requests.limitedCount > 0 || earlier.some(endsTest))
      skipped.push(page.position);
    else if (allowed.length > 0) pages.push(await new AgentTrials(page, requests, earlier).tryFew(allowed));
  }
  return { pages, skipped };
}

/** True if the page ends the test: a refusal is proven, or our own name is no longer served either. */
function endsTest(page: AgentPage, at: number, pages: readonly AgentPage[]): boolean {
  return isProven(page, pages.slice(0, at)) || (page.baseline !== null && page.baseline.kind !== 'served');
}

function isProven(page: AgentPage, others: readonly AgentPage[]): boolean {
  return page.trials.some((trial) => ['rejected', 'timedOut'].includes(treatmentOf(trial, page, others)));
}
