import { type Cleanup, defineCleanup } from '../../store/cleanup.js';
import { defineQuery } from '../../store/query.js';

interface EvidenceRow {
  readonly site_id: string;
  readonly number: number;
  /** Empty for the run itself. */
  readonly check_id: string;
  readonly kept_at: string;
  /** JSON, gzip. */
  readonly evidence: Uint8Array;
}

export const insertEvidence = defineQuery<never, { [K in keyof EvidenceRow]: EvidenceRow[K] }>(
  (sql, { site_id, number, check_id, kept_at, evidence }) =>
    sql('run_evidence').insert({ site_id, number, check_id, kept_at, evidence }),
);

/** That of the run first, then of the checks that were made again beside it. */
export const selectEvidence = defineQuery<
  Pick<EvidenceRow, 'check_id' | 'kept_at' | 'evidence'>,
  { site_id: string; number: number }
>((sql, { site_id, number }) =>
  sql('run_evidence').select('check_id', 'kept_at', 'evidence').where({ site_id, number }).orderBy('check_id'),
);

/** Everything that is kept of a site. */
export const deleteEvidence = defineQuery<never, { site_id: string }>((sql, { site_id }) =>
  sql('run_evidence').where({ site_id }).delete(),
);

/** What a check that was made again had rested on the time before. */
export const deleteEvidenceOf = defineQuery<never, { site_id: string; number: number; check_id: string }>(
  (sql, { site_id, number, check_id }) => sql('run_evidence').where({ site_id, number, check_id }).delete(),
);

const DAY_MS = 86_400_000;

const deleteKeptUntil = defineCleanup<{ until: string }>(
  'run_evidence',
  ['site_id', 'number', 'check_id'],
  (rows, { until }) => rows.where('kept_at', '<=', until),
  (time) => ({ until: time.toISOString() }),
);

/** Deletes what was kept for so many days. */
export function cleanUpEvidence(days: number): Cleanup {
  return (now) => deleteKeptUntil(new Date(now.getTime() - days * DAY_MS));
}
