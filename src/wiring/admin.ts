import type { AdminServices } from '../cli/admin.js';
import type { Config } from '../config.js';
import { ServiceError } from '../platform/errors.js';
import { vetTarget } from '../net/vet-target.js';
import { systemClock as clock } from '../platform/clock.js';
import { createLogger, type Logger } from '../platform/logging.js';
import { createAccountData } from '../app/data/account-data.js';
import { SiteRemoval } from '../app/data/site-removal.js';
import { createAccounts } from '../app/accounts/accounts.js';
import { actAs, OPERATOR } from '../app/audit/actor.js';
import { FEATURES } from '../app/features.js';
import { verifyEvents } from '../app/audit/verify-events.js';
import { bringForward } from '../app/automation/bring-forward.js';
import { createSchedules } from '../app/automation/schedules.js';
import { verifyChains } from '../app/runs/verify-chains.js';
import { createKeys } from '../app/keys/keys.js';
import { createOwnership } from '../app/sites/ownership.js';
import type { RateLimits } from '../app/limits/rate-limits.js';
import { createSites } from '../app/sites/sites.js';
import type { Database } from '../store/database.js';
import { openDatabase } from '../store/open-database.js';
import { schemaStatus } from '../store/schema-status.js';
import type { ScanTarget } from '../scanner/client/visit.js';
import type { OpenedVisit } from '../scanner/scan/scan.js';
import { createScanning, type Scanning } from './scanning.js';
import { PROGRAM } from '../scanner/report/program.js';

export const SCHEMA_BEHIND = `the database lacks the current schema: run "${PROGRAM} migrate"`;

type OpenVisit = (target: ScanTarget, scanning: Scanning) => Promise<OpenedVisit> | OpenedVisit;

/** The services that need no API: those of the operator's commands, of the pages, and of the demonstration. */
export interface AccountServices extends Omit<AdminServices, 'signInUrl'> {
  /** Whether the guard allows this origin to be added or scanned. */
  readonly vetSite: (origin: URL) => Promise<boolean>;
}

export interface AccountServicesDeps {
  readonly db: Database;
  readonly logger: Logger;
  readonly scanning: Scanning;
  readonly openVisit: OpenVisit;
  /** The operator's, in place of what the plans say. */
  readonly overrides: Pick<Config, 'monthlyQuota' | 'sitesMax'>;
  /** What the holders of accounts may ask for in a while; the operator at the terminal has no limits. */
  readonly limits?: RateLimits;
}

export function createAccountServices(deps: AccountServicesDeps): AccountServices {
  const { db, logger, scanning, openVisit, overrides, limits } = deps;
  const vetSite = async (origin: URL): Promise<boolean> => (await vetTarget(scanning, origin)) === null;
  const sites = createSites({ db, clock, vetSite, sitesMaxOverride: overrides.sitesMax });
  return {
    accounts: createAccounts({ db, clock, onPlanChanged: bringForward }),
    accountData: createAccountData({ db, clock, logger, features: FEATURES }),
    keys: createKeys({ db, clock, monthlyQuotaOverride: overrides.monthlyQuota }),
    sites,
    siteRemoval: new SiteRemoval({ db, clock, features: FEATURES }),
    schedules: createSchedules({ db, clock }),
    verifyChains: (request) => verifyChains(db, request),
    verifyEvents: (request) => verifyEvents(db, request),
    ownership: createOwnership({
      sites,
      resolveTxt: (name) => scanning.resolver.resolveTxt(name),
      openVisit: async (target) => openVisit(target, scanning),
      ...(limits && { limits }),
    }),
    vetSite,
  };
}

/** Where a one-time sign-in link is used. */
export function signInUrl({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string {
  return `${publicUrl}/sign-in/${token}`;
}

/** Loaded where it is needed: the scanner is a third of the program, and few commands visit a site. */
const openVisit: OpenVisit = async (target, scanning) =>
  (await import('../scanner/scan/scanner.js')).openNetworkVisit(target, scanning);

/** Opens the database for one command of the operator. */
export async function withAdminServices<T>(config: Config, work: (services: AdminServices) => Promise<T>): Promise<T> {
  const db = await openDatabase(config.databaseUrl);
  try {
    const logger = createLogger('silent');
    const scanning = createScanning(config, logger);
    const services = createAccountServices({ db, logger, scanning, openVisit, overrides: config });
    return await actAs(OPERATOR, () => work({ ...services, signInUrl: (token) => signInUrl(config, token) }));
  } catch (error) {
    throw await explainToOperator(error, db);
  } finally {
    await db.close();
  }
}

/** What an operator can do about a database that cannot be used, in place of what a client is told. */
export async function explainToOperator(error: unknown, db: Database): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'overloaded') return error;
  if ((await schemaStatus(db)) === 'behind') return new Error(SCHEMA_BEHIND, { cause: error });
  const reason = error.cause === undefined ? 'it does not answer' : reasonOf(error.cause);
  return new Error(`the database cannot be used: ${reason}`, { cause: error });
}

/** The root cause, in the words of the engine or the system: for the operator. */
function reasonOf(error: unknown): string {
  // A name with several addresses fails with one error for each, without a common message.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  if (!(first instanceof Error)) return String(first);
  return first.cause instanceof Error ? reasonOf(first.cause) : first.message;
}
