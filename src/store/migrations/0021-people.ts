import type { Knex } from 'knex';

/** What people do for themselves by mail, and what the browser of each session is. Versions beside this schema send none of these mails. */
export async function addPeople(sql: Knex): Promise<void> {
  // Mails that are still to be sent. Links are made when they are sent, so that no token is ever stored.
  await sql.schema.createTable('account_mails', (table) => {
    table.text('id').primary();
    table.text('kind').notNullable();
    // Typed by somebody who is not signed in, whether an account has it or not; null: the account's own.
    table.text('email');
    table.text('account_id').references('accounts.id').onDelete('CASCADE').index();
    // The client's IP address; null where there is no client.
    table.text('address');
    table.text('created_at').notNullable().index();
    // When the account's activity was told; null: it was not yet.
    table.text('noted_at');
  });
  // Addresses that a link has gone to, until it is used: there is no account before.
  await sql.schema.createTable('sign_ups', (table) => {
    // SHA-256 of the link's token in hexadecimal digits.
    table.text('digest').primary();
    table.text('email').notNullable().index();
    table.text('expires_at').notNullable().index();
  });
  // 1: the link was mailed to set a password, and does not let in without one; null: it lets in.
  await sql.schema.alterTable('sign_in_links', (table) => void table.integer('is_for_password'));
  // Such as "Firefox on Linux"; null where it is unknown, or a version without it opened the session.
  await sql.schema.alterTable('sessions', (table) => void table.text('browser'));
}
