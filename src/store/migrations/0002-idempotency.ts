import type { Knex } from 'knex';

/** Values of Idempotency-Key, and what became of the run that each began. */
export async function addIdempotencyKeys(sql: Knex): Promise<void> {
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
}
