import { bareHost, isSameHost } from '../../net/url-gate.js';

/** A page that the user chose for the sample. An unreadable one fails no check, since only our settings link to it. */
export interface ChosenPage {
  /** Normalized path with query. User input: escape it. */
  readonly path: string;
  readonly came: 'read' | 'unread';
}

/** The chosen pages of a run, stored with it for comparisons. See `comparison.ts`. */
export interface SampledPages {
  readonly chosen: readonly ChosenPage[];
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
