import type { Knex } from 'knex';

/** Which addresses each process is scanning, so that all of them together stay within the limit of an address. */
export async function createScanning(sql: Knex): Promise<void> {
  await sql.schema.createTable('scanning_processes', (table) => {
    table.text('process').primary();
    // A JSON array of IP addresses.
    table.text('addresses').notNullable();
    table.text('expires_at').notNullable().index();
  });
}
