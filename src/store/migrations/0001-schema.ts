import type { Knex } from 'knex';
import type { Dialect } from '../query.js';
import { createGuards } from './guards.js';

/**
 * The schema. Times are ISO texts in UTC with milliseconds and flags are 0 or 1, so that both engines hold and compare
 * the same values. The tables that guards stand on (runs, texts, sites, accounts) only ever gain nullable columns: SQLite rebuilds
 * a table for any other change, without its triggers.
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
    // In lower case, so that one address is one account.
    table.text('email').notNullable().unique();
    table.text('name').notNullable();
    // scrypt with its parameters and salt; null until the first sign-in link is used.
    table.text('password_hash');
    table.text('plan').notNullable();
    // Since when alerts go to the account's e-mail address; null: they do not.
    table.text('email_alerts_since');
    // The number of the account's last run reference; 1 comes after 999999.
    table.integer('reference_counter').notNullable().defaultTo(0);
    table.text('created_at').notNullable();
    // Since when the account is gone for everybody; its row stays until everything that hangs on it is erased.
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
    // The number of the last finished run: it is taken in the transaction that inserts the run.
    table.integer('run_counter').notNullable().defaultTo(0);
    table.text('verified_at');
    table.text('verified_by');
    // Only the runs of a site that is marked so can be deleted.
    table.integer('is_deleting').notNullable().defaultTo(0);
    table.text('created_at').notNullable();
    table.unique(['account_id', 'origin']);
    table.index('id', 'sites_being_deleted', { predicate: sql('sites').whereRaw('is_deleting = 1') });
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
    // What each check came to, for those who compare runs.
    table.text('results').notNullable();
    // The serialised answer, sent byte for byte ever after; references stand for the texts of the registry.
    table.binary('body').notNullable();
    table.text('etag').notNullable();
    table.primary(['site_id', 'number']);
  });
  // The texts of the registry that runs hold, each once: by the SHA-256 of its content in hexadecimal digits.
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
    // SHA-256 in hexadecimal digits: the key itself is stored nowhere.
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

/** What pages keep: sessions, rate limits, scans without an account. */
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
    // A digest where it stands for a person, such as an address.
    table.text('subject').notNullable();
    table.text('window_start').notNullable();
    table.text('expires_at').notNullable().index();
    table.integer('used').notNullable();
    table.primary(['scope', 'subject', 'window_start']);
  });
  await sql.schema.createTable('free_scans', (table) => {
    table.text('hostname').primary();
    table.text('started_at').notNullable();
    // Null, as the body is, while the scan goes on.
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
  // What waits to be done or is being done, and nothing else: a job that has ended is gone.
  await sql.schema.createTable('jobs', (table) => {
    table.text('queue').notNullable();
    table.text('kind').notNullable();
    table.text('key').notNullable();
    table.text('account_id');
    table.text('site_id').references('sites.id').onDelete('CASCADE').index();
    table.text('requested_at').notNullable();
    // When it is due. While it is claimed: when the lease ends, from when on it may be claimed again.
    table.text('run_after').notNullable();
    // The order in which jobs are claimed: see the statements of the queue.
    table.bigInteger('turn').notNullable();
    table.integer('attempts').notNullable().defaultTo(0);
    table.text('lease');
    // Asked for again while it was claimed: not before this time.
    table.text('again_after');
    // JSON, for those who watch.
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
    // In clear: it is published where the badge is shown.
    table.text('token').notNullable().unique();
    table.text('created_at').notNullable();
  });
}

async function createAlerts(sql: Knex): Promise<void> {
  // What was last known of a site, so that only a change makes an alert.
  await sql.schema.createTable('alert_states', (table) => {
    table.text('site_id').primary().references('sites.id').onDelete('CASCADE');
    table.text('state').notNullable();
  });
  await sql.schema.createTable('webhooks', (table) => {
    table.text('id').primary();
    table.text('account_id').notNullable().references('accounts.id').onDelete('CASCADE').index();
    table.text('url').notNullable();
    // In clear: every message is signed with it.
    table.text('secret').notNullable();
    table.text('created_at').notNullable();
    table.text('disabled_at');
    // Since when every attempt has failed; null after one that went well.
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
    // The message, as it is signed and sent at each attempt.
    table.text('body').notNullable();
    table.text('created_at').notNullable();
    table.text('state').notNullable();
    table.integer('attempts').notNullable().defaultTo(0);
    // Null once it was delivered or given up.
    table.text('next_attempt_at');
    table.text('last_attempt_at');
    // The status that the receiver answered last, or else why there is none.
    table.integer('answer_status');
    table.text('problem');
    table.index(['account_id', 'created_at']);
    table.index(['webhook_id', 'created_at', 'id']);
    table.index('created_at');
  });
}
