import { describedFailure } from '../artifacts/resource.js';
import type { Finding } from '../verdict/finding.js';
import { scoreOf } from './score.js';

/** Returns the reason that more than half of the findings give; null if they do not agree. */
export function commonCause(findings: readonly Pick<Finding, 'result' | 'detail'>[]): string | null {
  const counts = new Map<string, number>();
  for (const { result, detail } of findings) {
    if (result === 'UNDETERMINED' && detail !== null) counts.set(detail, (counts.get(detail) ?? 0) + 1);
  }
  const most = [...counts].find(([, count]) => count > findings.length / 2);
  return most?.[0] ?? null;
}

function statusIn(detail: string): string | undefined {
  return /\bstatus (\d{3})\b/.exec(detail)?.[1];
}

function isChallenge(detail: string): boolean {
  return detail.includes('bot challenge');
}

/**
 * Classifies why a check is undetermined, for metrics: `challenge`, a class of status, a failure of a fetch, or `other`.
 */
export function openReason(detail: string | null): string {
  if (detail === null) return 'other';
  if (isChallenge(detail)) return 'challenge';
  const status = statusIn(detail);
  return status === undefined ? (describedFailure(detail) ?? 'other') : `status_${status.charAt(0)}xx`;
}

/** Short words for failures that leave a run without a score. */
const BRIEF: Readonly<Partial<Record<NonNullable<ReturnType<typeof describedFailure>>, string>>> = {
  name_not_found: 'the host name does not exist',
  dns_failed: 'DNS gave no address',
  dns_silent: 'no answer from DNS',
  connect_failed: 'no connection',
  connect_timeout: 'no connection',
  tls_expired: 'the certificate has expired',
  tls_wrong_host: 'the certificate is of another host',
  tls_untrusted: 'the certificate is not trusted',
  tls_outdated: 'the TLS version is too old',
  tls_failed: 'no TLS connection',
  reset: 'the connection broke',
  stalled: 'no answer in time',
  cut_off: 'the answer broke off',
  redirect_loop: 'redirects in a circle',
  run_deadline: 'the run took too long',
};

/** Returns the common cause in a few words, such as `the site answered 503`; null if it is not a usual one. */
export function briefCause(findings: readonly Pick<Finding, 'result' | 'detail'>[]): string | null {
  const cause = commonCause(findings);
  if (cause === null) return null;
  if (isChallenge(cause)) return 'a bot challenge';
  const status = statusIn(cause);
  if (status !== undefined) return `the site answered ${status}`;
  const failure = describedFailure(cause);
  return (failure && BRIEF[failure]) ?? null;
}

/** Says why no check counts, although all were judged; null if there is a score, or if a check is undetermined. */
export function describeNoneScored(findings: readonly Finding[]): string | null {
  if (scoreOf(findings) !== null || findings.some(({ result }) => result === 'UNDETERMINED')) return null;
  return findings.every(({ result }) => result === 'NOT_APPLICABLE') ? 'nothing applies' : 'nothing scored applies';
}

/** Says why there is no score; null if there is one, or if no check is undetermined. */
export function describeNoScore(findings: readonly Finding[]): string | null {
  const isOpen = findings.some(({ result }) => result === 'UNDETERMINED');
  if (!isOpen || scoreOf(findings) !== null) return null;
  const cause = commonCause(findings);
  return `Nothing could be determined.${cause === null ? '' : ` Most checks say: ${cause}`}`;
}
