import { type Pause, yieldToEventLoop } from '../platform/concurrency.js';
import { type Cleanup, inBatches } from '../store/cleanup.js';
import type { Database } from '../store/database.js';
import { cleanUpSessions } from './accounts/sessions.js';
import { cleanUpLinks } from './accounts/links.js';
import { cleanUpDeliveries } from './alerts/deliveries.js';
import { cleanUpEvents } from './audit/audit.js';
import { cleanUpEvidence } from './evidence/evidence-limit.js';
import { cleanUpFreeScans } from './free-scan/free-scan-store.js';
import { cleanUpKeyUsage } from './keys/charge.js';
import { cleanUpWindows } from './limits/limits.js';
import { cleanUpClaims } from './runs/runs.js';

/** What is deleted after some time. */
const CLEANUPS: readonly Cleanup[] = [
  cleanUpWindows,
  cleanUpEvents,
  cleanUpSessions,
  cleanUpLinks,
  cleanUpKeyUsage,
  cleanUpEvidence,
  cleanUpClaims,
  cleanUpDeliveries,
  cleanUpFreeScans,
];

export const CLEAN_UP_EVERY_MS = 3_600_000;

/** Deletes rows that are past their time. @param evidenceDays how long evidence is stored */
export async function cleanUp(
  db: Database,
  now: Date,
  evidenceDays: number,
  pause: Pause = yieldToEventLoop,
): Promise<void> {
  for (const cleanUpSome of CLEANUPS) await inBatches(db, cleanUpSome(now, evidenceDays), pause);
}
