import { type Clock, timeAfter, utcDay } from '../../platform/clock.js';
import { QUEUED_TRIGGERS, type Trigger } from '../runs/run.js';
import { countVoidDays } from '../sites/ownership-day-statements.js';
import type { Database } from '../../store/database.js';
import { selectQueueDepth } from '../../queue/job-statements.js';
import { type StartTimer, startNodeTimer } from '../../platform/timer.js';

/** What waits in the database, of all accounts and processes together: for metrics. */
export interface Backlog {
  /** By trigger; a trigger without queued runs is left out. */
  readonly runs: readonly {
    readonly trigger: Trigger;
    /** Due or not yet. */
    readonly waiting: number;
    readonly running: number;
    /** How long the oldest that is due has been so; 0 when none is. */
    readonly oldestDueS: number;
  }[];
  readonly deliveries: {
    /** For their first try. */
    readonly waiting: number;
    /** After one that failed. */
    readonly retrying: number;
  };
  /** Of yesterday and today, the days on which the proofs of too many sites were not found. */
  readonly voidOwnershipDays: number;
}

export interface BacklogDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** For tests. */
  readonly startTimer?: StartTimer;
}

/** However many ask, the database is asked once in this time. */
const KEPT_MS = 5000;

const DAY_MS = 86_400_000;

/** A scraper gives up soon. */
const PATIENCE_MS = 2000;

/** @returns what tells the backlog of a few seconds ago at most; null when the database does not answer in time. Never rejects. */
export function createBacklog({ db, clock, startTimer = startNodeTimer }: BacklogDeps): () => Promise<Backlog | null> {
  let last: { readonly atMs: number; readonly backlog: Promise<Backlog | null> } | null = null;
  let isAsking = false;
  const ask = async (): Promise<Backlog | null> => {
    isAsking = true;
    try {
      return await readBacklog(db, clock.now());
    } catch {
      return null;
    } finally {
      isAsking = false;
    }
  };
  return () => {
    const nowMs = clock.now().getTime();
    // A question that hangs is not asked again beside itself.
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

async function readBacklog(db: Database, now: Date): Promise<Backlog> {
  const depths = await db.run(selectQueueDepth({ now: now.toISOString() }));
  const runs = QUEUED_TRIGGERS.flatMap((trigger) => {
    const depth = depths.find(({ kind }) => kind === trigger);
    if (!depth) return [];
    const { waiting, retrying, running, oldest_due } = depth;
    const oldestDueS = oldest_due === null ? 0 : (now.getTime() - Date.parse(oldest_due)) / 1000;
    return [{ trigger, waiting: waiting + retrying, running, oldestDueS }];
  });
  const deliveries = depths.filter(({ kind }) => kind === 'WEBHOOK' || kind === 'MAIL');
  const sumOf = (key: 'waiting' | 'retrying') => deliveries.reduce((sum, depth) => sum + depth[key], 0);
  const yesterday = utcDay(timeAfter(now, -DAY_MS));
  const [voidDays] = await db.run(countVoidDays({ since: yesterday }));
  const voidOwnershipDays = voidDays?.count ?? 0;
  return { runs, deliveries: { waiting: sumOf('waiting'), retrying: sumOf('retrying') }, voidOwnershipDays };
}
