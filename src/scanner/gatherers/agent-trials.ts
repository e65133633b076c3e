import { type AgentToken, type TriedToken, firstOfEachPurpose, siblingsOf } from '../artifacts/agents/tokens.js';
import {
  isTurnedAway,
  judgeWitnesses,
  type AgentPage,
  type AgentReply,
  type AgentTrial,
  type AgentWitness,
} from '../artifacts/agent-replies.js';
import type { NamedRequests, TriedPage } from './named-requests.js';

/** Requests that prove a refusal: one as Googlebot and one as ourselves, plus two for each refused agent. */
const PROOF_REQUESTS = 2;
const PROOF_REQUESTS_EACH = 2;

/** Tests how one page answers the agents that robots.txt allows. Proof is needed only if a name is refused. */
export class AgentTrials {
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
  async tryFew(allowed: readonly TriedToken[]): Promise<AgentPage> {
    const few = firstOfEachPurpose(allowed);
    const firsts = await this.#askAs(few);
    if (this.#isOver || !firsts.some(({ first }) => isTurnedAway(first))) return this.#toPage(firsts);
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
    const isInventedRefused = named.length === 0 && compared.some(({ first }) => isTurnedAway(first));
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
    const turnedAway = firsts.filter(({ first }) => isTurnedAway(first)).slice(0, Math.max(0, most));
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
