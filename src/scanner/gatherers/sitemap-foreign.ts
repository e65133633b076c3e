import type { ForeignEntry, SitemapEntry, SitemapPart } from '../artifacts/sitemaps.js';
import { siteKey } from '../artifacts/site-address.js';
import { Addresses } from '../parsers/addresses.js';
import { parseRobots } from '../parsers/robots.js';
import { decodeBody } from '../parsers/text.js';
import { detectChallenge } from '../client/challenge.js';
import type { CollectContext } from '../probe/collector.js';
import { ROBOTS_BYTES_MAX } from '../artifacts/robots.js';

/** External hosts whose robots.txt is fetched. */
const HOSTS_MAX = 3;

/** Registrable domains whose pages the sitemap may list without permission. */
export type OwnSites = ReadonlySet<string>;

export function isOwn(url: URL, own: OwnSites): boolean {
  return own.has(siteKey(url));
}

/**
 * Finds entries on another registrable domain, one per host and file. They are permitted if that host's robots.txt names the sitemap
 * or its index (sitemaps.org, "Sitemaps & Cross Submits").
 */
export async function findForeignEntries(
  context: CollectContext,
  parts: readonly SitemapPart[],
  mapUrls: readonly URL[],
  own: OwnSites,
): Promise<ForeignEntry[]> {
  const foreign = parts.flatMap(({ child, url, file }) =>
    file.hosts
      .filter(({ entry }) => !isOwn(entry.url, own))
      .map(({ entry, count }) => ({ child, entry, count, names: [...mapUrls, url] })),
  );
  const isAsked = ({ entry: { url } }: { readonly entry: SitemapEntry }): boolean => !context.isPrivateLink(url);
  const asked = [...new Set(foreign.filter(isAsked).map(({ entry }) => entry.url.host))].slice(0, HOSTS_MAX);
  return Promise.all(
    foreign
      .filter((one) => !isAsked(one) || asked.includes(one.entry.url.host))
      .map(async ({ child, entry, count, names }) => ({
        child,
        position: entry.position,
        count,
        isPrivate: context.isPrivateLink(entry.url),
        isPermitted: context.isPrivateLink(entry.url) ? false : await isNamed(context, entry, names),
      })),
  );
}

async function isNamed(context: CollectContext, { url }: SitemapEntry, names: readonly URL[]): Promise<boolean | null> {
  const robotsUrl = new URL('/robots.txt', url);
  const fetched = await context.visit.fetch(robotsUrl, {
    bodyBytesMax: ROBOTS_BYTES_MAX,
    priority: 'sitemapEntries',
  });
  // Without a robots.txt, the entry is not permitted. Any other failure proves nothing.
  if ('failure' in fetched) return fetched.failure === 'name_not_found' ? false : null;
  if (detectChallenge(fetched.response) !== null) return null;
  const { status, body, isOverLimit } = fetched.response;
  if (status === 404 || status === 410) return false;
  if (status !== 200) return null;
  const wanted = new Set(names.map(nameKey));
  const { sitemaps } = parseRobots(decodeBody(body, null));
  const addresses = new Addresses(robotsUrl);
  for (const value of new Set(sitemaps.map((line) => line.value))) {
    const named = addresses.resolve(value);
    if (named !== null && wanted.has(nameKey(named))) return true;
  }
  return isOverLimit || addresses.isCut ? null : false;
}

/** Returns a key that ignores the scheme and `www.`. */
function nameKey({ host, pathname, search }: URL): string {
  return host.replace(/^www\./, '') + pathname + search;
}
