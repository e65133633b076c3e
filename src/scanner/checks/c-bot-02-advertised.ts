import { CORE_TOKENS, isReaderOf, type CoreToken } from '../artifacts/agents.js';
import type { EvidenceMap } from '../artifacts/evidence.js';
import type { LlmsDocument } from '../artifacts/llms.js';
import type { Home } from '../artifacts/pages.js';
import type { RobotsFile, RobotsTxt } from '../artifacts/robots.js';
import {
  count,
  lineOf,
  findTerm,
  listSafeText,
  safeText,
  term,
  vocabularyOf,
  type SafeText,
} from '../artifacts/safe-text.js';
import { withoutFragment } from '../../net/url-gate.js';
import type { SitemapEntries } from '../artifacts/sitemaps.js';
import { isUnindexedByMeta, isUnindexedByTag } from '../parsers/headers.js';
import { decideUnanimously, isCertainlyAllowed, describeAgentGroups } from './bot-policy.js';

/** The lists of URLs that the site advertises to agents; null if there is none. */
interface Lists {
  readonly llms: EvidenceMap['llms'] | null;
  readonly document: LlmsDocument | null;
  readonly entries: SitemapEntries | null;
}

/** An advertised URL and its name in findings. */
interface Advertisement {
  readonly url: URL;
  readonly place: SafeText;
}

/** Agents that are known to read llms.txt. */
const LLMS_READERS = CORE_TOKENS.filter((token) => isReaderOf(token, 'llms.txt'));
const SITEMAP_READERS = CORE_TOKENS.filter((token) => isReaderOf(token, 'sitemap'));
/** Most addresses that are compared with the rules. Real: 252. */
const ADDRESSES_MAX = 300;

/** (b) The site advertises a same-origin URL to an agent that may fetch `/` but not that URL. */
export function findDisallowedAdvertisements(
  { robots, origin }: RobotsFile,
  { llms, document, entries }: Lists,
  reportedElsewhere: readonly CoreToken[],
): SafeText[] {
  const inLlms = [
    ...(llms?.kind === 'present' && !llms.value.isHtml
      ? [{ url: llms.value.url, place: safeText`llms.txt itself` }]
      : []),
    ...(document?.links ?? []).flatMap(({ url, line }) =>
      url === null ? [] : [{ url, place: safeText`${lineOf('llms.txt', line)} of llms.txt` }],
    ),
  ];
  const inSitemap = (entries?.probed ?? []).map(({ child, position, url }) => ({
    url,
    place: child === 0 ? safeText`sitemap entry ${position}` : safeText`entry ${position} of child sitemap ${child}`,
  }));
  const root = new URL('/', origin);
  const findForReaders = (readers: readonly CoreToken[], advertisements: readonly Advertisement[]) => {
    const sameOrigin = advertisements.filter(({ url }) => url.origin === origin.origin);
    return readers
      .filter((token) => isCertainlyAllowed(robots, token, root) && !reportedElsewhere.includes(token))
      .flatMap((token) => describeDisallowed(robots, token, sameOrigin) ?? []);
  };
  return describeAgentGroups(
    [...findForReaders(LLMS_READERS, inLlms), ...findForReaders(SITEMAP_READERS, inSitemap)],
    (what, agents) => safeText`robots.txt blocks ${agents} from ${what}.`,
  );
}

function describeDisallowed(robots: RobotsTxt, token: CoreToken, advertisements: readonly Advertisement[]) {
  const places = advertisements.slice(0, ADDRESSES_MAX).flatMap(({ url, place }) => {
    const { allowed, rule } = decideUnanimously(robots, token, url);
    if (!isReadBy(token, url) || allowed || rule === null) return [];
    return [safeText`${place} (blocked by ${lineOf('robots.txt', rule.line)})`];
  });
  if (places.length === 0) return null;
  const addresses = count(places.length, 'address', 'addresses');
  return { agent: term(token), what: safeText`${addresses} that the site lists: ${listSafeText(places)}` };
}

/** False for llms.txt and Markdown copies if the agent ignores them: many sites hide these duplicates from search engines. */
function isReadBy(token: CoreToken, { pathname }: URL): boolean {
  if (/\/llms(?:-full)?\.txt$/.test(pathname)) return isReaderOf(token, 'llms.txt');
  return !/\.md$/i.test(pathname) || isReaderOf(token, 'markdown');
}

const META_NAMES = vocabularyOf('robots', 'googlebot', 'bingbot');

/** (e) The home page is allowed and listed, but asks not to be indexed. */
export function findUnindexedHome(robots: RobotsTxt, home: Home, { document, entries }: Lists): SafeText[] {
  const isOpen = CORE_TOKENS.some((token) => isCertainlyAllowed(robots, token, home.url));
  const homeKey = withoutFragment(home.url);
  const isHome = (url: URL): boolean => withoutFragment(url) === homeKey;
  const isInLlms = document?.links.some(({ url }) => url !== null && isHome(url)) === true;
  const isInSitemap = entries?.parts.some(({ file }) => file.entries.some(({ url }) => isHome(url))) === true;
  if (!isOpen || (!isInLlms && !isInSitemap)) return [];
  // A noindex for one search engine contradicts the sitemap, but not llms.txt, which search engines do not read.
  const crawlers = new Set(isInSitemap ? SITEMAP_READERS.map((token) => token.toLowerCase()) : []);
  const byTag = home.robotsTags.some((value) => isUnindexedByTag(value, crawlers));
  const name = ['robots', ...crawlers].find((meta) => home.page?.metas.get(meta)?.some(isUnindexedByMeta));
  if (!byTag && name === undefined) return [];
  const source = isInSitemap ? safeText`the sitemap` : safeText`llms.txt`;
  const metaName = findTerm(name ?? '', META_NAMES) ?? term('robots');
  const where = byTag ? safeText`X-Robots-Tag header` : safeText`${metaName} meta tag`;
  return [safeText`The home page is open to agents and listed in ${source}, but its ${where} says noindex (or none).`];
}
