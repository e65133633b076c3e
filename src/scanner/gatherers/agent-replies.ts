import {
  type AgentPage,
  type AgentReplies,
  type AgentReply,
  type AgentTrial,
  type AgentReference,
  isRefusal,
  judgeReferences,
  NAMES_NOT_TRIED,
  treatmentOf,
} from '../artifacts/agent-replies.js';
import { type AgentToken, firstOfEachPurpose, siblingsOf, TRIED_TOKENS, type TriedToken } from '../artifacts/agents.js';
import { found, missing, valueOf } from '../artifacts/evidence.js';
import { readableRobots, type RobotsOutcome, type RobotsTxt } from '../artifacts/robots.js';
import { safeText } from '../artifacts/safe-text.js';
import type { Collector } from '../probe/context.js';
import { inventAgentName, NamedRequests, agentNameOf, type TriedPage } from './named-requests.js';

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
  const homePage = { position: 1, foundAt: safeText`home page`, url, facts };
  const first = await testPage(homePage, requests, allowed, []);
  const others = isConclusive(first) ? [] : (valueOf(await context.evidence('sample'))?.pages.slice(1) ?? []);
  const { pages, skipped } = await testOtherPages(others, first, requests, await context.fileOrigin(), allowedAgents);
  const disallowed = TRIED_TOKENS.filter((agent) => !allowed.includes(agent));
  return found<AgentReplies>({ disallowed, pages: [first, ...pages], skipped });
};

const NOT_VERIFIED = missing('NOT_APPLICABLE', NAMES_NOT_TRIED);
const NO_PAGE = missing('NOT_APPLICABLE', safeText`This site has no HTML home page to test with.`);
const NO_POLICY = missing(
  'NOT_APPLICABLE',
  safeText`robots.txt could not be read, so we do not know which agents it allows.`,
);
const ALL_DISALLOWED = missing(
  'NOT_APPLICABLE',
  safeText`robots.txt blocks all agents that this check tries from the home page.`,
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

async function testOtherPages(
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
    if (!isCovered || requests.remaining === 0 || requests.rateLimitedCount > 0 || earlier.some(endsTest))
      skipped.push(page.position);
    else if (allowed.length > 0) pages.push(await testPage(page, requests, allowed, earlier));
  }
  return { pages, skipped };
}

/** True if the page ends the test: a refusal is proven, or our own name is no longer served either. */
function endsTest(page: AgentPage, index: number, pages: readonly AgentPage[]): boolean {
  return isProven(page, pages.slice(0, index)) || (page.baseline !== null && page.baseline.kind !== 'served');
}

function isProven(page: AgentPage, others: readonly AgentPage[]): boolean {
  return page.trials.some((trial) => ['rejected', 'timedOut'].includes(treatmentOf(trial, page, others)));
}

/** Requests needed to prove a refusal: one as Googlebot and one as ourselves, plus two for each refused agent. */
const PROOF_REQUESTS = 2;
const PROOF_REQUESTS_PER_AGENT = 2;

/**
 * Requests one page as agents that robots.txt allows: the home page as all of them in parallel, another page as one of each purpose, then
 * as the rest if one of those is refused. Proof is needed only if a name is refused.
 * @param others pages tested before; none for the home page
 */
async function testPage(
  page: TriedPage,
  requests: NamedRequests,
  allowed: readonly TriedToken[],
  others: readonly AgentPage[],
): Promise<AgentPage> {
  const { position, foundAt } = page;
  const isHome = others.length === 0;
  const fetchAs = (agents: readonly TriedToken[]): Promise<AgentTrial[]> =>
    Promise.all(
      agents.map(async (agent) => ({
        agent,
        first: await requests.fetch(page, agentNameOf(agent)),
        second: null,
        invented: null,
      })),
    );
  const initialAgents = isHome ? allowed : firstOfEachPurpose(allowed);
  const firsts = await fetchAs(initialAgents);
  const rateLimitedBefore = isHome ? requests.rateLimitedCount : 0;
  /** True if the site asks for fewer requests, or none remains. */
  const isDone = (): boolean => requests.remaining === 0 || requests.rateLimitedCount > rateLimitedBefore;
  if (!isHome) {
    if (isDone() || !firsts.some(({ first }) => isRefusal(first)))
      return { position, foundAt, trials: firsts, references: [], baseline: null };
    firsts.push(...(await fetchAs(allowed.filter((agent) => !initialAgents.includes(agent)))));
  }

  const provableCount = isDone() ? 0 : Math.floor((requests.remaining - PROOF_REQUESTS) / PROOF_REQUESTS_PER_AGENT);
  const refused = firsts.filter(({ first }) => isRefusal(first)).slice(0, Math.max(0, provableCount));
  const compared = await Promise.all(
    firsts.map(async (trial) =>
      refused.includes(trial) ? { ...trial, invented: await fetchAsInvented(requests, trial, page) } : trial,
    ),
  );
  const refusedByName = compared.filter(({ invented }) => invented?.kind === 'served');
  const references: AgentReference[] = [];
  const judge = (trial: AgentTrial) => judgeReferences(trial, { trials: compared, references }, others);
  const addReferences = async (agents: readonly AgentToken[]): Promise<void> => {
    const chosen = isDone() ? [] : agents.filter((agent) => requests.isAllowed(agent, page.url));
    const replies = chosen.map(async (agent) => ({ agent, reply: await requests.fetch(page, agentNameOf(agent)) }));
    references.push(...(await Promise.all(replies)));
  };
  if (refusedByName.length > 0) await addReferences(['Googlebot']);
  const unserved = refusedByName.filter((trial) => judge(trial) !== 'served');
  const tried = new Set<AgentToken>(compared.map(({ agent }) => agent));
  await addReferences([...new Set(unserved.flatMap(({ agent }) => siblingsOf(agent)))].filter((it) => !tried.has(it)));

  const seconds = new Map<TriedToken, AgentReply>();
  const repeat = async ({ agent }: AgentTrial, pauseS: number): Promise<void> => {
    await requests.pause(pauseS);
    if (!isDone()) seconds.set(agent, await requests.fetch(page, agentNameOf(agent), true));
  };
  // These start a second apart. One after another, stalled requests would use up the run's time.
  const toRepeat = refusedByName.filter((trial) => judge(trial) === 'served');
  await Promise.all(toRepeat.map((trial, index) => repeat(trial, index + 1)));
  const isInventedRefused = refusedByName.length === 0 && compared.some(({ first }) => isRefusal(first));
  const needsBaseline = !isDone() && (seconds.size > 0 || isInventedRefused);
  const baseline = needsBaseline ? await requests.fetch(page, null, true) : null;
  // Inconclusive trials are repeated one by one, and last, since another 429 ends the test.
  for (const trial of compared) if (isHome && trial.first.kind === 'inconclusive' && !isDone()) await repeat(trial, 1);
  const trials = compared.map((trial) => ({ ...trial, second: seconds.get(trial.agent) ?? null }));
  return { position, foundAt, trials, references, baseline };
}

/** Requests the page with an invented name in the agent's User-Agent. Null if robots.txt disallows the invented name. */
async function fetchAsInvented(
  requests: NamedRequests,
  { agent }: AgentTrial,
  page: TriedPage,
): Promise<AgentReply | null> {
  const name = inventAgentName(agent);
  return requests.isAllowed(name.token, page.url) ? requests.fetch(page, name) : null;
}
