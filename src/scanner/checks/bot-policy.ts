import { agentOf, type AgentToken } from '../artifacts/agents/tokens.js';
import type { Home, Sample } from '../artifacts/pages.js';
import type { RobotsFile, RobotsGroup, RobotsTxt, RobotsView } from '../artifacts/robots.js';
import { decide, groupsFor, isSameList, type RobotsDecision } from '../parsers/robots-match.js';

/** The groups of one view of robots.txt that hold for an agent. */
interface Reading {
  readonly view: RobotsView;
  readonly groups: readonly RobotsGroup[];
}

/** Tokens with the same groups. */
export interface TokenGroup<T extends string> {
  readonly tokens: readonly T[];
  /** Google's view for Google's tokens. Other vendors do not say how they parse the file, so both views for theirs. */
  readonly readings: readonly Reading[];
}

/** Combines tokens with the same groups. */
export function groupTokens<const T extends AgentToken | '*'>(
  { groups }: RobotsTxt,
  tokens: readonly T[],
): TokenGroup<T>[] {
  const shared: (TokenGroup<T> & { readonly tokens: T[] })[] = [];
  for (const token of tokens) {
    const { fallbacks = [], reading } = agentOf(token) ?? {};
    const views: readonly RobotsView[] = reading === 'google' ? ['google'] : ['google', 'rfc'];
    const readings = dropEqualReading(
      views.map((view) => ({ view, groups: groupsFor(groups[view], token, fallbacks) })),
    );
    const same = shared.find((other) => areSame(other.readings, readings));
    if (same) same.tokens.push(token);
    else shared.push({ tokens: [token], readings });
  }
  return shared;
}

/** Returns only the first reading if the other cannot differ from it. */
function dropEqualReading(readings: readonly Reading[]): readonly Reading[] {
  const [first, second] = readings;
  if (!first || !second || !isSameList(first.groups, second.groups)) return readings;
  const mayDiffer = first.groups.some(({ rules }) => rules.some(({ isRaw, folder }) => isRaw || folder !== null));
  return mayDiffer ? readings : [first];
}

function areSame(some: readonly Reading[], others: readonly Reading[]): boolean {
  return some.length === others.length && some.every(({ groups }, at) => isSameList(groups, others[at]?.groups ?? []));
}

function decideAll({ readings }: TokenGroup<string>, url: URL): RobotsDecision[] {
  return readings.map(({ view, groups }) => decide(groups, url, view));
}

/** Disallowed only if every reading disallows it. The rule is that of the last one. */
export function decideUnanimously(tokenGroup: TokenGroup<string>, url: URL): RobotsDecision {
  const decisions = decideAll(tokenGroup, url);
  const open = decisions.filter(({ allowed }) => allowed);
  const decisive = open.find(({ isCertain }) => isCertain) ?? open[0] ?? decisions.at(-1);
  return decisive ?? { allowed: true, rule: null, isCertain: true };
}

/** True if every reading allows it, and no limit ended the comparison. */
export function isCertainlyAllowed(tokenGroup: TokenGroup<string>, url: URL): boolean {
  return decideAll(tokenGroup, url).every(({ allowed, isCertain }) => allowed && isCertain);
}

/** True if the readings disagree. */
function isDisputed(tokenGroup: TokenGroup<string>, url: URL): boolean {
  const decisions = decideAll(tokenGroup, url);
  return decisions.some(({ allowed }) => allowed) && decisions.some(({ allowed }) => !allowed);
}

/** A token that robots.txt disallows, and the line. */
export interface Disallowed<T extends AgentToken> {
  readonly token: T;
  readonly line: number;
}

/** Tokens that robots.txt keeps from the home page, and tokens that it allows only there. */
export interface Admission<T extends AgentToken> {
  readonly fromHome: readonly Disallowed<T>[];
  readonly fromOthers: readonly Disallowed<T>[];
  /** Tokens for which the relevant interpretations disagree about the home page. */
  readonly disputed: readonly T[];
  /** False if robots.txt has more than we read or compare, so that further tokens may be disallowed. */
  readonly isCertain: boolean;
}

type Policy = Pick<RobotsFile, 'origin' | 'robots'>;

/** Decides which of these tokens may fetch the final home page and the other sample pages. */
export function findAdmission<const T extends AgentToken>(
  file: Policy,
  home: Pick<Home, 'url'>,
  sample: Sample | null,
  asked: readonly T[],
): Admission<T> {
  const tokenGroups = groupTokens(file.robots, asked);
  // In the order asked, even if tokens share their groups.
  const inOrder = (disallowed: readonly Disallowed<T>[]): Disallowed<T>[] =>
    asked.flatMap((token) => disallowed.filter((one) => one.token === token));
  const homeUrl = home.url;
  const fromHome = inOrder(tokenGroups.flatMap((tokenGroup) => listDisallowed(tokenGroup, [homeUrl])));
  const others = otherPagesOf(file, sample);
  const fromOthers = inOrder(
    tokenGroups
      .filter(({ tokens }) => !fromHome.some(({ token }) => tokens.includes(token)))
      .flatMap((tokenGroup) => listDisallowed(tokenGroup, others)),
  );
  const isCertain =
    file.robots.isWhole &&
    tokenGroups.every((tokenGroup) =>
      [homeUrl, ...others].every((page) => decideUnanimously(tokenGroup, page).isCertain),
    );
  const disputed = tokenGroups.filter((tokenGroup) => isDisputed(tokenGroup, homeUrl)).flatMap(({ tokens }) => tokens);
  return { fromHome, fromOthers, disputed, isCertain };
}

/**
 * Returns the sample pages on the site's own host, since another host has its own robots.txt (RFC 9309 §2.3). Without any, returns pages
 * that we skipped because robots.txt disallows them for us; otherwise a site that allows only its home page would pass. An address that no
 * rule names is added, so that a one-page site may close its few other pages. Pages that would have been read without a choice count as
 * well, so that the owner's choice of pages never causes a failure.
 */
function otherPagesOf({ origin }: Policy, sample: Sample | null): readonly URL[] {
  if (sample === null) return [];
  const others = [...sample.pages.slice(1).map(({ url }) => url), ...(sample.usual ?? [])];
  const own = others.filter((url) => url.origin === origin.origin);
  if (own.length > 0) return own;
  return sample.disallowed.length > 0 ? [new URL('/a-page-that-no-rule-names', origin), ...sample.disallowed] : [];
}

/** Returns the tokens that may fetch none of these pages, with the line that decides for the first page. */
function listDisallowed<T extends AgentToken>(tokenGroup: TokenGroup<T>, pages: readonly URL[]): Disallowed<T>[] {
  const decisions = pages.map((page) => decideUnanimously(tokenGroup, page));
  const line = decisions[0]?.rule?.line;
  if (line === undefined || decisions.some((decision) => decision.allowed)) return [];
  return tokenGroup.tokens.map((token) => ({ token, line }));
}
