import { AGENT_TOKENS } from '../../domain/agents.js';
import type { RobotsRule, RobotsTxt } from '../../domain/evidence/robots.js';
import type { Words } from '../../domain/words.js';
import { listWords, term, words } from '../../domain/words.js';
import { shareRules } from '../../parse/robots-match.js';

const JUDGED = ['*', ...AGENT_TOKENS.core] as const;

/** (a) The merged groups of one agent hold both `Disallow: /` and `Allow: /`. */
export function findOpposedRules(robots: RobotsTxt): Words[] {
  return shareRules(robots, JUDGED).flatMap(({ tokens, rules }) => {
    const closing = findWhole(rules, false);
    const opening = findWhole(rules, true);
    if (closing === undefined || opening === undefined) return [];
    const agents = listWords(tokens.map((token) => (token === '*' ? words`all other agents` : term(token))));
    return [
      words`robots.txt says both "Disallow: /" (line ${closing.line}) and "Allow: /" (line ${opening.line}) to ${agents}.`,
    ];
  });
}

function findWhole(rules: readonly RobotsRule[], allow: boolean): RobotsRule | undefined {
  return rules.find((rule) => rule.allow === allow && rule.pattern === '/');
}
