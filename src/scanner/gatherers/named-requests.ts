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
/** Bytes read of a page as each agent: enough to see that its text is gone. Many are in memory at once. */
const REPLY_BYTES_MAX = 524_288;

/** A sampled page of the origin that robots.txt governs. */
export type TriedPage = Pick<SamplePage, 'position' | 'foundAt' | 'url' | 'facts'>;

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

  /** True if robots.txt allows the agent to fetch the URL, in RFC 9309's view and Google's. */
  isAllowed(token: string, url: URL): boolean {
    return this.rules === null || isAllowedInBothViews(this.rules, token, url);
  }

  /** Waits, so that a rate limit is not mistaken for the refusal of a name. */
  pause(seconds: number): Promise<void> {
    return this.visit.pause(seconds * 1000);
  }

  /** Requests the page under this name, which robots.txt must allow; under our own name if it is null. */
  async ask(page: TriedPage, name: AgentName | null, isRepeat = false): Promise<AgentReply> {
    if (!this.#spend()) return { kind: 'inconclusive', cause: 'budget_spent' };
    const isAllowed = (url: URL): boolean => name === null || this.isAllowed(name.token, url);
    const options: FetchOptions = {
      ...(name && { headers: { 'user-agent': `${name.userAgent} ${this.visit.userAgent}` } }),
      isRepeat,
      bodyBytesMax: REPLY_BYTES_MAX,
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

/** An unused name: an edge that refuses it does not judge by name alone. */
const INVENTED = 'Lumiquary';
/** Its domain cannot be registered (RFC 2606). */
const INVENTED_URL = 'https://lumiquary.example/about';

/** Returns the agent's name with an invented token, and an invented URL if it has one. */
export function inventAgentName(agent: TriedToken): AgentName {
  const userAgent = agentNameOf(agent).userAgent.replace(agent, INVENTED);
  return { token: INVENTED, userAgent: userAgent.replace(/\+https?:[^\s;)]+/, `+${INVENTED_URL}`) };
}

const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 406, 451]);

/** A 2xx response with less than this share of the baseline's text and fewer than this many characters is a silent refusal. */
const EMPTIED_SHARE = 0.1;
const EMPTIED_CHARS = 500;

/**
 * Classifies how a page responds to an agent's name. Stores only the amount of text of the body.
 * @param baselineChars characters of text that the page has under our own name
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
