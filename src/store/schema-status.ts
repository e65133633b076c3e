import { existsSync } from 'node:fs';
import type { Database } from './database.js';
import { isOldSchema } from './errors.js';
import { guardNames, GUARDS_SQL } from './migrations/guards.js';
import { MIGRATIONS } from './migrations/index.js';
import { defineQuery } from './query.js';
import { sqlitePath } from './sqlite.js';

/**
 * `behind`: migrations are missing, or triggers that keep finished runs unchanged; `migrate` brings the first and names the
 * second. `unreachable`: the database does not answer. A schema newer than the code is current: it only ever gains.
 */
export type SchemaStatus = 'current' | 'behind' | 'unreachable';

const selectMigrations = defineQuery<{ name: string }>((sql) => sql('knex_migrations').select('name'));
const selectGuards = {
  sqlite: defineQuery<{ guard: string }>((sql) => sql.raw(GUARDS_SQL.sqlite)),
  postgres: defineQuery<{ guard: string }>((sql) => sql.raw(GUARDS_SQL.postgres)),
};

/** Whether the database is there and its schema the code's: for `/readyz`, and at start. Never rejects. */
export async function schemaStatus(db: Database): Promise<SchemaStatus> {
  if (db.dialect === 'sqlite' && !existsSync(sqlitePath(db.url))) return 'behind';
  try {
    const migrations = await db.run(selectMigrations({}));
    const guards = await db.run(selectGuards[db.dialect]({}));
    const isMigrated = contains(
      migrations.map(({ name }) => name),
      MIGRATIONS.map(({ name }) => name),
    );
    const isGuarded = contains(
      guards.map(({ guard }) => guard),
      guardNames(db.dialect),
    );
    return isMigrated && isGuarded ? 'current' : 'behind';
  } catch (error) {
    return error instanceof Error && isOldSchema(error.cause) ? 'behind' : 'unreachable';
  }
}

function contains(present: readonly string[], wanted: readonly string[]): boolean {
  const names = new Set(present);
  return wanted.every((name) => names.has(name));
}
