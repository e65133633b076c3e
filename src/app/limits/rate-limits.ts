import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.js';
import { describeWait, TooSoonError } from '../../platform/input-error.js';
import { type Database, runOne } from '../../store/database.js';
import { all, type Transaction } from '../../store/transaction.js';
import {
  cleanUpWindows,
  type GivenWindow,
  returnToWindow,
  selectWindows,
  takeOfWindow,
  takeOfWindows,
  type UsedWindow,
} from './rate-window-statements.js';
import { createRefunds, type Refunds } from './refunds.js';

/** What is counted, for whom, in how long. */
export interface RateWindow {
  /** The name of the limit, such as `free-scan`. */
  readonly scope: string;
  /** Who or what is counted: only its digest is stored. `subjectOfAddress` makes one of an IP address. */
  readonly subject: string;
  /** Windows of this length follow one another from the epoch on, so an hour is the hour of the UTC clock. */
  readonly windowMs: number;
  /** By how much later than that they begin. */
  readonly offsetMs?: number;
}

export interface RateLimitRequest extends RateWindow {
  /** How often. At least 1. */
  readonly limit: number;
}

export interface RateLimitResult {
  /** Whether there was one left. */
  readonly isTaken: boolean;
  /** Whole seconds until the next window begins, at least 1. */
  readonly retryAfterS: number;
  /** Gives what was taken back to its window, once however often it is called; nothing where nothing was taken. Never rejects. */
  giveBack(): Promise<void>;
}

/** One of several windows that are taken of together. */
export interface SharedWindow extends RateWindow {
  /** How many are taken. */
  readonly count: number;
}

/** What was taken of several windows. */
export interface TakenTogether {
  /** Gives back what exceeds this of each window, by its scope; of a scope that is not named, all of it. Never rejects. */
  keepOnly(counts: Readonly<Record<string, number>>): Promise<void>;
}

/** Why nothing may be taken, by what was taken of each window before and the seconds until each begins again; null: it may. */
export type JudgeUse = (used: readonly number[], retryAfterS: readonly number[]) => Error | null;

export interface RateLimitsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly refunds?: Refunds;
}

/** How often windows that have ended are removed. */
const CLEAR_EVERY_MS = 60_000;

/** Limits by fixed windows of time, kept in the database, so that they hold across processes and restarts. */
export function createRateLimits({ db, clock, refunds = createRefunds(db) }: RateLimitsDeps) {
  let clearedMs = -Infinity;

  /** Rows are left behind by new windows alone, so that only these look. A failure costs nothing: a minute later they look again. */
  const clearNowAndThen = async (now: Date): Promise<void> => {
    if (now.getTime() - clearedMs < CLEAR_EVERY_MS) return;
    clearedMs = now.getTime();
    await db.run(cleanUpWindows(now)).catch(() => undefined);
  };

  return {
    /** Takes one, however many ask at the same time: never more than the limit between them. */
    async take({ limit, ...asked }: RateLimitRequest): Promise<RateLimitResult> {
      const now = clock.now();
      const { expires_at, ...window } = windowOf(asked, now);
      const row = await runOne(db, takeOfWindow({ ...window, expires_at, limit }));
      if (row?.used === 1) await clearNowAndThen(now);
      let returned: Promise<unknown> | null = null;
      return {
        isTaken: row !== undefined,
        retryAfterS: secondsUntil(expires_at, now),
        giveBack: async () => {
          if (row) await (returned ??= refunds.make(returnToWindow({ ...window, count: 1 })));
        },
      };
    },

    /**
     * Takes of all these windows or of none. Calls at the same time with the same first window take turns. A refusal writes nothing.
     * @throws what `judge` answers
     */
    async takeTogether(asked: readonly [SharedWindow, ...SharedWindow[]], judge: JudgeUse): Promise<TakenTogether> {
      const now = clock.now();
      const given = asked.map((one) => ({ ...windowOf(one, now), used: String(one.count) }));
      const retryAfterS = given.map(({ expires_at }) => secondsUntil(expires_at, now));
      const windows = JSON.stringify(given);
      // A crowd that is refused holds up nobody's transaction.
      const refusal = judge(usedOf(given, await db.run(selectWindows({ windows }))), retryAfterS);
      if (refusal) throw refusal;
      const isNew = await db.transaction(function* (): Transaction<boolean> {
        const after = usedOf(given, yield* all(takeOfWindows({ windows })));
        const before = after.map((used, index) => used - (asked[index]?.count ?? 0));
        const late = judge(before, retryAfterS);
        if (late) throw late;
        return before.includes(0);
      });
      if (isNew) await clearNowAndThen(now);
      return new Held(given, refunds);
    },
  };
}

export type RateLimits = ReturnType<typeof createRateLimits>;

/**
 * Takes one.
 * @param explain by the wait in words, such as `12 minutes`
 * @throws TooSoonError with that message when there is none left
 */
export async function takeOrRefuse(
  rateLimits: Pick<RateLimits, 'take'>,
  request: RateLimitRequest,
  explain: (wait: string) => string,
): Promise<RateLimitResult> {
  const taken = await rateLimits.take(request);
  if (!taken.isTaken) throw new TooSoonError(explain(describeWait(taken.retryAfterS)), taken.retryAfterS);
  return taken;
}

/** A limit, and what its refusal says by the wait in words. */
export interface ExplainedLimit extends RateLimitRequest {
  explain(wait: string): string;
}

/**
 * The same limit by windows that begin half-way through the others: with both, no more than the limit comes through in any half of a window,
 * wherever that half begins. In a little more than a half, twice as many may, one lot at its begin and one at its end.
 */
export function staggered<Limit extends RateWindow>(limit: Limit): Limit {
  return { ...limit, scope: `${limit.scope}-staggered`, offsetMs: limit.windowMs / 2 };
}

/**
 * Takes one of each limit, or of none.
 * @throws TooSoonError of the one of those with none left that lasts longest
 */
export async function takeAllOrRefuse(
  rateLimits: Pick<RateLimits, 'takeTogether'>,
  limits: readonly [ExplainedLimit, ...ExplainedLimit[]],
): Promise<void> {
  const [first, ...others] = limits;
  await rateLimits.takeTogether(
    [{ ...first, count: 1 }, ...others.map((other) => ({ ...other, count: 1 }))],
    (used, waits) => {
      const waitsOf = limits.map(({ limit }, index) => ((used[index] ?? 0) >= limit ? (waits[index] ?? 1) : 0));
      const waitS = Math.max(...waitsOf);
      const refusing = waitS > 0 ? limits[waitsOf.indexOf(waitS)] : undefined;
      return refusing ? new TooSoonError(refusing.explain(describeWait(waitS)), waitS) : null;
    },
  );
}

class Held implements TakenTogether {
  #held: readonly (GivenWindow & { readonly count: number })[];

  constructor(
    given: readonly GivenWindow[],
    private readonly refunds: Refunds,
  ) {
    this.#held = given.map((window) => ({ ...window, count: Number(window.used) }));
  }

  async keepOnly(counts: Readonly<Record<string, number>>): Promise<void> {
    const before = this.#held;
    this.#held = before.map((window) => ({ ...window, count: Math.min(window.count, counts[window.scope] ?? 0) }));
    const returned = this.#held.flatMap(({ scope, subject, window_start, count }, index) => {
      const more = (before[index]?.count ?? 0) - count;
      return more > 0 ? [returnToWindow({ scope, subject, window_start, count: more })] : [];
    });
    for (const query of returned) await this.refunds.make(query);
  }
}

function windowOf({ scope, subject, windowMs, offsetMs = 0 }: RateWindow, now: Date) {
  const startMs = Math.floor((now.getTime() - offsetMs) / windowMs) * windowMs + offsetMs;
  const [window_start, expires_at] = [startMs, startMs + windowMs].map((ms) => new Date(ms).toISOString()) as [
    string,
    string,
  ];
  return { scope, subject: digest(subject), window_start, expires_at };
}

function secondsUntil(time: string, now: Date): number {
  return Math.max(1, Math.ceil((Date.parse(time) - now.getTime()) / 1000));
}

function usedOf(given: readonly GivenWindow[], rows: readonly UsedWindow[]): number[] {
  return given.map(
    ({ scope, subject }) => rows.find((row) => row.scope === scope && row.subject === subject)?.used ?? 0,
  );
}

function digest(subject: string): string {
  return createHash('sha256').update(subject).digest('hex');
}
