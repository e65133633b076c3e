import { type Clock, utcDay } from '../../platform/clock.js';
import type { Database } from '../../store/database.js';
import { selectQueueDepth } from '../../queue/job-statements.js';
import { QUEUED_TRIGGERS } from './run.js';
import { countRunsByDay, type RunDayRow } from './run-day-statements.js';

/** The runs of all accounts on one UTC day. */
export interface RunDay {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly finished: number;
  /** Of these: the sites could not be judged. */
  readonly withoutScore: number;
}

export interface RunTraffic {
  /** The last {@link DAYS}, today last; those without a run too. */
  readonly days: readonly RunDay[];
  /** Queued, due or not yet. */
  readonly waiting: number;
  readonly running: number;
  /** Messages of alerts: queued, or to be tried again. */
  readonly alerts: number;
}

export const DAYS = 90;
const DAY_MS = 86_400_000;
const KEPT_MS = 10_000;
/** Nobody is told an older count, however long it took: visitors compare it with their own runs. */
const KEPT_MS_MAX = 60_000;
/** Counting takes at most this part of the time, however many runs there are. */
const SHARE_MAX = 0.01;

/** How many runs finished by day: counts alone, of nobody in particular. Read at most every ten seconds. */
export class RunDays {
  #kept: { readonly traffic: Promise<RunTraffic>; until: number } | null = null;

  constructor(private readonly deps: { readonly db: Database; readonly clock: Clock }) {}

  read(): Promise<RunTraffic> {
    const now = this.deps.clock.now();
    if (this.#kept && now.getTime() < this.#kept.until) return this.#kept.traffic;
    const kept = { traffic: this.#load(now), until: now.getTime() + KEPT_MS };
    this.#kept = kept;
    kept.traffic.then(
      () => {
        const tookMs = this.deps.clock.now().getTime() - now.getTime();
        kept.until = now.getTime() + Math.min(Math.max(KEPT_MS, tookMs / SHARE_MAX), KEPT_MS_MAX);
      },
      // The next caller tries again.
      () => (this.#kept = null),
    );
    return kept.traffic;
  }

  async #load(now: Date): Promise<RunTraffic> {
    const { db } = this.deps;
    const days = Array.from({ length: DAYS }, (_, index) =>
      utcDay(new Date(now.getTime() - (DAYS - 1 - index) * DAY_MS)),
    );
    const [rows, depths] = await Promise.all([
      db.run(countRunsByDay({ since: days[0] ?? '' })),
      db.run(selectQueueDepth({ now: now.toISOString() })),
    ]);
    const byDay = new Map(rows.map((row) => [row.day, row]));
    const queued = depths.filter(({ kind }) => QUEUED_TRIGGERS.some((trigger) => trigger === kind));
    const messages = depths.filter(({ kind }) => kind === 'WEBHOOK' || kind === 'MAIL');
    const sum = (of: (depth: (typeof depths)[number]) => number, among = queued) =>
      among.reduce((total, one) => total + of(one), 0);
    return {
      days: days.map((day) => describe(day, byDay.get(day))),
      waiting: sum(({ waiting, retrying }) => waiting + retrying),
      running: sum(({ running }) => running),
      alerts: sum(({ waiting, retrying }) => waiting + retrying, messages),
    };
  }
}

function describe(day: string, { finished = 0, scored = 0 }: Partial<RunDayRow> = {}): RunDay {
  return { day, finished, withoutScore: finished - scored };
}
