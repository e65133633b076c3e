import { type Cleanup, defineCleanup } from '../../store/cleanup.js';
import type { Plan } from '../accounts/plan.js';
import { defineQuery, deleteReturning } from '../../store/query.js';

interface EvidenceRow {
  readonly site_id: string;
  readonly number: number;
  /** Empty for the run itself. */
  readonly check_id: string;
  readonly kept_at: string;
  /** JSON, gzip. */
  readonly evidence: Uint8Array;
  readonly account_id: string;
  /** Of the evidence. */
  readonly bytes: number;
}

const KEY = ['site_id', 'number', 'check_id'] as const;

export const insertEvidence = defineQuery<never, { [K in keyof EvidenceRow]: EvidenceRow[K] }>(
  (sql, { site_id, number, check_id, kept_at, evidence, account_id, bytes }) =>
    sql('run_evidence').insert({ site_id, number, check_id, kept_at, evidence, account_id, bytes }),
);

/** That of the run first, then of the checks that were made again alongside it. */
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

/** So many rows at a time, so that no statement takes long. */
const ROWS_AT_ONCE = 500;

/** Measures some rows that an earlier version has kept. A row for each; their sites are there, since sites go after their runs. */
export const measureSomeEvidence = defineQuery<object>(
  (sql) =>
    sql('run_evidence')
      .whereIn([...KEY], sql('run_evidence').select(KEY).whereNull('account_id').limit(ROWS_AT_ONCE))
      .update({
        account_id: sql.raw("COALESCE((SELECT account_id FROM sites WHERE id = run_evidence.site_id), '')"),
        bytes: sql.raw('length(evidence)'),
      })
      .returning('number'),
  { durability: 'process' },
);

/** What the evidence of the next account takes, in the order of their ids; no plan: the account is gone. */
export const selectEvidenceUse = defineQuery<
  { account_id: string; plan: Plan | null; bytes: number },
  { after: string }
>((sql, { after }) =>
  sql('run_evidence as e')
    .leftJoin('accounts as a', 'a.id', 'e.account_id')
    .select('e.account_id', 'a.plan', sql.raw('sum(e.bytes) AS bytes'))
    .where('e.account_id', sql('run_evidence').min('account_id').where('account_id', '>', after))
    .groupBy('e.account_id', 'a.plan'),
);

/** Deletes as much of the oldest evidence of an account as is needed, some at a time. A row for each. */
export const deleteOldestEvidence = defineQuery<{ bytes: number }, { account_id: string; excess: number }>(
  (sql, { account_id, excess }) => {
    const older = sql.raw('sum(bytes) OVER (ORDER BY kept_at, site_id, number, check_id) - bytes AS older');
    const oldest = sql('run_evidence')
      .select(...KEY, 'bytes')
      .where({ account_id })
      .orderBy(['kept_at', ...KEY])
      .limit(ROWS_AT_ONCE);
    return deleteReturning(
      sql,
      sql('run_evidence').whereIn(
        [...KEY],
        sql
          .select(KEY)
          .from(sql.select(KEY).select(older).from(oldest.select('kept_at').as('oldest')).as('summed'))
          .where('older', '<', excess),
      ),
      'bytes',
    );
  },
);

const DAY_MS = 86_400_000;

const deleteKeptUntil = defineCleanup<{ until: string }>(
  'run_evidence',
  [...KEY],
  (rows, { until }) => rows.where('kept_at', '<=', until),
  (time) => ({ until: time.toISOString() }),
);

/** Deletes what was kept for so many days. */
export const cleanUpEvidence: Cleanup = (now, days) => deleteKeptUntil(new Date(now.getTime() - days * DAY_MS));
