import { createHash, randomUUID } from 'node:crypto';
import { type Clock, laterThan, utcDay } from '../../platform/clock.js';
import type { StartTimer } from '../../platform/timer.js';
import { LeaseLost } from '../../queue/job.js';
import type { Database } from '../../store/database.js';
import { execute, one, type Transaction } from '../../store/transaction.js';
import {
  type ClaimName,
  dropOutdatedClaim,
  outdatedAt,
  renewClaim,
  selectClaimedRun,
  settleClaim,
  takeClaim,
} from './idempotency-statements.js';

/** A run that was promised to one value of Idempotency-Key, and that this process performs. */
export interface Claim extends ClaimName {
  readonly lease: string;
  /** The day that its run was taken from. */
  readonly day: string;
  /** Whether a process that died had the claim before, and has paid. */
  readonly isTakenOver: boolean;
}

/** A process that has not renewed its claim for so long is dead. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = LEASE_MS / 3;

/** @param value of the header: of each byte one character, as Node reads it */
export function claimName(siteId: string, keyId: string, value: string): ClaimName {
  return { key_id: keyId, site_id: siteId, digest: createHash('sha256').update(value, 'latin1').digest('hex') };
}

/** @returns the claim, or the run that somebody else has claimed: null as long as it is running */
export function* claimRun(name: ClaimName, now: Date): Transaction<Claim | { readonly number: number | null }> {
  yield* execute(dropOutdatedClaim({ ...name, outdated: outdatedAt(now) }));
  const lease = randomUUID();
  const times = { now: now.toISOString(), day: utcDay(now), lease_until: laterThan(now, LEASE_MS) };
  const claimed = yield* one(takeClaim({ ...name, ...times, lease }));
  if (claimed) return { ...name, lease, day: claimed.day, isTakenOver: claimed.attempts > 1 };
  return (yield* one(selectClaimedRun(name))) ?? { number: null };
}

/** Renews the claim now and then. @returns what ends it */
export function keepClaim(
  claim: Claim,
  { db, clock, startTimer }: { readonly db: Database; readonly clock: Clock; readonly startTimer: StartTimer },
): () => void {
  let stopTimer: () => void;
  const renewLater = (): void => {
    stopTimer = startTimer(() => {
      renewLater();
      const lease_until = laterThan(clock.now(), LEASE_MS);
      db.run(renewClaim({ ...claim, lease_until })).catch(() => undefined);
    }, RENEW_EVERY_MS);
  };
  renewLater();
  return () => stopTimer();
}

/**
 * In the transaction that stores the run.
 * @throws LeaseLost when another process has taken the claim over: the run will be its own
 */
export function* fulfilClaim(claim: Claim, number: number): Transaction<void> {
  if (!(yield* one(settleClaim({ ...claim, number })))) throw new LeaseLost();
}
