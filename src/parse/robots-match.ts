import type { RobotsGroup, RobotsRule, RobotsTxt } from '../domain/evidence/robots.js';

/** Whether a crawler may fetch a URL, and the rule that decides it; null where no rule matches. */
export interface RobotsDecision {
  readonly allowed: boolean;
  readonly rule: RobotsRule | null;
}

const ALLOWED: RobotsDecision = { allowed: true, rule: null };
/** What may stand in a path as it is: unreserved characters, and reserved ones, that percent-encoding would change the meaning of. */
const NEEDS_ENCODING = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g;
const ENCODED_OCTET = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** What is left of the characters that one decision looks through for wildcards. */
interface Scan {
  charsLeft: number;
}

/** Thousands of wildcards in a path of usual length; past it only a hostile file goes, whose other wildcards match nothing. */
const SCAN_CHARS_MAX = 500_000;

/**
 * Whether `token` may fetch `url` (RFC 9309 §2.2.2): the longest matching rule of its group decides, Allow wins between
 * equals, and what no rule names is allowed. /robots.txt itself is always allowed.
 */
export function isAllowed(robots: RobotsTxt, token: string, url: URL): RobotsDecision {
  return decide(rulesFor(robots, token), url);
}

/** The rules that hold for `token`; see {@link groupsFor}. */
export function rulesFor(robots: RobotsTxt, token: string): readonly RobotsRule[] {
  return groupsFor(robots, token).flatMap((group) => group.rules);
}

/**
 * The groups that hold for `token`: every one that names it, compared whole and without regard to case; only when none does
 * those of `*` (RFC 9309 §2.2.1). A group that names it without any rule allows everything.
 */
export function groupsFor(robots: RobotsTxt, token: string): readonly RobotsGroup[] {
  const own = robots.groups.filter((group) => group.tokens.includes(token.toLowerCase()));
  return own.length > 0 ? own : robots.groups.filter((group) => group.tokens.includes('*'));
}

/** Tokens that the same groups hold for, so that one look at the rules serves them all. */
export interface TokenRules<T extends string> {
  readonly tokens: readonly T[];
  readonly rules: readonly RobotsRule[];
}

/** Puts tokens together by the groups that hold for them, in the order of the tokens. */
export function shareRules<const T extends string>(robots: RobotsTxt, tokens: readonly T[]): TokenRules<T>[] {
  const shared: { tokens: T[]; groups: readonly RobotsGroup[]; rules: readonly RobotsRule[] }[] = [];
  for (const token of tokens) {
    const groups = groupsFor(robots, token);
    const same = shared.find(
      (other) => other.groups.length === groups.length && other.groups.every((group, at) => group === groups[at]),
    );
    if (same) same.tokens.push(token);
    else shared.push({ tokens: [token], groups, rules: groups.flatMap((group) => group.rules) });
  }
  return shared;
}

/** What these rules of one crawler say of a URL; see {@link isAllowed}. */
export function decide(rules: readonly RobotsRule[], url: URL): RobotsDecision {
  if (url.pathname === '/robots.txt') return ALLOWED;
  const path = normalisePath(url);
  const scan: Scan = { charsLeft: SCAN_CHARS_MAX };
  let decisive: RobotsRule | null = null;
  for (const rule of rules) {
    const isLonger = decisive === null || rule.pattern.length > decisive.pattern.length;
    const isTieWon =
      decisive !== null && rule.pattern.length === decisive.pattern.length && rule.allow && !decisive.allow;
    if ((isLonger || isTieWon) && matches(rule.pattern, path, scan)) decisive = rule;
  }
  return decisive === null ? ALLOWED : { allowed: decisive.allow, rule: decisive };
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
  const body = isAnchored ? pattern.slice(0, -1) : pattern;
  const star = body.indexOf('*');
  if (star < 0) return isAnchored ? path === body : path.startsWith(body);
  if (!path.startsWith(body.slice(0, star)) || scan.charsLeft <= 0) return false;
  scan.charsLeft -= path.length + body.length;
  const parts = body.slice(star + 1).split('*');
  const last = parts.pop() ?? '';
  let at = star;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return isAnchored ? path.endsWith(last) && path.length - last.length >= at : path.includes(last, at);
}
