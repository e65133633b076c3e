import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import type { Database } from '../store/database.js';
import { createAccounts } from './accounts/accounts.js';
import { verifyEvents, type VerifyEventsRequest } from './audit/verify-events.js';
import { bringForward } from './automation/bring-forward.js';
import { Schedules } from './automation/schedules.js';
import { AccountData } from './data/account-data.js';
import { SiteRemoval } from './data/site-removal.js';
import type { Kept } from './kept.js';
import { createKeys } from './keys/keys.js';
import type { RateLimits } from './limits/rate-limits.js';
import { verifyChains, type VerifyRequest } from './runs/verify-chains.js';
import { dropEvidence } from './evidence/evidence.js';
import { dropSharedReports } from './sharing/shared-reports.js';
import { ExcludedHosts } from './sites/excluded-hosts.js';
import { OwnershipOfMany } from './sites/ownership-of-many.js';
import { createOwnership, type OwnershipDeps } from './sites/ownership.js';
import { SiteLists } from './sites/site-lists.js';
import { SiteMail } from './sites/site-mail.js';
import { SiteTags } from './sites/site-tags.js';
import { createSites } from './sites/sites.js';

/** What the services work with that is not of the application. */
export interface AdminDeps extends Pick<OwnershipDeps, 'resolveTxt' | 'openVisit' | 'onFirstProof'> {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What each feature keeps. */
  readonly features: readonly Kept[];
  /** Whether the guard allows this origin to be added or scanned. */
  readonly vetSite: (origin: URL) => Promise<boolean>;
  /** The operator's, in place of what the plans say. */
  readonly monthlyQuotaOverride: number | null;
  readonly sitesMaxOverride: number | null;
  /** What the holders of accounts may ask for in a while; the operator at the terminal has no limits. */
  readonly rateLimits?: RateLimits;
}

/** The services that the operator's commands use too: of the application what visits no site by itself and shows no page. */
export function createAdmin(deps: AdminDeps) {
  const sites = createSites(deps);
  const ownership = createOwnership({ ...deps, sites });
  return {
    accounts: createAccounts({ ...deps, onPlanChanged: bringForward }),
    accountData: new AccountData(deps),
    keys: createKeys(deps),
    sites,
    siteLists: new SiteLists({ ...deps, sitesMaxOf: sites.sitesMaxOf }),
    siteTags: new SiteTags(deps),
    siteMail: new SiteMail(deps),
    siteRemoval: new SiteRemoval(deps),
    schedules: new Schedules(deps),
    ownership,
    ownershipOfMany: new OwnershipOfMany({ ...deps, sites, ownership }),
    excludedHosts: new ExcludedHosts({
      ...deps,
      *onOwnershipEnded(siteId) {
        yield* dropEvidence(siteId);
        yield* dropSharedReports(siteId);
      },
    }),
    /** Compares every stored run of one site, or of all, with its link. */
    verifyChains: (request: VerifyRequest) => verifyChains(deps.db, request),
    /** Compares every event of one account, or of all, with its link. */
    verifyEvents: (request: VerifyEventsRequest) => verifyEvents(deps.db, request),
  };
}

/** The services as others use them: by what they offer. */
export type Offered<Services> = {
  readonly [Name in keyof Services]: Services[Name] extends (...args: never[]) => unknown
    ? Services[Name]
    : Pick<Services[Name], keyof Services[Name]>;
};

export type Admin = Offered<ReturnType<typeof createAdmin>>;
