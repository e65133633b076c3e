import { CORE_TOKENS, isReaderOf, type CoreToken } from '../artifacts/agents.js';
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
import type { ProbedEntry } from '../artifacts/sitemaps.js';
import { countRules } from '../parsers/robots.js';
import { isUnindexedByMeta, isUnindexedByTag } from '../parsers/headers.js';
import { decideUnanimously, isCertainlyAllowed, groupsByView, describeAgentGroups } from './bot-policy.js';

/** The URLs that the site advertises to agents. */
export interface Advertised {
  /** The llms.txt that the checks read; null if there is none. */
  readonly llmsTxt: URL | null;
  readonly llmsLinks: readonly { readonly line: number; readonly url: URL }[];
  /** The sampled entries of the sitemap. */
  readonly sampledEntries: readonly ProbedEntry[];
  /** Every stored sitemap entry, including the sampled ones. */
  readonly listedEntries: readonly URL[];
}

/** An advertised URL and its name in findings. */
interface Advertisement {
  readonly url: URL;
  readonly place: SafeText;
}

const LLMS_READERS = CORE_TOKENS.filter((token) => isReaderOf(token, 'llms.txt'));
const SITEMAP_READERS = CORE_TOKENS.filter((token) => isReaderOf(token, 'sitemap'));
/** Maximum product of rules and URLs, exceeded only if robots.txt and llms.txt are both huge. */
const COMPARISONS_MAX = 200_000;
const ADDRESSES_MIN = 5;

/** (b) Finds same-origin URLs that the site advertises to an agent that may fetch `/`, but not those URLs. */
export function findDisallowedAdvertisements(
  { robots, origin }: RobotsFile,
  { llmsTxt, llmsLinks, sampledEntries }: Advertised,
  reportedTokens: readonly CoreToken[],
): SafeText[] {
  const inLlms = [
    ...(llmsTxt === null ? [] : [{ url: llmsTxt, place: safeText`llms.txt itself` }]),
    ...llmsLinks.map(({ url, line }) => ({ url, place: safeText`${lineOf('llms.txt', line)} of llms.txt` })),
  ];
  const inSitemap = sampledEntries.map(({ child, position, url }) => ({
    url,
    place: child === 0 ? safeText`sitemap entry ${position}` : safeText`entry ${position} of child sitemap ${child}`,
  }));
  const root = new URL('/', origin);
  const findForReaders = (readers: readonly CoreToken[], advertisements: readonly Advertisement[]) => {
    const sameOrigin = advertisements.filter(({ url }) => url.origin === origin.origin);
    return readers
      .filter((token) => isCertainlyAllowed(robots, token, root) && !reportedTokens.includes(token))
      .flatMap((token) => describeDisallowed(robots, token, sameOrigin) ?? []);
  };
  return describeAgentGroups(
    [...findForReaders(LLMS_READERS, inLlms), ...findForReaders(SITEMAP_READERS, inSitemap)],
    (what, agents) => safeText`robots.txt blocks ${agents} from ${what}.`,
  );
}

function describeDisallowed(robots: RobotsTxt, token: CoreToken, advertisements: readonly Advertisement[]) {
  const ruleCount = Math.max(...groupsByView(robots, token).map(countRules));
  const addressesMax = Math.max(ADDRESSES_MIN, Math.floor(COMPARISONS_MAX / (ruleCount + 1)));
  const places = advertisements.slice(0, addressesMax).flatMap(({ url, place }) => {
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

/** (e) Finds a home page that is allowed and listed, but asks not to be indexed. */
export function findUnindexedHome(robots: RobotsTxt, home: Home, advertised: Advertised): SafeText[] {
  const isOpen = CORE_TOKENS.some((token) => isCertainlyAllowed(robots, token, home.url));
  const homeKey = withoutFragment(home.url);
  const isHome = (url: URL): boolean => withoutFragment(url) === homeKey;
  const isInLlms = advertised.llmsLinks.some(({ url }) => isHome(url));
  const isInSitemap = advertised.listedEntries.some(isHome);
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
