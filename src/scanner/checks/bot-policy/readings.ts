import type { AgentToken } from '../../agents/tokens.js';
import { fallbacksOf, readingOf } from '../../agents/tokens.js';
import type { RobotsGroup, RobotsTxt } from '../../evidence/robots.js';
import type { RobotsDecision } from '../../parse/robots-match.js';
import { areSameGroups, decide, groupsFor } from '../../parse/robots-match.js';
import { readStrictly } from '../../parse/robots-readings.js';

/** Tokens for which the same groups hold, in every reading that counts for them. */
export interface SharedReadings<T extends string> {
  readonly tokens: readonly T[];
  /** The reading of the tokens' vendor alone, or every reading if the vendor's is unknown. */
  readonly readings: readonly (readonly RobotsGroup[])[];
}

/**
 * Combines tokens for which the same groups hold. Readers disagree on where a list of User-agent lines ends, so a charge must hold
 * in the reading of the token's vendor, or in all of them where that one is unknown.
 */
export function shareReadings<const T extends AgentToken | '*'>(
  robots: RobotsTxt,
  tokens: readonly T[],
): SharedReadings<T>[] {
  const shared: { tokens: T[]; readings: readonly (readonly RobotsGroup[])[] }[] = [];
  for (const token of tokens) {
    const fallbacks = token === '*' ? [] : fallbacksOf(token);
    const readings = readingsFor(robots, token).map((reading) => groupsFor(reading, token, fallbacks));
    const same = shared.find(
      (other) =>
        other.readings.length === readings.length &&
        other.readings.every((groups, at) => areSameGroups(groups, readings[at] ?? [])),
    );
    if (same) same.tokens.push(token);
    else shared.push({ tokens: [token], readings });
  }
  return shared;
}

/** Barred only if every reading that counts says so; the rule is the one of the first reading. */
export function decideProven({ readings }: SharedReadings<string>, url: URL): RobotsDecision {
  const decisions = readings.map((groups) => decide(groups, url));
  const open = decisions.filter(({ allowed }) => allowed);
  return (
    open.find(({ isCertain }) => isCertain) ?? open[0] ?? decisions[0] ?? { allowed: true, rule: null, isCertain: true }
  );
}

/** Whether every reading that counts allows it, and none of our limits ended the comparison. */
export function isSurelyOpen({ readings }: SharedReadings<string>, url: URL): boolean {
  return readings.every((groups) => {
    const { allowed, isCertain } = decide(groups, url);
    return allowed && isCertain;
  });
}

/** Whether the readings that count disagree. */
export function isDisputed({ readings }: SharedReadings<string>, url: URL): boolean {
  return readings.length > 1 && new Set(readings.map((groups) => decide(groups, url).allowed)).size > 1;
}

function readingsFor(robots: RobotsTxt, token: AgentToken | '*'): readonly RobotsTxt[] {
  const strict = readStrictly(robots);
  if (strict === robots) return [robots];
  const reading = token === '*' ? null : readingOf(token);
  if (reading === null) return [robots, strict];
  return reading === 'google' ? [robots] : [strict];
}
