import { createAccounts } from './accounts/accounts.js';
import { applyPlanToSchedules, type Frequency, setSchedule } from './automation/schedules.js';
import type { Context } from './context.js';
import { exportAccount } from './data/exports.js';
import { createAccountRemoval, createSiteRemoval } from './data/removal.js';
import { createKeys } from './keys/keys.js';
import { excludeHost, includeHost, listExcludedHosts } from './sites/excluded-hosts.js';
import { createOwnership, type OwnershipContext } from './sites/ownership.js';
import type { SiteOfAccount } from './sites/site.js';
import { createSites } from './sites/sites.js';

export type AdminContext = Pick<
  Context,
  'db' | 'clock' | 'logger' | 'monthlyQuotaOverride' | 'sitesMaxOverride' | 'vetSite' | 'resolveTxt' | 'openVisit'
>;

/** Creates the services that pages and operator commands share. */
export function createAdmin(context: AdminContext, onFirstVerification?: OwnershipContext['onFirstVerification']) {
  return {
    accounts: createAccounts({ ...context, onPlanChanged: applyPlanToSchedules }),
    accountData: {
      ...createAccountRemoval(context),
      exportAll: (accountId: string) => exportAccount(context, accountId),
    },
    keys: createKeys(context),
    sites: createSites(context),
    siteRemoval: createSiteRemoval(context),
    setSchedule: (site: SiteOfAccount, frequency: Frequency | null) => setSchedule(context, site, frequency),
    ownership: createOwnership({ ...context, ...(onFirstVerification && { onFirstVerification }) }),
    excludedHosts: {
      add: (host: string) => excludeHost(context, host),
      remove: (host: string) => includeHost(context, host),
      list: () => listExcludedHosts(context.db),
    },
  };
}

export type Admin = ReturnType<typeof createAdmin>;
