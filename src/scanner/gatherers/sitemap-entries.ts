import { found, missing, valueOf } from '../artifacts/evidence.js';
import type {
  BrokenChild,
  FoundSitemap,
  ProbedEntry,
  SitemapEntries,
  SitemapEntry,
  SitemapPart,
  ExternalEntry,
} from '../artifacts/sitemaps.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { siteKey, withoutFragment, bareHost } from '../../net/url-gate.js';
import { sampleByWeight, sampleEvenly } from './sample.js';
import { safeText } from '../artifacts/safe-text.js';
import { isUnindexedByMeta, isUnindexedByTag } from '../parsers/headers.js';
import { readHeadMetas } from '../parsers/verification-meta.js';
import { isHtmlBody } from '../probe/outcome.js';
import type { CollectContext, Collector } from '../probe/context.js';
import { readSitemap } from './sitemaps.js';
import { distinctBy } from '../../net/keyed.js';
import { headOf, decodeBody } from '../parsers/text.js';
import { parseHttpUrl } from '../parsers/addresses.js';
import { parseRobots } from '../parsers/robots.js';
import { ROBOTS_BYTES_MAX } from '../artifacts/robots.js';

const PROBE = { priority: 'sitemapEntries' } as const;
/** Bytes of a page that are searched for robots meta elements. */
const HEAD_BYTES_MAX = 65_536;
const NO_CRAWLER: ReadonlySet<string> = new Set();

const CHILDREN_MAX = 3;

/** Reads up to 3 children of a sitemap index, and requests 12 of the listed pages. */
export const collectSitemapEntries: Collector<'sitemapEntries'> = async (context) => {
  const sitemap = valueOf(await context.evidence('sitemap'))?.found ?? null;
  if (sitemap === null) {
    return missing(
      'NOT_APPLICABLE',
      safeText`There is no sitemap that can be read (see C-SITE-01), so there are no entries to check.`,
    );
  }
  // robots.txt may name a sitemap on another host, whose site may list its own pages.
  const own = new Set([context.target.origin, sitemap.requestedUrl, sitemap.url].map(siteKey));
  const children = await readChildren(context, sitemap, own);
  const parts = [{ child: 0, url: sitemap.url, file: sitemap.file }, ...children.flatMap(({ part }) => part ?? [])];
  const [external, probed] = await Promise.all([
    findExternalEntries(context, parts, [sitemap.requestedUrl, sitemap.url], own),
    probeEntries(context, parts, own),
  ]);
  return found<SitemapEntries>({
    parts,
    brokenChildren: children.flatMap(({ broken }) => broken ?? []),
    unknownChildCount: children.filter(({ part, broken }) => !part && !broken).length,
    external,
    probed,
  });
};

/** A child sitemap that was read, or is broken. Has neither property if its state is unknown. */
interface Child {
  readonly part?: SitemapPart;
  readonly broken?: BrokenChild;
}

async function readChildren(context: CollectContext, sitemap: FoundSitemap, own: OwnSites): Promise<Child[]> {
  if (sitemap.file.kind !== 'index') return [];
  const children = distinctBy(sitemap.file.entries, ({ url }) => withoutFragment(url));
  const ownChildren = children.filter(({ url }) => isOwn(url, own));
  return Promise.all(sampleEvenly(ownChildren, CHILDREN_MAX).map((child) => readChild(context, child)));
}

async function readChild(context: CollectContext, { position, url }: SitemapEntry): Promise<Child> {
  const read = await readSitemap(context, url, 'sitemapEntries');
  // A server that refuses us proves nothing about its sitemap.
  if (read.kind === 'unknown' || read.kind === 'blocked') return {};
  const broken = (reason: BrokenChild['reason']): Child => ({ broken: { child: position, reason } });
  if (read.kind !== 'present') return broken(read.kind);
  const { reading, url: finalUrl } = read.value;
  if ('problem' in reading) return broken(reading.problem);
  return reading.file.kind === 'index'
    ? broken('nested')
    : { part: { child: position, url: finalUrl, file: reading.file } };
}

/** Requests evenly spaced pages. Each part's share depends on the entries that it contains, not on those that we stored. */
async function probeEntries(
  context: CollectContext,
  parts: readonly SitemapPart[],
  own: OwnSites,
): Promise<ProbedEntry[]> {
  const pages = parts.filter(({ file }) => file.kind !== 'index');
  const weighted = pages.flatMap(({ child, file }) =>
    distinctBy(file.entries, ({ url }) => withoutFragment(url))
      .filter(({ url }) => isOwn(url, own))
      .map((entry, _, { length }) => ({ child, ...entry, weight: file.entryCount / length })),
  );
  return Promise.all(
    sampleByWeight(weighted, SCAN_LIMITS.sitemapEntriesMax).map(async ({ child, position, url }) => {
      const state = await context.probeLink(url, PROBE);
      const isUnindexed = state === 'alive' && (await isNoindex(context, url));
      return { child, position, url, state, isUnindexed };
    }),
  );
}

/** True if the page excludes itself from search indexes. Uses the cached response. */
async function isNoindex({ visit }: CollectContext, url: URL): Promise<boolean> {
  const fetched = await visit.fetch(url, PROBE);
  if ('failure' in fetched) return false;
  const { headers, body } = fetched.response;
  if (headers.all('x-robots-tag').some((value) => isUnindexedByTag(value, NO_CRAWLER))) return true;
  if (!isHtmlBody(fetched.response)) return false;
  const head = headOf(body, HEAD_BYTES_MAX).toString('latin1');
  return readHeadMetas(head, 'robots').some(isUnindexedByMeta);
}

const EXTERNAL_HOSTS_MAX = 3;

/** Registrable domains whose pages the sitemap may list without permission. */
type OwnSites = ReadonlySet<string>;

function isOwn(url: URL, own: OwnSites): boolean {
  return own.has(siteKey(url));
}

/**
 * Finds entries on another registrable domain, one per host and file. They are permitted if that host's robots.txt names the sitemap
 * or its index (sitemaps.org, "Sitemaps & Cross Submits").
 */
async function findExternalEntries(
  context: CollectContext,
  parts: readonly SitemapPart[],
  sitemapUrls: readonly URL[],
  own: OwnSites,
): Promise<ExternalEntry[]> {
  const external = parts.flatMap(({ child, url: sitemapUrl, file }) =>
    file.hosts
      .filter(({ url }) => !isOwn(url, own))
      .map((entry) => ({ ...entry, child, sitemapUrl, isPrivate: context.isPrivateLink(entry.url) })),
  );
  const hosts = new Set(external.filter(({ isPrivate }) => !isPrivate).map(({ url }) => url.host));
  const requestedHosts = [...hosts].slice(0, EXTERNAL_HOSTS_MAX);
  const judged = external.filter(({ url, isPrivate }) => isPrivate || requestedHosts.includes(url.host));
  return Promise.all(
    judged.map(async ({ child, position, url, sitemapUrl, isPrivate }) => {
      const isPermitted = isPrivate ? false : await isNamedInRobots(context, url, [...sitemapUrls, sitemapUrl]);
      return { child, position, isPrivate, isPermitted };
    }),
  );
}

/** True if the robots.txt of this URL's host names one of the sitemaps; null if that is unknown. */
async function isNamedInRobots(
  context: CollectContext,
  url: URL,
  sitemapUrls: readonly URL[],
): Promise<boolean | null> {
  const robotsUrl = new URL('/robots.txt', url);
  const fetched = await context.visit.fetch(robotsUrl, {
    bodyBytesMax: ROBOTS_BYTES_MAX,
    priority: 'sitemapEntries',
  });
  // Without a robots.txt, the entry is not permitted. Any other failure proves nothing.
  if ('failure' in fetched) return fetched.failure === 'name_not_found' ? false : null;
  if (fetched.response.challenge !== null) return null;
  const { status, body, isOverLimit } = fetched.response;
  if (status === 404 || status === 410) return false;
  if (status !== 200) return null;
  const wanted = new Set(sitemapUrls.map(sitemapKey));
  const values = new Set(parseRobots(decodeBody(body, null)).sitemaps.map(({ value }) => value));
  const isWanted = (named: URL | null): boolean => named !== null && wanted.has(sitemapKey(named));
  if ([...values].some((value) => isWanted(parseHttpUrl(value, robotsUrl)))) return true;
  return isOverLimit ? null : false;
}

/** Returns a key that ignores the scheme and `www.`. */
function sitemapKey(url: URL): string {
  return bareHost(url) + url.pathname + url.search;
}
