import { laterThan } from '../../platform/clock.js';
import { countOf } from '../../scanner/artifacts/counts.js';

const DAY_MS = 86_400_000;

/** Days between a proof that was found and the next check. A missing proof is checked daily. */
export const RECHECK_AFTER_DAYS = 30;

/**
 * Why a proof was not found. `absent`: DNS or the site answers without it. `gone`: the name no longer exists in DNS. `unread`: we cannot
 * tell, because nothing answers or the site refuses us.
 */
export type ProofProblem = 'absent' | 'gone' | 'unread';

/** Number of days without the proof after which the ownership ends, by the result of the last check. */
export const LOST_ON_DAY: Readonly<Record<ProofProblem, number>> = { absent: 2, gone: 3, unread: 30 };

/** Days without the proof on which the owner gets a message. */
const NOTICE_DAYS = [1, 23, 28];

/** Result of checking a verified site's proof. `unanswered`: no DNS or HTTP answer arrived, so the fault may be ours. */
export type ProofResult = 'found' | ProofProblem | 'unanswered';

/** A missing proof, as the owner sees it. */
export interface MissingProof {
  /** Time of the first check that did not find it. ISO 8601, UTC. */
  readonly since: string;
  /** Days on which it was missing. Days without any DNS or HTTP answer do not count. */
  readonly days: number;
}

export interface ProofDecision {
  /** Null if the proof is not missing. */
  readonly missing: MissingProof | null;
  /** Time of the next check; null if the ownership ended. */
  readonly dueAt: string | null;
  /** Why the ownership ended; null if it did not. */
  readonly lost: ProofProblem | null;
  /** The message to the owner: the problem, and the days until the ownership ends; null if none is due. */
  readonly notice: { readonly problem: ProofProblem; readonly daysLeft: number } | null;
}

/** Decides what a check means for the ownership of a site. @param before the state after the previous check */
export function decideOwnership(result: ProofResult, before: MissingProof | null, now: Date): ProofDecision {
  const tomorrow = laterThan(now, DAY_MS);
  const undecided = { lost: null, notice: null };
  if (result === 'found') return { ...undecided, missing: null, dueAt: laterThan(now, RECHECK_AFTER_DAYS * DAY_MS) };
  if (result === 'unanswered') return { ...undecided, missing: before, dueAt: tomorrow };
  const missing = { since: before?.since ?? now.toISOString(), days: (before?.days ?? 0) + 1 };
  const daysLeft = LOST_ON_DAY[result] - missing.days;
  if (daysLeft <= 0) return { missing: null, dueAt: null, lost: result, notice: null };
  const notice = NOTICE_DAYS.includes(missing.days) ? { problem: result, daysLeft } : null;
  return { missing, dueAt: tomorrow, lost: null, notice };
}

const LOST = 'the site is no longer verified, and no run starts until it is';

/** Says how long the proof has been missing, without a full stop. */
export function describeMissing({ days }: MissingProof): string {
  return `We have not found your proof on ${countOf(days, 'day')}`;
}

/** Says when the ownership ends. The stored state does not include the problem, so this names all three cases. */
export function describeDeadlines({ days }: MissingProof): string {
  const { absent, gone, unread } = LOST_ON_DAY;
  return `In ${countOf(unread - days, 'day')} ${LOST}. This happens on day ${absent} if the site answers without the proof, and on day ${gone} if its name no longer exists.`;
}

/** Says when the ownership ends if this problem persists. */
export function describeDeadline(problem: ProofProblem, daysLeft: number): string {
  switch (problem) {
    case 'absent':
      return `If it is still not there when we look a day later, ${LOST}.`;
    case 'gone':
      return `If the name does not exist on ${countOf(daysLeft, 'more day')}, ${LOST}.`;
    case 'unread':
      return `In ${countOf(daysLeft, 'day')} ${LOST}.`;
  }
}
