import { DAY_MS, isoTimeAfter, utcMonth } from '../platform/clock.js';
import type { Pause } from '../platform/concurrency.js';
import { defineDeletion } from '../store/batches.js';
import type { Database } from '../store/database.js';
import { ACTIVITY_STORED_SINCE } from '../store/schema.js';
import { SESSION_IDLE_MS } from './accounts/sessions.js';
import { DELIVERY_LOG_DAYS } from './alerts/deliveries.js';
import { EVENT_DAYS } from './audit/audit.js';
import { ABANDONED_MS, FREE_SCAN_CACHE_MS } from './free-scan/free-scan-store.js';
import { KEY_USAGE_MONTHS } from './keys/access.js';

export const CLEAN_UP_EVERY_MS = 3_600_000;

/** Rate windows are deleted late, because a process whose clock is slow may still use one that has ended. */
const CLOCK_SKEW_MS = 60_000;

/** Returns the cutoff: rows with this value or a smaller one are deleted. */
type Cutoff = (now: Date, evidenceDays: number) => string;

function olderThan(ms: number): Cutoff {
  return (now) => isoTimeAfter(now, -ms);
}

const CLEANUPS: readonly (readonly [deleteUpTo: ReturnType<typeof defineDeletion>, cutoff: Cutoff])[] = [
  [
    // A trigger rejects the deletion of newer events. It reads the database's clock, so the condition does, too.
    defineDeletion('audit_events', {
      sqlite: `at <= ? AND at < ${ACTIVITY_STORED_SINCE.sqlite}`,
      postgres: `at <= ? AND at < ${ACTIVITY_STORED_SINCE.postgres}`,
    }),
    olderThan(EVENT_DAYS * DAY_MS),
  ],
  [defineDeletion('rate_windows', 'expires_at <= ?'), olderThan(CLOCK_SKEW_MS)],
  [defineDeletion('sessions', 'expires_at <= ?'), olderThan(0)],
  [defineDeletion('sessions', 'last_seen_at <= ?'), olderThan(SESSION_IDLE_MS)],
  [defineDeletion('sign_in_links', 'expires_at <= ?'), olderThan(0)],
  [
    defineDeletion('key_usage', 'month <= ?'),
    (now) => utcMonth(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - KEY_USAGE_MONTHS))),
  ],
  [defineDeletion('run_evidence', 'stored_at <= ?'), (now, evidenceDays) => isoTimeAfter(now, -evidenceDays * DAY_MS)],
  [defineDeletion('idempotency_keys', 'expires_at <= ?'), olderThan(0)],
  [defineDeletion('deliveries', "created_at <= ? AND state <> 'waiting'"), olderThan(DELIVERY_LOG_DAYS * DAY_MS)],
  [defineDeletion('free_scans', 'finished_at <= ?'), olderThan(FREE_SCAN_CACHE_MS)],
  // Scans whose process died.
  [defineDeletion('free_scans', 'started_at <= ? AND finished_at IS NULL'), olderThan(ABANDONED_MS)],
];

/** Deletes expired rows. @param evidenceDays how many days evidence is stored */
export async function cleanUp(db: Database, now: Date, evidenceDays: number, pause?: Pause): Promise<void> {
  for (const [deleteUpTo, cutoff] of CLEANUPS) await deleteUpTo(db, cutoff(now, evidenceDays), pause);
}
