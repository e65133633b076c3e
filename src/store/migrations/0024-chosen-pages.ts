import type { Knex } from 'knex';

/**
 * The pages of a site that its owner chose for the sample, and which of them each run has looked at: no part of the run, so not guarded,
 * but in the chain of its supplements, and gone with it.
 */
export async function addChosenPages(sql: Knex): Promise<void> {
  // A site whose owner has never chosen any has no row.
  await sql.schema.createTable('chosen_pages', (table) => {
    table.text('site_id').primary().references('sites.id').onDelete('CASCADE');
    // JSON array of paths.
    table.text('paths').notNullable();
  });
  // Nor have its runs.
  await sql.schema.createTable('run_pages', (table) => {
    table.text('site_id').notNullable();
    table.integer('number').notNullable();
    // JSON: see SampledPages.
    table.text('pages').notNullable();
    table.primary(['site_id', 'number']);
    table.foreign(['site_id', 'number']).references(['site_id', 'number']).inTable('runs').onDelete('CASCADE');
  });
}
