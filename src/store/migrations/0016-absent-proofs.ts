import type { Knex } from 'knex';

/** Tells a proof that is certainly not there from one that cannot be read. */
export async function addAbsentProofs(sql: Knex): Promise<void> {
  await sql.schema.alterTable('unread_proofs', (table) => {
    // Of the last look. 0 in rows of an earlier version, until the next one.
    table.integer('is_absent').notNullable().defaultTo(0);
    // Whether the owner was told that the end is near, as it is since.
    table.integer('is_end_told').notNullable().defaultTo(0);
  });
}
