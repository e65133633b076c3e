import type { Knex } from 'knex';
import type { Dialect } from '../query.js';
import { createGuards } from './guards.js';

/**
 * The first schema. Times are ISO texts in UTC with milliseconds and flags are 0 or 1, so that both engines hold and compare
 * the same values. The tables that guards stand on (runs, sites, accounts) only ever gain nullable columns: SQLite rebuilds
 * a table for any other change, without its triggers.
 */
export async function createInitialSchema(sql: Knex, dialect: Dialect): Promise<void> {
  await createAccounts(sql);
  await createSites(sql);
  await createRuns(sql);
  await createKeys(sql);
  await createGuards(sql, dialect);
}

async function createAccounts(sql: Knex): Promise<void> {
  await sql.schema.createTable('accounts', (table) => {
    table.text('id').primary();
    // In lower case, so that one address is one account.
    table.text('email').notNullable().unique();
    table.text('name').notNullable();
    table.text('plan').notNullable();
    // The number of the account's last run reference; 1 comes after 999999.
    table.integer('reference_counter').notNullable().defaultTo(0);
    table.text('created_at').notNullable();
  });
  await sql.schema.createTable('sign_in_links', (table) => {
    table.text('digest').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('expires_at').notNullable();
    table.text('used_at');
  });
}

async function createSites(sql: Knex): Promise<void> {
  await sql.schema.createTable('sites', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id');
    table.text('origin').notNullable();
    table.text('hostname').notNullable();
    // The number of the last finished run: it is taken in the transaction that inserts the run.
    table.integer('run_counter').notNullable().defaultTo(0);
    table.text('verified_at');
    table.text('verified_by');
    // Only the runs of a site that is marked so can be deleted.
    table.integer('is_deleting').notNullable().defaultTo(0);
    table.text('created_at').notNullable();
    table.unique(['account_id', 'origin']);
  });
  await sql.schema.createTable('ownership_tokens', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('host').notNullable();
    // In clear: it is published on the site.
    table.text('token').notNullable();
    table.primary(['account_id', 'host']);
  });
  await sql.schema.createTable('run_budgets', (table) => {
    table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE');
    table.text('day').notNullable();
    table.text('trigger').notNullable();
    table.integer('used').notNullable();
    table.primary(['site_id', 'day', 'trigger']);
  });
}

async function createRuns(sql: Knex): Promise<void> {
  await sql.schema.createTable('runs', (table) => {
    table.text('site_id').notNullable().references('sites.id');
    table.integer('number').notNullable();
    table.text('reference').notNullable();
    table.integer('score');
    table.text('trigger').notNullable();
    table.text('started_at').notNullable();
    table.text('finished_at').notNullable();
    // The serialised answer, sent byte for byte ever after.
    table.binary('body').notNullable();
    table.text('etag').notNullable();
    table.primary(['site_id', 'number']);
  });
}

async function createKeys(sql: Knex): Promise<void> {
  await sql.schema.createTable('api_keys', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('name').notNullable();
    // SHA-256 in hexadecimal digits: the key itself is stored nowhere.
    table.text('digest').notNullable().unique();
    table.text('hint').notNullable();
    table.text('created_at').notNullable();
    table.text('last_used_at');
    table.text('revoked_at');
  });
  await sql.schema.createTable('key_usage', (table) => {
    table.text('key_id').notNullable().references('api_keys.id').onDelete('CASCADE');
    table.text('month').notNullable();
    table.integer('used').notNullable();
    table.primary(['key_id', 'month']);
  });
}
