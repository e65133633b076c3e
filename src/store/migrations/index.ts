import type { Knex } from 'knex';
import type { Dialect } from '../query.js';
import { createSchema } from './0001-schema.js';
import type { ExpectedGuards } from './guard-definition.js';
import { definedGuards } from './guards.js';

/** One step of the schema. There is no way back: a mistake is mended by the next step. */
export interface Migration {
  readonly name: string;
  up(sql: Knex, dialect: Dialect): Promise<void>;
  /** The guards that stand from here on; without it, those of the step before. */
  guards?(dialect: Dialect): ExpectedGuards;
}

/** Every migration in order. A released one never changes; new ones are added at the end. */
export const MIGRATIONS: readonly Migration[] = [{ name: '0001-schema', up: createSchema, guards: definedGuards }];

/** The first migration of the versions before 0.2.0, which were never released. */
const UNRELEASED = '0001-initial';

/** What to do with a database of such a version; null for any other. */
export function describeUnreleased(completed: readonly string[]): string | null {
  if (!completed.includes(UNRELEASED)) return null;
  return 'This database was made before version 0.2.0 and cannot be upgraded: set DATABASE_URL to a new one.';
}

/**
 * The guards after these migrations were run. Where one is among them that this version of the program does not know, it may have
 * made others of them, so it is enough that they are there.
 */
export function expectedGuards(
  run: readonly string[],
  dialect: Dialect,
  migrations: readonly Migration[] = MIGRATIONS,
): ExpectedGuards {
  const known = migrations.filter(({ name }) => run.includes(name));
  const guards = known.findLast((migration) => migration.guards)?.guards?.(dialect) ?? new Map<string, null>();
  return known.length === run.length ? guards : new Map([...guards.keys()].map((guard) => [guard, null]));
}
