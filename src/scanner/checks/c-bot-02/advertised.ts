import type { CoreToken } from '../../artifacts/agents/tokens.js';
import { CORE_TOKENS, isReaderOf } from '../../artifacts/agents/tokens.js';
import type { Home } from '../../artifacts/pages.js';
import type { RobotsFile, RobotsTxt } from '../../artifacts/robots.js';
import type { ProbedEntry } from '../../artifacts/sitemaps.js';
import { withoutFragment } from '../../artifacts/site-address.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { count, lineOf, listSafeText, term, safeText } from '../../artifacts/safe-text.js';
import { countRules } from '../../parsers/robots-match.js';
import { isUnindexedByMeta, isUnindexedByTag } from '../../parsers/robots-tags.js';
import type { TokenGroup } from '../bot-policy/readings.js';
import { decideUnanimously, isSurelyOpen, groupTokens } from '../bot-policy/readings.js';

/** The addresses that the site offers to agents. */
export interface Advertised {
  /** The llms.txt that is judged, at the root or where a page announces it; null if there is none. */
  readonly llmsTxt: URL | null;
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

/** Only who is known to read where the site advertises can be sent two ways: to others, it advertises nothing. */
const LLMS_READERS = CORE_TOKENS.filter((token) => isReaderOf(token, 'llms.txt'));
const SITEMAP_READERS = CORE_TOKENS.filter((token) => isReaderOf(token, 'sitemap'));
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
    ...(advertised.llmsTxt === null ? [] : [{ url: advertised.llmsTxt, place: safeText`llms.txt itself` }]),
    ...advertised.llmsLinks.map(({ url, line }) => ({ url, place: safeText`${lineOf('llms.txt', line)} of llms.txt` })),
  ].filter(isHere);
  const inSitemap = advertised.sampledEntries.filter(isHere).map(toAdvertisement);
  const findFor = (readers: readonly CoreToken[], advertisements: readonly Advertisement[]): SafeText[] => {
    const tokenGroups = groupTokens(robots, readers).filter(
      (tokenGroup) =>
        isSurelyOpen(tokenGroup, new URL('/', origin)) &&
        !tokenGroup.tokens.some((token) => chargedElsewhere.has(token)),
    );
    const ruleCount = tokenGroups.reduce((sum, { readings }) => sum + countRules(readings.flat()), 1);
    const addressesMax = Math.max(ADDRESSES_MIN, Math.floor(COMPARISONS_MAX / ruleCount));
    return tokenGroups.flatMap((tokenGroup) => {
      const barred = listBarred(tokenGroup, advertisements.slice(0, addressesMax));
      return describeBarred(tokenGroup.tokens, barred) ?? [];
    });
  };
  return [...findFor(LLMS_READERS, inLlms), ...findFor(SITEMAP_READERS, inSitemap)];
}

/** (e) The home page is open and listed, yet asks not to be indexed. */
export function findUnindexedHome(robots: RobotsTxt | null, home: Home, advertised: Advertised): SafeText[] {
  const isOpen =
    robots === null || groupTokens(robots, CORE_TOKENS).some((tokenGroup) => isSurelyOpen(tokenGroup, home.url));
  const homeKey = withoutFragment(home.url);
  const isHome = (url: URL): boolean => withoutFragment(url) === homeKey;
  const isInLlms = advertised.llmsLinks.some(({ url }) => isHome(url));
  const isInSitemap = advertised.listedEntries.some(isHome);
  if (!isOpen || (!isInLlms && !isInSitemap)) return [];
  // A noindex for one search engine contradicts the sitemap, which is for search engines, but not llms.txt.
  const crawlers = new Set(isInSitemap ? SITEMAP_READERS.map((token) => token.toLowerCase()) : []);
  const byTag = home.robotsTags.some((value) => isUnindexedByTag(value, crawlers));
  const metas = ['robots', ...crawlers].flatMap((name) => home.page?.metas.get(name) ?? []);
  if (!byTag && !metas.some(isUnindexedByMeta)) return [];
  const source = isInSitemap ? safeText`the sitemap` : safeText`llms.txt`;
  const where = byTag ? safeText`X-Robots-Tag header` : safeText`robots meta element`;
  return [safeText`The home page is open to agents and listed in ${source}, but its ${where} says noindex (or none).`];
}

interface Barred {
  readonly place: SafeText;
  readonly line: number;
}

function listBarred(tokenGroup: TokenGroup<CoreToken>, advertisements: readonly Advertisement[]): Barred[] {
  return advertisements.flatMap(({ url, place }) => {
    if (!tokenGroup.tokens.every((token) => isReadBy(token, url))) return [];
    const { allowed, rule } = decideUnanimously(tokenGroup, url);
    return allowed || rule === null ? [] : [{ place, line: rule.line }];
  });
}

/** Search engines are often kept away from llms.txt and Markdown twins, which repeat the pages, even if a sitemap names them. */
function isReadBy(token: CoreToken, { pathname }: URL): boolean {
  if (/\/llms(?:-full)?\.txt$/.test(pathname)) return isReaderOf(token, 'llms.txt');
  return !/\.md$/i.test(pathname) || isReaderOf(token, 'markdown');
}

function toAdvertisement({ child, position, url }: ProbedEntry): Advertisement {
  const place =
    child === 0 ? safeText`sitemap entry ${position}` : safeText`entry ${position} of child sitemap ${child}`;
  return { url, place };
}

function describeBarred(tokens: readonly CoreToken[], barred: readonly Barred[]): SafeText | null {
  if (barred.length === 0) return null;
  const what = count(barred.length, 'address', 'addresses');
  const places = barred.map(({ place, line }) => safeText`${place} (closed by ${lineOf('robots.txt', line)})`);
  return safeText`robots.txt closes ${what} to ${listSafeText(tokens.map((token) => term(token)))} that the site advertises: ${listSafeText(places)}.`;
}
