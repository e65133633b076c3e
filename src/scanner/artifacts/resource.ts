import { type SafeText, safeText, term } from './safe-text.js';
import { FETCH_FAILURES, type FailedFetch, type FetchFailure } from '../../net/failure.js';
import { isWebScheme, portOf } from '../../net/url-gate.js';

/**
 * Result of a request for a resource. Absent: 404, 410 and other 4xx, or the same as an invented URL. Blocked: 401, 402, 403, 451.
 * Unreachable: 5xx, reset, TLS error or a redirect loop on every try. Timeout: a stall on every try.
 */
export type Outcome<T> = KnownOutcome<T> | UnknownOutcome;

export type KnownOutcome<T> =
  | { readonly kind: 'present'; readonly value: T }
  | { readonly kind: 'absent'; readonly status: number }
  | { readonly kind: 'blocked'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly cause: FailedFetch | { readonly status: number } }
  | { readonly kind: 'timeout' };

export interface UnknownOutcome {
  readonly kind: 'unknown';
  /** Completes the sentence "… could not be checked: {detail}." */
  readonly detail: SafeText;
  /** True if the site returned no success status, so the resource may or may not exist. */
  readonly isUnsuccessful?: true;
}

/** A file that was served with 2xx. */
export interface FileFacts {
  /** Type and subtype in lower case, without parameters; null without a Content-Type. */
  readonly mediaType: string | null;
  /** True if the bytes are HTML, regardless of the type. */
  readonly isHtml: boolean;
  /** The decoded body, including a BOM. */
  readonly text: string;
  /** True if our size limit cut the body. */
  readonly isOverLimit: boolean;
}

/** Describes in a finding why a resource could not be reached. */
export function describeCause(cause: Extract<KnownOutcome<never>, { kind: 'unreachable' }>['cause']): SafeText {
  return 'status' in cause ? safeText`status ${cause.status}` : describeFailedFetch(cause);
}

/** Outcomes of a resource that may exist but could not be read, with the error type of its check. */
export const UNREAD = { blocked: 'BLOCKED', unreachable: 'UNREACHABLE', timeout: 'TIMEOUT' } as const;

type UnreadOutcome = Extract<KnownOutcome<never>, { kind: keyof typeof UNREAD }>;

export function isUnread(outcome: { readonly kind: string }): outcome is UnreadOutcome {
  return outcome.kind in UNREAD;
}

/** Returns a clause that follows the resource's name: "times out every time". */
export function describeUnread(outcome: UnreadOutcome): SafeText {
  if (outcome.kind === 'blocked') return safeText`is refused with status ${outcome.status}`;
  if (outcome.kind === 'timeout') return safeText`times out every time`;
  const { cause } = outcome;
  return 'status' in cause
    ? safeText`returns the server error ${cause.status} every time`
    : safeText`fails every time: ${describeFailedFetch(cause)}`;
}

export function describeFailure(failure: FetchFailure): SafeText {
  return term(FETCH_FAILURES[failure]);
}

const NOT_COVERED = safeText`which this scan does not cover`;

/** Describes a failure and its redirect. Never names the target's host, which is untrusted. */
export function describeFailedFetch({ failure, redirect }: FailedFetch): SafeText {
  if (redirect === undefined) return describeFailure(failure);
  if (!isWebScheme(redirect.to)) return safeText`it redirects to an address that is neither http nor https`;
  const target = safeText`it redirects to ${describeTarget(redirect)}`;
  return failure === 'target_refused'
    ? safeText`${target}, ${NOT_COVERED}`
    : safeText`${target}, but ${describeFailure(failure)}`;
}

function describeTarget({ from, to }: NonNullable<FailedFetch['redirect']>): SafeText {
  if (to.hostname !== from.hostname) return safeText`another host`;
  if (to.port !== from.port) return safeText`port ${portOf(to)} of this host`;
  if (to.protocol === from.protocol) return safeText`another address of this host`;
  return to.protocol === 'https:' ? safeText`https` : safeText`http`;
}

const CHECK_NAME = safeText`Check the host name and its DNS records, then run again.`;
const CHECK_SERVER = safeText`Check that the server is up and that no firewall drops this scanner's requests, then run again.`;
const INSTALL_CERTIFICATE = safeText`Install a valid certificate with its full chain, then run again.`;
const FIX_REDIRECTS = safeText`Fix the redirects of the home page, then run again.`;

const ADVICE: Readonly<Partial<Record<FetchFailure, SafeText>>> = {
  name_not_found: CHECK_NAME,
  dns_failed: CHECK_NAME,
  dns_silent: safeText`Check the DNS settings of that machine. If other names resolve there, check the name servers of this domain. Then run again.`,
  tls_expired: INSTALL_CERTIFICATE,
  tls_wrong_host: INSTALL_CERTIFICATE,
  tls_untrusted: INSTALL_CERTIFICATE,
  tls_outdated: safeText`Turn on TLS 1.2 and 1.3 in the server, then run again.`,
  tls_failed: safeText`Check that the server speaks TLS on this port, then run again.`,
  cut_off: safeText`Make the server send the whole page, as many bytes as its Content-Length says, then run again.`,
  connect_failed: CHECK_SERVER,
  connect_timeout: CHECK_SERVER,
  reset: CHECK_SERVER,
  stalled: CHECK_SERVER,
  redirect_loop: FIX_REDIRECTS,
  bad_redirect: FIX_REDIRECTS,
};

/** Returns what the owner can do about a failure of the home page; null if the site is not at fault. */
export function adviceFor({ failure, redirect }: FailedFetch): SafeText | null {
  const isTargetFailure = failure === 'name_not_found' || failure === 'dns_failed' || failure === 'target_refused';
  if (redirect && isTargetFailure) return safeText`Correct the redirect, then run again.`;
  return ADVICE[failure] ?? null;
}

/** Thrown if this machine runs out of file descriptors or ports, so that the run says nothing about the site. */
export class OutOfResources extends Error {
  override readonly name: string = 'OutOfResources';

  constructor() {
    super('this machine cannot open more connections');
  }
}

/** Thrown if a run spent its time waiting for a connection slot at the site's address. */
export class OutOfSlots extends OutOfResources {
  override readonly name = 'OutOfSlots';

  /** @param siteRequestCount requests that reached the site */
  constructor(readonly siteRequestCount = 0) {
    super();
  }
}
