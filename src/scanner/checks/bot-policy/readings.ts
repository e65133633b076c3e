import type { AgentToken } from '../../artifacts/agents/tokens.js';
import { fallbacksOf, readingOf } from '../../artifacts/agents/tokens.js';
import type { RobotsGroup, RobotsTxt } from '../../artifacts/robots.js';
import { isSameList } from '../../parsers/robots-sharing.js';
import type { RobotsDecision } from '../../parsers/robots-match.js';
import { arePlain, decide } from '../../parsers/robots-match.js';
import { groupsIn, listViews, viewOfGoogle } from '../../parsers/robots-readings.js';

/** Tokens for which the same groups hold, in every reading that counts for them. */
export interface TokenGroup<T extends string> {
  readonly tokens: readonly T[];
  /** Whether that is Google's own reading alone; the vendor's is unknown of others, so every reading counts. */
  readonly isGoogle: boolean;
  readonly readings: readonly (readonly RobotsGroup[])[];
}

/**
 * Combines tokens for which the same groups hold. Readers disagree on where a list of User-agent lines ends, on keys, index
 * pages and octets, so a charge must hold in the reading of the token's vendor, or in all of them where that one is unknown.
 */
export function groupTokens<const T extends AgentToken | '*'>(
  robots: RobotsTxt,
  tokens: readonly T[],
): TokenGroup<T>[] {
  const shared: (TokenGroup<T> & { readonly tokens: T[] })[] = [];
  for (const token of tokens) {
    const fallbacks = token === '*' ? [] : fallbacksOf(token);
    const isGoogle = token !== '*' && readingOf(token) === 'google';
    const views = isGoogle ? [viewOfGoogle(robots)] : listViews(robots);
    const readings = views.map((view) => groupsIn(view, token, fallbacks));
    const same = shared.find(
      (other) =>
        isSameList(other.readings, readings) && (other.isGoogle === isGoogle || readings.every((one) => arePlain(one))),
    );
    if (same) same.tokens.push(token);
    else shared.push({ tokens: [token], isGoogle, readings });
  }
  return shared;
}

/** Barred only if every reading that counts says so, each in the openest way; the rule is the one of the first reading. */
export function decideUnanimously({ isGoogle, readings }: TokenGroup<string>, url: URL): RobotsDecision {
  let first: RobotsDecision | null = null;
  let open: RobotsDecision | null = null;
  for (const groups of readings) {
    const decision = decide(groups, url, isGoogle ? 'google' : 'openest');
    if (decision.allowed && decision.isCertain) return decision;
    if (decision.allowed) open ??= decision;
    first ??= decision;
  }
  return open ?? first ?? { allowed: true, rule: null, isCertain: true };
}

/** Whether every reading that counts allows it, and none of our limits ended the comparison. */
export function isSurelyOpen(tokenGroup: TokenGroup<string>, url: URL): boolean {
  return tokenGroup.readings.every((groups) => {
    const { allowed, isCertain } = decideStrictly(tokenGroup, groups, url);
    return allowed && isCertain;
  });
}

/** Whether the readings that count disagree. */
export function isDisputed(tokenGroup: TokenGroup<string>, url: URL): boolean {
  if (!decideUnanimously(tokenGroup, url).allowed) return false;
  return tokenGroup.readings.some((groups) => !decideStrictly(tokenGroup, groups, url).allowed);
}

/** Barred where any reader that counts may bar it. */
function decideStrictly({ isGoogle }: TokenGroup<string>, groups: readonly RobotsGroup[], url: URL): RobotsDecision {
  return decide(groups, url, isGoogle ? 'google' : 'strictest');
}
