import { type Network, networksOfAddress, subjectOfAddress } from '../../platform/client-address.js';
import { describeWait, TooSoonError } from '../../platform/input-error.js';
import { SCAN_LIMITS } from '../../scanner/artifacts/scanner.js';
import { siteKey } from '../../scanner/artifacts/site-address.js';
import type { JudgeUse, RateLimits, RateWindow, SharedWindow, TakenTogether } from '../limits/rate-limits.js';
import type { SiteAddress } from '../sites/site-input.js';
import { findStarved } from '../limits/starved-scans.js';
import { refusalByBudget } from './fair-budget.js';

const HOUR_MS = 3_600_000;

/** Fresh scans an hour for one address, single checks among them. */
export const ADDRESS_SCANS_MAX = 10;

/** The same of one host, over all who ask. An owner's runs and checks are not among them. */
export const HOST_SCANS_MAX = 10;

/** The names of the limits, as the windows store them. */
const SCOPES = {
  address: 'free-scan',
  host: 'host-scans',
  domain: 'stranger-requests',
  all: 'free-scans',
  network: 'free-scan-networks',
} as const;

/** What one scan without a key takes of the limits of its hour. */
export class FreeScanCharges {
  private constructor(private readonly taken: TakenTogether) {}

  /**
   * Takes of all limits at once, and of the requests to the site's domain as many as a scan may make.
   * @throws TooSoonError when one of them has none left: then nothing is taken
   */
  static async take(rateLimits: RateLimits, site: SiteAddress, clientAddress: string): Promise<FreeScanCharges> {
    const networks = networksOfAddress(clientAddress);
    const windows = windowsOf(site, clientAddress, networks);
    const judge: JudgeUse = (used, [retryAfterS = 1]) => {
      const refusal = describeRefusal(used, site, networks);
      return refusal === null
        ? null
        : new TooSoonError(`${refusal} Try again in ${describeWait(retryAfterS)}.`, retryAfterS);
    };
    return new FreeScanCharges(await rateLimits.takeTogether(windows, judge));
  }

  /**
   * Keeps what the scan really cost. One that asked no site costs the limit of its caller's address alone.
   * @param requestCount how many requests reached the site
   */
  settle(requestCount: number): Promise<void> {
    return requestCount === 0 ? this.taken.keepOnly({ [SCOPES.address]: 1 }) : this.#keepScan(requestCount);
  }

  /**
   * Gives back what a scan that failed held. Never rejects. One that was starved stays counted, since sites that share an address can
   * starve each other's scans at will; but of the domain's requests it keeps only those that it made.
   */
  fail(error: unknown): Promise<void> {
    const starved = findStarved(error);
    return starved ? this.#keepScan(starved.siteRequestCount) : this.giveBack();
  }

  /** Gives back everything that is still held. Never rejects. */
  giveBack(): Promise<void> {
    return this.taken.keepOnly({});
  }

  #keepScan(requestCount: number): Promise<void> {
    const one = { [SCOPES.address]: 1, [SCOPES.host]: 1, [SCOPES.all]: 1, [SCOPES.network]: 1 };
    return this.taken.keepOnly({ ...one, [SCOPES.domain]: requestCount });
  }
}

/**
 * Takes one of the requests that strangers' scans may make to a registrable domain in this hour, for a request to the site of somebody who
 * is not being scanned. Never rejects: without the database none is made.
 */
export async function takeRequestTo(rateLimits: RateLimits, domain: string): Promise<boolean> {
  const limit = SCAN_LIMITS.strangersToDomainMax;
  const { isTaken } = await rateLimits.take({ ...windowOfDomain(domain), limit }).catch(() => ({ isTaken: false }));
  return isTaken;
}

/** In the order in which `describeRefusal` reads them. What all share is first: see `takeTogether`. */
function windowsOf(
  { origin, hostname }: SiteAddress,
  clientAddress: string,
  networks: readonly Network[],
): [SharedWindow, ...SharedWindow[]] {
  const one = { windowMs: HOUR_MS, count: 1 };
  return [
    { scope: SCOPES.all, subject: 'all', ...one },
    { scope: SCOPES.address, subject: subjectOfAddress(clientAddress), ...one },
    { scope: SCOPES.host, subject: hostname, ...one },
    { ...windowOfDomain(siteKey(origin)), count: SCAN_LIMITS.requestsMax },
    ...networks.map(({ prefix }) => ({ scope: SCOPES.network, subject: prefix, ...one })),
  ];
}

function windowOfDomain(domain: string): RateWindow {
  return { scope: SCOPES.domain, subject: domain, windowMs: HOUR_MS };
}

/** @param used of each window */
function describeRefusal(
  [all = 0, address = 0, host = 0, domain = 0, ...ofNetworks]: readonly number[],
  { origin, hostname }: SiteAddress,
  networks: readonly Network[],
): string | null {
  if (address >= ADDRESS_SCANS_MAX) {
    return `Your network address has used up its ${ADDRESS_SCANS_MAX} free scans of this hour.`;
  }
  if (host >= HOST_SCANS_MAX) return `${hostname} has been scanned ${HOST_SCANS_MAX} times in this hour.`;
  if (domain + SCAN_LIMITS.requestsMax > SCAN_LIMITS.strangersToDomainMax) {
    return `${siteKey(origin)} and the hosts beneath it have had all requests of free scans for this hour.`;
  }
  const budget = networks.map(({ bits }, index) => ({ bits, used: ofNetworks[index] ?? 0 }));
  switch (refusalByBudget(all, budget)) {
    case 'all are taken':
      return 'All free scans of this hour are used up, for everyone.';
    case 'network':
      return 'The network of your address has used up its share of the free scans of this hour.';
    case null:
      return null;
  }
}
