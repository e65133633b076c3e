import type { Knex } from 'knex';

/** Accounts and their activity. */
export function createAccounts(sql: Knex): Knex.SchemaBuilder {
  return (
    sql.schema
      .createTable('accounts', (table) => {
        table.text('id').primary();
        // Lower case, so that each address has at most one account.
        table.text('email').notNullable().unique();
        table.text('name').notNullable();
        // scrypt with its parameters and salt; null until the first sign-in link is used.
        table.text('password_hash');
        table.text('plan').notNullable();
        // When email alerts were turned on; null if they are off.
        table.text('email_alerts_since');
        // Number of the account's last run reference; 1 follows 999999.
        table.integer('reference_counter').notNullable().defaultTo(0);
        table.text('created_at').notNullable();
        // Set when the account is removed; the row stays until everything that refers to it is erased.
        table.text('removed_at').index();
      })
      // Changes of an account's access or data: who changed what, when, from where.
      .createTable('audit_events', (table) => {
        table.text('id').primary();
        table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
        table.text('at').notNullable().index();
        table.text('event').notNullable();
        // What changed, for people to read, such as a host name.
        table.text('subject');
        table.text('actor').notNullable();
        // IP address of the client; null if no client asked for the change.
        table.text('address');
        table.index(['account_id', 'at', 'id']);
      })
  );
}

/** Sign-in and API keys. */
export function createAccess(sql: Knex): Knex.SchemaBuilder {
  return (
    sql.schema
      // One-time links that were not used yet.
      .createTable('sign_in_links', (table) => {
        // SHA-256 of the link's token in hexadecimal digits.
        table.text('digest').primary();
        // Null for a link that creates an account.
        table.text('account_id').references('accounts.id').onDelete('CASCADE').index();
        // The address that a link without an account confirms.
        table.text('email').index();
        table.text('expires_at').notNullable().index();
        // 1 if the link only sets a password; null if it also signs in.
        table.integer('is_for_password');
      })
      .createTable('sessions', (table) => {
        // SHA-256 of the cookie's value in hexadecimal digits.
        table.text('digest').primary();
        table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
        table.text('created_at').notNullable();
        table.text('last_seen_at').notNullable().index();
        table.text('expires_at').notNullable().index();
        // IP address of the client that signed in.
        table.text('address');
        // Such as "Firefox on Linux"; null if unknown.
        table.text('browser');
      })
      .createTable('api_keys', (table) => {
        table.text('id').primary();
        table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
        table.text('name').notNullable();
        // SHA-256 in hexadecimal digits: the key itself is not stored.
        table.text('digest').notNullable().unique();
        table.text('hint').notNullable();
        table.text('created_at').notNullable();
        table.text('last_used_at');
        table.text('revoked_at');
        // Null if the key never expires.
        table.text('expires_at');
      })
      .createTable('key_usage', (table) => {
        table.text('key_id').notNullable().references('api_keys.id').onDelete('CASCADE');
        table.text('month').notNullable().index();
        table.integer('used').notNullable();
        table.primary(['key_id', 'month']);
      })
  );
}
