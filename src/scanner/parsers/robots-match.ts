import { perObject, remember } from '../../net/keyed.js';
import type { RobotsGroup, RobotsRule, RobotsTxt, RobotsView } from '../artifacts/robots.js';
import { ROBOTS_LIMITS } from '../limits.js';

/** A decision on one URL. `rule` is the one that decides; null if none matches. */
export interface RobotsDecision {
  readonly allowed: boolean;
  readonly rule: RobotsRule | null;
  /** False if our limit on wildcards ended the comparison, which then counts as allowed: another rule may decide. */
  readonly isCertain: boolean;
}

const ALLOWED: RobotsDecision = { allowed: true, rule: null, isCertain: true };
const UNCERTAIN: RobotsDecision = { allowed: true, rule: null, isCertain: false };

/**
 * The groups for `token`: every one that names it, compared as a whole and case-insensitively; if none does, those of the first of
 * its vendor's `fallbacks` that has any; then those of `*` (RFC 9309 §2.2.1). A group that names it without any rule allows
 * everything.
 */
export function groupsFor(
  groups: readonly RobotsGroup[],
  token: string,
  fallbacks: readonly string[] = [],
): readonly RobotsGroup[] {
  for (const name of [token, ...fallbacks, '*']) {
    const named = groupsNaming(groups, name);
    if (named.length > 0) return named;
  }
  return [];
}

/** Groups by the token that they name: one list for each token, so that agents without a group share that of `*`. */
const groupsByToken = perObject((_: readonly RobotsGroup[]) => new Map<string, readonly RobotsGroup[]>());

/** The groups that name `token` itself. */
export function groupsNaming(groups: readonly RobotsGroup[], token: string): readonly RobotsGroup[] {
  const name = token.toLowerCase();
  return remember(groupsByToken(groups), name, () => groups.filter(({ tokens }) => tokens.includes(name)));
}

/** The longest pause in seconds that the groups for `token` ask for; 0: none. No standard has it, many sites do. */
export function crawlDelayOf({ groups }: RobotsTxt, token: string): number {
  const delays = Object.values(groups).flatMap((list) => groupsFor(list, token).map(({ crawlDelayS }) => crawlDelayS));
  return Math.max(0, ...delays);
}

/** True if a URL is allowed in both views: required for our own requests. */
export function isAllowedInBothViews({ groups }: RobotsTxt, token: string, url: URL): boolean {
  return (
    decide(groupsFor(groups.rfc, token), url, 'rfc').allowed &&
    decide(groupsFor(groups.google, token), url, 'google').allowed
  );
}

/** Counts the rules of these groups. */
export function countRules(groups: readonly RobotsGroup[]): number {
  return groups.reduce((sum, { rules }) => sum + rules.length, 0);
}

/**
 * Decides whether a crawler with these groups may fetch `url` (RFC 9309 §2.2.2): their longest matching rule decides, Allow wins a
 * tie, and what no rule names is allowed. /robots.txt itself is always allowed. Google finds an unencoded character in no URL, and takes
 * the allowed index page of a folder for the folder itself.
 */
export function decide(groups: readonly RobotsGroup[], url: URL, view: RobotsView): RobotsDecision {
  return remember(decisionsOf(groups), `${view} ${url.href}`, () => compare(groups, url, view));
}

/** Decisions by view and URL, since agents with the same groups ask for the same pages. */
const decisionsOf = perObject((_: readonly RobotsGroup[]) => new Map<string, RobotsDecision>());

function compare(groups: readonly RobotsGroup[], url: URL, view: RobotsView): RobotsDecision {
  if (url.pathname === '/robots.txt') return ALLOWED;
  const path = normalisePath(url);
  const budget: WildcardBudget = { charsLeft: ROBOTS_LIMITS.wildcardCharsMax };
  let decisive: RobotsRule | null = null;
  for (const { rules } of groups) {
    for (const rule of rules) {
      if (view === 'google' && rule.isRaw) continue;
      const patterns = view === 'google' && rule.folder !== null ? [rule.pattern, rule.folder] : [rule.pattern];
      for (const pattern of patterns) {
        if (isStronger(pattern, rule.allow, decisive) && matches(pattern, path, budget))
          decisive = { ...rule, pattern };
      }
      if (budget.charsLeft <= 0) return UNCERTAIN;
    }
  }
  return decisive === null ? ALLOWED : { allowed: decisive.allow, rule: decisive, isCertain: true };
}

function isStronger(pattern: string, allow: boolean, than: RobotsRule | null): boolean {
  if (than === null || pattern.length > than.pattern.length) return true;
  return pattern.length === than.pattern.length && allow && !than.allow;
}

/** A rule's path, normalised for comparison; `*` and a final `$` keep their special meaning. */
export function normalisePattern(value: string): string {
  const isAnchored = value.endsWith('$');
  const pattern = normaliseEncoding(isAnchored ? value.slice(0, -1) : value).replaceAll('$', '%24');
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

/** Characters that must be encoded: all except unreserved ones, and reserved ones whose meaning encoding would change. */
const NEEDS_ENCODING = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g;
const ENCODED_OCTET = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[A-Za-z0-9\-._~]/;

/** Encodes octets outside ASCII, decodes needlessly encoded ones, and writes hexadecimal digits in upper case (RFC 9309 §2.2.2). */
function normaliseEncoding(text: string): string {
  const encodeOctets = (characters: string): string =>
    Buffer.from(characters).toString('hex').toUpperCase().replaceAll(/../g, '%$&');
  return text.replaceAll(NEEDS_ENCODING, encodeOctets).replaceAll(ENCODED_OCTET, (octet) => {
    const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
    return UNRESERVED.test(character) ? character : octet.toUpperCase();
  });
}

/** Characters that one decision may still compare with wildcards. */
interface WildcardBudget {
  charsLeft: number;
}

/** Finds the parts between the `*` one after the other, each as early as possible: no backtracking, so linear. */
function matches(pattern: string, path: string, budget: WildcardBudget): boolean {
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
