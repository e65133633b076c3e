import { type AgentToken, type TriedToken, agentOf } from '../artifacts/agents.js';
import type { AgentReply } from '../artifacts/agent-replies.js';
import type { SamplePage } from '../artifacts/pages.js';
import type { RobotsTxt } from '../artifacts/robots.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { isAllowedInBothViews } from '../parsers/robots.js';
import { isSuccess } from '../client/requests.js';
import type { FetchOptions, Visit, Fetched, SiteResponse } from '../client/visit.js';
import { decodeHtml, parseMediaType } from '../parsers/text.js';
import { pageOf } from '../probe/page.js';

const TOO_MANY_REQUESTS = 429;
/** Bytes read of each reply: enough to see whether the text is missing. Many replies are in memory at once. */
const REPLY_BYTES_MAX = 524_288;

/** A sampled page on the origin that robots.txt governs. */
export type TriedPage = Pick<SamplePage, 'position' | 'foundAt' | 'url' | 'facts'>;

/** Sends one run's requests under other agents' names, as far as robots.txt and {@link SCAN_LIMITS} allow. */
export class NamedRequests {
  #remaining: number = SCAN_LIMITS.namedRequestsMax;
  #rateLimitedCount = 0;

  /** @param rules null without a robots.txt, which allows every agent */
  constructor(
    private readonly visit: Visit,
    private readonly rules: RobotsTxt | null,
  ) {}

  /** Number of requests that may still be sent. */
  get remaining(): number {
    return this.visit.deadline.aborted ? 0 : this.#remaining;
  }

  get rateLimitedCount(): number {
    return this.#rateLimitedCount;
  }

  /** True if robots.txt allows the agent to fetch the URL, in RFC 9309's view and Google's. */
  isAllowed(token: string, url: URL): boolean {
    return this.rules === null || isAllowedInBothViews(this.rules, token, url);
  }

  /** Waits, so that a rate limit does not look like a refused name. */
  pause(seconds: number): Promise<void> {
    return this.visit.pause(seconds * 1000);
  }

  /** Fetches the page under an agent's name, which robots.txt must allow. Null means our own name. */
  async fetch(page: TriedPage, name: AgentName | null, isRepeat = false): Promise<AgentReply> {
    if (!this.#spend()) return { kind: 'inconclusive', cause: 'budget_spent' };
    const isAllowed = (url: URL): boolean => name === null || this.isAllowed(name.token, url);
    const options: FetchOptions = {
      ...(name && { headers: { 'user-agent': `${name.userAgent} ${this.visit.userAgent}` } }),
      isRepeat,
      bodyBytesMax: REPLY_BYTES_MAX,
      // Repeats are sent later, after the controls.
      attempts: 'once',
      // Another origin has its own robots.txt, which we have not read.
      follows: (url) => url.origin === page.url.origin && isAllowed(url) && this.#spend(),
    };
    const reply = classifyReply(await this.visit.fetch(page.url, options), page.facts.text.length);
    if (isRateLimited(reply)) this.#rateLimitedCount += 1;
    return reply;
  }

  #spend(): boolean {
    if (this.#remaining === 0) return false;
    this.#remaining -= 1;
    return true;
  }
}

function isRateLimited(reply: AgentReply): boolean {
  return reply.kind === 'inconclusive' && typeof reply.cause === 'object' && reply.cause.status === TOO_MANY_REQUESTS;
}

/** The agent that a request claims to be: its token in robots.txt, and its User-Agent. */
export interface AgentName {
  readonly token: string;
  readonly userAgent: string;
}

/** Returns an agent's name: the User-Agent that its vendor publishes, else the token. */
export function agentNameOf(agent: AgentToken): AgentName {
  return { token: agent, userAgent: agentOf(agent)?.userAgent ?? agent };
}

/** A name that no agent uses. An edge that refuses it does not block by name alone. */
const INVENTED_NAME = 'Lumiquary';
/** Its domain cannot be registered (RFC 2606). */
const INVENTED_URL = 'https://lumiquary.example/about';

/** Returns the agent's name with an invented token, and an invented URL if it has one. */
export function inventAgentName(agent: TriedToken): AgentName {
  const userAgent = agentNameOf(agent).userAgent.replace(agent, INVENTED_NAME);
  return { token: INVENTED_NAME, userAgent: userAgent.replace(/\+https?:[^\s;)]+/, `+${INVENTED_URL}`) };
}

const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 406, 451]);

/** A 2xx response counts as a refusal if it has less than this share of the baseline's text, and fewer than this many characters. */
const EMPTIED_SHARE = 0.1;
const EMPTIED_CHARS = 500;

/**
 * Classifies a page's response to an agent's name. The result has the amount of text, but not the body.
 * @param baselineChars characters of text in the response to our own name
 */
function classifyReply(fetched: Fetched, baselineChars: number): AgentReply {
  if ('failure' in fetched) {
    const { failure } = fetched;
    if (failure === 'stalled') return { kind: 'stalled' };
    return failure === 'reset' ? { kind: 'refused', cause: 'reset' } : { kind: 'inconclusive', cause: failure };
  }
  const { response } = fetched;
  if (response.challenge !== null) return { kind: 'refused', cause: 'challenge' };
  const { status } = response;
  if (REFUSALS.has(status)) return { kind: 'refused', cause: { status } };
  if (!isSuccess(status)) return { kind: 'inconclusive', cause: { status } };
  const chars = countTextChars(response);
  const isCut = response.isOverLimit || pageOf(response)?.isCut === true;
  // The text may come after the part that we read.
  if (chars < EMPTIED_CHARS && chars < baselineChars * EMPTIED_SHARE)
    return isCut ? { kind: 'inconclusive', cause: { status } } : { kind: 'refused', cause: 'emptied' };
  return { kind: 'served', textShare: isCut || baselineChars === 0 ? null : chars / baselineChars };
}

/** Counts the characters of a page's text, or of the whole body if an agent gets Markdown or plain text instead. */
function countTextChars(response: SiteResponse): number {
  const { charset } = parseMediaType(response.headers.get('content-type'));
  return pageOf(response)?.text.length ?? decodeHtml(response.body, charset).trim().length;
}
