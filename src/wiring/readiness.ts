import { createRateLimits } from '../app/limits/rate-limits.js';
import type { Clock } from '../platform/clock.js';
import { type Readiness, SILENT_DATABASE } from '../platform/readiness.js';
import type { Database } from '../store/database.js';
import { isDiskFull } from '../store/errors.js';
import { type SchemaStatus, schemaStatus } from '../store/schema-status.js';

export interface ReadinessDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** What performs queued work here; null where nothing does. */
  readonly worker: { readonly isWorking: boolean } | null;
}

const OF_THE_SCHEMA: Readonly<Record<SchemaStatus, string | null>> = {
  current: null,
  behind: 'the database lacks the current schema',
  unguarded: 'triggers of the database are missing or changed',
  unreachable: SILENT_DATABASE,
};

/** How long one trial tells whether the database can be written. */
const TRIAL_KEPT_MS = 5000;

/** One row counts the trials of an hour, and goes with those of other limits. */
const TRIAL = { scope: 'readyz', subject: 'trial', limit: 2 ** 31 - 1, windowMs: 3_600_000 };

/** The database answers, has the current schema and takes what is written; and where queued work is performed, it is. */
export function createReadiness({ db, clock, worker }: ReadinessDeps): Readiness {
  const limits = createRateLimits({ db, clock });
  let triedMs = -Infinity;
  let trial: Promise<string | null> = Promise.resolve(null);
  const tryWrite = (): Promise<string | null> => {
    const nowMs = clock.now().getTime();
    if (Math.abs(nowMs - triedMs) >= TRIAL_KEPT_MS) {
      triedMs = nowMs;
      trial = limits.take(TRIAL).then(
        () => null,
        (error: unknown) =>
          isDiskFull(error) ? 'the disk of the database is full' : 'the database takes nothing that is written',
      );
    }
    return trial;
  };
  return {
    whyNotReady: async () =>
      OF_THE_SCHEMA[await schemaStatus(db)] ??
      (await tryWrite()) ??
      (worker?.isWorking === false ? 'queued work is not performed' : null),
  };
}
