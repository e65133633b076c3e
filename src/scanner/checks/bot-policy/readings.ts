import type { AgentToken } from '../../agents/tokens.js';
import { fallbacksOf, readingOf } from '../../agents/tokens.js';
import type { RobotsGroup, RobotsReading, RobotsTxt } from '../../evidence/robots.js';
import type { RobotsDecision } from '../../parse/robots-match.js';
import { areSameGroups, decide, groupsFor } from '../../parse/robots-match.js';
import { readAsGoogle, readForCharges, readForOurselves } from '../../parse/robots-readings.js';

/** Tokens for which the same groups hold, in every reading that counts for them. */
export interface SharedReadings<T extends string> {
  readonly tokens: readonly T[];
  /** The reading of the tokens' vendor alone, or every reading if the vendor's is unknown: each opens whatever a reader may open. */
  readonly readings: readonly (readonly RobotsGroup[])[];
  /** The same, but each bars whatever a reader may bar. */
  readonly strictest: readonly (readonly RobotsGroup[])[];
}

/**
 * Combines tokens for which the same groups hold. Readers disagree on where a list of User-agent lines ends, on keys, index
 * pages and octets, so a charge must hold in the reading of the token's vendor, or in all of them where that one is unknown.
 */
export function shareReadings<const T extends AgentToken | '*'>(
  robots: RobotsTxt,
  tokens: readonly T[],
): SharedReadings<T>[] {
  const shared: (SharedReadings<T> & { readonly tokens: T[] })[] = [];
  for (const token of tokens) {
    const fallbacks = token === '*' ? [] : fallbacksOf(token);
    const isGoogle = token !== '*' && readingOf(token) === 'google';
    const groupsIn = (reading: RobotsReading) => groupsFor(reading, token, fallbacks);
    const readings = (isGoogle ? [readAsGoogle(robots)] : readForCharges(robots)).map(groupsIn);
    const strictest = isGoogle ? readings : readForOurselves(robots).map(groupsIn);
    const same = shared.find(
      (other) => areSameReadings(other.readings, readings) && areSameReadings(other.strictest, strictest),
    );
    if (same) same.tokens.push(token);
    else shared.push({ tokens: [token], readings, strictest });
  }
  return shared;
}

function areSameReadings(
  some: readonly (readonly RobotsGroup[])[],
  others: readonly (readonly RobotsGroup[])[],
): boolean {
  return some.length === others.length && some.every((groups, at) => areSameGroups(groups, others[at] ?? []));
}

/** Barred only if every reading that counts says so; the rule is the one of the first reading. */
export function decideProven({ readings }: SharedReadings<string>, url: URL): RobotsDecision {
  let first: RobotsDecision | null = null;
  let open: RobotsDecision | null = null;
  for (const groups of readings) {
    const decision = decide(groups, url);
    if (decision.allowed && decision.isCertain) return decision;
    if (decision.allowed) open ??= decision;
    first ??= decision;
  }
  return open ?? first ?? { allowed: true, rule: null, isCertain: true };
}

/** Whether every reading that counts allows it, and none of our limits ended the comparison. */
export function isSurelyOpen({ strictest }: SharedReadings<string>, url: URL): boolean {
  return strictest.every((groups) => {
    const { allowed, isCertain } = decide(groups, url);
    return allowed && isCertain;
  });
}

/** Whether the readings that count disagree. */
export function isDisputed(sharer: SharedReadings<string>, url: URL): boolean {
  return decideProven(sharer, url).allowed && sharer.strictest.some((groups) => !decide(groups, url).allowed);
}
