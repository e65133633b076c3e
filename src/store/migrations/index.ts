import type { Knex } from 'knex';
import type { Dialect } from '../query.js';
import { createInitialSchema } from './0001-initial.js';
import { createApplicationTables } from './0002-application.js';
import { createAutomationTables } from './0003-automation.js';
import { renewedGuards, renewGuards } from './0004-guards.js';
import type { ExpectedGuards } from './guard-definition.js';
import { guardNames } from './guards.js';

/** One step of the schema. There is no way back: a mistake is mended by the next step. */
export interface Migration {
  readonly name: string;
  up(sql: Knex, dialect: Dialect): Promise<void>;
  /** The guards that stand from here on; without it, those of the step before. */
  guards?(dialect: Dialect): ExpectedGuards;
}

/** Every migration in order. A released one never changes; new ones are added at the end. */
export const MIGRATIONS: readonly Migration[] = [
  {
    name: '0001-initial',
    up: createInitialSchema,
    guards: (dialect) => new Map(guardNames(dialect).map((name) => [name, null])),
  },
  { name: '0002-application', up: createApplicationTables },
  { name: '0003-automation', up: createAutomationTables },
  { name: '0004-guards', up: renewGuards, guards: renewedGuards },
];

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
