import type { PreferenceLine, RobotsLine, RobotsRule, RobotsTxt } from '../artifacts/robots.js';
import { ROBOTS_LIMITS as LIMITS } from '../limits.js';
import { normalisePattern } from './robots-match.js';

/** The product token: a crawler's name without a version or anything else (RFC 9309 §2.2.1). */
const TOKEN = /^(?:[A-Za-z_-]+|\*(?=[ \t]|$))/;

/**
 * The records of groups, with the misspellings that Google's published parser corrects; it recognizes them by the beginning of their key.
 * RFC 9309 leaves other records to the crawler; what one of the core crawlers obeys is part of the site's policy.
 */
const GROUP_RECORDS = Object.entries({
  'user-agent': ['user-agent', 'useragent', 'user agent'],
  allow: ['allow'],
  disallow: ['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw'],
});

/** Parses robots.txt. A rule before the first group applies to no crawler; blank lines and comments end nothing. */
export function parseRobots(text: string): RobotsTxt {
  const rfc = new Groups(true);
  const google = new Groups(false);
  const lists = { sitemap: [] as RobotsLine[], license: [] as RobotsLine[], agentmap: [] as RobotsLine[] };
  const looseFields: PreferenceLine[] = [];
  let preferencesLeft: number = LIMITS.preferencesMax;
  let rulesLeft: number = LIMITS.rulesMax;
  let isWhole = true;
  for (const { key, value, line } of readRecords(text)) {
    if (key === 'sitemap' || key === 'license' || key === 'agentmap') {
      // Other white space than ASCII's is not part of an address.
      if (value !== '' && lists[key].length < LIMITS.linesMax[key]) lists[key].push({ value: value.trim(), line });
    }
    if (key === 'content-signal' || key === 'content-usage') {
      preferencesLeft -= 1;
      if (preferencesLeft < 0) continue;
      const preference = { field: key, value, line } as const;
      if (rfc.list.length === 0) looseFields.push(preference);
      for (const { list } of [rfc, google]) list.at(-1)?.preferences.push(preference);
    }
    const looseKey = GROUP_RECORDS.find(([, starts]) => starts.some((start) => key.startsWith(start)))?.[0] ?? key;
    const rule = toRule(looseKey, value, line);
    if (rule !== null) rulesLeft -= 1;
    rfc.add(key, value, rule);
    google.add(looseKey, value, rule);
    isWhole = rulesLeft >= 0 && Math.max(rfc.list.length, google.list.length) <= LIMITS.groupsMax;
    if (!isWhole) break;
  }
  return {
    groups: { rfc: rfc.list, google: google.list },
    sitemaps: lists.sitemap,
    licenses: lists.license,
    agentmaps: lists.agentmap,
    looseFields,
    isWhole,
  };
}

interface OpenGroup {
  readonly tokens: string[];
  readonly rules: RobotsRule[];
  readonly preferences: PreferenceLine[];
  crawlDelayS: number;
}

/** The groups of one view, as they are read. */
class Groups {
  readonly list: OpenGroup[] = [];
  #isNaming = false;

  /** @param isStrict any record other than User-agent ends a list of names; else only a rule does */
  constructor(private readonly isStrict: boolean) {}

  add(key: string, value: string, rule: RobotsRule | null): void {
    if (key === 'user-agent') {
      if (!this.#isNaming) this.list.push({ tokens: [], rules: [], preferences: [], crawlDelayS: 0 });
      this.#isNaming = true;
      const token = TOKEN.exec(value)?.[0].toLowerCase();
      const tokens = this.list.at(-1)?.tokens;
      if (token !== undefined && tokens?.at(-1) !== token) tokens?.push(token);
      return;
    }
    const group = this.list.at(-1);
    const isRuleLine = key === 'allow' || key === 'disallow';
    if (this.isStrict || isRuleLine) this.#isNaming = false;
    if (isRuleLine && rule !== null) group?.rules.push(rule);
    if (key === 'crawl-delay' && group) group.crawlDelayS = Math.max(group.crawlDelayS, Number(value) || 0);
  }
}

/** In ASCII, what RFC 3986 allows nowhere in a URL. */
const RAW = /[^!-\u{10ffff}]|["<>\\^`{|}\u007f]/u;
const INDEX_PAGE = '/index.htm';

/** Returns null for another record, and for an empty path, which allows everything. */
function toRule(key: string, value: string, line: number): RobotsRule | null {
  if ((key !== 'allow' && key !== 'disallow') || value === '') return null;
  const pattern = normalisePattern(value);
  const allow = key === 'allow';
  // Case matters, and what follows does not: index.html, index.htm?x.
  const slash = pattern.lastIndexOf('/');
  const folder = allow && pattern.startsWith(INDEX_PAGE, slash) ? `${pattern.slice(0, slash + 1)}$` : null;
  return { allow, pattern, line, isRaw: RAW.test(value), folder };
}

interface RobotsRecord {
  /** In lower case, misspellings corrected; empty if the line is not a record. */
  readonly key: string;
  readonly value: string;
  /** From 1. */
  readonly line: number;
}

function* readRecords(text: string): Generator<RobotsRecord> {
  let line = 0;
  // A BOM at the start, intact or broken, is not part of the first key.
  for (const raw of text.replace(/^[\uFEFF\uFFFD]+/, '').split(/\r\n|\n|\r/)) {
    line += 1;
    const content = trimBlanks(raw.split('#', 1)[0] ?? '');
    // A longer line is ignored, as Google does, since truncating would change its meaning.
    if (content === '' || content.length > LIMITS.lineCharsMax) continue;
    const colon = content.indexOf(':');
    // Google accepts two words without a colon as a key and its value.
    const words = colon < 0 ? content.split(/[ \t]+/, 3) : [content.slice(0, colon), content.slice(colon + 1)];
    const [name = '', value = ''] = words.map(trimBlanks);
    if (words.length !== 2 || name === '') continue;
    const key = name.toLowerCase() === 'site-map' ? 'sitemap' : name.toLowerCase();
    yield { key: GROUP_RECORDS.find(([, spellings]) => spellings.includes(key))?.[0] ?? key, value, line };
  }
}

/** Removes outer white space: space and tab (RFC 9309 §2.2), and vertical tab and form feed as Google does. A BOM in the file stays. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && ' \t\v\f'.includes(text.charAt(start))) start += 1;
  while (end > start && ' \t\v\f'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Counts the lines of a text. */
export function countLines(text: string): number {
  return text.split(/\r\n|\n|\r/).length;
}
