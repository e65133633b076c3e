import type { Knex } from 'knex';
import type { Dialect } from '../query.js';
import { IS_NOT_OWNER, refuseAlways } from './0004-provable-runs.js';
import type { ExpectedGuards } from './guard-definition.js';
import { createTriggers, definitionsOf, type Guard, IS_NOT_BEING_DELETED } from './guards.js';

const TABLE = 'supplement_chain';

/**
 * Each run says which release judged it, and what is kept beside a run is in a chain of its own, from the next run of each site on. What
 * versions beside this schema store has neither; its links are made up for.
 */
export async function addSupplements(sql: Knex, dialect: Dialect): Promise<void> {
  // Its version and its commit, such as 0.3.0+1e55ffe; null for the runs of before, which never get one.
  await sql.schema.alterTable('runs', (table) => void table.text('release'));
  await sql.schema.createTable(TABLE, (table) => {
    table.text('site_id').notNullable();
    table.integer('number').notNullable();
    // The number of the epoch in which the link was made.
    table.integer('epoch').notNullable();
    // See docs/run-chain.md. Null in the first row of a site that had runs by now: those up to its number are not covered.
    table.text('digest');
    table.primary(['site_id', 'number']);
    table.foreign(['site_id', 'number']).references(['site_id', 'number']).inTable('runs').onDelete('CASCADE');
  });
  await sql.raw(`INSERT INTO ${TABLE} (site_id, number, epoch)
    SELECT r.site_id, r.number, (SELECT max(number) FROM epochs)
      FROM sites s JOIN runs r ON r.site_id = s.id AND r.number = s.run_counter WHERE s.is_deleting = 0`);
  await createTriggers(sql, dialect, guardsOf(dialect));
}

const GUARDS: readonly Guard[] = [
  refuseAlways(TABLE, 'UPDATE'),
  { name: `${TABLE}_no_delete`, table: TABLE, event: 'DELETE', refuseWhen: IS_NOT_BEING_DELETED },
  {
    ...{ name: `${TABLE}_only_later`, table: TABLE, event: 'INSERT' },
    refuseWhen:
      'NEW.digest IS NULL ' +
      `OR EXISTS (SELECT 1 FROM ${TABLE} WHERE site_id = NEW.site_id AND number >= NEW.number) ` +
      'OR NOT EXISTS (SELECT 1 FROM runs WHERE site_id = NEW.site_id AND number = NEW.number)',
  },
];

const SQLITE_GUARDS: readonly Guard[] = [
  {
    ...{ name: `${TABLE}_no_replace`, table: TABLE, event: 'INSERT' },
    refuseWhen: `EXISTS (SELECT 1 FROM ${TABLE} WHERE (site_id = NEW.site_id AND number = NEW.number) OR rowid = NEW.rowid)`,
  },
];

const POSTGRES_GUARDS: readonly Guard[] = [
  refuseAlways(TABLE, 'TRUNCATE'),
  { name: `${TABLE}_only_erased`, table: TABLE, event: 'DELETE', refuseWhen: IS_NOT_OWNER },
];

function guardsOf(dialect: Dialect): readonly Guard[] {
  return [...GUARDS, ...(dialect === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS)];
}

export function supplementGuards(dialect: Dialect): ExpectedGuards {
  return definitionsOf(dialect, guardsOf(dialect));
}
