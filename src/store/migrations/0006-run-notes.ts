import type { Knex } from 'knex';

/** Advice beside the findings of a run: no part of the run, so neither guarded nor in its chain, and gone with it. */
export async function addRunNotes(sql: Knex): Promise<void> {
  await sql.schema.createTable('run_notes', (table) => {
    table.text('site_id').notNullable();
    table.integer('number').notNullable();
    // A JSON array; runs without notes have no row.
    table.text('notes').notNullable();
    table.primary(['site_id', 'number']);
    table.foreign(['site_id', 'number']).references(['site_id', 'number']).inTable('runs').onDelete('CASCADE');
  });
}
