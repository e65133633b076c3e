import type { PreferenceLine, RobotsGroup, RobotsRule, RobotsTxt } from '../domain/evidence/robots.js';
import { normalisePattern } from './robots-match.js';

/** The product token: a crawler's own name without version or anything else (RFC 9309 §2.2.1). */
const TOKEN = /^(?:[A-Za-z_-]+|\*(?=\s|$))/;

interface OpenGroup {
  readonly tokens: Set<string>;
  readonly rules: RobotsRule[];
  readonly preferences: PreferenceLine[];
}

/**
 * Misspellings that Google's published parser reads as what was meant. RFC 9309 leaves other records to the crawler; what one
 * of the core crawlers does obey is part of the site's policy.
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

/**
 * Parses robots.txt by RFC 9309: a group is the consecutive User-agent lines and what follows them; blank lines, comments
 * and records of other kinds end nothing; a rule before the first group counts for nobody.
 */
export function parseRobots(text: string): RobotsTxt {
  const groups: OpenGroup[] = [];
  const sitemaps: { value: string; line: number }[] = [];
  const looseFields: PreferenceLine[] = [];
  let group: OpenGroup | null = null;
  let isNaming = false;

  for (const { field, value, line } of readFields(text)) {
    if (field === 'user-agent') {
      if (group === null || !isNaming) {
        group = { tokens: new Set(), rules: [], preferences: [] };
        groups.push(group);
      }
      isNaming = true;
      const token = TOKEN.exec(value)?.[0].toLowerCase();
      if (token !== undefined) group.tokens.add(token);
    } else if (field === 'allow' || field === 'disallow') {
      isNaming = false;
      if (value !== '') group?.rules.push({ allow: field === 'allow', pattern: normalisePattern(value), line });
    } else if (field === 'sitemap') {
      if (value !== '') sitemaps.push({ value, line });
    } else if (field === 'content-signal' || field === 'content-usage') {
      const nameCount = group?.tokens.size ?? 0;
      (group?.preferences ?? looseFields).push({ field, value, line, nameCount });
    }
  }
  return { groups: groups.map(closeGroup), sitemaps, looseFields };
}

function closeGroup({ tokens, rules, preferences }: OpenGroup): RobotsGroup {
  return { tokens: [...tokens], rules, preferences };
}

interface Field {
  readonly field: string;
  readonly value: string;
  readonly line: number;
}

/** Every `field: value` line; fields in lower case, comments and outer white space gone, lines counted from 1. */
function* readFields(text: string): Generator<Field> {
  let line = 0;
  for (const raw of splitLines(withoutBom(text))) {
    line += 1;
    const comment = raw.indexOf('#');
    const field = toField((comment < 0 ? raw : raw.slice(0, comment)).trim(), line);
    if (field !== null) yield field;
  }
}

function toField(content: string, line: number): Field | null {
  const colon = content.indexOf(':');
  if (colon >= 0) return fieldOf(content.slice(0, colon), content.slice(colon + 1), line);
  // The same parser takes two words without a colon as a field and its value.
  const words = content.split(/\s+/);
  return words.length === 2 ? fieldOf(words[0] ?? '', words[1] ?? '', line) : null;
}

function fieldOf(name: string, value: string, line: number): Field {
  const field = name.trim().toLowerCase();
  return { field: Object.hasOwn(MISSPELLED, field) ? (MISSPELLED[field] ?? field) : field, value: value.trim(), line };
}

/** A BOM at the start, whole or broken, is no part of the first field's name. */
function withoutBom(text: string): string {
  let at = 0;
  while (text[at] === '\uFEFF' || text[at] === '\uFFFD') at += 1;
  return text.slice(at);
}

/** Lines that end with CR LF, LF or CR alone (RFC 9309 §2.2, EOL). */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
