import { createAdmin } from '../app/admin.js';
import { actAs, OPERATOR } from '../app/audit/audit.js';
import { type RevokedAccess, revokeAccess } from '../app/data/revoke-access.js';
import { listExcludedHosts } from '../app/sites/excluded-hosts.js';
import type { AdminServices } from '../cli/admin.js';
import type { Restored, RestoreRequest } from '../cli/service.js';
import type { Config } from '../config.js';
import { vetTarget } from '../net/guard.js';
import { createScanning, type Scanning } from '../package/scanning.js';
import { systemClock as clock } from '../platform/clock.js';
import { InputError, ServiceError } from '../platform/errors.js';
import { createLogger } from '../platform/logging.js';
import type { ScanTarget } from '../scanner/client/visit.js';
import { PROGRAM } from '../scanner/report/program.js';
import { restoreDatabase } from '../store/backup.js';
import type { Database } from '../store/database.js';
import { assertGuarded, openDatabase, refuseOtherSchema, schemaStatus } from '../store/open.js';

export const SCHEMA_BEHIND = `the database lacks the current schema: run "${PROGRAM} migrate"`;

export function signInUrl({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string {
  return `${publicUrl}/sign-in/${token}`;
}

/**
 * Opens the database for one operator command.
 * @throws InputError for a database of another version
 */
export async function withAdminServices<T>(config: Config, work: (services: AdminServices) => Promise<T>): Promise<T> {
  return withDatabase(config.databaseUrl, async (db) => {
    await refuseOtherSchema(db);
    const logger = createLogger('silent');
    const network = networkServices(createScanning(config, logger), config, db);
    const services = createAdmin({ db, clock, logger, ...network });
    return actAs(OPERATOR, () => work({ ...services, signInUrl: (token) => signInUrl(config, token) }));
  });
}

/** Creates the parts of the context that reach the network, and the operator's overrides of plan limits. */
export function networkServices(scanning: Scanning, { monthlyQuota, sitesMax }: Config, db: Database) {
  return {
    vetSite: async (origin: URL): Promise<boolean> => (await vetTarget(scanning, origin)) === null,
    resolveTxt: (name: string): Promise<readonly string[]> => scanning.resolver.resolveTxt(name),
    // Loads the scanner on use: it is a third of the program, and few commands visit a site.
    openVisit: async (target: ScanTarget) => {
      const { openNetworkSession } = await import('../scanner/scan/scanner.js');
      return openNetworkSession(await withExcludedHosts(target, db), scanning);
    },
    monthlyQuotaOverride: monthlyQuota,
    sitesMaxOverride: sitesMax,
  };
}

/** Adds the excluded hosts to the target, so that no request of the scan goes there. */
export async function withExcludedHosts(target: ScanTarget, db: Database): Promise<ScanTarget> {
  return { ...target, excludedHosts: (await listExcludedHosts(db)).map(({ host }) => host) };
}

/** Replaces the message for clients about an unusable database with one for operators. */
async function withDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(url);
  try {
    return await work(db);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'overloaded') throw error;
    if ((await schemaStatus(db)) === 'behind') throw new Error(SCHEMA_BEHIND, { cause: error });
    const reason = error.cause === undefined ? 'it does not answer' : findReason(error.cause);
    throw new Error(`the database cannot be used: ${reason}`, { cause: error });
  } finally {
    await db.close();
  }
}

/** Returns the message of the root cause, from the engine or the system. */
function findReason(error: unknown): string {
  // A name with several addresses fails with one error for each address.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  if (!(first instanceof Error)) return String(first);
  return first.cause instanceof Error ? findReason(first.cause) : first.message;
}

/**
 * Restores a backup, and revokes the access that it would bring back.
 * @throws InputError if the engine needs other arguments, or for another version's database or backup
 */
export async function restore({ databaseUrl }: Config, { file, keepsKeys }: RestoreRequest): Promise<Restored> {
  const isSqlite = databaseUrl.startsWith('sqlite:');
  if (isSqlite && file === null) throw new InputError('The database is SQLite: name the backup to restore.');
  if (!isSqlite && file !== null) {
    throw new InputError(
      'The database is PostgreSQL: restore it with pg_restore or recovery, then use --after-pg-restore.',
    );
  }
  await withDatabase(databaseUrl, refuseOtherSchema);
  if (file === null) return { replaced: null, ...(await revokeAccessAt(databaseUrl, keepsKeys)) };
  const { replaced, prepared } = await restoreDatabase(databaseUrl, {
    file,
    now: clock.now(),
    prepare: (copyUrl) => revokeAccessAt(copyUrl, keepsKeys),
  });
  return { replaced, ...prepared };
}

function revokeAccessAt(url: string, keepsKeys: boolean): Promise<RevokedAccess> {
  return withDatabase(url, async (db) => {
    if ((await schemaStatus(db)) === 'behind') throw new Error(SCHEMA_BEHIND);
    await assertGuarded(db);
    return revokeAccess({ db, clock }, keepsKeys);
  });
}
