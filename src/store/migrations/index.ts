import type { Knex } from 'knex';
import type { Dialect } from '../query.js';
import { createInitialSchema } from './0001-initial.js';
import { createApplicationTables } from './0002-application.js';
import { createAutomationTables } from './0003-automation.js';

/** One step of the schema. There is no way back: a mistake is mended by the next step. */
export interface Migration {
  readonly name: string;
  up(sql: Knex, dialect: Dialect): Promise<void>;
}

/** Every migration in order. A released one never changes; new ones are added at the end. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-initial', up: createInitialSchema },
  { name: '0002-application', up: createApplicationTables },
  { name: '0003-automation', up: createAutomationTables },
];
