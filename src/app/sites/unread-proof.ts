import type { SiteRow } from './site-statements.js';
import type { UnreadProofRow } from './unread-proof-statements.js';

/** So many counted days without the proof, and runs send no other agent's name and keep no evidence. */
export const RESTRICTED_AFTER_DAYS = 7;

/** So many, and the ownership is lost, whatever the reason. */
export const LOST_AFTER_DAYS = 30;

/** So many on which the DNS said that neither the host nor the name of the TXT record exists. */
export const LOST_AFTER_GONE_DAYS = 3;

/** So many once it is certain that the proof is not there: it has to be missing again, at least a day later. */
const LOST_AFTER_ABSENT_DAYS = 1;

/** The last notice: so many days before the end, also where that comes sooner than after {@link LOST_AFTER_DAYS}. */
const TOLD_BEFORE_END = 2;

/** The owner is told at once, and again after so many counted days: when the runs are restricted, and 7 and 2 days before the end. */
const TOLD_AFTER_DAYS = [0, RESTRICTED_AFTER_DAYS, LOST_AFTER_DAYS - 7, LOST_AFTER_DAYS - TOLD_BEFORE_END];

/** One more than all of them: by another site that its record verified, the owner was told of the loss, too. */
export const LOSS_TOLD = TOLD_AFTER_DAYS.length + 1;

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
  /** What the last look saw. */
  readonly problem: ProofProblem;
  /** How many more days have to count until the ownership is lost, if nothing changes. */
  readonly daysLeft: number;
}

type Standing = Pick<UnreadProofRow, 'since' | 'days' | 'gone_days' | 'is_gone' | 'is_absent'>;

/** How a proof stands: what the page, the messages and the export say of it. */
export function unreadProofOf({ since, days, gone_days, is_gone, is_absent }: Standing): UnreadProof {
  const problem = is_gone === 1 ? 'gone' : is_absent === 1 ? 'absent' : 'unread';
  const leftBy = { unread: Infinity, absent: LOST_AFTER_ABSENT_DAYS, gone: LOST_AFTER_GONE_DAYS - gone_days };
  return { since, days, problem, daysLeft: Math.max(0, Math.min(leftBy[problem], LOST_AFTER_DAYS - days)) };
}

/** The same by the row of a site; null where its proof was found. */
export function unreadProofOfSite(site: Pick<SiteRow, Extract<keyof SiteRow, `unread_${string}`>>): UnreadProof | null {
  if (site.unread_since === null) return null;
  return unreadProofOf({
    since: site.unread_since,
    days: site.unread_days ?? 0,
    gone_days: site.unread_gone_days ?? 0,
    is_gone: site.unread_is_gone ?? 0,
    is_absent: site.unread_is_absent ?? 0,
  });
}

/** Whether runs may do what only the owner of a domain may have done. */
export function isRestricted({ days }: Pick<UnreadProof, 'days'>): boolean {
  return days >= RESTRICTED_AFTER_DAYS;
}

/** How many of the notices are due. */
export function noticesDue(days: number): number {
  return TOLD_AFTER_DAYS.filter((after) => days >= after).length;
}

/** Whether the owner is to be told that the end is near, however few days have counted. */
export function isEndNear({ daysLeft }: UnreadProof): boolean {
  return daysLeft <= TOLD_BEFORE_END;
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
