import type { Knex } from 'knex';

/**
 * What runs by itself: schedules and deploy hooks with the queue behind them, alerts with their deliveries, badges; and what lets
 * sites and accounts be removed in steps, and old rows be found without a look at every one.
 */
export async function createAutomationTables(sql: Knex): Promise<void> {
  await createQueue(sql);
  await createPublicAddresses(sql);
  await createAlerts(sql);
  await createUpkeepMarks(sql);
}

async function createQueue(sql: Knex): Promise<void> {
  await sql.schema.createTable('schedules', (table) => {
    table.text('site_id').primary().references('sites.id').onDelete('CASCADE');
    table.text('frequency').notNullable();
    table.text('next_run_at').notNullable().index();
  });
  // At most one row for a site and what starts its runs: what is asked for several times is done once.
  await sql.schema.createTable('queued_runs', (table) => {
    table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE');
    table.text('trigger').notNullable();
    // The site's: a site never changes hands.
    table.text('account_id').notNullable().index();
    table.text('requested_at').notNullable();
    table.text('run_after').notNullable();
    // How many runs of the account waited before it: the lowest goes first, so that the accounts take turns.
    table.integer('priority').notNullable();
    table.integer('attempts').notNullable().defaultTo(0);
    // Set while a worker has it in hand; only who holds the lease can finish the run.
    table.text('lease');
    table.text('leased_until').index();
    // Asked for again while a worker had it in hand: not before this time.
    table.text('again_after');
    table.text('offered_at').notNullable();
    table.primary(['site_id', 'trigger']);
    // What waits in the order in which it goes, with all that a sweep asks of it.
    table.index(['priority', 'run_after', 'offered_at'], 'queued_runs_waiting', {
      predicate: sql('queued_runs').whereNull('lease'),
    });
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
  await sql.schema.alterTable('accounts', (table) => {
    // Since when alerts go to the account's e-mail address; null: they do not.
    table.text('email_alerts_since');
  });
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
    // How many messages of the account waited before it: the lowest goes first, so that the accounts take turns.
    table.integer('priority').notNullable();
    table.text('lease');
    table.text('leased_until').index();
    table.text('offered_at').notNullable();
    table.text('last_attempt_at');
    // The status that the receiver answered last, or else why there is none.
    table.integer('answer_status');
    table.text('problem');
    table.index(['account_id', 'created_at']);
    table.index(['webhook_id', 'created_at', 'id']);
    table.index('created_at');
    // What waits in the order in which it goes, with all that a sweep asks of it.
    table.index(['priority', 'next_attempt_at', 'offered_at'], 'deliveries_to_offer', {
      predicate: sql('deliveries').whereNull('lease').whereNotNull('next_attempt_at'),
    });
    // What waits of an account is counted whenever a run of it makes a message.
    table.index(['account_id', 'next_attempt_at'], 'deliveries_waiting', {
      predicate: sql('deliveries').whereNotNull('next_attempt_at'),
    });
  });
}

async function createUpkeepMarks(sql: Knex): Promise<void> {
  await sql.schema.alterTable('accounts', (table) => {
    // Since when the account is gone for everybody; its row stays until everything that hangs on it is erased.
    table.text('removed_at').index();
  });
  await sql.schema.alterTable('sites', (table) => {
    table.index('id', 'sites_being_deleted', { predicate: sql('sites').whereRaw('is_deleting = 1') });
  });
  for (const [name, column] of [
    ['run_budgets', 'day'],
    ['key_usage', 'month'],
    ['sessions', 'last_seen_at'],
  ] as const) {
    await sql.schema.alterTable(name, (table) => {
      table.index(column);
    });
  }
}
