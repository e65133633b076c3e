import { laterThan, utcDay } from '../../platform/clock.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { isLossKnown, recordOf, toldOfOthers, weightOf } from './domain-record.js';
import { countAsked } from './ownership-day-statements.js';
import { digestOfDomain, domainOf, isDayCounted, isWitnessed } from './ownership-days.js';
import { recordLoss } from './ownership-loss.js';
import { type PlacesOfProof, placesOfGivenProof } from './ownership.js';
import type { ProofLook } from './proof-look.js';
import { type RecheckedRow, updateProof } from './recheck-statements.js';
import { NOT_VERIFIED } from './site-statements.js';
import { type Site, siteOf } from './site.js';
import {
  countDay,
  isEndNear,
  lossBy,
  noticesDue,
  type ProofProblem,
  type UnreadProof,
  unreadProofOf,
} from './unread-proof.js';
import {
  deleteUnreadProof,
  selectUnreadProof,
  type UnreadProofRow,
  upsertUnreadProof,
} from './unread-proof-statements.js';

const DAY_MS = 24 * 3_600_000;

/** How often the proof of a verified site is looked for again. */
export const RECHECK_AFTER_DAYS = 30;

/** A proof that was not found, as its owner is told of it. */
export interface UnreadNotice extends Pick<UnreadProof, 'since' | 'problem' | 'daysLeft'> {
  /** On how many days we looked and could have seen it. */
  readonly countedDays: number;
  /** Where to publish it: best in the DNS, which no firewall hides. The text stands on the site's page. */
  readonly proof: PlacesOfProof;
  /** Whose record the proof is, which verified other sites of the account too; left out for a proof of the site alone. */
  readonly domain?: string;
}

/** What an ownership was lost by, as its owner is told of it. */
export interface LossNotice extends Pick<UnreadNotice, 'domain'> {
  readonly reason: ProofProblem;
}

export interface Telling {
  readonly now: Date;
  /** Whether the owner was told by another site, with the same record: who hears of this site alone was not. */
  readonly isKnown: boolean;
}

/** What later features make of it, in the transaction that settles it. */
export interface ProofConsequences {
  /** Tells the owner. */
  onUnread(site: Site, notice: UnreadNotice, telling: Telling): Transaction<void>;
  onLost(site: Site, notice: LossNotice, telling: Telling): Transaction<void>;
}

export interface SettleOptions extends ProofConsequences {
  readonly now: Date;
}

type Missed = Extract<ProofLook, { kind: 'missed' }>;

/** Writes what came of a look, unless another process did so first. @returns by what the ownership was lost; null: it was not */
export function* settleProof(look: ProofLook, options: SettleOptions): Transaction<ProofProblem | null> {
  if (look.kind === 'missed') return yield* settleMissed(look, options);
  if (look.kind === 'found') yield* settleFound(look, options.now);
  else yield* postpone(look.site, options.now);
  return null;
}

function* settleFound({ site, by }: Extract<ProofLook, { kind: 'found' }>, now: Date): Transaction<void> {
  const proof_due_at = laterThan(now, RECHECK_AFTER_DAYS * DAY_MS);
  const written = { ...asRead(site), verified_by: by, proof_due_at, proof_missing_since: null };
  if (!(yield* one(updateProof(written)))) return;
  const asked = yield* weightOf({ ...site, verified_by: by });
  const proof_domain = digestOfDomain(domainOf(site));
  yield* execute(countAsked({ day: utcDay(now), asked, newly_unread: 0, proof_domain }));
  yield* execute(deleteUnreadProof({ site_id: site.id }));
}

/** Nobody was asked: the day is none that could count. */
function* postpone(site: RecheckedRow, now: Date): Transaction<void> {
  const unread = yield* one(selectUnreadProof({ site_id: site.id, due_at: site.proof_due_at }));
  const due_at = laterThan(now, DAY_MS);
  if (!(yield* one(updateProof({ ...asRead(site), proof_due_at: due_at })))) return;
  if (unread) yield* execute(upsertUnreadProof({ ...unread, site_id: site.id, due_at }));
}

function* settleMissed(look: Missed, options: SettleOptions): Transaction<ProofProblem | null> {
  const { site, isAbsent, isGone } = look;
  const { now } = options;
  const [site_id, day, due_at] = [site.id, utcDay(now), laterThan(now, DAY_MS)];

  // The day of the last look is over: does it count towards the loss, and is that enough?
  const before = yield* one(selectUnreadProof({ site_id, due_at: site.proof_due_at }));
  const isDayOver = before !== undefined && before.last_day < day;
  const isCounted = isDayOver && (yield* isDayCounted(before.last_day, domainOf(site)));
  const counted = isDayOver ? countDay(before, isCounted) : before;
  const missing = missingSince(look, now);
  // An outage of ours that looks like an absent proof, such as a name server that knows nothing, costs nobody the ownership.
  const lostBy = (counted && lossBy(counted)) ?? (missing.isLost && isCounted ? 'absent' : null);
  if (lostBy) return yield* lose(site, lostBy, options);

  // Not lost: the next look is tomorrow, and today is the day that may count then.
  const written = { ...asRead(site), proof_due_at: due_at, proof_missing_since: missing.since };
  if (!(yield* one(updateProof(written)))) return null;
  const asked = yield* weightOf(site);
  const today = yield* one(countAsked({ day, asked, newly_unread: before ? 0 : asked, proof_domain: null }));
  const unread: UnreadProofRow = {
    ...(counted ?? { since: now.toISOString(), days: 0, gone_days: 0, told: 0, is_end_told: 0 }),
    last_day: day,
    // Of several looks on a day none may have seen the name.
    is_gone: isGone && (before?.last_day !== day || before.is_gone === 1) ? 1 : 0,
    is_absent: isAbsent && !isGone ? 1 : 0,
  };

  // The owner is told by days without the proof, but not of what may be an outage of ours.
  const isDue = isNoticeDue(unread, isWitnessed(today, domainOf(site)));
  const told = isDue ? Math.max(unread.told, noticesDue(unread.days)) : unread.told;
  // An end that is no longer near is told again when it comes near again.
  const is_end_told = isEndNear(unreadProofOf(unread)) && (isDue || unread.is_end_told === 1) ? 1 : 0;
  const others = isDue ? yield* toldOfOthers(site) : null;
  const isKnown = others !== null && others.told >= told && others.is_end_told >= is_end_told;
  yield* execute(upsertUnreadProof({ ...unread, told: isKnown ? others.told : told, is_end_told, site_id, due_at }));
  if (isDue) yield* options.onUnread(siteOf(site), noticeOf(site, unread), { now, isKnown });
  return null;
}

/** Whether the proof is missing for certain since, and for so long that the ownership is lost. */
function missingSince(
  { site, isAbsent, isGone }: Missed,
  now: Date,
): { readonly since: string | null; readonly isLost: boolean } {
  // What was missing before the site was verified is over.
  const before = site.proof_missing_since;
  const since = before !== null && before > site.verified_at ? before : null;
  // Of a name that does not exist, the days are counted.
  if (!isAbsent || isGone) return { since, isLost: false };
  return { since: since ?? now.toISOString(), isLost: since !== null && since <= laterThan(now, -DAY_MS) };
}

/** The first notice, and one that the end is near, wait for a day that may count: an outage of ours is not news of the owner's. */
function isNoticeDue(unread: UnreadProofRow, mayDayCount: boolean): boolean {
  if (mayDayCount && unread.is_end_told === 0 && isEndNear(unreadProofOf(unread))) return true;
  return noticesDue(unread.days) > unread.told && (unread.days > 0 || mayDayCount);
}

function noticeOf(site: RecheckedRow, row: UnreadProofRow): UnreadNotice {
  const { days: countedDays, ...unread } = unreadProofOf(row);
  return { ...unread, countedDays, proof: placesOfGivenProof(siteOf(site)), ...domainIn(site) };
}

function domainIn(site: RecheckedRow): Pick<UnreadNotice, 'domain'> {
  const record = recordOf(site);
  return record === null ? {} : { domain: record.domain };
}

function* lose(
  site: RecheckedRow,
  reason: ProofProblem,
  { now, onLost }: SettleOptions,
): Transaction<ProofProblem | null> {
  // Each site of a lost record would be the first of those that are left.
  const asked = recordOf(site) === null ? 1 : 0;
  if (!(yield* one(updateProof({ ...asRead(site), ...NOT_VERIFIED, ownership_lost_at: now.toISOString() }))))
    return null;
  yield* execute(countAsked({ day: utcDay(now), asked, newly_unread: 0, proof_domain: null }));
  const isKnown = yield* isLossKnown(site);
  yield* recordLoss(site, now);
  yield* onLost(siteOf(site), { reason, ...domainIn(site) }, { now, isKnown });
  return reason;
}

/** What is written unless another value takes its place, on condition that nobody else has written meanwhile. */
function asRead({ id, verified_at, verified_by, proof_due_at, proof_missing_since }: RecheckedRow) {
  const read = { verified_when_read: verified_at, due_when_read: proof_due_at };
  return { id, ...read, verified_at, verified_by, proof_missing_since, ownership_lost_at: null };
}
