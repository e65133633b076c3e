import { AccountData, type AccountDataDeps } from '../../src/app/data/account-data.js';
import type { Housekeeping } from '../../src/app/data/housekeeping.js';
import { SiteRemoval, type SiteRemovalDeps } from '../../src/app/data/site-removal.js';
import { FEATURES } from '../../src/app/features.js';

/** Removes sites with what every feature keeps of them. */
export function siteRemoval(deps: Omit<SiteRemovalDeps, 'features'>): SiteRemoval {
  return new SiteRemoval({ ...deps, features: FEATURES });
}

/** The data of accounts with what every feature keeps of them. */
export function accountData(deps: Omit<AccountDataDeps, 'features'>): AccountData {
  return new AccountData({ ...deps, features: FEATURES });
}

/** Of every feature. */
export function housekeepingOf(evidenceDays: number): Housekeeping {
  return { features: FEATURES, evidenceDays };
}
