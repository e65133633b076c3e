import type { Knex } from 'knex';

/**
 * What an owner does about findings between runs: checks made again, and failures that are accepted, which go with the site. And who
 * asked for a free scan, since they may repeat it.
 */
export async function addRechecks(sql: Knex): Promise<void> {
  await sql.schema.alterTable('free_scans', (table) => {
    // SHA-256 of the address and the host in hexadecimal digits; null for a scan of an earlier version.
    table.text('asked_by');
  });
  await sql.schema.createTable('rechecks', (table) => {
    table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE');
    table.text('check_id').notNullable();
    // The number of the site's latest run then: what a later run found takes the place of this.
    table.integer('run_number').notNullable();
    table.text('started_at').notNullable();
    // Null while it runs.
    table.text('finished_at');
    // Null while it runs, and where it came to nothing by a fault of ours.
    table.text('result');
    table.text('error_type');
    table.text('detail');
    table.primary(['site_id', 'check_id']);
  });
  await sql.schema.createTable('accepted_failures', (table) => {
    table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE');
    table.text('check_id').notNullable();
    table.text('error_type').notNullable();
    // The owner's words.
    table.text('reason').notNullable();
    table.text('accepted_at').notNullable();
    table.primary(['site_id', 'check_id', 'error_type']);
  });
}
