import type { RobotsGroup, RobotsRule, RobotsTxt } from '../evidence/robots.js';

/** Whether a crawler may fetch a URL, and the rule that decides it; null where no rule matches. */
export interface RobotsDecision {
  readonly allowed: boolean;
  readonly rule: RobotsRule | null;
  /** False where a limit of ours ended the comparison, which stands as allowed: another rule may decide. */
  readonly isCertain: boolean;
}

const ALLOWED: RobotsDecision = { allowed: true, rule: null, isCertain: true };
const UNCERTAIN: RobotsDecision = { allowed: true, rule: null, isCertain: false };
/** What may stand in a path as it is: unreserved characters, and reserved ones, that percent-encoding would change the meaning of. */
const NEEDS_ENCODING = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g;
const ENCODED_OCTET = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** What is left of the characters that one decision looks through for wildcards, and whether they were too few. */
interface Scan {
  charsLeft: number;
  isOver: boolean;
}

/** Thousands of wildcards in a path of usual length; past it only a hostile file goes. */
const SCAN_CHARS_MAX = 250_000;

/**
 * Whether `token` may fetch `url` (RFC 9309 §2.2.2): the longest matching rule of its group decides, Allow wins between
 * equals, and what no rule names is allowed. /robots.txt itself is always allowed.
 */
export function isAllowed(robots: RobotsTxt, token: string, url: URL): RobotsDecision {
  return decide(groupsFor(robots, token), url);
}

/**
 * The groups that hold for `token`: every one that names it, compared whole and without regard to case; only when none does
 * those of `*` (RFC 9309 §2.2.1). A group that names it without any rule allows everything.
 */
export function groupsFor(robots: RobotsTxt, token: string): readonly RobotsGroup[] {
  const byToken = groupsByToken(robots);
  return byToken.get(token.toLowerCase()) ?? byToken.get('*') ?? [];
}

const byTokenOf = new WeakMap<RobotsTxt, ReadonlyMap<string, readonly RobotsGroup[]>>();

/** The groups that name each token; made once, since a hostile file has a hundred thousand of either. */
export function groupsByToken(robots: RobotsTxt): ReadonlyMap<string, readonly RobotsGroup[]> {
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

/** Tokens that the same groups hold for, so that one look at the rules serves them all. */
export interface TokenGroups<T extends string> {
  readonly tokens: readonly T[];
  readonly groups: readonly RobotsGroup[];
}

/** Puts tokens together by the groups that hold for them, in the order of the tokens. */
export function shareGroups<const T extends string>(robots: RobotsTxt, tokens: readonly T[]): TokenGroups<T>[] {
  const shared: { tokens: T[]; groups: readonly RobotsGroup[] }[] = [];
  for (const token of tokens) {
    const groups = groupsFor(robots, token);
    const same = shared.find(
      (other) => other.groups.length === groups.length && other.groups.every((group, at) => group === groups[at]),
    );
    if (same) same.tokens.push(token);
    else shared.push({ tokens: [token], groups });
  }
  return shared;
}

/** How many rules these groups have. */
export function countRules(groups: readonly RobotsGroup[]): number {
  return groups.reduce((sum, { rules }) => sum + rules.length, 0);
}

/** What these groups of one crawler say of a URL; see {@link isAllowed}. */
export function decide(groups: readonly RobotsGroup[], url: URL): RobotsDecision {
  if (url.pathname === '/robots.txt') return ALLOWED;
  const path = normalisePath(url);
  const scan: Scan = { charsLeft: SCAN_CHARS_MAX, isOver: false };
  let decisive: RobotsRule | null = null;
  for (const group of groups) {
    const rule = findDecisive(group, path, scan);
    if (rule !== null && isStronger(rule, decisive)) decisive = rule;
    if (scan.isOver) return UNCERTAIN;
  }
  return decisive === null ? ALLOWED : { allowed: decisive.allow, rule: decisive, isCertain: true };
}

/** A group of more rules than these is looked through once for each path, however many crawlers it holds for. */
const REMEMBERED_RULES_MIN = 500;
const REMEMBERED_PATHS_MAX = 50;
const remembered = new WeakMap<RobotsGroup, Map<string, RobotsRule | null>>();

function findDecisive(group: RobotsGroup, path: string, scan: Scan): RobotsRule | null {
  if (group.rules.length < REMEMBERED_RULES_MIN) return lookForDecisive(group, path, scan);
  const rulesByPath = remembered.get(group) ?? new Map<string, RobotsRule | null>();
  remembered.set(group, rulesByPath);
  const known = rulesByPath.get(path);
  if (known !== undefined) return known;
  const rule = lookForDecisive(group, path, scan);
  if (rulesByPath.size < REMEMBERED_PATHS_MAX && !scan.isOver) rulesByPath.set(path, rule);
  return rule;
}

function lookForDecisive({ rules }: RobotsGroup, path: string, scan: Scan): RobotsRule | null {
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

/** A rule's path in the form in which it is compared; `*` and a `$` at its end stay special. */
export function normalisePattern(value: string): string {
  const isAnchored = value.endsWith('$');
  const pattern = normaliseEncoding(isAnchored ? value.slice(0, -1) : value).replaceAll('$', '%24');
  return isAnchored ? `${pattern}$` : pattern;
}

/**
 * Path and query in the form in which they are compared. Their own `*` and `$` are no specials, so that they are encoded; a
 * `?` without a query after it, which `URL.search` leaves out, counts.
 */
function normalisePath(url: URL): string {
  const end = url.href.indexOf('#');
  const path = url.href.slice(url.href.indexOf('/', url.protocol.length + 2), end < 0 ? undefined : end);
  return normaliseEncoding(path).replaceAll('*', '%2A').replaceAll('$', '%24');
}

/** Octets outside of ASCII encoded, those encoded without need decoded, hexadecimal digits in upper case (RFC 9309 §2.2.2). */
function normaliseEncoding(text: string): string {
  return text.replaceAll(NEEDS_ENCODING, encodeOctets).replaceAll(ENCODED_OCTET, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return UNRESERVED.test(character) ? character : octet.toUpperCase();
  });
}

function encodeOctets(characters: string): string {
  return Buffer.from(characters).toString('hex').toUpperCase().replaceAll(/../g, '%$&');
}

/** Finds the parts between the `*` one after the other, each as early as it can stand: no way back, so linear. */
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
