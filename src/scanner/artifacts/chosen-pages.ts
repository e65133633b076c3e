import { createHash } from 'node:crypto';

/**
 * What came of asking for a page that was chosen for the sample. One that cannot be read fails nothing: no check asks if a page is there,
 * the dead links that some judge are those that the site publishes, and this address stands in our settings alone. So it is left out, as
 * are other pages that turn out not to be any, and its owner is told why.
 */
const CHOSEN_OUTCOMES = {
  read: 'read',
  barred: 'not asked for: robots.txt bars this scanner from it',
  elsewhere: 'left out: it leads to another origin',
  same: 'left out: it leads to the home page, or to a page that is read already',
  status: 'left out: it is not there, or not for this scanner',
  other: 'left out: it is not an HTML page',
  challenged: 'left out: a bot challenge came in its place',
  unanswered: 'left out: no answer came',
  unasked: 'not asked for: the site has no home page that can be read',
  unneeded: 'not asked for: no check of this scan looks at pages',
  late: 'not asked for: the home page could not be read, or the time was up',
} as const;
export type ChosenOutcome = keyof typeof CHOSEN_OUTCOMES;

/** A page that was chosen, and what came of it. */
export interface ChosenPage {
  /** With its query, in normal form: words of the one who chose it. */
  readonly path: string;
  readonly came: ChosenOutcome;
  /** Where it was answered with no success. */
  readonly status?: number;
}

/** Which pages a run has looked at: kept alongside it, so that comparisons can tell. See `kindOfChange`. */
export interface SampledPages {
  readonly chosen: readonly ChosenPage[];
  /** Digests of the pages that were read, the home page not among them. */
  readonly read: readonly string[];
  /** Of those that the scanner reads by itself where none are chosen: what stands for the runs before the first choice. */
  readonly usual: readonly string[];
  /** By check, the pages that show its failure. One that the home page shows, or all pages together, is not among them. */
  readonly found: Readonly<Record<string, readonly string[]>>;
}

export function describeChosen({ came, status }: ChosenPage): string {
  return status === undefined ? CHOSEN_OUTCOMES[came] : `left out: it answers with status ${status}`;
}

/** The path of a page with its query, in normal form: what need not be escaped is not (RFC 3986 §6.2.2.2). */
export function pathOf({ pathname, search }: URL): string {
  return (pathname + search).replace(/%[\da-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : octet.toUpperCase();
  });
}

/** The same for all addresses of a page of this site: by either scheme, with `www.` or without. */
export function pageKey(url: URL, home: URL): string {
  return isSameHost(url, home) ? pathOf(url) : bareHost(url) + pathOf(url);
}

/** Whether hosts are the same but for `www.`. */
export function isSameHost(one: URL, other: URL): boolean {
  return bareHost(one) === bareHost(other);
}

function bareHost({ host }: URL): string {
  return host.replace(/^www\./, '');
}

/** Short, so that nothing of the site is kept; one slash at the end of a path makes no other page. */
export function pageDigest(url: URL, home: URL): string {
  return createHash('sha256').update(pageKey(url, home).replace(/\/$/, '')).digest('base64url').slice(0, 8);
}
