import type { Knex } from 'knex';

/** What lets accounts be removed in steps, and what is old be found without a look at every row. */
export async function createRemovalMarks(sql: Knex): Promise<void> {
  await sql.schema.alterTable('accounts', (table) => {
    // Since when the account is gone for everybody; its row stays until everything that hangs on it is erased.
    table.text('removed_at').index();
  });
  await sql.schema.alterTable('sites', (table) => {
    table.index('id', 'sites_being_deleted', { predicate: sql('sites').whereRaw('is_deleting = 1') });
  });
  await sql.schema.alterTable('deliveries', (table) => {
    table.index('created_at');
  });
}
