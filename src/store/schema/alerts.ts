import type { Knex } from 'knex';

/** Alerts and their delivery. */
export function createAlerts(sql: Knex): Knex.SchemaBuilder {
  return sql.schema
    .createTable('webhooks', (table) => {
      table.text('id').primary();
      table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
      // A webhook is for one site, for the sites with a tag, or (both null) for all sites of the account.
      table.text('site_id').references('sites.id').onDelete('CASCADE').index();
      table.text('tag');
      table.text('url').notNullable();
      // Not hashed: every message is signed with it.
      table.text('secret').notNullable();
      table.text('format').notNullable().defaultTo('signed');
      table.text('created_at').notNullable();
      table.text('disabled_at');
      // When the current series of failures began; null after a success.
      table.text('failing_since');
    })
    .createTable('deliveries', (table) => {
      table.text('id').primary();
      table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
      // Null for a message by email.
      table.text('webhook_id').references('webhooks.id').onDelete('CASCADE');
      // Null for a test.
      table.text('site_id').references('sites.id').onDelete('CASCADE').index();
      table.text('event').notNullable();
      table.text('body').notNullable();
      table.text('created_at').notNullable().index();
      table.text('state').notNullable();
      table.integer('attempts').notNullable().defaultTo(0);
      table.text('last_attempt_at');
      // The receiver's last status, or else why there is none.
      table.integer('answer_status');
      table.text('problem');
      table.index(['account_id', 'created_at']);
      table.index(['webhook_id', 'created_at', 'id']);
    });
}
