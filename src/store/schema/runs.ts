import type { Knex } from 'knex';

/** Finished runs, see `RunRow`. */
export function createRuns(sql: Knex): Knex.SchemaBuilder {
  return sql.schema.createTable('runs', (table) => {
    table.text('site_id').notNullable().references('sites.id');
    table.integer('number').notNullable();
    table.text('reference').notNullable();
    table.integer('score');
    table.text('trigger').notNullable();
    table.text('started_at').notNullable();
    table.text('finished_at').notNullable();
    table.text('release');
    table.text('etag').notNullable();
    table.text('label');
    table.text('commit_id');
    table.text('pages');
    table.text('answer');
    table.text('results').notNullable();
    table.binary('body').notNullable();
    table.primary(['site_id', 'number']);
  });
}

/** Evidence of failures, and what owners do about failures between runs. */
export function createFailures(sql: Knex): Knex.SchemaBuilder {
  return (
    sql.schema
      // The HTTP exchanges that failures rest on: for the verified owner alone, for a limited time.
      .createTable('run_evidence', (table) => {
        table.text('site_id').notNullable();
        table.integer('number').notNullable();
        // The check that was checked again; empty for the run itself.
        table.text('check_id').notNullable();
        table.text('kept_at').notNullable().index('run_evidence_age');
        // JSON, gzip.
        table.binary('evidence').notNullable();
        table.text('account_id').notNullable();
        table.integer('bytes').notNullable();
        table.primary(['site_id', 'number', 'check_id']);
        table.foreign(['site_id', 'number']).references(['site_id', 'number']).inTable('runs').onDelete('CASCADE');
        // A sum reads the index alone.
        table.index(['account_id', 'kept_at', 'bytes'], 'run_evidence_of_account');
      })
      .createTable('rechecks', (table) => {
        table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE');
        table.text('check_id').notNullable();
        // Number of the site's latest run at that time; a later run replaces this result.
        table.integer('run_number').notNullable();
        table.text('started_at').notNullable();
        // Null while the check runs.
        table.text('finished_at');
        // Null while the check runs, and if it failed through a fault of ours.
        table.text('result');
        table.text('error_type');
        table.text('detail');
        table.primary(['site_id', 'check_id']);
      })
      .createTable('accepted_failures', (table) => {
        table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE');
        table.text('check_id').notNullable();
        table.text('error_type').notNullable();
        // The owner's words.
        table.text('reason').notNullable();
        table.text('accepted_at').notNullable();
        table.primary(['site_id', 'check_id', 'error_type']);
      })
  );
}

/** Limits of runs. */
export function createRunLimits(sql: Knex): Knex.SchemaBuilder {
  return (
    sql.schema
      // A removed site that is added again goes on with its day.
      .createTable('run_budgets', (table) => {
        // Without a reference, so that an admitted run does not lock the account.
        table.text('account_id').notNullable();
        // Without scheme and default port.
        table.text('host').notNullable();
        table.text('day').notNullable().index();
        table.text('trigger').notNullable();
        table.integer('used').notNullable();
        table.primary(['account_id', 'host', 'day', 'trigger']);
      })
      // Values of Idempotency-Key and the runs that they began.
      .createTable('idempotency_keys', (table) => {
        // An id of api_keys, whose rows are deleted with their account, and so with its sites.
        table.text('key_id').notNullable();
        table.text('site_id').notNullable().references('sites.id').onDelete('CASCADE').index();
        // SHA-256 of the value in hexadecimal digits.
        table.text('digest').notNullable();
        // From then on, the value counts as new.
        table.text('expires_at').notNullable().index();
        // Number of the run; null until it is stored.
        table.integer('number');
        table.primary(['key_id', 'site_id', 'digest']);
      })
  );
}
