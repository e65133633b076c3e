import { setTimeout } from 'node:timers/promises';
import { defineQuery } from '../../store/query.js';
import type { Context } from '../context.js';

interface QueueDepth {
  readonly kind: string;
  /** Jobs waiting for their first attempt. */
  readonly waiting: number;
  /** Jobs waiting after a failed attempt. */
  readonly retrying: number;
  readonly running: number;
  /** Due time of the longest overdue job; null if none is due. */
  readonly oldest_due: string | null;
}

export interface Backlog {
  readonly now: Date;
  readonly depths: readonly QueueDepth[];
}

const selectQueueDepth = defineQuery<QueueDepth, { now: string }>((sql, { now }) =>
  sql('jobs')
    .select('kind')
    .select(sql.raw('sum(CASE WHEN lease IS NULL AND attempts = 0 THEN 1 ELSE 0 END) AS waiting'))
    .select(sql.raw('sum(CASE WHEN lease IS NULL AND attempts > 0 THEN 1 ELSE 0 END) AS retrying'))
    .select(sql.raw('sum(CASE WHEN lease IS NULL THEN 0 ELSE 1 END) AS running'))
    .select(sql.raw('min(CASE WHEN lease IS NULL AND run_after <= ? THEN run_after END) AS oldest_due', [now]))
    .groupBy('kind'),
);

/** Shorter than the timeout of metrics scrapers. */
const WAIT_MS = 2000;

/** Reads the backlog. Resolves to null if the database does not answer in time, and never rejects. */
export async function readBacklog({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<Backlog | null> {
  const now = clock.now();
  const read = db.run(selectQueueDepth({ now: now.toISOString() })).then(
    (depths) => ({ now, depths }),
    () => null,
  );
  return Promise.race([read, setTimeout(WAIT_MS, null, { ref: false })]);
}
