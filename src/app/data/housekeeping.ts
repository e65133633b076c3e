import type { Steps } from '../../queue/steps.js';
import type { Database } from '../../store/database.js';
import { moveMark } from '../../store/database-mark.js';
import { utcDay } from '../../platform/clock.js';
import { type Kept, untilNone } from '../kept.js';

export const CLEAN_UP_EVERY_MS = 3_600_000;

/** What housekeeping works with. */
export interface Housekeeping {
  readonly features: readonly Kept[];
  /** How long the evidence behind findings is kept. */
  readonly evidenceDays: number;
}

/** Deletes what has served its time. */
export async function* cleanUp(db: Database, now: Date, { features, evidenceDays }: Housekeeping): Steps {
  const [first, last] = [
    features.flatMap((one) => one.cleanUps ?? []),
    features.flatMap((one) => one.lastCleanUps ?? []),
  ];
  for (const cleanUpSome of [...first, ...last]) yield* untilNone(db, cleanUpSome(now, evidenceDays));
}

/** All that is due about once an hour. */
export async function* keepHouse(db: Database, now: Date, housekeeping: Housekeeping): Steps {
  yield* cleanUp(db, now, housekeeping);
  await moveMark(db, utcDay(now));
}
