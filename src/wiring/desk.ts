import type { AtDesk, Desk } from '../cli/desk.js';
import { readConfig } from '../config.js';
import { ServiceError } from '../domain/errors.js';
import { vetTarget } from '../gather/guard/vet-target.js';
import { systemClock as clock } from '../platform/clock.js';
import { createLogger } from '../platform/logging.js';
import { openNetworkVisit } from '../scan/scanner.js';
import { createAccounts } from '../service/accounts.js';
import { createKeys } from '../service/keys.js';
import { createOwnership } from '../service/ownership.js';
import { createSites } from '../service/sites.js';
import type { Database } from '../store/database.js';
import { openDatabase } from '../store/open-database.js';
import { schemaStatus } from '../store/schema-status.js';
import { createScanning, type Scanning } from './scanning.js';

export const SCHEMA_BEHIND = 'the database lacks the current schema: run "agent-readiness migrate"';

/** The services that need no API: those of the operator's commands, and of the demonstration. */
export function createDesk(db: Database, scanning: Scanning): Omit<Desk, 'signInUrl'> {
  const sites = createSites({ db, clock, vetSite: async (origin) => (await vetTarget(scanning, origin)) === null });
  return {
    accounts: createAccounts({ db, clock }),
    keys: createKeys({ db, clock }),
    sites,
    ownership: createOwnership({
      sites,
      resolveTxt: (name) => scanning.resolver.resolveTxt(name),
      openVisit: (target) => openNetworkVisit(target, scanning),
    }),
  };
}

/** Opens the database for one command of the operator. */
export const atDesk: AtDesk = async (work) => {
  const config = readConfig();
  const db = await openDatabase(config.databaseUrl);
  try {
    const desk = createDesk(db, createScanning(config, createLogger('silent')));
    return await work({ ...desk, signInUrl: (token) => `${config.publicUrl}/sign-in/${token}` });
  } catch (error) {
    throw await explainToOperator(error, db);
  } finally {
    await db.close();
  }
};

/** What an operator can do about a database that cannot be used, in place of what a client is told. */
async function explainToOperator(error: unknown, db: Database): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'overloaded') return error;
  if ((await schemaStatus(db)) === 'behind') return new Error(SCHEMA_BEHIND, { cause: error });
  const reason = error.cause instanceof Error ? error.cause.message : 'it does not answer';
  return new Error(`the database cannot be used: ${reason}`, { cause: error });
}
