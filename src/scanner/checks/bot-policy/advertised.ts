import type { CoreToken } from '../../agents/tokens.js';
import { CORE_TOKENS } from '../../agents/tokens.js';
import type { Home } from '../../evidence/pages.js';
import type { RobotsFile, RobotsTxt } from '../../evidence/robots.js';
import type { ProbedEntry } from '../../evidence/sitemaps.js';
import { withoutFragment } from '../../evidence/site-address.js';
import type { SafeText } from '../../evidence/safe-text.js';
import { count, listSafeText, term, safeText } from '../../evidence/safe-text.js';
import type { RobotsDecision, TokenGroups } from '../../parse/robots-match.js';
import { countRules, decide, isAllowed, shareGroups } from '../../parse/robots-match.js';
import { isUnindexedByMeta, isUnindexedByTag } from '../../parse/robots-tags.js';

/** The addresses that the site offers to agents. */
export interface Advertised {
  readonly hasLlmsTxt: boolean;
  readonly llmsLinks: readonly { readonly line: number; readonly url: URL }[];
  /** The sampled entries of the sitemap. */
  readonly sampledEntries: readonly ProbedEntry[];
  /** Every kept sitemap entry, including the sampled ones. */
  readonly listedEntries: readonly URL[];
}

/** An advertised address and its name in findings. */
interface Advertisement {
  readonly url: URL;
  readonly place: SafeText;
}

/** The core tokens of search engines that read sitemaps. */
const SITEMAP_READERS: ReadonlySet<CoreToken> = new Set(['Googlebot', 'Bingbot']);
/** Bounds rules times addresses compared in one judgement, as for a huge robots.txt with a huge llms.txt. */
const COMPARISONS_MAX = 200_000;
const ADDRESSES_MIN = 5;

/** (b) The site advertises a same-origin address to an agent that may fetch `/` but not that address. */
export function findBarredAdvertisements(
  { robots, origin }: RobotsFile,
  advertised: Advertised,
  chargedElsewhere: ReadonlySet<CoreToken>,
): SafeText[] {
  const isHere = ({ url }: { url: URL }): boolean => url.origin === origin.origin;
  const inLlms: Advertisement[] = [
    ...(advertised.hasLlmsTxt ? [{ url: new URL('/llms.txt', origin), place: safeText`llms.txt itself` }] : []),
    ...advertised.llmsLinks.filter(isHere).map(({ url, line }) => ({ url, place: safeText`line ${line} of llms.txt` })),
  ];
  const inSitemap = advertised.sampledEntries.filter(isHere).map(toAdvertisement);
  const sharers = shareGroups(robots, CORE_TOKENS).filter(
    ({ tokens, groups }) =>
      isSurelyAllowed(decide(groups, new URL('/', origin))) && !tokens.some((token) => chargedElsewhere.has(token)),
  );
  const ruleCount = sharers.reduce((sum, { groups }) => sum + countRules(groups), 1);
  const addressesMax = Math.max(ADDRESSES_MIN, Math.floor(COMPARISONS_MAX / ruleCount));
  return sharers.flatMap((sharer) => {
    const barred = listBarred(sharer, inLlms.slice(0, addressesMax));
    const readers = sharer.tokens.filter((token) => SITEMAP_READERS.has(token));
    const barredEntries = readers.length > 0 ? listBarred(sharer, inSitemap) : [];
    return [describeBarred(sharer.tokens, barred), describeBarred(readers, barredEntries)].filter(
      (text) => text !== null,
    );
  });
}

/** (e) The home page is open and listed, yet asks not to be indexed. */
export function findUnindexedHome(robots: RobotsTxt | null, home: Home, advertised: Advertised): SafeText[] {
  const isOpen = robots === null || CORE_TOKENS.some((token) => isSurelyAllowed(isAllowed(robots, token, home.url)));
  const homeKey = withoutFragment(home.url);
  const isHome = (url: URL): boolean => withoutFragment(url) === homeKey;
  const isInLlms = advertised.llmsLinks.some(({ url }) => isHome(url));
  const isInSitemap = advertised.listedEntries.some(isHome);
  if (!isOpen || (!isInLlms && !isInSitemap)) return [];
  // A noindex for one search engine contradicts the sitemap, which is for search engines, but not llms.txt.
  const crawlers = new Set(isInSitemap ? Array.from(SITEMAP_READERS, (token) => token.toLowerCase()) : []);
  const byTag = home.robotsTags.some((value) => isUnindexedByTag(value, crawlers));
  const metas = ['robots', ...crawlers].flatMap((name) => home.page?.metas.get(name) ?? []);
  if (!byTag && !metas.some(isUnindexedByMeta)) return [];
  const source = isInSitemap ? safeText`the sitemap` : safeText`llms.txt`;
  const where = byTag ? safeText`X-Robots-Tag header` : safeText`robots meta element`;
  return [safeText`The home page is open to agents and listed in ${source}, but its ${where} says noindex (or none).`];
}

function isSurelyAllowed({ allowed, isCertain }: RobotsDecision): boolean {
  return allowed && isCertain;
}

interface Barred {
  readonly place: SafeText;
  readonly line: number;
}

function listBarred({ groups }: TokenGroups<CoreToken>, advertisements: readonly Advertisement[]): Barred[] {
  return advertisements.flatMap(({ url, place }) => {
    const { allowed, rule } = decide(groups, url);
    return allowed || rule === null ? [] : [{ place, line: rule.line }];
  });
}

function toAdvertisement({ child, position, url }: ProbedEntry): Advertisement {
  const place =
    child === 0 ? safeText`sitemap entry ${position}` : safeText`entry ${position} of child sitemap ${child}`;
  return { url, place };
}

function describeBarred(tokens: readonly CoreToken[], barred: readonly Barred[]): SafeText | null {
  if (barred.length === 0) return null;
  const what = count(barred.length, 'address', 'addresses');
  const places = barred.map(({ place, line }) => safeText`${place} (by line ${line} of robots.txt)`);
  return safeText`robots.txt bars ${listSafeText(tokens.map((token) => term(token)))} from ${what} that the site advertises: ${listSafeText(places)}.`;
}
