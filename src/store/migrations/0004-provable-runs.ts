import type { Knex } from 'knex';
import type { Dialect } from '../query.js';
import type { ExpectedGuards } from './guard-definition.js';
import { createTriggers, definitionsOf, type Guard, IS_NOT_BEING_DELETED, quotedSchema } from './guards.js';

/**
 * Makes it provable that a finished run is the one that was stored: ids never come back, runs are erased in one way, and each
 * run has a link in the chain of its site.
 *
 * Version 0.2.0 may run on beside this schema. Its runs get no link, which the new version makes up for. As the owner of the tables,
 * and on SQLite, it erases as before, and the links go with their runs. As a separate role it is refused to delete runs: what it was
 * told to remove is gone for every reader at once, and erased by the sweep of the first process of the new version.
 */
export async function makeRunsProvable(sql: Knex, dialect: Dialect): Promise<void> {
  // In the order in which the service locks them; nobody adds an id between reading those that there are and guarding the tables.
  if (dialect === 'postgres') await sql.raw('LOCK TABLE accounts, sites, runs IN SHARE ROW EXCLUSIVE MODE');
  await createTables(sql);
  await createTriggers(sql, dialect, guardsOf(dialect));
  await sql.raw('INSERT INTO used_ids (id) SELECT id FROM accounts UNION ALL SELECT id FROM sites');
  await sql('epochs').insert({ number: 1, id: 'first' });
  if (dialect === 'postgres') await createErasure(sql);
}

async function createTables(sql: Knex): Promise<void> {
  // Of every account and site that there ever was: those that were removed leave their ids, which are random, and nothing else.
  await sql.schema.createTable('used_ids', (table) => {
    table.text('id').primary();
  });
  // Each begins with a restore, but for the first.
  await sql.schema.createTable('epochs', (table) => {
    table.integer('number').primary();
    // Random: the same backup may be restored twice.
    table.text('id').notNullable().unique();
    table.text('opened_at');
  });
  await sql.schema.createTable('run_chain', (table) => {
    table.text('site_id').notNullable();
    table.integer('number').notNullable();
    // The number of the epoch in which the link was made.
    table.integer('epoch').notNullable();
    // SHA-256 in hexadecimal digits, over the run and the digest of the link before: see docs/run-chain.md.
    table.text('digest').notNullable();
    table.primary(['site_id', 'number']);
    table.foreign(['site_id', 'number']).references(['site_id', 'number']).inTable('runs').onDelete('CASCADE');
  });
}

/** The only way in which a role that does not own the tables deletes runs. The guards refuse any that do not belong to a marked site. */
async function createErasure(sql: Knex): Promise<void> {
  await sql.raw(`CREATE FUNCTION erase_runs(text, integer, integer) RETURNS void LANGUAGE sql SECURITY DEFINER
    SET search_path = ${await quotedSchema(sql)}, pg_temp
    AS $$ DELETE FROM runs WHERE site_id = $1 AND number > $2 AND number <= $3 $$`);
}

export function refuseAlways(table: string, event: Guard['event']): Guard {
  return { name: `${table}_no_${event.toLowerCase()}`, table, event, refuseWhen: null };
}

const ADDED = ['used_ids', 'epochs', 'run_chain'];

/** A link may leave numbers out, since a run that cannot be read must not keep later ones from getting theirs. */
const IS_NO_LATER_LINK =
  'EXISTS (SELECT 1 FROM run_chain WHERE site_id = NEW.site_id AND number >= NEW.number) ' +
  'OR NOT EXISTS (SELECT 1 FROM runs WHERE site_id = NEW.site_id AND number = NEW.number)';

const IS_NOT_NEXT_EPOCH = 'NEW.number IS DISTINCT FROM (SELECT COALESCE(max(number), 0) + 1 FROM epochs)';

const GUARDS: readonly Guard[] = [
  ...['accounts', 'sites'].flatMap((table): Guard[] => [
    {
      ...{ name: `${table}_no_used_id`, table, event: 'INSERT' },
      refuseWhen: 'EXISTS (SELECT 1 FROM used_ids WHERE id = NEW.id)',
    },
    {
      ...{ name: `${table}_use_id`, table, event: 'INSERT', refuseWhen: null },
      afterwards: 'INSERT INTO used_ids (id) VALUES (NEW.id)',
    },
  ]),
  ...ADDED.map((table) => refuseAlways(table, 'UPDATE')),
  ...['used_ids', 'epochs'].map((table) => refuseAlways(table, 'DELETE')),
  { name: 'run_chain_no_delete', table: 'run_chain', event: 'DELETE', refuseWhen: IS_NOT_BEING_DELETED },
  { name: 'run_chain_only_later', table: 'run_chain', event: 'INSERT', refuseWhen: IS_NO_LATER_LINK },
  { name: 'epochs_only_next', table: 'epochs', event: 'INSERT', refuseWhen: IS_NOT_NEXT_EPOCH },
];

/** See the guards of the first schema: a REPLACE deletes without firing DELETE triggers. */
const SQLITE_GUARDS: readonly Guard[] = Object.entries({
  used_ids: 'id = NEW.id',
  epochs: 'number = NEW.number OR id = NEW.id',
  run_chain: '(site_id = NEW.site_id AND number = NEW.number)',
}).map(([table, isSame]) => ({
  ...{ name: `${table}_no_replace`, table, event: 'INSERT' },
  refuseWhen: `EXISTS (SELECT 1 FROM ${table} WHERE ${isSame} OR rowid = NEW.rowid)`,
}));

/** In `erase_runs`, and where links go with their runs, the current user is the owner. */
export const IS_NOT_OWNER = `NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')`;

const POSTGRES_GUARDS: readonly Guard[] = [
  ...ADDED.map((table) => refuseAlways(table, 'TRUNCATE')),
  { name: 'runs_only_erased', table: 'runs', event: 'DELETE', refuseWhen: IS_NOT_OWNER },
  { name: 'run_chain_only_erased', table: 'run_chain', event: 'DELETE', refuseWhen: IS_NOT_OWNER },
  { name: 'epochs_only_owner', table: 'epochs', event: 'INSERT', refuseWhen: IS_NOT_OWNER },
];

function guardsOf(dialect: Dialect): readonly Guard[] {
  return [...GUARDS, ...(dialect === 'sqlite' ? SQLITE_GUARDS : POSTGRES_GUARDS)];
}

export function provableGuards(dialect: Dialect): ExpectedGuards {
  return definitionsOf(dialect, guardsOf(dialect));
}
