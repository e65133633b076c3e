/** The name of this scanner: its product token for robots.txt (RFC 9309 §2.2.1), and the start of its User-Agent. */
export const SCANNER_TOKEN = 'AgentReadinessScan';

/**
 * The User-Agent that every request carries: the scanner's own honest name, with the page that explains it where there is one.
 * The version is the scanner's behaviour, not the package's.
 */
export function scannerUserAgent(infoUrl?: URL | string): string {
  const product = `${SCANNER_TOKEN}/1.0`;
  return infoUrl === undefined ? product : `${product} (+${String(infoUrl)})`;
}

/** Where a service explains its scanner: the path of {@link scannerUserAgent}'s page. */
export const SCANNER_INFO_PATH = '/about';

/** What one run may take of a site: the page about the scanner tells it to those whose site is visited. */
export const SCAN_LIMITS = {
  runMs: 45_000,
  /** Redirects and second tries count. */
  requestsMax: 150,
  /** All that servers send, as it is on the wire. */
  wireBytesMax: 64 * 1_048_576,
  redirectsMax: 5,
  /** At the same time to one host, of all runs of one process together. */
  hostRequestsMax: 8,
  /** The same after the first 429 or 503. */
  slowHostRequestsMax: 2,
  /** Pages that are read beside the home page. */
  otherPagesMax: 3,
  /** Addresses that are asked for to find these, since some turn out to be no page. */
  otherPagesTriedMax: 6,
  /** Pages that are asked for once more as Markdown, the home page among them. */
  markdownPagesMax: 3,
  /** Of each kind of address that a site advertises, how many are followed. */
  llmsLinksMax: 20,
  sitemapEntriesMax: 12,
  sameAsMax: 5,
} as const;
