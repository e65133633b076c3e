import type { RobotsGroup, RobotsReading, RobotsRule } from '../artifacts/robots.js';
import { remember } from '../../net/keyed.js';
import { isSameList } from './robots-sharing.js';

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
 * The groups for `token`: every one that names it, compared as a whole and case-insensitively; if none does, those of the first of
 * its vendor's `fallbacks` that has any; then those of `*` (RFC 9309 §2.2.1). A group that names it without any rule allows
 * everything.
 * @param areNamesStrict only the names directly above the rules count for these
 */
export function groupsFor(
  robots: RobotsReading,
  token: string,
  fallbacks: readonly string[] = [],
  areNamesStrict = false,
): readonly RobotsGroup[] {
  const named = groupsByToken(robots);
  for (const name of [token, ...fallbacks, '*'].map((one) => one.toLowerCase())) {
    const groups = named.get(name);
    if (groups) return areNamesStrict ? named.strictly(name) : groups;
  }
  return NO_GROUPS;
}

/** The longest pause in seconds that the groups for `token` ask for; 0: none. No standard has it, many sites do. */
export function crawlDelayOf(robots: RobotsReading, token: string): number {
  return groupsFor(robots, token).reduce((longest, { crawlDelayS }) => Math.max(longest, crawlDelayS), 0);
}

const NO_GROUPS: readonly RobotsGroup[] = [];

/** Where the groups stand that name a token. */
type Positions = ReadonlyMap<string, readonly number[]>;

interface KnownNames {
  readonly names: readonly (readonly string[])[];
  readonly positions: Positions;
}

/** By the first names that a group has: readings of one file share their names, so most of them share this, too. */
const knownNamesOf = new WeakMap<readonly string[], KnownNames[]>();

/** A hostile file may have fifty thousand groups or names: they are gone through once. */
function findPositions({ groups }: RobotsReading): Positions {
  const names = groups.map(({ tokens }) => tokens);
  const first = names.find(({ length }) => length > 0);
  if (!first) return new Map();
  const known = knownNamesOf.get(first) ?? [];
  knownNamesOf.set(first, known);
  const same = known.find((other) => isSameList(other.names, names));
  if (same) return same.positions;
  const positions = new Map<string, number[]>();
  for (const [at, tokens] of names.entries()) {
    for (const token of tokens) {
      const own = positions.get(token);
      if (own) own.push(at);
      else positions.set(token, [at]);
    }
  }
  known.push({ names, positions });
  return positions;
}

/** The groups of a reading by the tokens that they name, in lower case; the same list for all that have the same groups. */
export class NamedGroups {
  readonly #positions: Positions;
  readonly #lists = new Map<string, readonly RobotsGroup[]>();

  constructor(private readonly reading: RobotsReading) {
    this.#positions = findPositions(reading);
  }

  has(name: string): boolean {
    return this.#positions.has(name);
  }

  get(name: string): readonly RobotsGroup[] | undefined {
    const positions = this.#positions.get(name);
    return positions && this.#remember(name, () => positions.flatMap((at) => this.reading.groups[at] ?? []));
  }

  /** Those whose rules hold for the name where any record other than User-agent ends the list of names. */
  strictly(name: string): readonly RobotsGroup[] {
    return this.#remember(`${name} alone`, () => (this.get(name) ?? []).filter((group) => isNamedLast(group, name)));
  }

  #remember(key: string, list: () => readonly RobotsGroup[]): readonly RobotsGroup[] {
    const known = this.#lists.get(key);
    if (known) return known;
    const groups = list();
    const same = [...this.#lists.values()].find((other) => isSameList(other, groups)) ?? groups;
    this.#lists.set(key, same);
    return same;
  }
}

/** Whether the rules stand directly below names of which this is one. */
function isNamedLast({ parts }: RobotsGroup, name: string): boolean {
  return parts.length < 2 || parts.at(-1)?.tokens.includes(name) === true;
}

const namedGroupsOf = new WeakMap<RobotsReading, NamedGroups>();

/** The groups that name each token. */
export function groupsByToken(robots: RobotsReading): NamedGroups {
  return remember(namedGroupsOf, robots, () => new NamedGroups(robots));
}

/** Tokens that share the same groups, so that their rules are evaluated once for all of them. */
export interface TokenGroups<T extends string> {
  readonly tokens: readonly T[];
  readonly groups: readonly RobotsGroup[];
}

/** Combines tokens that share the same groups, in the order of the tokens. */
export function shareGroups<const T extends string>(
  robots: RobotsReading,
  tokens: readonly T[],
  areNamesStrict = false,
): TokenGroups<T>[] {
  const shared: { tokens: T[]; groups: readonly RobotsGroup[] }[] = [];
  for (const token of tokens) {
    const groups = groupsFor(robots, token, [], areNamesStrict);
    const same = shared.find((other) => other.groups === groups);
    if (same) same.tokens.push(token);
    else shared.push({ tokens: [token], groups });
  }
  return shared;
}

/** How many rules these groups have in total. */
export function countRules(groups: readonly RobotsGroup[]): number {
  return groups.reduce((sum, { rules }) => sum + rules.length, 0);
}

/**
 * How readers take rules on whose meaning they disagree. Raw characters: Google compares them as they stand, and so never finds them in
 * a URL, others encode them. The index page of a folder: Google's parser takes it, where it is allowed, for the folder itself. The
 * openest reader opens whatever one of them may open, the strictest bars whatever one may bar.
 */
const MANNERS = {
  plain: { drops: () => false, opensFolders: false },
  google: { drops: ({ isRaw }) => isRaw === true, opensFolders: true },
  openest: { drops: ({ isRaw, allow }) => isRaw === true && !allow, opensFolders: true },
  strictest: { drops: ({ isRaw, allow }) => isRaw === true && allow, opensFolders: false },
} as const satisfies Readonly<Record<string, { drops: (rule: RobotsRule) => boolean; opensFolders: boolean }>>;
export type Manner = keyof typeof MANNERS;

const plainness = new WeakMap<readonly RobotsGroup[], boolean>();

/** Whether readers of every manner take these groups alike. */
export function arePlain(groups: readonly RobotsGroup[]): boolean {
  const isSpecial = ({ isRaw, folder }: RobotsRule): boolean => isRaw === true || folder !== undefined;
  return remember(plainness, groups, () => !groups.some(({ rules }) => rules.some(isSpecial)));
}

/**
 * Whether a crawler with these groups may fetch `url` (RFC 9309 §2.2.2): their longest matching rule decides, Allow wins a tie, and what
 * no rule names is allowed. /robots.txt itself is always allowed.
 */
export function decide(groups: readonly RobotsGroup[], url: URL, manner: Manner = 'plain'): RobotsDecision {
  if (url.pathname === '/robots.txt') return ALLOWED;
  const path = normalisePath(url);
  const scan: Scan = { charsLeft: SCAN_CHARS_MAX, isOver: false };
  const effective = manner !== 'plain' && arePlain(groups) ? 'plain' : manner;
  let decisive: RobotsRule | null = null;
  for (const rules of remember(joinedOf, groups, () => joinRules(groups))) {
    const rule = findDecisive(rules, path, scan, effective);
    if (rule !== null && isStronger(rule.pattern, rule.allow, decisive)) decisive = rule;
    if (scan.isOver) return UNCERTAIN;
  }
  return decisive === null ? ALLOWED : { allowed: decisive.allow, rule: decisive, isCertain: true };
}

/** For more rules than this, the decision per path is cached, however many crawlers and readings share them. */
const REMEMBERED_RULES_MIN = 500;
const REMEMBERED_PATHS_MAX = 150;
const remembered = new WeakMap<readonly RobotsRule[], Map<string, RobotsRule | null>>();
const joinedOf = new WeakMap<readonly RobotsGroup[], readonly (readonly RobotsRule[])[]>();

/**
 * The rules of one crawler's groups in their order, those of neighbouring small groups together: a hostile file may have ten
 * thousand of them. A large group stays by itself, since what is decided for it is shared with its other crawlers.
 */
function joinRules(groups: readonly RobotsGroup[]): readonly (readonly RobotsRule[])[] {
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
  return joined;
}

function findDecisive(rules: readonly RobotsRule[], path: string, scan: Scan, manner: Manner): RobotsRule | null {
  if (rules.length < REMEMBERED_RULES_MIN) return lookForDecisive(rules, path, scan, manner);
  const known = remember(remembered, rules, () => new Map<string, RobotsRule | null>());
  const key = `${manner} ${path}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const rule = lookForDecisive(rules, path, scan, manner);
  if (known.size < REMEMBERED_PATHS_MAX && !scan.isOver) known.set(key, rule);
  return rule;
}

function lookForDecisive(rules: readonly RobotsRule[], path: string, scan: Scan, manner: Manner): RobotsRule | null {
  const { drops, opensFolders } = MANNERS[manner];
  let decisive: RobotsRule | null = null;
  for (const rule of rules) {
    if (isStronger(rule.pattern, rule.allow, decisive) && !drops(rule) && matches(rule.pattern, path, scan))
      decisive = rule;
    if (scan.isOver) return decisive;
  }
  if (!opensFolders) return decisive;
  for (const rule of rules) {
    const { folder } = rule;
    if (folder === undefined || !isStronger(folder, true, decisive) || drops(rule)) continue;
    if (matches(folder, path, scan)) decisive = { ...rule, pattern: folder };
    if (scan.isOver) return decisive;
  }
  return decisive;
}

function isStronger(pattern: string, allow: boolean, than: RobotsRule | null): boolean {
  if (than === null || pattern.length > than.pattern.length) return true;
  return pattern.length === than.pattern.length && allow && !than.allow;
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
