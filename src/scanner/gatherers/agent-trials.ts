import type { AgentToken, TriedToken } from '../artifacts/agents/tokens.js';
import { firstOfEachPurpose, siblingsOf } from '../artifacts/agents/tokens.js';
import { isTurnedAway, vouchFor } from '../artifacts/agent-standing.js';
import type { AgentPage, AgentReply, AgentTrial, AgentWitness } from '../artifacts/agent-replies.js';
import type { NamedRequests, TriedPage } from './named-requests.js';

/** What proves a refusal alongside the requests for each name, which are two: Googlebot's name, and our own again. */
const PROOF_REQUESTS = 2;
const PROOF_REQUESTS_EACH = 2;

/** How one page answers the agents that robots.txt admits to it: proof is looked for only where a name is turned away. */
export class AgentTrials {
  #limitedBefore = 0;

  /** @param others the pages that were asked for before */
  constructor(
    private readonly page: TriedPage,
    private readonly requests: NamedRequests,
    private readonly others: readonly AgentPage[] = [],
  ) {}

  /** The home page under all names. Since they come at once, one that is asked to slow down may ask again, alone. */
  async tryAll(admitted: readonly TriedToken[]): Promise<AgentPage> {
    const firsts = await this.#askAs(admitted);
    this.#limitedBefore = this.requests.limitedCount;
    return this.#compare(firsts, ({ first }) => first.kind === 'unsettled');
  }

  /** Another page under one name of each purpose, and under the other ones only where such a one is turned away. */
  async tryFew(admitted: readonly TriedToken[]): Promise<AgentPage> {
    const few = firstOfEachPurpose(admitted);
    const firsts = await this.#askAs(few);
    if (this.#isOver || !firsts.some(({ first }) => isTurnedAway(first))) return this.#toPage(firsts);
    const rest = await this.#askAs(admitted.filter((agent) => !few.includes(agent)));
    return this.#compare([...firsts, ...rest], () => false);
  }

  /** Whether the site asks for fewer requests, or none is left. */
  get #isOver(): boolean {
    return this.requests.left === 0 || this.requests.limitedCount > this.#limitedBefore;
  }

  async #compare(firsts: readonly AgentTrial[], isMoody: (trial: AgentTrial) => boolean): Promise<AgentPage> {
    const controlled = await this.#askInvented(firsts);
    const named = controlled.filter(({ invented }) => invented?.kind === 'served');
    const witnesses = named.length > 0 ? await this.#findWitnesses(named, controlled) : [];
    const proving = named.filter((trial) => this.#vouch(trial, controlled, witnesses) === 'served');
    const seconds = new Map<TriedToken, AgentReply>();
    await this.#repeatApart(proving, seconds);
    const isRefusedAlike = named.length === 0 && controlled.some(({ first }) => isTurnedAway(first));
    const needsBaseline = !this.#isOver && (seconds.size > 0 || isRefusedAlike);
    const baseline = needsBaseline ? await this.requests.asOurselves(this.page) : null;
    // Last, since another 429 ends it.
    await this.#repeatInTurn(controlled.filter(isMoody), seconds);
    const trials = controlled.map((trial) => ({ ...trial, second: seconds.get(trial.agent) ?? null }));
    return this.#toPage(trials, witnesses, baseline);
  }

  async #askAs(agents: readonly TriedToken[]): Promise<AgentTrial[]> {
    return Promise.all(
      agents.map(async (agent) => ({
        ...{ agent, first: await this.requests.asAgent(agent, this.page) },
        ...{ second: null, invented: null },
      })),
    );
  }

  /** For as many of the names that were turned away as could still be proven. */
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
    const unvouched = named.filter((trial) => this.#vouch(trial, trials, googlebot) !== 'served');
    const siblings = new Set(unvouched.flatMap(({ agent }) => siblingsOf(agent)));
    const asked = new Set<AgentToken>(trials.map(({ agent }) => agent));
    return [...googlebot, ...(await this.#askWitnesses([...siblings].filter((agent) => !asked.has(agent))))];
  }

  async #askWitnesses(agents: readonly AgentToken[]): Promise<AgentWitness[]> {
    const admitted = this.#isOver ? [] : agents.filter((agent) => this.requests.admits(agent, this.page.url));
    return Promise.all(
      admitted.map(async (agent) => ({ agent, reply: await this.requests.asAgent(agent, this.page) })),
    );
  }

  #vouch(trial: AgentTrial, trials: readonly AgentTrial[], witnesses: readonly AgentWitness[]) {
    return vouchFor(trial, { trials, witnesses }, this.others);
  }

  /** A second apart, since what stalls would take the run's time one after the other. */
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
