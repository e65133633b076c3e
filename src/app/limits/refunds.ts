import { type Database, runOne } from '../../store/database.js';
import { isNeverSent } from '../../store/errors.js';
import type { Query } from '../../store/query.js';
import type { Transaction } from '../../store/transaction.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';

const RETRY_EVERY_MS = 5000;

/** Gives back what was taken at admission: a request of the month, a run of the day. One for the whole process. */
export function createRefunds(db: Database, startTimer: StartTimer = startNodeTimer) {
  const kept = new Set<() => Promise<unknown>>();
  let isTimerOn = false;

  const tryToMake = async <T>(step: () => Promise<T>): Promise<T | undefined> => {
    kept.delete(step);
    try {
      return await step();
    } catch (error) {
      // One whose fate is unknown is not repeated: given back twice, more would be admitted than the limit.
      if (isNeverSent(error)) kept.add(step);
      return undefined;
    }
  };
  const retryAll = async (): Promise<void> => {
    for (const step of [...kept]) {
      await tryToMake(step);
      // The database is still away: to ask it for each of them would take its time limit as often.
      if (kept.has(step)) return;
    }
  };
  const retryLater = (): void => {
    if (isTimerOn || kept.size === 0) return;
    isTimerOn = true;
    startTimer(() => {
      isTimerOn = false;
      void retryAll().then(retryLater);
    }, RETRY_EVERY_MS);
  };

  const make = async <T>(step: () => Promise<T>): Promise<T | undefined> => {
    const made = await tryToMake(step);
    retryLater();
    return made;
  };

  return {
    /**
     * Makes the return now and answers its row; undefined when it could not be made. A database that is away is the reason for most
     * refunds, so one that did not reach it is kept in memory and made when it is back. Never rejects.
     */
    make: <Row>(query: Query<Row>) => make(() => runOne(db, query)),
    /** The same for a return that takes several statements. */
    transact: (work: () => Transaction<void>) => make(() => db.transaction(work)),
    /** Tries once more to make what was kept: for the end of the process. */
    settle: retryAll,
  };
}

export type Refunds = ReturnType<typeof createRefunds>;
