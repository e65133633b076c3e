import { type Clock, laterThan } from '../../platform/clock.js';
import type { Logger } from '../../platform/logging.js';
import type { Steps } from '../../queue/steps.js';
import { type Database, runOne } from '../../store/database.js';
import { one, type Transaction } from '../../store/transaction.js';
import { placeOf } from '../automation/schedule.js';
import type { Period } from '../runs/period.js';
import type { DigestMessage } from './alert-event.js';
import { readDigest } from './digest.js';
import { type DigestRow, moveDigest, selectDueDigest } from './digest-statements.js';
import { addMessage } from './outbox.js';

export const PLAN_DIGESTS_EVERY_MS = 60_000;

/** With fewer sites a week's news is not worth a mail of its own. */
export const DIGEST_SITES_MIN = 6;

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

/**
 * How long before it is made a digest ends. A run can be read only some time after the moment at which it finished, since its transaction has
 * to end, and clocks of several machines differ: one that a digest does not find is in the next one.
 */
const SETTLED_MS = 60_000;

/** Monday, 5 January 1970, 07:00 UTC. */
const FIRST_MS = 4 * 24 * HOUR_MS + 7 * HOUR_MS;

/** The first Monday after `after`, between 07:00 and 08:00 UTC: each account has its own place in the hour, so that no minute is a peak. */
export function nextDigestTime(accountId: string, after: Date): Date {
  const placeMs = FIRST_MS + Math.floor((placeOf(accountId) * HOUR_MS) / 1000) * 1000;
  const weeksGone = Math.floor((after.getTime() - placeMs) / WEEK_MS);
  return new Date(placeMs + (weeksGone + 1) * WEEK_MS);
}

export interface DigestPlannerDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Whether the operator has configured a mail server. */
  readonly hasMail: boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Sends one digest to each account whose time has come, however often it was missed: so without a mail server they wait for one. Where it
 * fails for an account the others have theirs, and it is tried again the next time.
 */
export async function* planDigests({ db, clock, hasMail, logger }: DigestPlannerDeps): Steps {
  let after = { after_at: '', after_id: '' };
  while (hasMail) {
    const now = clock.now();
    const due = await runOne(db, selectDueDigest({ now: now.toISOString(), ...after }));
    if (!due) return;
    after = { after_at: due.next_at, after_id: due.account_id };
    try {
      await planDigest(db, due, now);
    } catch (cause) {
      logger.warn({ accountId: due.account_id, cause }, 'weekly digest failed, retrying');
      // No step ends here: where one that fails takes long, the time of these steps would be over before another had its turn.
      continue;
    }
    yield;
  }
}

async function planDigest(db: Database, due: DigestRow, now: Date): Promise<void> {
  const period = periodOf(due, now);
  const { sites, groups } = await readDigest(db, due.account_id, period);
  const isSent = sites >= DIGEST_SITES_MIN && groups.length > 0;
  await db.transaction(() => sendDigest(due, { period, isSent }, now));
}

/** Where the digest was turned on within the last minute, or the clock was set back, there is nothing in it. */
function periodOf({ since }: DigestRow, now: Date): Period {
  const settled = laterThan(now, -SETTLED_MS);
  return { since, until: settled > since ? settled : since };
}

/** One transaction: the process that moves the time on sends the digest, and no other does. Where nothing changed there is none. */
function* sendDigest(
  { account_id, next_at: due_at }: DigestRow,
  { period, isSent }: { readonly period: Period; readonly isSent: boolean },
  now: Date,
): Transaction<void> {
  const next_at = nextDigestTime(account_id, now).toISOString();
  const moved = yield* one(moveDigest({ account_id, due_at, since: period.until, next_at }));
  if (!moved || !isSent) return;
  const message: DigestMessage = { type: 'digest.weekly', timestamp: now.toISOString(), data: period };
  const { type: event } = message;
  yield* addMessage({ accountId: account_id, webhook: null, siteId: null, event, body: JSON.stringify(message) }, now);
}
