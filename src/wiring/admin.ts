import type { AdminServices } from '../cli/admin.js';
import type { Config } from '../config.js';
import { createAdmin } from '../app/admin.js';
import { actAs, OPERATOR } from '../app/audit/audit.js';
import { systemClock as clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { createLogger } from '../platform/logging.js';
import type { Database } from '../store/database.js';
import { openDatabase } from '../store/open-database.js';
import { refuseOtherSchema, schemaStatus } from '../store/schema-check.js';
import { createScanning } from '../package/scanning.js';
import { PROGRAM } from '../scanner/report/program.js';
import { networkServices } from './network.js';

export const SCHEMA_BEHIND = `the database lacks the current schema: run "${PROGRAM} migrate"`;

/** The URL of a one-time sign-in link. */
export function signInUrl({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string {
  return `${publicUrl}/sign-in/${token}`;
}

/**
 * Opens the database for one command of the operator.
 * @throws InputError for a database of another version
 */
export async function withAdminServices<T>(config: Config, work: (services: AdminServices) => Promise<T>): Promise<T> {
  await refuseOtherSchema(config.databaseUrl);
  const db = await openDatabase(config.databaseUrl);
  try {
    const logger = createLogger('silent');
    const services = createAdmin({
      db,
      clock,
      logger,
      ...networkServices(createScanning(config, logger), config, db),
    });
    return await actAs(OPERATOR, () => work({ ...services, signInUrl: (token) => signInUrl(config, token) }));
  } catch (error) {
    throw await explainToOperator(error, db);
  } finally {
    await db.close();
  }
}

/** Replaces the message for clients about an unusable database by one for operators. */
export async function explainToOperator(error: unknown, db: Database): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'overloaded') return error;
  if ((await schemaStatus(db)) === 'behind') return new Error(SCHEMA_BEHIND, { cause: error });
  const reason = error.cause === undefined ? 'it does not answer' : findReason(error.cause);
  return new Error(`the database cannot be used: ${reason}`, { cause: error });
}

/** The message of the root cause, from the engine or the system. */
function findReason(error: unknown): string {
  // A name with several addresses fails with one error for each address.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  if (!(first instanceof Error)) return String(first);
  return first.cause instanceof Error ? findReason(first.cause) : first.message;
}
