import {
  deleteQueuedRun,
  insertLeasedRun,
  putBackQueuedRun,
  type QueuedRunRow,
  selectLeasedRun,
} from '../../queue/queued-run-statements.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import { newSecretToken } from '../../platform/secret-token.js';
import { laterThan } from '../../platform/later-than.js';
import { LEASE_MS } from '../../queue/work.js';
import type { QueuedTrigger } from './queueing.js';

/** A run that this process has in hand. Only who holds its lease can store it. */
export interface RunLease {
  readonly siteId: string;
  readonly trigger: QueuedTrigger;
  readonly lease: string;
}

/** The lease has ended meanwhile: another worker has the run in hand, or had it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** What a new lease is: a text that nobody else has, and when it ends. */
export function newLease(now: Date): { readonly lease: string; readonly leased_until: string } {
  return { lease: newSecretToken(), leased_until: laterThan(now, LEASE_MS) };
}

/**
 * Puts a run in the queue that this process has in hand already, so that every process knows of it, and another takes it up where
 * this one dies.
 * @returns null when one of the site and trigger is there already
 */
export function* beginInHand(
  {
    siteId,
    accountId,
    trigger,
  }: { readonly siteId: string; readonly accountId: string; readonly trigger: QueuedTrigger },
  now: Date,
): Transaction<RunLease | null> {
  const leased = newLease(now);
  const row = yield* one(
    insertLeasedRun({ site_id: siteId, account_id: accountId, trigger, now: now.toISOString(), ...leased }),
  );
  return row ? { siteId, trigger, lease: leased.lease } : null;
}

/**
 * Takes a run that was done out of the queue, or has it wait once more where it was asked for again meanwhile.
 * @returns the row in the second case
 * @throws LeaseLost
 */
export function* settleLease(
  { siteId: site_id, trigger, lease }: RunLease,
  now: Date,
): Transaction<QueuedRunRow | undefined> {
  const row = yield* one(selectLeasedRun({ site_id, trigger, lease }));
  if (!row) throw new LeaseLost();
  if (row.again_after !== null) {
    const again = { run_after: row.again_after, attempts: 0, now: now.toISOString() };
    return yield* one(putBackQueuedRun({ site_id, trigger, lease, ...again }));
  }
  yield* execute(deleteQueuedRun({ site_id, trigger }));
  return undefined;
}
