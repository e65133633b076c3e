import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.js';
import { type Database, runOne } from '../../store/database.js';
import { cleanUpWindows, returnToWindow, takeOfWindow } from './rate-window-statements.js';
import { createRefunds, type Refunds } from './refunds.js';

/** What is limited, for whom, how often in how long. */
export interface RateLimitRequest {
  /** The name of the limit, such as `free-scan`. */
  readonly scope: string;
  /** Who or what is counted: only its digest is stored. `subjectOfAddress` makes one of an IP address. */
  readonly subject: string;
  /** At least 1. */
  readonly limit: number;
  /** Windows of this length follow one another from the epoch on, so an hour is the hour of the UTC clock. */
  readonly windowMs: number;
}

export interface RateLimitResult {
  /** Whether there was one left. */
  readonly isTaken: boolean;
  /** Whole seconds until the next window begins, at least 1. */
  readonly retryAfterS: number;
  /** Gives what was taken back to its window, once however often it is called; nothing where nothing was taken. Never rejects. */
  giveBack(): Promise<void>;
}

/** Limits by fixed windows of time, kept in the database, so that they hold across processes and restarts. */
export interface RateLimits {
  /** Takes one, however many ask at the same time: never more than the limit between them. */
  take(request: RateLimitRequest): Promise<RateLimitResult>;
}

/** How often windows that have ended are removed. */
const CLEAR_EVERY_MS = 60_000;

export function createRateLimits({
  db,
  clock,
  refunds = createRefunds(db),
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly refunds?: Refunds;
}): RateLimits {
  let clearedMs = -Infinity;

  /** Rows are left behind by new windows alone, so that only these look. A failure costs nothing: a minute later they look again. */
  const clearNowAndThen = async (now: Date): Promise<void> => {
    if (now.getTime() - clearedMs < CLEAR_EVERY_MS) return;
    clearedMs = now.getTime();
    await db.run(cleanUpWindows(now)).catch(() => undefined);
  };

  return {
    async take({ scope, subject, limit, windowMs }) {
      const now = clock.now();
      const startMs = Math.floor(now.getTime() / windowMs) * windowMs;
      const window = { scope, subject: digest(subject), window_start: new Date(startMs).toISOString() };
      const expires_at = new Date(startMs + windowMs).toISOString();
      const row = await runOne(db, takeOfWindow({ ...window, expires_at, limit }));
      if (row?.used === 1) await clearNowAndThen(now);
      let returned: Promise<unknown> | null = null;
      return {
        isTaken: row !== undefined,
        retryAfterS: Math.max(1, Math.ceil((startMs + windowMs - now.getTime()) / 1000)),
        giveBack: async () => {
          if (row) await (returned ??= refunds.make(returnToWindow(window)));
        },
      };
    },
  };
}

function digest(subject: string): string {
  return createHash('sha256').update(subject).digest('hex');
}
