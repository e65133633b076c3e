/** Product token of this scanner in robots.txt (RFC 9309 §2.2.1), and the start of its User-Agent. */
export const SCANNER_TOKEN = 'AgentReadinessScan';

/**
 * Returns the scanner's own User-Agent, with the URL of the page that explains it, if there is one. The version is that of the scanner's
 * behaviour, not of the package.
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
  /** Total time that a run may wait for slots of other runs; its clock is paused. */
  holdMs: 20_000,
  /** Requests of all runs in flight to one IP address; each run may always have one. */
  addressRequestsMax: 8,
  /** The same for one run, after the first 429 or 503. */
  slowAddressRequestsMax: 2,
  /** Requests to hosts outside the site's registrable domain. */
  externalRequestsMax: 10,
  /** Requests under other agents' names, including those under our own name for comparison. */
  namedRequestsMax: 24,
  /** Requests of all anonymous scans to one registrable domain per hour. */
  anonymousToDomainMax: 1500,
  /** Requests of all anonymous scans to one IP address per second, after a burst of two whole scans. */
  anonymousPerSecond: 3,
  anonymousBurst: 300,
  /** Total time that an anonymous scan may wait for this rate limit; its clock is paused. */
  paceMs: 120_000,
  /** Pages read besides the home page, unless more were chosen. */
  otherPagesMax: 3,
  /** Pages that may be chosen to come first. */
  chosenPagesMax: 5,
  /** URLs tried to find these, besides the chosen ones, since some are not pages. */
  otherPagesTriedMax: 6,
  /** Pages requested again as Markdown, including the home page. */
  markdownPagesMax: 3,
  /** URLs of each kind that are followed. */
  llmsLinksMax: 20,
  sitemapEntriesMax: 12,
  sameAsMax: 5,
} as const;
