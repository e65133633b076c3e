import type { Knex } from 'knex';

/** What the caller who asked for a run named it by: no part of the run, so not guarded, but in the chain of its supplements, and gone with it. */
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
  // What the site's next runs after deployments will be named, by when each deployment is live.
  await sql.schema.createTable('next_run_labels', (table) => {
    table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE');
    table.text('due_at').notNullable();
    table.text('label');
    table.text('commit_id');
    table.primary(['site_id', 'due_at']);
  });
}
