import { AGENT_TOKENS } from '../../domain/agents.js';
import type { RobotsRule, RobotsTxt } from '../../domain/evidence/robots.js';
import type { Words } from '../../domain/words.js';
import { count, listWords, term, words } from '../../domain/words.js';
import { rulesFor, shareRules } from '../../parse/robots-match.js';

const JUDGED = ['*', ...AGENT_TOKENS.core] as const;

/** (a) The merged groups of one agent hold both `Disallow: /` and `Allow: /`. */
export function findOpposedRules(robots: RobotsTxt): Words[] {
  return shareRules(robots, JUDGED).flatMap(({ tokens, rules }) => {
    const closing = findWhole(rules, false);
    const opening = findWhole(rules, true);
    if (closing === undefined || opening === undefined) return [];
    const agents = listWords(tokens.map((token) => (token === '*' ? words`all other agents` : term(token))));
    return [
      words`robots.txt says both "Disallow: /" (line ${closing.line}) and "Allow: /" (line ${opening.line}) for ${agents}.`,
    ];
  });
}

/** A named group replaces that of `*` (RFC 9309 §2.2.1): no contradiction, but often not what was meant, so worth a note. */
export function describeOmissions(robots: RobotsTxt): Words | null {
  // Who names an agent beside a `*` that is shut means to leave that out.
  const general = disallowed(rulesFor(robots, '*').filter(({ pattern }) => pattern !== '/' && pattern !== '/*'));
  const omissions = shareRules(robots, AGENT_TOKENS.core).flatMap(({ tokens, rules }) => {
    const own = disallowed(rules);
    const n = [...general].filter((pattern) => !own.has(pattern)).length;
    return n === 0
      ? []
      : [words`${listWords(tokens.map((token) => term(token)))} (${count(n, 'Disallow line', 'Disallow lines')})`];
  });
  if (omissions.length === 0) return null;
  return words`Groups of their own replace the rules for "*", but do not repeat all of them: ${listWords(omissions)}.`;
}

function disallowed(rules: readonly RobotsRule[]): ReadonlySet<string> {
  return new Set(rules.filter((rule) => !rule.allow).map((rule) => rule.pattern));
}

function findWhole(rules: readonly RobotsRule[], allow: boolean): RobotsRule | undefined {
  return rules.find((rule) => rule.allow === allow && rule.pattern === '/');
}
