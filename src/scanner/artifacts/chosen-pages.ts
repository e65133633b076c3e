import { createHash } from 'node:crypto';

/**
 * A page that the user chose for the sample. An unreadable one fails no check, since only our settings link to it.
 */
export interface ChosenPage {
  /** Normalized path with query. User input: escape it. */
  readonly path: string;
  readonly came: 'read' | 'unread';
}

/** Pages that a run read, stored with it for comparisons. See `comparison.ts`. */
export interface SampledPages {
  readonly chosen: readonly ChosenPage[];
  /** Digests of the pages that were read, without the home page. */
  readonly read: readonly string[];
  /** Pages that the scanner reads if none are chosen. Used to compare with runs without chosen pages. */
  readonly usual: readonly string[];
  /** By check, the pages that show its failure. Without failures of the home page, or of all pages together. */
  readonly found: Readonly<Record<string, readonly string[]>>;
}

export function describeChosen({ came }: ChosenPage): string {
  return came === 'read'
    ? 'read'
    : 'not read: no check needed it, or it is not an HTML page of this site that answers and that robots.txt allows';
}

/** Returns the path with query, normalized so that nothing is escaped without need (RFC 3986 §6.2.2.2). */
export function pathOf({ pathname, search }: URL): string {
  return (pathname + search).replace(/%[\da-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(parseInt(octet.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : octet.toUpperCase();
  });
}

/** Returns a key of a page that ignores the scheme and `www.` on this site. */
export function pageKey(url: URL, home: URL): string {
  return isSameHost(url, home) ? pathOf(url) : bareHost(url) + pathOf(url);
}

/** True if the hosts are equal, ignoring `www.`. */
export function isSameHost(one: URL, other: URL): boolean {
  return bareHost(one) === bareHost(other);
}

function bareHost({ host }: URL): string {
  return host.replace(/^www\./, '');
}

/** Returns a short digest of a page, so that we do not store its path. Ignores a trailing slash. */
export function pageDigest(url: URL, home: URL): string {
  return createHash('sha256').update(pageKey(url, home).replace(/\/$/, '')).digest('base64url').slice(0, 8);
}
