import type { SafeText } from './safe-text.js';
import { safeText, term } from './safe-text.js';
import { FETCH_FAILURES, type FetchFailure } from '../../net/failure.js';

/**
 * The state of one resource, by the outcome rule. Absent: 404, 410 and other 4xx, or a reply like the control's. Blocked: 401,
 * 402, 403, 451. Unreachable: 5xx, reset, TLS error or a redirect loop on every try. Timeout: a stall on every try. What could
 * not be established is a shortfall of the evidence rather than an outcome.
 */
export type Outcome<T> =
  | { readonly kind: 'present'; readonly value: T }
  | { readonly kind: 'absent'; readonly status: number }
  | { readonly kind: 'blocked'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly cause: FetchFailure | { readonly status: number } }
  | { readonly kind: 'timeout' };

/** A file that a server answered with 2xx, as its judge sees it. */
export interface FileFacts {
  readonly status: number;
  /** Type and subtype in lower case, without parameters; null without a Content-Type. */
  readonly mediaType: string | null;
  /** Whether the body is HTML, judged by its bytes rather than its type. */
  readonly isHtml: boolean;
  /** Whether the decoded body is valid UTF-8 (or valid in the charset that the type names). */
  readonly isValidText: boolean;
  /** The decoded body as text; a BOM is kept. */
  readonly text: string;
  /** Decoded length in bytes, up to the limit. */
  readonly byteCount: number;
  /** Our limit cut the body: there is more. */
  readonly isOverLimit: boolean;
  /** How many redirects led to it. */
  readonly redirectCount: number;
}

/** Describes in a finding why a resource could not be reached. */
export function describeCause(cause: Extract<Outcome<never>, { kind: 'unreachable' }>['cause']): SafeText {
  return typeof cause === 'object' ? safeText`status ${cause.status}` : describeFailure(cause);
}

/** What an unreachable resource does, as it follows its name. */
export function describeUnreachable(cause: Parameters<typeof describeCause>[0]): SafeText {
  return typeof cause === 'object'
    ? safeText`answers with the server error ${cause.status} on every try`
    : safeText`fails on every try: ${describeFailure(cause)}`;
}

export function describeFailure(failure: FetchFailure): SafeText {
  return term(FETCH_FAILURES[failure]);
}

/** The phrases that findings use for failures, the longer first: one may begin another. */
const PHRASES = (Object.keys(FETCH_FAILURES) as FetchFailure[])
  .map((name) => [name, describeFailure(name).text] as const)
  .sort(([, a], [, b]) => b.length - a.length);

/** The failure of which a detail speaks, in the words of {@link describeFailure}. */
export function describedFailure(detail: string): FetchFailure | undefined {
  return PHRASES.find(([, phrase]) => detail.includes(phrase))?.[0];
}
