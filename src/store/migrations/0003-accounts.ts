import type { Knex } from 'knex';

export async function extendAccounts(sql: Knex): Promise<void> {
  await createAudit(sql);
  await createDevices(sql);
  await addRechecks(sql);
}

/** What was done to an account: who changed what, when, from where. */
async function createAudit(sql: Knex): Promise<void> {
  await sql.schema.createTable('audit_events', (table) => {
    // Random, except where repetitions within an hour are counted in one row.
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    // The last time, where repetitions are counted.
    table.text('at').notNullable().index();
    table.text('event').notNullable();
    // What it was done to, in words for people, such as a host name.
    table.text('subject');
    table.text('actor').notNullable();
    // The client's; null for what no client asked for.
    table.text('address');
    table.integer('count').notNullable().defaultTo(1);
    table.index(['account_id', 'at', 'id']);
  });
}

/** The browsers that have signed in to an account: a stranger's guesses do not hold them up. */
async function createDevices(sql: Knex): Promise<void> {
  await sql.schema.createTable('known_devices', (table) => {
    // SHA-256 of the cookie's value in hexadecimal digits.
    table.text('digest').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('last_used_at').notNullable().index();
  });
}

/** The proof of ownership is looked for again and again. */
async function addRechecks(sql: Knex): Promise<void> {
  await sql.schema.alterTable('sites', (table) => {
    // Null: some time after the site was verified.
    table.text('proof_due_at');
    // Since when the proof is known to be absent.
    table.text('proof_missing_since');
    // Null once the site is verified again.
    table.text('ownership_lost_at');
    table.index('proof_due_at', 'sites_proof_due', { predicate: sql('sites').whereRaw('proof_due_at IS NOT NULL') });
    table.index('verified_at', 'sites_proof_first_due', {
      predicate: sql('sites').whereRaw('proof_due_at IS NULL AND verified_at IS NOT NULL'),
    });
  });
}
