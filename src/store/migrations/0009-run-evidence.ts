import type { Knex } from 'knex';

/**
 * What the failures of a run rest on, in the site's own words: for its verified owner alone, for a limited time. No part of the run, so
 * neither guarded nor in its chain, and gone with it.
 */
export async function addRunEvidence(sql: Knex): Promise<void> {
  await sql.schema.createTable('run_evidence', (table) => {
    table.text('site_id').notNullable();
    table.integer('number').notNullable();
    // Of one check that was made again beside the run; empty for the run itself.
    table.text('check_id').notNullable();
    table.text('kept_at').notNullable();
    // JSON, gzip.
    table.binary('evidence').notNullable();
    table.primary(['site_id', 'number', 'check_id']);
    table.foreign(['site_id', 'number']).references(['site_id', 'number']).inTable('runs').onDelete('CASCADE');
    table.index(['kept_at'], 'run_evidence_age');
  });
}
