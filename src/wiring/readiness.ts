import { consume, limitOf } from '../app/limits/limits.js';
import type { Clock } from '../platform/clock.js';
import { type Readiness, SILENT_DATABASE } from '../platform/http/app.js';
import type { Database } from '../store/database.js';
import { isDiskFull } from '../store/errors.js';
import { type SchemaStatus, schemaStatus } from '../store/schema-check.js';

const SCHEMA_REASONS: Readonly<Record<SchemaStatus, string | null>> = {
  current: null,
  behind: 'the database lacks the current schema',
  other: 'another version of the program created the database',
  unguarded: 'triggers of the database are missing or changed',
  unreachable: SILENT_DATABASE,
};

/** How long the result of a test write is reused. */
const TRIAL_MS = 5000;

/**
 * Ready means: the database answers, has the current schema and accepts writes, and the workers work.
 * @param isWorking left out if this process performs no queued work
 */
export function createReadiness(db: Database, clock: Clock, isWorking?: () => boolean): Readiness {
  let triedMs = -Infinity;
  let trial: Promise<string | null> = Promise.resolve(null);
  const tryWrite = (): Promise<string | null> => {
    const nowMs = clock.now().getTime();
    if (Math.abs(nowMs - triedMs) >= TRIAL_MS) {
      triedMs = nowMs;
      trial = consume(db, [limitOf('readyz', 'trial')], clock.now()).then(
        () => null,
        (error: unknown) => (isDiskFull(error) ? 'the disk of the database is full' : 'the database accepts no writes'),
      );
    }
    return trial;
  };
  return {
    whyNotReady: async () =>
      SCHEMA_REASONS[await schemaStatus(db)] ??
      (await tryWrite()) ??
      (isWorking?.() === false ? 'queued work is not performed' : null),
  };
}
