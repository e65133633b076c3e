import type { Knex } from 'knex';

/** Whose evidence takes how many bytes, so that the oldest of an account can make room. */
export async function addEvidenceSize(sql: Knex): Promise<void> {
  await sql.schema.alterTable('run_evidence', (table) => {
    // Both are null in rows of an earlier version, until the first sweep.
    table.text('account_id');
    table.integer('bytes');
    // A sum reads the index alone.
    table.index(['account_id', 'kept_at', 'bytes'], 'run_evidence_of_account');
  });
}
