import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { builderFor, type Dialect } from '../query.js';
import { createAccess, createAccounts } from './accounts.js';
import { createAlerts } from './alerts.js';
import { createFailures, createRunLimits, createRuns } from './runs.js';
import { createAutomation, createSites } from './sites.js';
import { createTriggers, triggerStatements } from './triggers.js';
import { createWork } from './work.js';

export const SCHEMA_VERSION = '1.0';

/**
 * Each creates some tables, which may refer to those of an earlier one. Times are ISO texts in UTC with milliseconds and flags are 0
 * or 1, so that both engines store and compare the same values.
 */
const TABLES = [
  createAccounts,
  createAccess,
  createSites,
  createAutomation,
  createRuns,
  createFailures,
  createRunLimits,
  createAlerts,
  createWork,
];

export async function createSchema(sql: Knex, dialect: Dialect): Promise<void> {
  for (const create of TABLES) await create(sql);
  await createTriggers(sql, dialect);
}

const names = new Map<Dialect, string>();

/**
 * The name under which the database records the schema: version and fingerprint, such as `1.0-5d41402abc4b`. The fingerprint is that
 * of its statements, so a database of another state of the schema has another name.
 */
export function schemaName(dialect: Dialect): string {
  let name = names.get(dialect);
  if (name === undefined) {
    const sql = builderFor(dialect);
    const statements = [...TABLES.map((create) => create(sql).toString()), ...triggerStatements(dialect, 'public')];
    const digest = createHash('sha256').update(statements.join(';\n')).digest('hex');
    name = `${SCHEMA_VERSION}-${digest.slice(0, 12)}`;
    names.set(dialect, name);
  }
  return name;
}
