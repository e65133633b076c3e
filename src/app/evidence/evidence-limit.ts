import { DAY_MS } from '../../platform/clock.js';
import { type Pause, yieldToEventLoop } from '../../platform/concurrency.js';
import { type Cleanup, defineCleanup } from '../../store/cleanup.js';
import type { Database } from '../../store/database.js';
import { defineQuery, deleteReturning } from '../../store/query.js';
import { type Plan, PLANS } from '../accounts/plan.js';

/** Time between two measurements. In between, the evidence of an account may exceed the plan's limit. */
export const EVIDENCE_LIMIT_EVERY_MS = 3_600_000;

const KEY = ['site_id', 'number', 'check_id'] as const;

/** Keeps statements short. */
const ROWS_AT_ONCE = 500;

/** Selects the size of the next account's evidence, by account id. The plan is null if the account was removed. */
const selectEvidenceUse = defineQuery<{ account_id: string; plan: Plan | null; bytes: number }, { after: string }>(
  (sql, { after }) =>
    sql('run_evidence as e')
      .leftJoin('accounts as a', 'a.id', 'e.account_id')
      .select('e.account_id', 'a.plan', sql.raw('sum(e.bytes) AS bytes'))
      .where('e.account_id', sql('run_evidence').min('account_id').where('account_id', '>', after))
      .groupBy('e.account_id', 'a.plan'),
);

/** Deletes a batch of an account's oldest evidence, no more than the excess bytes require. */
const deleteOldestEvidence = defineQuery<{ bytes: number }, { account_id: string; excess: number }>(
  (sql, { account_id, excess }) => {
    const older = sql.raw('sum(bytes) OVER (ORDER BY kept_at, site_id, number, check_id) - bytes AS older');
    const oldest = sql('run_evidence')
      .select(...KEY, 'bytes', 'kept_at')
      .where({ account_id })
      .orderBy(['kept_at', ...KEY])
      .limit(ROWS_AT_ONCE);
    const summed = sql.select(KEY).select(older).from(oldest.as('oldest'));
    const rows = sql.select(KEY).from(summed.as('summed')).where('older', '<', excess);
    return deleteReturning(sql, sql('run_evidence').whereIn([...KEY], rows), 'bytes');
  },
);

/** Deletes the oldest evidence of accounts that store more than their plan allows. After an interruption, it continues where it stopped. */
export class EvidenceLimit {
  #after = '';

  constructor(private readonly db: Database) {}

  async enforce(pause: Pause = yieldToEventLoop): Promise<void> {
    for (;;) {
      const use = await this.db.one(selectEvidenceUse({ after: this.#after }));
      if (!use) break;
      const { account_id, plan, bytes } = use;
      for (let excess = plan === null ? 0 : bytes - PLANS[plan].evidenceBytesMax; excess > 0;) {
        const deleted = await this.db.run(deleteOldestEvidence({ account_id, excess }));
        if (deleted.length === 0) break;
        excess -= deleted.reduce((sum, row) => sum + row.bytes, 0);
        await pause();
      }
      this.#after = account_id;
      await pause();
    }
    this.#after = '';
  }
}

const deleteStoredUntil = defineCleanup<{ until: string }>(
  'run_evidence',
  [...KEY],
  (rows, { until }) => rows.where('kept_at', '<=', until),
  (time) => ({ until: time.toISOString() }),
);

/** Deletes evidence that is older than the number of days. */
export const cleanUpEvidence: Cleanup = (now, days) => deleteStoredUntil(new Date(now.getTime() - days * DAY_MS));
