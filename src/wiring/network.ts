import type { AdminDeps } from '../app/admin.js';
import type { Config } from '../config.js';
import { vetTarget } from '../net/vet-target.js';
import type { Scanning } from '../package/scanning.js';

type Overrides = Pick<Config, 'monthlyQuota' | 'sitesMax'>;

type NetworkAndOverrides = Omit<AdminDeps, 'db' | 'clock' | 'logger' | 'features' | 'rateLimits'>;

/** How services reach the network, and what the operator has them do otherwise than the plans say. */
export function networkOf(scanning: Scanning, { monthlyQuota, sitesMax }: Overrides): NetworkAndOverrides {
  return {
    vetSite: async (origin) => (await vetTarget(scanning, origin)) === null,
    resolveTxt: (name) => scanning.resolver.resolveTxt(name),
    // Loaded where it is needed: the scanner is a third of the program, and few commands visit a site.
    openVisit: async (target) => (await import('../scanner/scan/scanner.js')).openNetworkSession(target, scanning),
    monthlyQuotaOverride: monthlyQuota,
    sitesMaxOverride: sitesMax,
  };
}
