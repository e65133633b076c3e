import type { AgentToken, TriedToken } from '../artifacts/agents/tokens.js';
import type { AgentReply } from '../artifacts/agent-replies.js';
import type { SamplePage } from '../artifacts/pages.js';
import type { RobotsTxt } from '../artifacts/robots.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { isAllowedInBothViews } from '../parsers/robots-match.js';
import { PAGE_BYTES_MAX } from '../probe/baseline.js';
import type { FetchOptions, Visit } from '../client/visit.js';
import { classifyReply } from './agent-reply.js';
import { agentUserAgent, INVENTED, inventedUserAgent } from './agent-user-agents.js';

const TOO_MANY_REQUESTS = 429;

/** A sampled page of the origin that robots.txt governs. */
export type TriedPage = Pick<SamplePage, 'position' | 'origin' | 'url' | 'facts'>;

/** Sends one run's requests as other agents: only as robots.txt allows, and at most as many as {@link SCAN_LIMITS} allows. */
export class NamedRequests {
  #left: number = SCAN_LIMITS.namedRequestsMax;
  #limitedCount = 0;

  /** @param rules null without a robots.txt, which allows every agent */
  constructor(
    private readonly visit: Visit,
    private readonly rules: RobotsTxt | null,
  ) {}

  /** Requests that may still be sent. */
  get left(): number {
    return this.visit.deadline.aborted ? 0 : this.#left;
  }

  /** Responses with 429 so far. */
  get limitedCount(): number {
    return this.#limitedCount;
  }

  /** True if robots.txt allows the agent to fetch the URL, however it is read. */
  isAllowed(name: AgentToken | 'invented', url: URL): boolean {
    return this.rules === null || isAllowedInBothViews(this.rules, name === 'invented' ? INVENTED : name, url);
  }

  /** Requests the page as an agent, which robots.txt must allow. */
  asAgent(agent: AgentToken, page: TriedPage, isRepeat = false): Promise<AgentReply> {
    const userAgent = `${agentUserAgent(agent)} ${this.visit.userAgent}`;
    return this.#ask(page, userAgent, isRepeat, (url) => this.isAllowed(agent, url));
  }

  /** Requests the page with the agent's User-Agent, but an invented name. Null if robots.txt disallows that name. */
  async asInvented(agent: TriedToken, page: TriedPage): Promise<AgentReply | null> {
    if (!this.isAllowed('invented', page.url)) return null;
    const userAgent = `${inventedUserAgent(agent)} ${this.visit.userAgent}`;
    return this.#ask(page, userAgent, false, (url) => this.isAllowed('invented', url));
  }

  /** Requests the page again under our own name. */
  asOurselves(page: TriedPage): Promise<AgentReply> {
    return this.#ask(page, this.visit.userAgent, true, () => true);
  }

  /** Waits, so that a rate limit is not mistaken for the refusal of a name. */
  pause(seconds: number): Promise<void> {
    return this.visit.pause(seconds * 1000);
  }

  async #ask(
    page: TriedPage,
    userAgent: string,
    isRepeat: boolean,
    isAllowed: (url: URL) => boolean,
  ): Promise<AgentReply> {
    if (!this.#spend()) return { kind: 'unsettled', cause: 'budget_spent' };
    const options: FetchOptions = {
      ...{ userAgent, isRepeat, isForOneReader: true, bodyBytesMax: PAGE_BYTES_MAX },
      // A second try is a repeat, which waits for the controls.
      attempts: 'once',
      // Another origin has its own robots.txt, which we have not read.
      follows: (url) => url.origin === page.url.origin && isAllowed(url) && this.#spend(),
    };
    const reply = classifyReply(await this.visit.fetch(page.url, options), page.facts.text.length);
    if (isTooMany(reply)) this.#limitedCount += 1;
    return reply;
  }

  #spend(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

function isTooMany(reply: AgentReply): boolean {
  return reply.kind === 'unsettled' && typeof reply.cause === 'object' && reply.cause.status === TOO_MANY_REQUESTS;
}
