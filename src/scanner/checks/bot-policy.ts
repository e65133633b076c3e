import { agentOf, type AgentToken } from '../artifacts/agents.js';
import { pageKey, type Home, type PageCandidate } from '../artifacts/pages.js';
import type { RobotsFile, RobotsGroup, RobotsTxt } from '../artifacts/robots.js';
import { listSafeText, type SafeText } from '../artifacts/safe-text.js';
import { SCAN_LIMITS, SCANNER_TOKEN } from '../artifacts/scanner.js';
import { decide, groupsFor, isAllowedInBothViews, type RobotsDecision } from '../parsers/robots.js';

/**
 * Returns the groups of robots.txt that hold for an agent, by view. Google's agents use Google's own. Other vendors do not say how they
 * parse the file, so both views count for theirs.
 */
export function groupsByView({ groups }: RobotsTxt, token: AgentToken | '*'): (readonly RobotsGroup[])[] {
  const { fallbacks, vendor } = agentOf(token) ?? {};
  const views = vendor === 'Google' ? [groups.google] : [groups.google, groups.rfc];
  return views.map((view) => groupsFor(view, token, fallbacks));
}

function decideAll(robots: RobotsTxt, token: AgentToken, url: URL): RobotsDecision[] {
  return groupsByView(robots, token).map((groups) => decide(groups, url));
}

/** Disallowed only if every view disallows it. The rule is that of the last one. */
export function decideUnanimously(robots: RobotsTxt, token: AgentToken, url: URL): RobotsDecision {
  const decisions = decideAll(robots, token, url);
  const open = decisions.filter(({ allowed }) => allowed);
  const decisive = open.find(({ isCertain }) => isCertain) ?? open[0] ?? decisions.at(-1);
  return decisive ?? { allowed: true, rule: null, isCertain: true };
}

/** Lists the agents that every view of robots.txt keeps from a page. */
export function listDisallowed<T extends AgentToken>(robots: RobotsTxt, tokens: readonly T[], url: URL): T[] {
  return tokens.filter((token) => !decideUnanimously(robots, token, url).allowed);
}

/** True if every view allows it, and no limit ended the comparison. */
export function isCertainlyAllowed(robots: RobotsTxt, token: AgentToken, url: URL): boolean {
  return decideAll(robots, token, url).every(({ allowed, isCertain }) => allowed && isCertain);
}

/** A token that robots.txt disallows, and the line. */
export interface Disallowed<T extends AgentToken> {
  readonly token: T;
  readonly line: number;
}

/** Tokens that robots.txt disallows on the home page, and tokens that it allows only there. */
export interface DisallowedAgents<T extends AgentToken> {
  readonly onHome: readonly Disallowed<T>[];
  readonly onOthers: readonly Disallowed<T>[];
  /** Tokens for which the views disagree about the home page. */
  readonly disputed: readonly T[];
  /** False if robots.txt has more than we read or compare, so that further tokens may be disallowed. */
  readonly isCertain: boolean;
}

type Policy = Pick<RobotsFile, 'origin' | 'robots'>;

/** Finds which of these tokens may not fetch the final home page or any other page. */
export function findDisallowedAgents<const T extends AgentToken>(
  file: Policy,
  home: Pick<Home, 'url' | 'candidates'>,
  tokens: readonly T[],
): DisallowedAgents<T> {
  const { robots } = file;
  const others = otherPagesOf(file, home);
  const onHome = tokens.flatMap((token) => findDisallowed(robots, token, [home.url]));
  const rest = tokens.filter((token) => !onHome.some((one) => one.token === token));
  return {
    onHome,
    onOthers: rest.flatMap((token) => findDisallowed(robots, token, others)),
    disputed: rest.filter((token) => !decideAll(robots, token, home.url).every(({ allowed }) => allowed)),
    isCertain:
      robots.isWhole &&
      tokens.every((token) => [home.url, ...others].every((page) => decideUnanimously(robots, token, page).isCertain)),
  };
}

/**
 * Returns addresses of other pages on the host of robots.txt (RFC 9309 §2.3): the user's pages, and the first that the home page links to
 * and that we may fetch. If robots.txt closes all of them to us, returns the first of these, or a site that opens only its home page would
 * pass; an address that no rule names is added, so that a one-page site may close its few other pages.
 */
function otherPagesOf(
  { origin, robots }: Policy,
  { url: home, candidates }: Pick<Home, 'url' | 'candidates'>,
): readonly URL[] {
  const isHome = (url: URL): boolean => pageKey(url, home) === pageKey(home, home);
  const own = candidates.filter(({ url }) => url.origin === origin.origin && !isHome(url));
  const open = own.filter(({ url }) => isAllowedInBothViews(robots, SCANNER_TOKEN, url));
  const firstOf = (pages: readonly PageCandidate[]): PageCandidate[] => pages.slice(0, SCAN_LIMITS.otherPagesMax);
  const chosen = open.filter(({ path }) => path !== undefined);
  const pages = open.length > 0 ? [...chosen, ...firstOf(open.filter(({ path }) => path === undefined))] : firstOf(own);
  const urls = pages.map(({ url }) => url);
  return open.length > 0 || own.length === 0 ? urls : [new URL('/a-page-that-no-rule-names', origin), ...urls];
}

/** Returns the token if it may fetch none of these pages, with the line that decides for the first page. */
function findDisallowed<T extends AgentToken>(robots: RobotsTxt, token: T, pages: readonly URL[]): Disallowed<T>[] {
  const decisions = pages.map((page) => decideUnanimously(robots, token, page));
  const line = decisions[0]?.rule?.line;
  return line === undefined || decisions.some(({ allowed }) => allowed) ? [] : [{ token, line }];
}

/** Describes what applies to agents, once for those to which the same applies. */
export function joinAgents(
  found: readonly { readonly agent: SafeText; readonly what: SafeText }[],
  describe: (what: SafeText, agents: SafeText) => SafeText,
): SafeText[] {
  return [...Map.groupBy(found, ({ what }) => what.text).values()].flatMap((same) =>
    same.slice(0, 1).map(({ what }) => describe(what, listSafeText(same.map(({ agent }) => agent)))),
  );
}
