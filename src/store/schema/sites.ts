import type { Knex } from 'knex';

/** Sites and their owner's choices. */
export function createSites(sql: Knex): Knex.SchemaBuilder {
  return (
    sql.schema
      .createTable('sites', (table) => {
        table.text('id').primary();
        table.text('account_id').notNullable().references('accounts.id');
        table.text('origin').notNullable();
        table.text('hostname').notNullable();
        // Number of the last finished run, assigned in the transaction that inserts the run.
        table.integer('run_counter').notNullable().defaultTo(0);
        table.text('verified_at');
        table.text('verified_by');
        // When to look for the proof of ownership next; null if unverified or verified by the operator.
        table.text('proof_due_at');
        // When the proof was first not found, and the number of days without it that counted; null and 0 while it is found.
        table.text('proof_missing_since');
        table.integer('proof_missed_days').notNullable().defaultTo(0);
        // Null once the site is verified again.
        table.text('ownership_lost_at');
        // JSON array of the owner's tags, in order; null if there are none.
        table.text('tags');
        // JSON array of paths that each run reads first; null if the owner never chose any.
        table.text('chosen_pages');
        // Since when email alerts of this site are off; null if they follow the account.
        table.text('mail_muted_at');
        // A site's runs can be deleted only while this is set.
        table.integer('is_deleting').notNullable().defaultTo(0);
        table.text('created_at').notNullable();
        table.unique(['account_id', 'origin']);
        table.index('id', 'sites_being_deleted', { predicate: sql('sites').whereRaw('is_deleting = 1') });
        table.index('proof_due_at', 'sites_proof_due', {
          predicate: sql('sites').whereRaw('proof_due_at IS NOT NULL'),
        });
      })
      .createTable('ownership_tokens', (table) => {
        table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
        table.text('host').notNullable();
        // Not hashed: it is published on the site.
        table.text('token').notNullable();
        table.primary(['account_id', 'host']);
      })
      // Hosts that are never scanned, because their owners asked the operator.
      .createTable('excluded_hosts', (table) => {
        // Normalized, without a port; covers every port and every name below it.
        table.text('host').primary();
        table.text('excluded_at').notNullable();
      })
  );
}

/** Schedules, deploy hooks, badges and public reports. */
export function createAutomation(sql: Knex): Knex.SchemaBuilder {
  return sql.schema
    .createTable('schedules', (table) => {
      table.text('site_id').primary().references('sites.id').onDelete('CASCADE');
      table.text('frequency').notNullable();
      table.text('next_run_at').notNullable().index();
    })
    .createTable('deploy_hooks', (table) => {
      table.text('site_id').primary().references('sites.id').onDelete('CASCADE');
      // SHA-256 of the URL's secret part in hexadecimal digits.
      table.text('digest').notNullable().unique();
      table.text('created_at').notNullable();
      table.text('last_used_at');
    })
    .createTable('publications', (table) => {
      table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE');
      // "badge" or "report".
      table.text('kind').notNullable();
      // Number of a report's run; 0 for always the latest.
      table.integer('number').notNullable();
      // Not hashed: it is published wherever its owner puts it.
      table.text('token').notNullable().unique();
      table.text('created_at').notNullable();
      table.primary(['site_id', 'kind', 'number']);
    });
}
