import type { Knex } from 'knex';
import type { Dialect } from '../query.js';
import { createGuards } from './guards.js';

/**
 * The schema. Times are ISO texts in UTC with milliseconds and flags are 0 or 1, so that both engines hold and compare the same
 * values. Tables with guards (runs, texts, sites, accounts) may only gain nullable columns: for any other change SQLite rebuilds
 * the table, without its triggers.
 */
export async function createSchema(sql: Knex, dialect: Dialect): Promise<void> {
  await createAccounts(sql);
  await createSites(sql);
  await createRuns(sql);
  await createKeys(sql);
  await createSessionsAndLimits(sql);
  await createQueue(sql);
  await createPublicAddresses(sql);
  await createAlerts(sql);
  await createGuards(sql, dialect);
}

async function createAccounts(sql: Knex): Promise<void> {
  await sql.schema.createTable('accounts', (table) => {
    table.text('id').primary();
    // In lower case, so that each address has at most one account.
    table.text('email').notNullable().unique();
    table.text('name').notNullable();
    // scrypt with its parameters and salt; null until the first sign-in link is used.
    table.text('password_hash');
    table.text('plan').notNullable();
    // When alerts by e-mail were turned on; null: they are off.
    table.text('email_alerts_since');
    // The number of the account's last run reference; 1 follows 999999.
    table.integer('reference_counter').notNullable().defaultTo(0);
    table.text('created_at').notNullable();
    // When the account was removed for its users; its row stays until everything that refers to it is erased.
    table.text('removed_at').index();
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
    // The number of the last finished run, assigned in the transaction that inserts the run.
    table.integer('run_counter').notNullable().defaultTo(0);
    table.text('verified_at');
    table.text('verified_by');
    // A site's runs can be deleted only while this is set.
    table.integer('is_deleting').notNullable().defaultTo(0);
    table.text('created_at').notNullable();
    table.unique(['account_id', 'origin']);
    table.index('id', 'sites_being_deleted', { predicate: sql('sites').whereRaw('is_deleting = 1') });
  });
  await sql.schema.createTable('ownership_tokens', (table) => {
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    table.text('host').notNullable();
    // Not hashed: it is published on the site.
    table.text('token').notNullable();
    table.primary(['account_id', 'host']);
  });
  await sql.schema.createTable('run_budgets', (table) => {
    table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE');
    table.text('day').notNullable().index();
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
    // The result of each check, for comparing runs.
    table.text('results').notNullable();
    // The serialised answer, sent byte for byte from then on; registry texts are stored as references.
    table.binary('body').notNullable();
    table.text('etag').notNullable();
    table.primary(['site_id', 'number']);
  });
  // Registry texts used by runs, each stored once under the SHA-256 of its content in hexadecimal digits.
  await sql.schema.createTable('texts', (table) => {
    table.text('digest').primary();
    table.text('body').notNullable();
  });
}

async function createKeys(sql: Knex): Promise<void> {
  await sql.schema.createTable('api_keys', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('name').notNullable();
    // SHA-256 in hexadecimal digits: the key itself is not stored.
    table.text('digest').notNullable().unique();
    table.text('hint').notNullable();
    table.text('created_at').notNullable();
    table.text('last_used_at');
    table.text('revoked_at');
  });
  await sql.schema.createTable('key_usage', (table) => {
    table.text('key_id').notNullable().references('api_keys.id').onDelete('CASCADE');
    table.text('month').notNullable().index();
    table.integer('used').notNullable();
    table.primary(['key_id', 'month']);
  });
}

/** Tables of the pages: sessions, rate limits, scans without an account. */
async function createSessionsAndLimits(sql: Knex): Promise<void> {
  await sql.schema.createTable('sessions', (table) => {
    // SHA-256 of the cookie's value in hexadecimal digits.
    table.text('digest').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('created_at').notNullable();
    table.text('last_seen_at').notNullable().index();
    table.text('expires_at').notNullable().index();
  });
  await sql.schema.createTable('rate_windows', (table) => {
    table.text('scope').notNullable();
    // A digest if it identifies a person, such as an address.
    table.text('subject').notNullable();
    table.text('window_start').notNullable();
    table.text('expires_at').notNullable().index();
    table.integer('used').notNullable();
    table.primary(['scope', 'subject', 'window_start']);
  });
  await sql.schema.createTable('free_scans', (table) => {
    table.text('hostname').primary();
    table.text('started_at').notNullable();
    // Null while the scan runs, like the body.
    table.text('finished_at').index();
    table.binary('body');
  });
}

async function createQueue(sql: Knex): Promise<void> {
  await sql.schema.createTable('schedules', (table) => {
    table.text('site_id').primary().references('sites.id').onDelete('CASCADE');
    table.text('frequency').notNullable();
    table.text('next_run_at').notNullable().index();
  });
  // Waiting and running jobs only: a finished job is deleted.
  await sql.schema.createTable('jobs', (table) => {
    table.text('queue').notNullable();
    table.text('kind').notNullable();
    table.text('key').notNullable();
    table.text('account_id');
    table.text('site_id').references('sites.id').onDelete('CASCADE').index();
    table.text('requested_at').notNullable();
    // When it is due. While it is claimed: when the lease ends and it may be claimed again.
    table.text('run_after').notNullable();
    // The order in which jobs are claimed: see the statements of the queue.
    table.bigInteger('turn').notNullable();
    table.integer('attempts').notNullable().defaultTo(0);
    table.text('lease');
    // Set when the job is requested again while claimed: not before this time.
    table.text('again_after');
    // JSON, for observers.
    table.text('progress');
    table.primary(['kind', 'key']);
    table.index(['queue', 'turn', 'run_after']);
    table.index(['account_id', 'kind', 'turn']);
  });
}

/** Addresses that work without a key or a session. */
async function createPublicAddresses(sql: Knex): Promise<void> {
  await sql.schema.createTable('deploy_hooks', (table) => {
    table.text('site_id').primary().references('sites.id').onDelete('CASCADE');
    // SHA-256 of the address's secret part in hexadecimal digits.
    table.text('digest').notNullable().unique();
    table.text('created_at').notNullable();
    table.text('last_used_at');
  });
  await sql.schema.createTable('badges', (table) => {
    table.text('site_id').primary().references('sites.id').onDelete('CASCADE');
    // Not hashed: it is published where the badge is shown.
    table.text('token').notNullable().unique();
    table.text('created_at').notNullable();
  });
}

async function createAlerts(sql: Knex): Promise<void> {
  // The last known state of a site, so that only a change raises an alert.
  await sql.schema.createTable('alert_states', (table) => {
    table.text('site_id').primary().references('sites.id').onDelete('CASCADE');
    table.text('state').notNullable();
  });
  await sql.schema.createTable('webhooks', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('url').notNullable();
    // Not hashed: every message is signed with it.
    table.text('secret').notNullable();
    table.text('created_at').notNullable();
    table.text('disabled_at');
    // When the current series of failures began; null after a success.
    table.text('failing_since');
  });
  await sql.schema.createTable('deliveries', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE');
    // Null for a message by e-mail.
    table.text('webhook_id').references('webhooks.id').onDelete('CASCADE');
    // Null for a test.
    table.text('site_id').references('sites.id').onDelete('CASCADE').index();
    table.text('event').notNullable();
    // The message, as signed and sent at each attempt.
    table.text('body').notNullable();
    table.text('created_at').notNullable();
    table.text('state').notNullable();
    table.integer('attempts').notNullable().defaultTo(0);
    // Null once it was delivered or given up.
    table.text('next_attempt_at');
    table.text('last_attempt_at');
    // The receiver's last status, or else why there is none.
    table.integer('answer_status');
    table.text('problem');
    table.index(['account_id', 'created_at']);
    table.index(['webhook_id', 'created_at', 'id']);
    table.index('created_at');
  });
}
