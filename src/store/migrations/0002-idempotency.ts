import type { Knex } from 'knex';

/** What keeps a retry, and a site that is removed and added again, from taking or getting runs of the day anew. */
export async function addIdempotency(sql: Knex): Promise<void> {
  // Values of Idempotency-Key, and what became of the run that each began.
  await sql.schema.createTable('idempotency_keys', (table) => {
    // Of api_keys, whose rows go with their account, and so with its sites.
    table.text('key_id').notNullable();
    table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE').index();
    // SHA-256 of the value in hexadecimal digits.
    table.text('digest').notNullable();
    table.text('claimed_at').notNullable().index();
    // Whose run this is to store, and when another process may take it over.
    table.text('lease').notNullable();
    table.text('lease_until').notNullable();
    // How many processes have tried.
    table.integer('attempts').notNullable();
    // The day that the run was taken from.
    table.text('day').notNullable();
    // The number of the run; null until it is stored.
    table.integer('number');
    table.primary(['key_id', 'site_id', 'digest']);
  });
  // What removed sites had taken of their days, for when they are added again.
  await sql.schema.createTable('removed_budgets', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    // Whatever its scheme, without a default port.
    table.text('host').notNullable();
    table.text('day').notNullable().index();
    table.text('trigger').notNullable();
    table.integer('used').notNullable();
    table.primary(['account_id', 'host', 'day', 'trigger']);
  });
}
