import type { AgentToken, TriedToken } from '../artifacts/agents/tokens.js';
import type { AgentReply } from '../artifacts/agent-replies.js';
import type { SamplePage } from '../artifacts/pages.js';
import type { RobotsTxt } from '../artifacts/robots.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { isAllowedByAll } from '../parsers/robots-readings.js';
import { PAGE_BYTES_MAX } from '../probe/baseline.js';
import type { FetchOptions, Visit } from '../client/visit.js';
import { classifyReply } from './agent-reply.js';
import { agentUserAgent, INVENTED, inventedUserAgent } from './agent-user-agents.js';

const TOO_MANY_REQUESTS = 429;

/** A sampled page of the origin that robots.txt governs. */
export type TriedPage = Pick<SamplePage, 'position' | 'origin' | 'url' | 'facts'>;

/** The requests of one run under other names: none where robots.txt bars the name, and no more than {@link SCAN_LIMITS} says. */
export class NamedRequests {
  #left: number = SCAN_LIMITS.namedRequestsMax;
  #limitedCount = 0;

  /** @param rules null where there is no robots.txt, which admits everybody */
  constructor(
    private readonly visit: Visit,
    private readonly rules: RobotsTxt | null,
  ) {}

  /** How many may still be sent. */
  get left(): number {
    return this.visit.deadline.aborted ? 0 : this.#left;
  }

  /** How often the site has answered that these are too many requests. */
  get limitedCount(): number {
    return this.#limitedCount;
  }

  /** Whether every reader takes robots.txt to admit this name to the URL. */
  admits(name: AgentToken | 'invented', url: URL): boolean {
    return this.rules === null || isAllowedByAll(this.rules, name === 'invented' ? INVENTED : name, url);
  }

  /** Under an agent's name, which robots.txt must admit to the page. */
  asAgent(agent: AgentToken, page: TriedPage, isRepeat = false): Promise<AgentReply> {
    const userAgent = `${agentUserAgent(agent)} ${this.visit.userAgent}`;
    return this.#ask(page, userAgent, isRepeat, (url) => this.admits(agent, url));
  }

  /** Under the agent's string with an invented name. Null if robots.txt bars that from the page. */
  async asInvented(agent: TriedToken, page: TriedPage): Promise<AgentReply | null> {
    if (!this.admits('invented', page.url)) return null;
    const userAgent = `${inventedUserAgent(agent)} ${this.visit.userAgent}`;
    return this.#ask(page, userAgent, false, (url) => this.admits('invented', url));
  }

  /** Under our own name, once more. */
  asOurselves(page: TriedPage): Promise<AgentReply> {
    return this.#ask(page, this.visit.userAgent, true, () => true);
  }

  /** So that a rate limit is not mistaken for a refusal by name. */
  pause(seconds: number): Promise<void> {
    return this.visit.pause(seconds * 1000);
  }

  async #ask(
    page: TriedPage,
    userAgent: string,
    isRepeat: boolean,
    isOpen: (url: URL) => boolean,
  ): Promise<AgentReply> {
    if (!this.#take()) return { kind: 'unsettled', cause: 'budget_spent' };
    const options: FetchOptions = {
      ...{ userAgent, isRepeat, isForOneReader: true, bodyBytesMax: PAGE_BYTES_MAX },
      // A second try is a repeat, which waits for the controls.
      attempts: 'once',
      // Another origin has a robots.txt of its own, which we have not read.
      follows: (url) => url.origin === page.url.origin && isOpen(url) && this.#take(),
    };
    const reply = await this.visit.read(page.url, options, (fetched) => classifyReply(fetched, page.facts.text.length));
    if (isTooMany(reply)) this.#limitedCount += 1;
    return reply;
  }

  #take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

function isTooMany(reply: AgentReply): boolean {
  return reply.kind === 'unsettled' && typeof reply.cause === 'object' && reply.cause.status === TOO_MANY_REQUESTS;
}
