import { memoizePerObject, getOrCreate } from '../../net/keyed.js';
import type {
  PreferenceLine,
  RobotsGroup,
  RobotsLine,
  RobotsRule,
  RobotsTxt,
  RobotsView,
} from '../artifacts/robots.js';
import { ROBOTS_LIMITS as LIMITS } from '../limits.js';

/** A product token: a crawler's name without its version (RFC 9309 §2.2.1). */
const TOKEN = /^(?:[A-Za-z_-]+|\*(?=[ \t]|$))/;

/**
 * Records of a group, with the misspellings that Google's published parser accepts. That parser compares only the start of a key.
 * RFC 9309 does not define misspellings, but a line that a core crawler obeys is part of the site's policy.
 */
const GROUP_RECORDS = Object.entries({
  'user-agent': ['user-agent', 'useragent', 'user agent'],
  allow: ['allow'],
  disallow: ['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw'],
});

/** Parses robots.txt. A rule before the first group applies to no crawler; blank lines and comments do not end a group. */
export function parseRobots(text: string): RobotsTxt {
  const groups = { rfc: new GroupReader('rfc'), google: new GroupReader('google') };
  const lists = { sitemap: [] as RobotsLine[], license: [] as RobotsLine[], agentmap: [] as RobotsLine[] };
  const ungroupedPreferences: PreferenceLine[] = [];
  let preferencesLeft: number = LIMITS.preferencesMax;
  let rulesLeft: number = LIMITS.rulesMax;
  let isWhole = true;
  for (const { key, value, line } of readRecords(text)) {
    if (key === 'sitemap' || key === 'license' || key === 'agentmap') {
      // White space outside ASCII is not part of a URL either.
      if (value !== '' && lists[key].length < LIMITS.linesMax[key]) lists[key].push({ value: value.trim(), line });
    }
    if (key === 'content-signal' || key === 'content-usage') {
      preferencesLeft -= 1;
      if (preferencesLeft < 0) continue;
      const preference = { field: key, value, line } as const;
      if (groups.rfc.list.length === 0) ungroupedPreferences.push(preference);
      for (const { list } of Object.values(groups)) list.at(-1)?.preferences.push(preference);
    }
    const looseKey = GROUP_RECORDS.find(([, starts]) => starts.some((start) => key.startsWith(start)))?.[0] ?? key;
    if (looseKey === 'allow' || looseKey === 'disallow') rulesLeft -= 1;
    groups.rfc.add(key, value, line);
    groups.google.add(looseKey, value, line);
    isWhole = rulesLeft >= 0 && Math.max(groups.rfc.list.length, groups.google.list.length) <= LIMITS.groupsMax;
    if (!isWhole) break;
  }
  return {
    groups: { rfc: groups.rfc.list, google: groups.google.list },
    sitemaps: lists.sitemap,
    licenses: lists.license,
    agentmaps: lists.agentmap,
    ungroupedPreferences,
    isWhole,
  };
}

interface MutableGroup {
  readonly tokens: string[];
  readonly rules: RobotsRule[];
  readonly preferences: PreferenceLine[];
  crawlDelayS: number;
}

/** Reads the groups of one view, record by record. */
class GroupReader {
  readonly list: MutableGroup[] = [];
  #isReadingNames = false;

  constructor(private readonly view: RobotsView) {}

  add(key: string, value: string, line: number): void {
    if (key === 'user-agent') {
      if (!this.#isReadingNames) this.list.push({ tokens: [], rules: [], preferences: [], crawlDelayS: 0 });
      this.#isReadingNames = true;
      const token = TOKEN.exec(value)?.[0].toLowerCase();
      const tokens = this.list.at(-1)?.tokens;
      if (token !== undefined && tokens?.at(-1) !== token) tokens?.push(token);
      return;
    }
    const group = this.list.at(-1);
    const isRule = key === 'allow' || key === 'disallow';
    // In RFC 9309 any other record ends a list of names; in Google's parser only a rule does.
    if (this.view === 'rfc' || isRule) this.#isReadingNames = false;
    // An empty path allows everything.
    if (isRule && value !== '') group?.rules.push(...toRules(this.view, { allow: key === 'allow', value, line }));
    if (key === 'crawl-delay' && group) group.crawlDelayS = Math.max(group.crawlDelayS, Number(value) || 0);
  }
}

/** ASCII characters that RFC 3986 allows nowhere in a URL. */
const UNENCODED = /[^!-\u{10ffff}]|["<>\\^`{|}\u007f]/u;
const INDEX_PAGE = '/index.htm';

/**
 * Converts a line to rules. In Google's parser, a path with an unencoded character matches nothing, and a line that allows a folder's
 * index page (`/index.htm` and anything after it, in lower case) also allows the folder itself.
 */
function toRules(view: RobotsView, { allow, value, line }: Omit<RobotsRule, 'pattern'> & { value: string }) {
  const pattern = normalisePattern(value);
  const rule: RobotsRule = { allow, pattern, line };
  if (view === 'rfc') return [rule];
  if (UNENCODED.test(value)) return [];
  const slash = pattern.lastIndexOf('/');
  const isIndex = allow && pattern.startsWith(INDEX_PAGE, slash);
  return isIndex ? [rule, { ...rule, pattern: `${pattern.slice(0, slash + 1)}$` }] : [rule];
}

/** A line of the file, with common misspellings of its key corrected. */
type RobotsRecord = RobotsLine & { readonly key: string };

function readRecords(text: string): RobotsRecord[] {
  // An intact or broken BOM at the start is not part of the first key.
  const lines = text.replace(/^[\uFEFF\uFFFD]+/, '').split(/\r\n|\n|\r/);
  return lines.flatMap((raw, index) => {
    const content = trimBlanks(raw.split('#', 1)[0] ?? '');
    // A longer line is ignored, as Google does, since truncating would change its meaning.
    if (content === '' || content.length > LIMITS.lineCharsMax) return [];
    const colon = content.indexOf(':');
    // Google accepts two words without a colon as a key and its value.
    const words = colon < 0 ? content.split(/[ \t]+/, 3) : [content.slice(0, colon), content.slice(colon + 1)];
    const [name = '', value = ''] = words.map(trimBlanks);
    if (words.length !== 2 || name === '') return [];
    const spelling = name.toLowerCase() === 'site-map' ? 'sitemap' : name.toLowerCase();
    const key = GROUP_RECORDS.find(([, spellings]) => spellings.includes(spelling))?.[0] ?? spelling;
    return [{ key, value, line: index + 1 }];
  });
}

/** Trims space and tab (RFC 9309 §2.2), and vertical tab and form feed as Google does. Unlike `trim()`, keeps a BOM. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && ' \t\v\f'.includes(text.charAt(start))) start += 1;
  while (end > start && ' \t\v\f'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A decision on one URL. `rule` is the deciding rule; null if none matches. */
export interface RobotsDecision {
  readonly allowed: boolean;
  readonly rule: RobotsRule | null;
  /** False if our limit on wildcards ended the comparison: `allowed` is then true, but another rule may decide. */
  readonly isCertain: boolean;
}

/**
 * Returns the groups that apply to `token`: those that name it (whole name, any case), else those of the first of its vendor's
 * `fallbacks` with any groups, else those for `*` (RFC 9309 §2.2.1). A group without rules allows everything.
 */
export function groupsFor(
  groups: readonly RobotsGroup[],
  token: string,
  fallbacks: readonly string[] = [],
): readonly RobotsGroup[] {
  const named = [token, ...fallbacks, '*'].map((name) => groupsNaming(groups, name));
  return named.find((list) => list.length > 0) ?? [];
}

/** Caches the groups for each token, so that agents without a group share one list: the groups for `*`. */
const groupsByToken = memoizePerObject((_: readonly RobotsGroup[]) => new Map<string, readonly RobotsGroup[]>());

/** Returns the groups that name `token` itself. */
export function groupsNaming(groups: readonly RobotsGroup[], token: string): readonly RobotsGroup[] {
  const name = token.toLowerCase();
  return getOrCreate(groupsByToken(groups), name, () => groups.filter(({ tokens }) => tokens.includes(name)));
}

/** Returns the longest `Crawl-delay` of the groups for `token`, in seconds; 0 for none. No standard defines it, but many sites use it. */
export function crawlDelayOf({ groups }: RobotsTxt, token: string): number {
  const delays = Object.values(groups).flatMap((list) => groupsFor(list, token).map(({ crawlDelayS }) => crawlDelayS));
  return Math.max(0, ...delays);
}

/** True if a URL is allowed in both views, as our own requests require. */
export function isAllowedInBothViews({ groups }: RobotsTxt, token: string, url: URL): boolean {
  return Object.values(groups).every((list) => decide(groupsFor(list, token), url).allowed);
}

export function countRules(groups: readonly RobotsGroup[]): number {
  return groups.reduce((sum, { rules }) => sum + rules.length, 0);
}

/** Caches decisions by URL: agents with the same groups request the same pages. */
const decisionsOf = memoizePerObject((_: readonly RobotsGroup[]) => new Map<string, RobotsDecision>());

/**
 * Decides whether a crawler with these groups may fetch `url` (RFC 9309 §2.2.2): the longest matching rule decides, Allow wins a
 * tie, and a URL that no rule matches is allowed. /robots.txt itself is always allowed.
 */
export function decide(groups: readonly RobotsGroup[], url: URL): RobotsDecision {
  return getOrCreate(decisionsOf(groups), url.href, () => applyRules(groups, url));
}

function applyRules(groups: readonly RobotsGroup[], url: URL): RobotsDecision {
  const path = normalisePath(url);
  const budget: { charsLeft: number } = { charsLeft: LIMITS.wildcardCharsMax };
  let decisive: RobotsRule | null = null;
  for (const { rules } of url.pathname === '/robots.txt' ? [] : groups) {
    for (const rule of rules) {
      if (isStronger(rule, decisive) && matches(rule.pattern, path, budget)) decisive = rule;
      if (budget.charsLeft <= 0) return { allowed: true, rule: null, isCertain: false };
    }
  }
  return { allowed: decisive?.allow ?? true, rule: decisive, isCertain: true };
}

function isStronger({ pattern, allow }: RobotsRule, other: RobotsRule | null): boolean {
  if (other === null || pattern.length > other.pattern.length) return true;
  return pattern.length === other.pattern.length && allow && !other.allow;
}

/** Normalises a rule's path for comparison; `*` and a final `$` keep their special meaning. */
function normalisePattern(value: string): string {
  const isAnchored = value.endsWith('$');
  const pattern = normaliseEncoding(isAnchored ? value.slice(0, -1) : value).replaceAll('$', '%24');
  return isAnchored ? `${pattern}$` : pattern;
}

/**
 * Normalises path and query for comparison. Encodes `*` and `$`, which are special only in rules. Keeps a `?` without a query, which
 * `URL.search` omits.
 */
function normalisePath(url: URL): string {
  const end = url.href.indexOf('#');
  const path = url.href.slice(url.href.indexOf('/', url.protocol.length + 2), end < 0 ? undefined : end);
  return normaliseEncoding(path).replaceAll('*', '%2A').replaceAll('$', '%24');
}

/** Characters that must be encoded: all except unreserved ones and those whose meaning encoding would change. */
const NEEDS_ENCODING = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Encodes octets outside ASCII, decodes needlessly encoded ones, and writes hexadecimal digits in upper case (RFC 9309 §2.2.2). */
function normaliseEncoding(text: string): string {
  const encodeOctets = (characters: string): string =>
    Buffer.from(characters).toString('hex').toUpperCase().replaceAll(/../g, '%$&');
  return text.replaceAll(NEEDS_ENCODING, encodeOctets).replaceAll(/%[0-9a-f]{2}/gi, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return UNRESERVED.test(character) ? character : octet.toUpperCase();
  });
}

/**
 * True if the pattern matches. Finds each part between `*` as early as possible, without backtracking, so in linear time.
 * @param budget characters that one decision may still compare with wildcards
 */
function matches(pattern: string, path: string, budget: { charsLeft: number }): boolean {
  const isAnchored = pattern.endsWith('$');
  if (!pattern.includes('*')) return isAnchored ? `${path}$` === pattern : path.startsWith(pattern);
  const [first = '', ...parts] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
  const last = parts.pop() ?? '';
  if (!path.startsWith(first)) return false;
  budget.charsLeft -= path.length + pattern.length;
  let at = first.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return isAnchored ? path.endsWith(last) && path.length - last.length >= at : path.includes(last, at);
}
