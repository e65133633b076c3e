import type { Knex } from 'knex';

/** Where each session was opened, and when each API key ends. What versions beside this schema store has neither. */
export async function addAccess(sql: Knex): Promise<void> {
  // The client's IP address; null where a version without it opened the session.
  await sql.schema.alterTable('sessions', (table) => void table.text('address'));
  // Null: it does not end by itself. Versions without it let the key in for ever.
  await sql.schema.alterTable('api_keys', (table) => void table.text('expires_at'));
}
