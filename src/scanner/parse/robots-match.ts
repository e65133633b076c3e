import type { RobotsGroup, RobotsReading, RobotsRule } from '../evidence/robots.js';

/** Whether a crawler may fetch a URL, and the deciding rule; null if no rule matches. */
export interface RobotsDecision {
  readonly allowed: boolean;
  readonly rule: RobotsRule | null;
  /** False if one of our limits ended the comparison, which then counts as allowed: another rule may decide. */
  readonly isCertain: boolean;
}

const ALLOWED: RobotsDecision = { allowed: true, rule: null, isCertain: true };
const UNCERTAIN: RobotsDecision = { allowed: true, rule: null, isCertain: false };
/** Characters that must be encoded: all except unreserved ones, and reserved ones whose meaning encoding would change. */
const NEEDS_ENCODING = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g;
const ENCODED_OCTET = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** How many characters one decision may still scan for wildcards, and whether they ran out. */
interface Scan {
  charsLeft: number;
  isOver: boolean;
}

/** Enough for thousands of wildcards with a path of usual length; only a hostile file exceeds it. */
const SCAN_CHARS_MAX = 250_000;

/**
 * Whether `token` may fetch `url` (RFC 9309 §2.2.2): the longest matching rule of its group decides, Allow wins a tie, and what
 * no rule names is allowed. /robots.txt itself is always allowed.
 */
export function isAllowed(robots: RobotsReading, token: string, url: URL): RobotsDecision {
  return decide(groupsFor(robots, token), url);
}

/**
 * The groups for `token`: every one that names it, compared as a whole and case-insensitively; if none does, those of the first of
 * its vendor's `fallbacks` that has any; then those of `*` (RFC 9309 §2.2.1). A group that names it without any rule allows
 * everything.
 */
export function groupsFor(
  robots: RobotsReading,
  token: string,
  fallbacks: readonly string[] = [],
): readonly RobotsGroup[] {
  const byToken = groupsByToken(robots);
  for (const name of [token, ...fallbacks, '*']) {
    const groups = byToken.get(name.toLowerCase());
    if (groups) return groups;
  }
  return [];
}

/** The longest pause in seconds that the groups for `token` ask for; 0: none. No standard has it, many sites do. */
export function crawlDelayOf(robots: RobotsReading, token: string): number {
  return groupsFor(robots, token).reduce((longest, { crawlDelayS }) => Math.max(longest, crawlDelayS), 0);
}

const byTokenOf = new WeakMap<RobotsReading, ReadonlyMap<string, readonly RobotsGroup[]>>();

/** The groups that name each token; computed once, since a hostile file may have a hundred thousand of either. */
export function groupsByToken(robots: RobotsReading): ReadonlyMap<string, readonly RobotsGroup[]> {
  const known = byTokenOf.get(robots);
  if (known) return known;
  const byToken = new Map<string, RobotsGroup[]>();
  for (const group of robots.groups) {
    for (const token of group.tokens) {
      const groups = byToken.get(token);
      if (groups) groups.push(group);
      else byToken.set(token, [group]);
    }
  }
  byTokenOf.set(robots, byToken);
  return byToken;
}

/** Tokens that share the same groups, so that their rules are evaluated once for all of them. */
export interface TokenGroups<T extends string> {
  readonly tokens: readonly T[];
  readonly groups: readonly RobotsGroup[];
}

/** Combines tokens that share the same groups, in the order of the tokens. */
export function shareGroups<const T extends string>(robots: RobotsReading, tokens: readonly T[]): TokenGroups<T>[] {
  const shared: { tokens: T[]; groups: readonly RobotsGroup[] }[] = [];
  for (const token of tokens) {
    const groups = groupsFor(robots, token);
    const same = shared.find((other) => areSameGroups(other.groups, groups));
    if (same) same.tokens.push(token);
    else shared.push({ tokens: [token], groups });
  }
  return shared;
}

/** Whether both are the same groups in the same order. */
export function areSameGroups(some: readonly RobotsGroup[], others: readonly RobotsGroup[]): boolean {
  if (some === others) return true;
  return some.length === others.length && some.every((group, at) => group === others[at]);
}

/** How many rules these groups have in total. */
export function countRules(groups: readonly RobotsGroup[]): number {
  return groups.reduce((sum, { rules }) => sum + rules.length, 0);
}

/** The decision of one crawler's groups for a URL; see {@link isAllowed}. */
export function decide(groups: readonly RobotsGroup[], url: URL): RobotsDecision {
  if (url.pathname === '/robots.txt') return ALLOWED;
  const path = normalisePath(url);
  const scan: Scan = { charsLeft: SCAN_CHARS_MAX, isOver: false };
  let decisive: RobotsRule | null = null;
  for (const rules of joinRules(groups)) {
    const rule = findDecisive(rules, path, scan);
    if (rule !== null && isStronger(rule, decisive)) decisive = rule;
    if (scan.isOver) return UNCERTAIN;
  }
  return decisive === null ? ALLOWED : { allowed: decisive.allow, rule: decisive, isCertain: true };
}

/** For more rules than this, the decision per path is cached, however many crawlers and readings share them. */
const REMEMBERED_RULES_MIN = 500;
const REMEMBERED_PATHS_MAX = 50;
const remembered = new WeakMap<readonly RobotsRule[], Map<string, RobotsRule | null>>();
const joinedOf = new WeakMap<readonly RobotsGroup[], readonly (readonly RobotsRule[])[]>();

/**
 * The rules of one crawler's groups in their order, those of neighbouring small groups together: a hostile file may have ten
 * thousand of them. A large group stays by itself, since what is decided for it is shared with its other crawlers.
 */
function joinRules(groups: readonly RobotsGroup[]): readonly (readonly RobotsRule[])[] {
  const known = joinedOf.get(groups);
  if (known) return known;
  const joined: (readonly RobotsRule[])[] = [];
  let small: RobotsRule[] | null = null;
  for (const { rules } of groups) {
    if (rules.length >= REMEMBERED_RULES_MIN) {
      joined.push(rules);
      small = null;
      continue;
    }
    if (small === null) joined.push((small = []));
    small.push(...rules);
  }
  joinedOf.set(groups, joined);
  return joined;
}

function findDecisive(rules: readonly RobotsRule[], path: string, scan: Scan): RobotsRule | null {
  if (rules.length < REMEMBERED_RULES_MIN) return lookForDecisive(rules, path, scan);
  const rulesByPath = remembered.get(rules) ?? new Map<string, RobotsRule | null>();
  remembered.set(rules, rulesByPath);
  const known = rulesByPath.get(path);
  if (known !== undefined) return known;
  const rule = lookForDecisive(rules, path, scan);
  if (rulesByPath.size < REMEMBERED_PATHS_MAX && !scan.isOver) rulesByPath.set(path, rule);
  return rule;
}

function lookForDecisive(rules: readonly RobotsRule[], path: string, scan: Scan): RobotsRule | null {
  let decisive: RobotsRule | null = null;
  for (const rule of rules) {
    if (isStronger(rule, decisive) && matches(rule.pattern, path, scan)) decisive = rule;
    if (scan.isOver) break;
  }
  return decisive;
}

function isStronger(rule: RobotsRule, than: RobotsRule | null): boolean {
  if (than === null || rule.pattern.length > than.pattern.length) return true;
  return rule.pattern.length === than.pattern.length && rule.allow && !than.allow;
}

/**
 * A rule's path, normalised for comparison; `*` and a final `$` keep their special meaning.
 * @param encoding of its characters: latin1 where each stands for one octet
 */
export function normalisePattern(value: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const isAnchored = value.endsWith('$');
  const pattern = normaliseEncoding(isAnchored ? value.slice(0, -1) : value, encoding).replaceAll('$', '%24');
  return isAnchored ? `${pattern}$` : pattern;
}

/**
 * Path and query, normalised for comparison. A literal `*` or `$` is encoded, since it is not special here; a `?` without a query
 * after it, which `URL.search` omits, counts.
 */
function normalisePath(url: URL): string {
  const end = url.href.indexOf('#');
  const path = url.href.slice(url.href.indexOf('/', url.protocol.length + 2), end < 0 ? undefined : end);
  return normaliseEncoding(path).replaceAll('*', '%2A').replaceAll('$', '%24');
}

/**
 * Encodes octets outside ASCII, decodes needlessly encoded ones, and writes hexadecimal digits in upper case (RFC 9309 §2.2.2).
 */
function normaliseEncoding(text: string, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  const encodeOctets = (characters: string): string =>
    Buffer.from(characters, encoding).toString('hex').toUpperCase().replaceAll(/../g, '%$&');
  return text.replaceAll(NEEDS_ENCODING, encodeOctets).replaceAll(ENCODED_OCTET, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return UNRESERVED.test(character) ? character : octet.toUpperCase();
  });
}

/** Finds the parts between the `*` one after the other, each as early as possible: no backtracking, so linear. */
function matches(pattern: string, path: string, scan: Scan): boolean {
  const isAnchored = pattern.endsWith('$');
  const end = isAnchored ? pattern.length - 1 : pattern.length;
  const star = pattern.indexOf('*');
  if (star < 0) return isAnchored ? path.length === end && pattern.startsWith(path) : path.startsWith(pattern);
  if (!path.startsWith(pattern.slice(0, star))) return false;
  scan.isOver = scan.charsLeft <= 0;
  if (scan.isOver) return false;
  scan.charsLeft -= path.length + pattern.length;
  let at = star;
  let start = star + 1;
  for (let next = pattern.indexOf('*', start); next >= 0; next = pattern.indexOf('*', start)) {
    const found = next === start ? at : path.indexOf(pattern.slice(start, next), at);
    if (found < 0) return false;
    at = found + next - start;
    start = next + 1;
  }
  const last = pattern.slice(start, end);
  return isAnchored ? path.endsWith(last) && path.length - last.length >= at : path.includes(last, at);
}
