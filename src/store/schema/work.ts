import type { Knex } from 'knex';

/** Background work, rate limits and free scans. */
export function createWork(sql: Knex): Knex.SchemaBuilder {
  return (
    sql.schema
      // Waiting and running jobs, see `Job`; a finished job is deleted.
      .createTable('jobs', (table) => {
        table.text('queue').notNullable();
        table.text('kind').notNullable();
        table.text('key').notNullable();
        table.text('account_id');
        table.specificType('lane', "text GENERATED ALWAYS AS (coalesce(account_id, '') || ' ' || kind) STORED");
        table.text('site_id').references('sites.id').onDelete('CASCADE').index();
        table.text('requested_at').notNullable();
        table.text('run_after').notNullable();
        table.integer('is_due').notNullable().defaultTo(0);
        table.integer('attempts').notNullable().defaultTo(0);
        table.text('lease');
        table.text('again_after');
        table.text('payload');
        table.text('progress');
        table.primary(['kind', 'key']);
        // Partial, so that no planner walks through all due jobs in search of those of one lane.
        table.index(['queue', 'lane', 'run_after'], 'jobs_due', {
          predicate: sql('jobs').whereRaw('is_due = 1'),
        });
        table.index(['queue', 'run_after'], 'jobs_waiting', { predicate: sql('jobs').whereRaw('is_due = 0') });
      })
      .createTable('rate_windows', (table) => {
        table.text('scope').notNullable();
        // A digest if it identifies a person, such as an IP address.
        table.text('subject').notNullable();
        table.text('window_start').notNullable();
        table.text('expires_at').notNullable().index();
        table.integer('used').notNullable();
        table.primary(['scope', 'subject', 'window_start']);
      })
      .createTable('free_scans', (table) => {
        table.text('hostname').primary();
        table.text('started_at').notNullable();
        // Null while the scan runs, like the body.
        table.text('finished_at').index();
        table.binary('body');
        // SHA-256 of the client's IP address and the host in hexadecimal digits.
        table.text('asked_by');
      })
  );
}
