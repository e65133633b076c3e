import type { Knex } from 'knex';

/** What ends the ownership of a domain whose proof cannot be read. */
export async function addUnreadProofs(sql: Knex): Promise<void> {
  // A verified site whose proof was looked for and not found; the row goes when the proof is found.
  await sql.schema.createTable('unread_proofs', (table) => {
    table.text('site_id').primary().references('sites.id').onDelete('CASCADE');
    // The site's proof_due_at that was set with it. Where they differ, the site was verified since, also by an older version, and the
    // row counts for nothing.
    table.text('due_at').notNullable();
    // When it was first not found.
    table.text('since').notNullable();
    // The UTC day of the last look, and whether the DNS then said that the name does not exist. It counts once it is over.
    table.text('last_day').notNullable();
    table.integer('is_gone').notNullable();
    // How many days have counted, and on how many of them the name did not exist.
    table.integer('days').notNullable();
    table.integer('gone_days').notNullable();
    // The last notice that its owner was sent; 0: none.
    table.integer('told').notNullable();
    table.index('since');
  });
  // What tells whether a proof that is not found is missing, or is only out of our reach: one row a UTC day.
  await sql.schema.createTable('ownership_days', (table) => {
    table.text('day').primary();
    // Sites whose proof was looked for, and those of them whose proof had been found the time before and was not now.
    table.integer('asked').notNullable().defaultTo(0);
    table.integer('newly_unread').notNullable().defaultTo(0);
    // SHA-256 in hexadecimal digits of the first registrable domain whose proof was found, and of the first other one.
    table.text('proof_domain');
    table.text('other_proof_domain');
    // Whether the operator's control name resolved; asked only where all sites are of one domain.
    table.integer('control_resolved').notNullable().defaultTo(0);
    // How many sites were asked only to see the proof of another domain.
    table.integer('witnesses_asked').notNullable().defaultTo(0);
    // Set once the day is over: whether too many failed at once, so that it counts for nobody.
    table.integer('is_void');
  });
}
