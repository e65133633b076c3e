import {
  type AgentPage,
  type AgentReplies,
  type AgentReply,
  type AgentTrial,
  type AgentWitness,
  isRefusal,
  judgeWitnesses,
  NAMES_NOT_TRIED,
  treatmentOf,
} from '../artifacts/agent-replies.js';
import { type AgentToken, firstOfEachPurpose, siblingsOf, TRIED_TOKENS, type TriedToken } from '../artifacts/agents.js';
import { found, lacking, valueOf } from '../artifacts/evidence.js';
import { readableRobots, type RobotsOutcome, type RobotsTxt } from '../artifacts/robots.js';
import { safeText } from '../artifacts/safe-text.js';
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
const NO_PAGE = lacking('NOT_APPLICABLE', safeText`This site has no HTML home page to test with.`);
const NO_POLICY = lacking(
  'NOT_APPLICABLE',
  safeText`robots.txt could not be read, so we do not know which agents it allows.`,
);
const ALL_DISALLOWED = lacking(
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
    else if (allowed.length > 0)
      pages.push(await new AgentTrials(page, requests, earlier).tryOneOfEachPurpose(allowed));
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

/** Requests that prove a refusal: one as Googlebot and one as ourselves, plus two for each refused agent. */
const PROOF_REQUESTS = 2;
const PROOF_REQUESTS_EACH = 2;

/** Tests how one page answers the agents that robots.txt allows. Proof is needed only if a name is refused. */
class AgentTrials {
  #limitedBefore = 0;

  /** @param others pages that were tested before */
  constructor(
    private readonly page: TriedPage,
    private readonly requests: NamedRequests,
    private readonly others: readonly AgentPage[] = [],
  ) {}

  /** Tests the home page with all agents in parallel. One that gets a 429 is tried again later, alone. */
  async tryAll(allowed: readonly TriedToken[]): Promise<AgentPage> {
    const firsts = await this.#askAs(allowed);
    this.#limitedBefore = this.requests.limitedCount;
    return this.#compare(firsts, ({ first }) => first.kind === 'unsettled');
  }

  /** Tests another page with one name of each purpose, and with the others only if that one is refused. */
  async tryOneOfEachPurpose(allowed: readonly TriedToken[]): Promise<AgentPage> {
    const few = firstOfEachPurpose(allowed);
    const firsts = await this.#askAs(few);
    if (this.#isOver || !firsts.some(({ first }) => isRefusal(first))) return this.#toPage(firsts);
    const rest = await this.#askAs(allowed.filter((agent) => !few.includes(agent)));
    return this.#compare([...firsts, ...rest], () => false);
  }

  /** True if the site asks for fewer requests, or none is left. */
  get #isOver(): boolean {
    return this.requests.left === 0 || this.requests.limitedCount > this.#limitedBefore;
  }

  async #compare(firsts: readonly AgentTrial[], isInconsistent: (trial: AgentTrial) => boolean): Promise<AgentPage> {
    const compared = await this.#askInvented(firsts);
    const named = compared.filter(({ invented }) => invented?.kind === 'served');
    const witnesses = named.length > 0 ? await this.#findWitnesses(named, compared) : [];
    const proving = named.filter((trial) => this.#judgeWitnesses(trial, compared, witnesses) === 'served');
    const seconds = new Map<TriedToken, AgentReply>();
    await this.#repeatApart(proving, seconds);
    const isInventedRefused = named.length === 0 && compared.some(({ first }) => isRefusal(first));
    const needsBaseline = !this.#isOver && (seconds.size > 0 || isInventedRefused);
    const baseline = needsBaseline ? await this.requests.asOurselves(this.page) : null;
    // Last, since another 429 ends the test.
    await this.#repeatInTurn(compared.filter(isInconsistent), seconds);
    const trials = compared.map((trial) => ({ ...trial, second: seconds.get(trial.agent) ?? null }));
    return this.#toPage(trials, witnesses, baseline);
  }

  async #askAs(agents: readonly TriedToken[]): Promise<AgentTrial[]> {
    return Promise.all(
      agents.map(async (agent) => ({
        agent,
        first: await this.requests.asAgent(agent, this.page),
        second: null,
        invented: null,
      })),
    );
  }

  /** Repeats the request with an invented name, for as many refused agents as the budget can prove. */
  async #askInvented(firsts: readonly AgentTrial[]): Promise<AgentTrial[]> {
    const most = this.#isOver ? 0 : Math.floor((this.requests.left - PROOF_REQUESTS) / PROOF_REQUESTS_EACH);
    const turnedAway = firsts.filter(({ first }) => isRefusal(first)).slice(0, Math.max(0, most));
    return Promise.all(
      firsts.map(async (trial) =>
        turnedAway.includes(trial)
          ? { ...trial, invented: await this.requests.asInvented(trial.agent, this.page) }
          : trial,
      ),
    );
  }

  async #findWitnesses(named: readonly AgentTrial[], trials: readonly AgentTrial[]): Promise<AgentWitness[]> {
    const googlebot = await this.#askWitnesses(['Googlebot']);
    const unserved = named.filter((trial) => this.#judgeWitnesses(trial, trials, googlebot) !== 'served');
    const siblings = new Set(unserved.flatMap(({ agent }) => siblingsOf(agent)));
    const asked = new Set<AgentToken>(trials.map(({ agent }) => agent));
    return [...googlebot, ...(await this.#askWitnesses([...siblings].filter((agent) => !asked.has(agent))))];
  }

  async #askWitnesses(agents: readonly AgentToken[]): Promise<AgentWitness[]> {
    const allowed = this.#isOver ? [] : agents.filter((agent) => this.requests.isAllowed(agent, this.page.url));
    return Promise.all(allowed.map(async (agent) => ({ agent, reply: await this.requests.asAgent(agent, this.page) })));
  }

  #judgeWitnesses(trial: AgentTrial, trials: readonly AgentTrial[], witnesses: readonly AgentWitness[]) {
    return judgeWitnesses(trial, { trials, witnesses }, this.others);
  }

  /** Starts repeats a second apart instead of in sequence: stalled requests would use up the run's time. */
  async #repeatApart(trials: readonly AgentTrial[], seconds: Map<TriedToken, AgentReply>): Promise<void> {
    await Promise.all(
      trials.map(async ({ agent }, at) => {
        await this.requests.pause(at + 1);
        if (!this.#isOver) seconds.set(agent, await this.requests.asAgent(agent, this.page, true));
      }),
    );
  }

  async #repeatInTurn(trials: readonly AgentTrial[], seconds: Map<TriedToken, AgentReply>): Promise<void> {
    for (const { agent } of trials) {
      if (this.#isOver) return;
      await this.requests.pause(1);
      seconds.set(agent, await this.requests.asAgent(agent, this.page, true));
    }
  }

  #toPage(
    trials: readonly AgentTrial[],
    witnesses: readonly AgentWitness[] = [],
    baseline: AgentReply | null = null,
  ): AgentPage {
    const { position, origin } = this.page;
    return { position, origin, trials, witnesses, baseline };
  }
}
