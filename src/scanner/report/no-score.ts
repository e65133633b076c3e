import { describedFailure } from '../artifacts/resource.js';
import type { Finding } from '../verdict/finding.js';
import { scoreOf } from './score.js';

/** Why nothing could be determined: what more than half of the findings say, in our own words; null when they do not agree. */
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
 * Why a check was left open, in a word that is the same whatever the site: for metrics. `challenge`, a class of status, a failure of a
 * fetch, or `other`.
 */
export function openReason(detail: string | null): string {
  if (detail === null) return 'other';
  if (isChallenge(detail)) return 'challenge';
  const status = statusIn(detail);
  return status === undefined ? (describedFailure(detail) ?? 'other') : `status_${status.charAt(0)}xx`;
}

/** What those failures come to that leave a run without a score, in the fewest words. */
const BRIEF: Readonly<Partial<Record<NonNullable<ReturnType<typeof describedFailure>>, string>>> = {
  name_not_found: 'the host name does not exist',
  dns_failed: 'DNS gave no address',
  connect_failed: 'no connection',
  connect_timeout: 'no connection',
  tls_expired: 'the certificate has expired',
  tls_wrong_host: 'the certificate is of another host',
  tls_untrusted: 'the certificate is not trusted',
  tls_failed: 'no TLS connection',
  reset: 'the connection broke',
  stalled: 'no answer in time',
  cut_off: 'the answer broke off',
  redirect_loop: 'redirects in a circle',
  run_deadline: 'the run took too long',
};

/** The common cause in the fewest words, for a list: `the site answered 503`; null where it is none of the usual ones. */
export function briefCause(findings: readonly Pick<Finding, 'result' | 'detail'>[]): string | null {
  const cause = commonCause(findings);
  if (cause === null) return null;
  if (isChallenge(cause)) return 'a bot challenge';
  const status = statusIn(cause);
  if (status !== undefined) return `the site answered ${status}`;
  const failure = describedFailure(cause);
  return (failure && BRIEF[failure]) ?? null;
}

/** Why each check that was made was judged, and none counts; null where there is a score, or where a check was left open. */
export function describeNoneScored(findings: readonly Finding[]): string | null {
  if (scoreOf(findings) !== null || findings.some(({ result }) => result === 'UNDETERMINED')) return null;
  return findings.every(({ result }) => result === 'NOT_APPLICABLE') ? 'nothing applies' : 'nothing scored applies';
}

/** Why there is no score, in a sentence or two; null where there is one, or where no check was left open. */
export function describeNoScore(findings: readonly Finding[]): string | null {
  const isOpen = findings.some(({ result }) => result === 'UNDETERMINED');
  if (!isOpen || scoreOf(findings) !== null) return null;
  const cause = commonCause(findings);
  return `Nothing could be determined.${cause === null ? '' : ` Most checks say: ${cause}`}`;
}
