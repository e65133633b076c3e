import type { PreferenceLine, RobotsGroup, RobotsReading, RobotsRule, RobotsTxt } from '../artifacts/robots.js';
import { EventLoopYielder } from '../../net/event-loop.js';
import { normalisePattern } from './robots-match.js';
import { SharedParts } from './robots-sharing.js';

/** Google's published parser reads this much of one line; a longer line is ignored, since truncating would change its meaning. */
const LINE_CHARS_MAX = 16_664;
/** Most preference lines kept; no honest file has this many. */
export const PREFERENCES_MAX = 1_000;
/** Only the first that is an address is read. */
const LICENSES_MAX = 10;
/** Most Agentmap lines kept: more than are followed. */
const AGENTMAPS_MAX = 10;

/** The product token: a crawler's name without a version or anything else (RFC 9309 §2.2.1). */
const TOKEN = /^(?:[A-Za-z_-]+|\*(?=[ \t]|$))/;

const BLANKS = /[ \t]+/;

interface OpenGroup {
  readonly tokens: Set<string>;
  readonly parts: { readonly tokens: string[]; readonly line: number }[];
  readonly rules: RobotsRule[];
  readonly preferences: PreferenceLine[];
  crawlDelayS: number;
}

/**
 * Misspellings that Google's published parser corrects. RFC 9309 leaves other records to the crawler; what one of the core
 * crawlers obeys is part of the site's policy.
 */
const MISSPELLED: Readonly<Record<string, string>> = {
  useragent: 'user-agent',
  'user agent': 'user-agent',
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  'site-map': 'sitemap',
};

/** How Google's published parser knows the records of groups: by the beginning of their key, in any case. */
const LOOSE_KEYS = [
  [/^(?:user-agent|useragent|user agent)/, 'user-agent'],
  [/^allow/, 'allow'],
  [/^(?:disallow|dissallow|dissalow|disalow|diasllow|disallaw)/, 'disallow'],
] as const;
/** A note names no more of them. */
const LOOSE_KEY_LINES_MAX = 100;

/** How to read a text. */
interface ReadingOptions {
  /** Whether a key is known by its beginning, or must be written in full. */
  readonly areKeysLoose?: boolean;
  /** Of its characters: latin1 where each stands for one octet. */
  readonly encoding?: 'utf8' | 'latin1';
  /** What other readings of the file have in common with this one. */
  readonly shared?: SharedParts;
}

/** What one reader makes of the text of robots.txt. */
type ReadText = Omit<RobotsTxt, 'google' | 'others' | 'octetLines'>;

/** Parses robots.txt by RFC 9309. */
export async function parseRobots(text: string, shared = new SharedParts()): Promise<RobotsTxt> {
  const read = await parseText(text, { shared });
  const google = await readLoosely(text, read, { shared });
  return { ...read, google, others: google ? [google] : [], octetLines: [] };
}

/** The text as a reader knows it that takes keys by their beginning; null if that changes nothing. */
export async function readLoosely(
  text: string,
  { looseKeyLines }: Pick<ReadText, 'looseKeyLines'>,
  options: ReadingOptions,
): Promise<RobotsReading | null> {
  if (looseKeyLines.length === 0) return null;
  const { groups } = await parseText(text, { ...options, areKeysLoose: true });
  return { groups };
}

/**
 * A group is the consecutive User-agent lines and what follows them; blank lines, comments and other records end nothing; a rule before
 * the first group applies to no crawler. Yields to other work, since a megabyte may contain 200,000 lines.
 */
export async function parseText(
  text: string,
  { areKeysLoose = false, encoding = 'utf8', shared = new SharedParts() }: ReadingOptions = {},
): Promise<ReadText> {
  const groups: RobotsGroup[] = [];
  const sitemaps: { value: string; line: number }[] = [];
  const licenses: { value: string; line: number }[] = [];
  const agentmaps: { value: string; line: number }[] = [];
  const looseFields: PreferenceLine[] = [];
  const looseKeyLines: number[] = [];
  let group: OpenGroup | null = null;
  let isNaming = false;
  let isListCut = false;
  let preferencesLeft = PREFERENCES_MAX;

  const yielder = new EventLoopYielder();
  for (const { field: exactField, value, line } of readFields(text)) {
    if (yielder.isDue) await yielder.yieldNow();
    const looseField = looseFieldOf(exactField);
    if (looseField !== exactField && looseKeyLines.length < LOOSE_KEY_LINES_MAX) looseKeyLines.push(line);
    const field = areKeysLoose ? looseField : exactField;
    if (field === 'user-agent') {
      if (group === null || !isNaming) {
        if (group) groups.push(shared.group(closeGroup(group)));
        group = { tokens: new Set(), parts: [], rules: [], preferences: [], crawlDelayS: 0 };
        isListCut = true;
      }
      isNaming = true;
      if (isListCut) group.parts.push({ tokens: [], line });
      isListCut = false;
      const token = TOKEN.exec(value)?.[0].toLowerCase();
      if (token !== undefined) {
        group.tokens.add(token);
        group.parts.at(-1)?.tokens.push(token);
      }
      continue;
    }
    if (field !== '') isListCut = true;
    if (field === 'allow' || field === 'disallow') {
      isNaming = false;
      if (value !== '') group?.rules.push(shared.rule(toRule(field === 'allow', value, line, encoding)));
    } else if (field === 'crawl-delay') {
      if (group) group.crawlDelayS = Math.max(group.crawlDelayS, Number(value) || 0);
    } else if (field === 'sitemap') {
      // Other white space is not part of an address.
      if (value !== '') sitemaps.push({ value: value.trim(), line });
    } else if (field === 'license') {
      if (value !== '' && licenses.length < LICENSES_MAX) licenses.push({ value: value.trim(), line });
    } else if (field === 'agentmap') {
      if (value !== '' && agentmaps.length < AGENTMAPS_MAX) agentmaps.push({ value: value.trim(), line });
    } else if ((field === 'content-signal' || field === 'content-usage') && preferencesLeft > 0) {
      preferencesLeft -= 1;
      const nameCount = group?.tokens.size ?? 0;
      (group?.preferences ?? looseFields).push({ field, value, line, nameCount });
    }
  }
  if (group) groups.push(shared.group(closeGroup(group)));
  return { groups, sitemaps, agentmaps, licenses, looseFields, looseKeyLines };
}

/** In ASCII, what RFC 3986 allows nowhere in a URL. */
const RAW = /[^!-\u{10ffff}]|["<>\\^`{|}\u007f]/u;

function toRule(allow: boolean, value: string, line: number, encoding: 'utf8' | 'latin1'): RobotsRule {
  const pattern = normalisePattern(value, encoding);
  const folder = allow ? folderOf(pattern) : null;
  return {
    ...{ allow, pattern, line },
    ...(RAW.test(value) && { isRaw: true }),
    ...(folder !== null && { folder }),
  };
}

const INDEX_PAGE = '/index.htm';

/** The folder itself of its index page. Case matters, and what follows does not: index.html, index.htm?x. */
function folderOf(pattern: string): string | null {
  const slash = pattern.lastIndexOf('/');
  return pattern.startsWith(INDEX_PAGE, slash) ? `${pattern.slice(0, slash + 1)}$` : null;
}

function looseFieldOf(field: string): string {
  return LOOSE_KEYS.find(([start]) => start.test(field))?.[1] ?? field;
}

function closeGroup({ tokens, ...rest }: OpenGroup): RobotsGroup {
  return { tokens: [...tokens], ...rest };
}

interface Field {
  readonly field: string;
  readonly value: string;
  readonly line: number;
}

/** Every line as `field: value`; fields in lower case, without comments and outer white space, lines counted from 1. */
function* readFields(text: string): Generator<Field> {
  let line = 0;
  for (const raw of readLines(withoutBom(text))) {
    line += 1;
    const comment = raw.indexOf('#');
    const content = trimBlanks(comment < 0 ? raw : raw.slice(0, comment));
    yield content.length > LINE_CHARS_MAX ? { field: '', value: '', line } : toField(content, line);
  }
}

function toField(content: string, line: number): Field {
  const colon = content.indexOf(':');
  if (colon >= 0) return fieldOf(content.slice(0, colon), content.slice(colon + 1), line);
  // The same parser accepts two words without a colon as a field and its value.
  const words = content.split(BLANKS, 3);
  return words.length === 2 ? fieldOf(words[0] ?? '', words[1] ?? '', line) : { field: '', value: '', line };
}

function fieldOf(name: string, value: string, line: number): Field {
  const field = trimBlanks(name).toLowerCase();
  return {
    field: Object.hasOwn(MISSPELLED, field) ? (MISSPELLED[field] ?? field) : field,
    value: trimBlanks(value),
    line,
  };
}

/** Without outer white space, which is ASCII's alone (RFC 9309 §2.2): `trim` would also take away a BOM within the file. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Space and tab, and what Google's published parser takes for white space as well: vertical tab and form feed. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0b || code === 0x0c;
}

/** A BOM at the start, intact or broken, is not part of the first field's name. */
function withoutBom(text: string): string {
  let at = 0;
  while (text[at] === '\uFEFF' || text[at] === '\uFFFD') at += 1;
  return text.slice(at);
}

const LINE_END = /\r\n|\n|\r/g;

/** Lines ending in CR LF, LF or CR alone (RFC 9309 §2.2, EOL), each read only far enough to tell if it is too long. */
function* readLines(text: string): Generator<string> {
  let start = 0;
  for (const { index, 0: end } of text.matchAll(LINE_END)) {
    yield text.slice(start, Math.min(index, start + LINE_CHARS_MAX + 1));
    start = index + end.length;
  }
  yield text.slice(start, start + LINE_CHARS_MAX + 1);
}

/** How many lines a text has. */
export function countLines(text: string): number {
  let count = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) count += 1;
  }
  return count;
}
