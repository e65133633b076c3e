import type { Context } from '../app/context.js';
import type { Config } from '../config.js';
import { listExcludedHosts } from '../app/sites/excluded-hosts.js';
import { vetTarget } from '../net/guard.js';
import type { Scanning } from '../package/scanning.js';
import type { ScanTarget } from '../scanner/client/visit.js';
import type { Database } from '../store/database.js';

/** Creates the parts of the context that reach the network, with the operator's overrides of the plans. */
export function networkServices(
  scanning: Scanning,
  { monthlyQuota, sitesMax }: Pick<Config, 'monthlyQuota' | 'sitesMax'>,
  db: Database,
): Pick<Context, 'vetSite' | 'resolveTxt' | 'openVisit' | 'monthlyQuotaOverride' | 'sitesMaxOverride'> {
  return {
    vetSite: async (origin) => (await vetTarget(scanning, origin)) === null,
    resolveTxt: (name) => scanning.resolver.resolveTxt(name),
    // Loaded on use: the scanner is a third of the program, and few commands visit a site.
    openVisit: async (target) => {
      const { openNetworkSession } = await import('../scanner/scan/scanner.js');
      return openNetworkSession(await withExcludedHosts(target, db), scanning);
    },
    monthlyQuotaOverride: monthlyQuota,
    sitesMaxOverride: sitesMax,
  };
}

/** Reads the excluded hosts for one scan, so that none of its requests goes there. */
export async function withExcludedHosts(target: ScanTarget, db: Database): Promise<ScanTarget> {
  return { ...target, excludedHosts: (await listExcludedHosts(db)).map(({ host }) => host) };
}
