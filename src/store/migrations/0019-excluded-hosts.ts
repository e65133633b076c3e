import type { Knex } from 'knex';

/** Hosts that are not scanned, since their owners asked the operator for it. */
export async function addExcludedHosts(sql: Knex): Promise<void> {
  await sql.schema.createTable('excluded_hosts', (table) => {
    // In normal form, without a port: every port, and every name below it, is meant.
    table.text('host').primary();
    table.text('excluded_at').notNullable();
  });
}
