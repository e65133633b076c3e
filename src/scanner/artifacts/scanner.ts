/** The name of this scanner: its product token for robots.txt (RFC 9309 §2.2.1), and the start of its User-Agent. */
export const SCANNER_TOKEN = 'AgentReadinessScan';

/**
 * The User-Agent of every request: the scanner's own honest name, with the URL of the page that explains it, if there is one. The
 * version is that of the scanner's behaviour, not of the package.
 */
export function scannerUserAgent(infoUrl?: URL | string): string {
  const product = `${SCANNER_TOKEN}/1.0`;
  return infoUrl === undefined ? product : `${product} (+${String(infoUrl)})`;
}

/** The path of the page that explains the scanner; see {@link scannerUserAgent}. */
export const SCANNER_INFO_PATH = '/about';

/** The most that one run may demand of a site; the page about the scanner publishes these limits to site owners. */
export const SCAN_LIMITS = {
  runMs: 45_000,
  /** Includes redirects and second tries. */
  requestsMax: 150,
  /** Everything that servers send, measured on the wire. */
  wireBytesMax: 64 * 1_048_576,
  redirectsMax: 5,
  /** How long a run may wait in all for slots that other runs hold; its own time stands still meanwhile. */
  holdMs: 20_000,
  /** Requests in flight to one IP address, of all runs together; each run may always have one. */
  addressRequestsMax: 8,
  /** The same for one run, after the first 429 or 503. */
  slowAddressRequestsMax: 2,
  /** Requests to hosts outside the site's registrable domain. */
  foreignRequestsMax: 10,
  /** Requests under other agents' names and, to compare, under our own again: no site is to be knocked at any more than that. */
  namedRequestsMax: 24,
  /** Requests to one registrable domain in an hour, of all scans together that anybody may ask for. */
  strangersToDomainMax: 1500,
  /** Requests to one IP address a second, of the same scans, and how many may come at once before: two whole scans. */
  strangersPerSecond: 3,
  strangersBurst: 300,
  /** How long such a scan may wait in all for its turns at an address; its time stands still meanwhile. */
  paceMs: 120_000,
  /** Pages read besides the home page, unless more were chosen. */
  otherPagesMax: 3,
  /** Pages that may be chosen to come first. */
  chosenPagesMax: 5,
  /** Addresses tried to find these besides the chosen ones, since some turn out not to be pages. */
  otherPagesTriedMax: 6,
  /** Pages requested again as Markdown, including the home page. */
  markdownPagesMax: 3,
  /** How many addresses of each advertised kind are followed. */
  llmsLinksMax: 20,
  sitemapEntriesMax: 12,
  sameAsMax: 5,
} as const;
