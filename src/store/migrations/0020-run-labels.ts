import type { Knex } from 'knex';

/** What a run was named by whoever asked for it: no part of the run, so neither guarded nor in its chain, and gone with it. */
export async function addRunLabels(sql: Knex): Promise<void> {
  // Runs without a name have no row.
  await sql.schema.createTable('run_labels', (table) => {
    table.text('site_id').notNullable();
    table.integer('number').notNullable();
    table.text('label');
    table.text('commit_id');
    table.primary(['site_id', 'number']);
    table.foreign(['site_id', 'number']).references(['site_id', 'number']).inTable('runs').onDelete('CASCADE');
  });
  // What the site's next run after a deployment will be named.
  await sql.schema.createTable('next_run_labels', (table) => {
    table.text('site_id').primary().references('sites.id').onDelete('CASCADE');
    table.text('label');
    table.text('commit_id');
    // Tells one naming from the next.
    table.text('named_at').notNullable();
  });
}
