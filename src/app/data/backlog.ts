import type { Clock } from '../../platform/clock.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import { selectQueueDepth } from '../../queue/job-statements.js';
import type { Database } from '../../store/database.js';
import type { Sample } from '../gauge.js';
import type { Kept } from '../kept.js';

/** What each gauge of the features shows, by its name. */
export type Backlog = Readonly<Record<string, readonly Sample[]>>;

export interface BacklogDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly features: readonly Pick<Kept, 'gauges'>[];
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/** However many ask, the database is asked once in this time. */
const KEPT_MS = 5000;

/** A scraper gives up soon. */
const PATIENCE_MS = 2000;

/** @returns what tells the backlog of a few seconds ago at most; null when the database does not answer in time. Never rejects. */
export function createBacklog(deps: BacklogDeps): () => Promise<Backlog | null> {
  const { clock, startTimer = startNodeTimer } = deps;
  let last: { readonly atMs: number; readonly backlog: Promise<Backlog | null> } | null = null;
  let isAsking = false;
  const ask = async (): Promise<Backlog | null> => {
    isAsking = true;
    try {
      return await readBacklog(deps);
    } catch {
      return null;
    } finally {
      isAsking = false;
    }
  };
  return () => {
    const nowMs = clock.now().getTime();
    // A question that hangs is not asked again in parallel.
    if (!last || (!isAsking && Math.abs(nowMs - last.atMs) >= KEPT_MS)) last = { atMs: nowMs, backlog: ask() };
    return unlessLate(last.backlog, startTimer);
  };
}

function unlessLate(backlog: Promise<Backlog | null>, startTimer: StartTimer): Promise<Backlog | null> {
  return new Promise((resolve) => {
    const stopTimer = startTimer(() => resolve(null), PATIENCE_MS);
    void backlog.then((known) => {
      stopTimer();
      resolve(known);
    });
  });
}

async function readBacklog({ db, clock, features }: BacklogDeps): Promise<Backlog> {
  const now = clock.now();
  const look = { db, now, depths: await db.run(selectQueueDepth({ now: now.toISOString() })) };
  const gauges = features.flatMap((feature) => Object.entries(feature.gauges ?? {}));
  return Object.fromEntries(
    await Promise.all(gauges.map(async ([name, { read }]) => [name, await read(look)] as const)),
  );
}
