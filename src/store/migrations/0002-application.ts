import type { Knex } from 'knex';

/** What the application needs beside the API: passwords and sessions, limits by the hour, scans without a key. */
export async function createApplicationTables(sql: Knex): Promise<void> {
  await sql.schema.alterTable('accounts', (table) => {
    // scrypt with its parameters and salt; null until the first sign-in link is used.
    table.text('password_hash');
  });
  await sql.schema.createTable('sessions', (table) => {
    // SHA-256 of the cookie's value in hexadecimal digits.
    table.text('digest').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('created_at').notNullable();
    table.text('last_seen_at').notNullable();
    table.text('expires_at').notNullable().index();
  });
  await sql.schema.createTable('rate_windows', (table) => {
    table.text('scope').notNullable();
    // A digest where it stands for a person, such as an address.
    table.text('subject').notNullable();
    table.text('window_start').notNullable();
    table.text('expires_at').notNullable().index();
    table.integer('used').notNullable();
    table.primary(['scope', 'subject', 'window_start']);
  });
  await sql.schema.createTable('free_scans', (table) => {
    table.text('hostname').primary();
    table.text('started_at').notNullable();
    // Null, as the body is, while the scan goes on.
    table.text('finished_at').index();
    table.binary('body');
  });
}
