import { agentOf, type AgentToken } from '../artifacts/agents.js';
import { pageKey, type Home, type PageCandidate } from '../artifacts/pages.js';
import type { RobotsFile, RobotsGroup, RobotsTxt } from '../artifacts/robots.js';
import { listSafeText, type SafeText } from '../artifacts/safe-text.js';
import { SCAN_LIMITS, SCANNER_TOKEN } from '../artifacts/scanner.js';
import { decide, groupsFor, isAllowedInBothViews, type RobotsDecision } from '../parsers/robots.js';

/**
 * Returns the groups of robots.txt that apply to an agent, one list per view: Google's parser or RFC 9309. Google's agents use Google's view.
 * Other vendors do not say how they parse the file, so both views count for their agents.
 */
export function groupsByView({ groups }: RobotsTxt, token: AgentToken | '*'): (readonly RobotsGroup[])[] {
  const { fallbacks, vendor } = agentOf(token) ?? {};
  const views = vendor === 'Google' ? [groups.google] : [groups.google, groups.rfc];
  return views.map((view) => groupsFor(view, token, fallbacks));
}

function decideAll(robots: RobotsTxt, token: AgentToken, url: URL): RobotsDecision[] {
  return groupsByView(robots, token).map((groups) => decide(groups, url));
}

/** Disallows the URL only if every view does. The returned rule is then the last view's. */
export function decideUnanimously(robots: RobotsTxt, token: AgentToken, url: URL): RobotsDecision {
  const decisions = decideAll(robots, token, url);
  const allowing = decisions.filter(({ allowed }) => allowed);
  const decisive = allowing.find(({ isCertain }) => isCertain) ?? allowing[0] ?? decisions.at(-1);
  return decisive ?? { allowed: true, rule: null, isCertain: true };
}

/** Lists the agents for which every view of robots.txt disallows the page. */
export function listDisallowed<T extends AgentToken>(robots: RobotsTxt, tokens: readonly T[], url: URL): T[] {
  return tokens.filter((token) => !decideUnanimously(robots, token, url).allowed);
}

/** True if every view allows the URL, and no limit cut the comparison short. */
export function isCertainlyAllowed(robots: RobotsTxt, token: AgentToken, url: URL): boolean {
  return decideAll(robots, token, url).every(({ allowed, isCertain }) => allowed && isCertain);
}

/** A token that robots.txt disallows, and the line of the rule. */
export interface Disallowed<T extends AgentToken> {
  readonly token: T;
  readonly line: number;
}

/** Tokens that may not fetch the home page, and tokens that may fetch no other page. */
export interface DisallowedAgents<T extends AgentToken> {
  readonly onHome: readonly Disallowed<T>[];
  readonly onOthers: readonly Disallowed<T>[];
  /** Tokens for which the views disagree about the home page. */
  readonly disputed: readonly T[];
  /** False if robots.txt has more rules than we read or compare, so further tokens may be disallowed. */
  readonly isCertain: boolean;
}

type Policy = Pick<RobotsFile, 'origin' | 'robots'>;

/** Finds the tokens that may not fetch the final home page, and those that may fetch no other page. */
export function findDisallowedAgents<const T extends AgentToken>(
  file: Policy,
  home: Pick<Home, 'url' | 'candidates'>,
  tokens: readonly T[],
): DisallowedAgents<T> {
  const { robots } = file;
  const others = selectOtherPages(file, home);
  const onHome = tokens.flatMap((token) => findDisallowed(robots, token, [home.url]));
  const rest = tokens.filter((token) => !onHome.some((agent) => agent.token === token));
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
 * Selects other pages on the host of robots.txt (RFC 9309 §2.3): the pages that the user chose, and the first linked ones, if we may fetch
 * them. If we may fetch none, selects the first pages and a URL that no rule names: a site that allows only its home page must fail, but a
 * one-page site may disallow its few other pages.
 */
function selectOtherPages(
  { origin, robots }: Policy,
  { url: home, candidates }: Pick<Home, 'url' | 'candidates'>,
): readonly URL[] {
  const isHome = (url: URL): boolean => pageKey(url, home) === pageKey(home, home);
  const onHost = candidates.filter(({ url }) => url.origin === origin.origin && !isHome(url));
  const fetchable = onHost.filter(({ url }) => isAllowedInBothViews(robots, SCANNER_TOKEN, url));
  const firstOf = (pages: readonly PageCandidate[]): PageCandidate[] => pages.slice(0, SCAN_LIMITS.otherPagesMax);
  const chosen = fetchable.filter(({ path }) => path !== undefined);
  const linked = fetchable.filter(({ path }) => path === undefined);
  const pages = fetchable.length > 0 ? [...chosen, ...firstOf(linked)] : firstOf(onHost);
  const urls = pages.map(({ url }) => url);
  return fetchable.length > 0 || onHost.length === 0 ? urls : [new URL('/a-page-that-no-rule-names', origin), ...urls];
}

/** Returns the token if it may fetch none of the pages, with the line of the rule for the first page. Otherwise returns an empty list. */
function findDisallowed<T extends AgentToken>(robots: RobotsTxt, token: T, pages: readonly URL[]): Disallowed<T>[] {
  const decisions = pages.map((page) => decideUnanimously(robots, token, page));
  const line = decisions[0]?.rule?.line;
  return line === undefined || decisions.some(({ allowed }) => allowed) ? [] : [{ token, line }];
}

/** Groups agents with the same text, and describes each group in one sentence. */
export function describeAgentGroups(
  found: readonly { readonly agent: SafeText; readonly what: SafeText }[],
  describe: (what: SafeText, agents: SafeText) => SafeText,
): SafeText[] {
  return [...Map.groupBy(found, ({ what }) => what.text).values()].flatMap((group) =>
    group.slice(0, 1).map(({ what }) => describe(what, listSafeText(group.map(({ agent }) => agent)))),
  );
}
