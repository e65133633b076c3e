import { existsSync } from 'node:fs';
import type { Database } from './database.js';
import { isOldSchema } from './errors.js';
import { describeBrokenGuards, findBrokenGuards, type GuardRow, GUARDS_SQL } from './migrations/guard-definition.js';
import { expectedGuards, MIGRATIONS } from './migrations/index.js';
import { defineQuery } from './query.js';
import { sqlitePath } from './sqlite.js';

/**
 * `behind`: migrations are missing; `migrate` applies them. `unguarded`: the triggers that protect finished runs are missing or
 * changed; {@link explainUnguarded} names them. `unreachable`: the database does not answer. A schema newer than the code counts
 * as current, since a schema only gains columns and tables.
 */
export type SchemaStatus = 'current' | 'behind' | 'unguarded' | 'unreachable';

const selectMigrations = defineQuery<{ name: string }>((sql) => sql('knex_migrations').select('name'));
const selectGuards = {
  sqlite: defineQuery<GuardRow>((sql) => sql.raw(GUARDS_SQL.sqlite)),
  postgres: defineQuery<GuardRow>((sql) => sql.raw(GUARDS_SQL.postgres)),
};

/** Whether the database is reachable and its schema matches the code: for `/readyz`, and at start. Never rejects. */
export async function schemaStatus(db: Database): Promise<SchemaStatus> {
  if (db.dialect === 'sqlite' && !existsSync(sqlitePath(db.url))) return 'behind';
  try {
    const run = await readMigrations(db);
    if (!MIGRATIONS.every(({ name }) => run.includes(name))) return 'behind';
    return (await readBrokenGuards(db, run)).length === 0 ? 'current' : 'unguarded';
  } catch (error) {
    return error instanceof Error && isOldSchema(error.cause) ? 'behind' : 'unreachable';
  }
}

/** For an `unguarded` database: names the triggers, in a sentence. */
export async function explainUnguarded(db: Database): Promise<string> {
  return describeBrokenGuards(await readBrokenGuards(db, await readMigrations(db)));
}

async function readMigrations(db: Database): Promise<string[]> {
  return (await db.run(selectMigrations({}))).map(({ name }) => name);
}

async function readBrokenGuards(db: Database, run: readonly string[]): Promise<string[]> {
  return findBrokenGuards(await db.run(selectGuards[db.dialect]({})), expectedGuards(run, db.dialect));
}
