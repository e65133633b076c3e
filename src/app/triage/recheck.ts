import { laterThan } from '../../platform/clock.js';
import type { ErrorType, Result } from '../../scanner/verdict/vocabulary.js';
import { all, type Transaction } from '../../store/transaction.js';
import { type RecheckRow, selectRechecks } from './recheck-statements.js';

/** One check of a site made again after its latest run: the last time that it was. */
export interface Recheck {
  readonly checkId: string;
  /** The run to which it belongs: the latest when it began. */
  readonly runNumber: number;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** Null while it runs. */
  readonly finishedAt: string | null;
  /** Null while it runs, and where it came to nothing by a fault of ours. */
  readonly result: Result | null;
  readonly errorType: ErrorType | null;
  /** Our own words, as in a finding. */
  readonly detail: string | null;
}

/** Far longer than one check and its waiting take: the process that began it is gone. */
const ABANDONED_MS = 180_000;

/** Before when one that still runs is given up. */
export function abandonedBefore(now: Date): string {
  return laterThan(now, -ABANDONED_MS);
}

export function isRunning({ finishedAt, startedAt }: Recheck, now: Date): boolean {
  return finishedAt === null && startedAt > abandonedBefore(now);
}

/** Every check of the site that was made again, by id, whichever run it belongs to. */
export function* rechecksOf(siteId: string): Transaction<readonly Recheck[]> {
  return (yield* all(selectRechecks({ site_id: siteId }))).map(recheckOf);
}

function recheckOf(row: RecheckRow): Recheck {
  return {
    ...{ checkId: row.check_id, runNumber: row.run_number },
    ...{ startedAt: row.started_at, finishedAt: row.finished_at },
    ...{ result: row.result as Result | null, errorType: row.error_type as ErrorType | null, detail: row.detail },
  };
}
