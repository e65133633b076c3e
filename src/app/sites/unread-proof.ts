import type { UnreadProofRow } from './unread-proof-statements.js';

/** So many counted days without the proof, and runs send no other agent's name and keep no evidence. */
export const RESTRICTED_AFTER_DAYS = 7;

/** So many, and the ownership is lost, whatever the reason. */
export const LOST_AFTER_DAYS = 30;

/** So many on which the DNS said that neither the host nor the name of the TXT record exists. */
export const LOST_AFTER_GONE_DAYS = 3;

/** The owner is told at once, and again after so many counted days: when the runs are restricted, and 7 and 2 days before the end. */
const TOLD_AFTER_DAYS = [0, RESTRICTED_AFTER_DAYS, LOST_AFTER_DAYS - 7, LOST_AFTER_DAYS - 2];

/**
 * What a look that does not find the proof says: it is certain that the proof is not there; the DNS says that the name does not exist; or
 * neither, since nobody answers, or refuses us. And so what the ownership is lost by.
 */
export type ProofProblem = 'absent' | 'gone' | 'unread';

/** What is known of a proof that is not found; the owner's to see. */
export interface UnreadProof {
  /** When it was first not found. ISO 8601, UTC. */
  readonly since: string;
  /** On how many days we looked and could have seen it. */
  readonly days: number;
}

/** Whether runs may do what only the owner of a domain may have done. */
export function isRestricted({ days }: Pick<UnreadProof, 'days'>): boolean {
  return days >= RESTRICTED_AFTER_DAYS;
}

/** How many of the notices are due. */
export function noticesDue(days: number): number {
  return TOLD_AFTER_DAYS.filter((after) => days >= after).length;
}

/** Why the days that have counted cost the ownership; null: they do not yet. */
export function lossBy({ days, gone_days }: Pick<UnreadProofRow, 'days' | 'gone_days'>): ProofProblem | null {
  if (gone_days >= LOST_AFTER_GONE_DAYS) return 'gone';
  return days >= LOST_AFTER_DAYS ? 'unread' : null;
}

/** Counts the last day, which is over. */
export function countDay(unread: UnreadProofRow, isCounted: boolean): UnreadProofRow {
  if (!isCounted) return unread;
  return { ...unread, days: unread.days + 1, gone_days: unread.gone_days + unread.is_gone };
}

/** How many more days have to count until the ownership is lost, if the name exists. */
export function daysLeft(days: number): number {
  return Math.max(0, LOST_AFTER_DAYS - days);
}
