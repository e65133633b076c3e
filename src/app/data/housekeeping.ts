import { cleanUpDevices } from '../accounts/device-statements.js';
import { cleanUpLinks } from '../accounts/sign-in-link-statements.js';
import { cleanUpSessions } from '../accounts/session-statements.js';
import { cleanUpDeliveries } from '../alerts/delivery-statements.js';
import { cleanUpEarlierEvents, cleanUpEvents } from '../audit/audit-statements.js';
import { cleanUpEvidence } from '../evidence/evidence-statements.js';
import { cleanUpFreeScans } from '../free-scan/free-scan-statements.js';
import { cleanUpKeyUsage } from '../keys/key-usage-statements.js';
import { cleanUpWindows } from '../limits/rate-window-statements.js';
import { cleanUpScanning } from '../limits/scanning-statements.js';
import { cleanUpClaims } from '../runs/idempotency-statements.js';
import { cleanUpBudgets, cleanUpKeptBudgets } from '../limits/run-budget-statements.js';
import { cleanUpOwnershipDays } from '../sites/ownership-day-statements.js';
import type { Steps } from '../../queue/steps.js';
import type { Cleanup } from '../../store/cleanup.js';
import type { Database } from '../../store/database.js';
import { moveMark } from '../../store/database-mark.js';
import { utcDay } from '../../platform/clock.js';

/** What each feature has deleted once it has served its time. */
const CLEANUPS: readonly Cleanup[] = [
  cleanUpBudgets,
  cleanUpKeptBudgets,
  cleanUpClaims,
  cleanUpKeyUsage,
  cleanUpSessions,
  cleanUpLinks,
  cleanUpDevices,
  cleanUpWindows,
  cleanUpDeliveries,
  cleanUpEvents,
  cleanUpFreeScans,
  cleanUpScanning,
  cleanUpOwnershipDays,
];

export const CLEAN_UP_EVERY_MS = 3_600_000;

/** Deletes what has served its time. @param evidenceDays how long what findings rest on is kept */
export async function* cleanUp(db: Database, now: Date, evidenceDays: number): Steps {
  // The database refuses the last one where the clock of the service is more than a day ahead of its own.
  for (const cleanUpSome of [...CLEANUPS, cleanUpEvidence(evidenceDays), cleanUpEarlierEvents])
    while ((await db.run(cleanUpSome(now))).length > 0) yield;
}

/** All that is due about once an hour. */
export async function* keepHouse(db: Database, now: Date, evidenceDays: number): Steps {
  yield* cleanUp(db, now, evidenceDays);
  await moveMark(db, utcDay(now));
}
