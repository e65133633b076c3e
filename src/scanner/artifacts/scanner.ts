/** Product token of this scanner in robots.txt (RFC 9309 §2.2.1), and the start of its User-Agent. */
export const SCANNER_TOKEN = 'AgentReadinessScan';

/**
 * Returns the scanner's own User-Agent. `infoUrl` is the page that explains the scanner. The version changes with the scanner's behaviour,
 * not with the package.
 */
export function scannerUserAgent(infoUrl?: URL | string): string {
  const product = `${SCANNER_TOKEN}/1.0`;
  return infoUrl === undefined ? product : `${product} (+${String(infoUrl)})`;
}

/** The path of the page that explains the scanner; see {@link scannerUserAgent}. */
export const SCANNER_INFO_PATH = '/about';

/** Limits of one run, which the page about the scanner publishes to site owners. */
export const SCAN_LIMITS = {
  runMs: 45_000,
  /** Includes redirects and retries. */
  requestsMax: 150,
  /** All bytes that servers send, before decompression. */
  wireBytesMax: 64 * 1_048_576,
  redirectsMax: 5,
  /** Total time that a run may wait for request slots. Does not count towards `runMs`. */
  slotWaitMs: 20_000,
  /** Concurrent requests of all runs to one IP address. Each run may always send one. */
  addressRequestsMax: 8,
  /** The same for one run, after the first 429 or 503. */
  slowAddressRequestsMax: 2,
  /** Requests to hosts outside the site's registrable domain. */
  externalRequestsMax: 10,
  /** Requests with the User-Agents of other agents, and those with our own for comparison. */
  namedRequestsMax: 24,
  /** Requests of all anonymous scans to one registrable domain per hour. */
  anonymousToDomainMax: 1500,
  /** Requests of all anonymous scans to one IP address per second, after a burst of two whole scans. */
  anonymousPerSecond: 3,
  anonymousBurst: 300,
  /** Total time that an anonymous scan may wait for this rate limit. Does not count towards `runMs`. */
  paceMs: 120_000,
  /** Pages read besides the home page, unless the user chose more. */
  otherPagesMax: 3,
  /** Pages that the user may choose. They are read first. */
  chosenPagesMax: 5,
  /** URLs tried to find the other pages, not counting chosen ones. Some are not pages. */
  otherPagesTriedMax: 6,
  /** Pages requested again as Markdown, including the home page. */
  markdownPagesMax: 3,
  /** Maximum URLs of each kind that are requested. */
  llmsLinksMax: 20,
  sitemapEntriesMax: 12,
  sameAsMax: 5,
} as const;
