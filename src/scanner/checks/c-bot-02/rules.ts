import { CORE_TOKENS } from '../../artifacts/agents/tokens.js';
import type { RobotsGroup, RobotsRule, RobotsTxt } from '../../artifacts/robots.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { count, lineOf, listSafeText, term, safeText } from '../../artifacts/safe-text.js';
import { countRules, groupsFor, shareGroups } from '../../parsers/robots-match.js';
import { groupTokens } from '../bot-policy/readings.js';

const JUDGED = ['*', ...CORE_TOKENS] as const;

/** (a) The merged groups of one agent contain both `Disallow: /` and `Allow: /`. */
export function findOpposedRules(robots: RobotsTxt): SafeText[] {
  return groupTokens(robots, JUDGED).flatMap(({ tokens, readings }) => {
    const [first, ...others] = readings.map(findBothWhole);
    if (first === undefined || first === null || others.includes(null)) return [];
    const { closing, opening } = first;
    const agents = listSafeText(tokens.map((token) => (token === '*' ? safeText`all other agents` : term(token))));
    return [
      safeText`robots.txt says both "Disallow: /" (${lineOf('robots.txt', closing.line)}) and "Allow: /" (${lineOf('robots.txt', opening.line)}) for ${agents}.`,
    ];
  });
}

/** Comparing more rules than this would block the process, and a note about so many would help no owner. */
const COMPARED_RULES_MAX = 20_000;

/**
 * A named group replaces the `*` group (RFC 9309 §2.2.1). That is not a contradiction, but often unintended, so it is worth a note.
 */
export function describeOmissions(robots: RobotsTxt): SafeText | null {
  if (countRules(robots.groups) > COMPARED_RULES_MAX) return null;
  // If `*` bars everything, a group that names an agent is meant to exempt it.
  const general = disallowed(groupsFor(robots, '*'));
  for (const pattern of ['/', '/*']) general.delete(pattern);
  const omissions = shareGroups(robots, CORE_TOKENS).flatMap(({ tokens, groups }) => {
    const own = disallowed(groups);
    const n = [...general].filter((pattern) => !own.has(pattern)).length;
    return n === 0
      ? []
      : [
          safeText`${listSafeText(tokens.map((token) => term(token)))} (${count(n, 'Disallow line', 'Disallow lines')})`,
        ];
  });
  if (omissions.length === 0) return null;
  return safeText`Groups of their own replace the rules for "*", but do not repeat all of them: ${listSafeText(omissions)}.`;
}

function disallowed(groups: readonly RobotsGroup[]): Set<string> {
  const patterns = new Set<string>();
  for (const { rules } of groups) for (const rule of rules) if (!rule.allow) patterns.add(rule.pattern);
  return patterns;
}

function findBothWhole(groups: readonly RobotsGroup[]): { closing: RobotsRule; opening: RobotsRule } | null {
  const closing = findWhole(groups, false);
  const opening = findWhole(groups, true);
  return closing === undefined || opening === undefined ? null : { closing, opening };
}

function findWhole(groups: readonly RobotsGroup[], allow: boolean): RobotsRule | undefined {
  for (const { rules } of groups) {
    const whole = rules.find((rule) => rule.allow === allow && rule.pattern === '/');
    if (whole) return whole;
  }
  return undefined;
}
