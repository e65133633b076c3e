import type { Knex } from 'knex';

/** What mending each failure of a run adds to its score: no part of the run, so neither guarded nor in its chain, and gone with it. */
export async function addRunGains(sql: Knex): Promise<void> {
  await sql.schema.createTable('run_gains', (table) => {
    table.text('site_id').notNullable();
    table.integer('number').notNullable();
    // A JSON array; runs without failures have no row.
    table.text('gains').notNullable();
    table.primary(['site_id', 'number']);
    table.foreign(['site_id', 'number']).references(['site_id', 'number']).inTable('runs').onDelete('CASCADE');
  });
}
