import type { RobotsGroup, RobotsTxt } from '../evidence/robots.js';
import { isAllowed } from './robots-match.js';

const strictOf = new WeakMap<RobotsTxt, RobotsTxt>();

/**
 * The file as strict readers understand it: any record other than User-agent ends the list of names, so the rules belong to the
 * names directly above them, and names further up have a group without rules. The same object where that changes nothing.
 */
export function readStrictly(robots: RobotsTxt): RobotsTxt {
  const known = strictOf.get(robots);
  if (known) return known;
  const strict = robots.groups.some(isDivided) ? { ...robots, groups: robots.groups.flatMap(divide) } : robots;
  strictOf.set(robots, strict);
  return strict;
}

/** Whether every reader takes the file to allow this: the strictest reading, for requests of our own. */
export function isAllowedByAll(robots: RobotsTxt, token: string, url: URL): boolean {
  const strict = readStrictly(robots);
  return isAllowed(robots, token, url).allowed && (strict === robots || isAllowed(strict, token, url).allowed);
}

/** Whether readers disagree on who is named above the group's rules. */
export function isDivided({ parts }: RobotsGroup): boolean {
  return parts.length > 1;
}

/** What stands between two User-agent lines belongs to the names above it. */
function divide(group: RobotsGroup): readonly RobotsGroup[] {
  if (!isDivided(group)) return [group];
  let at = 0;
  return group.parts.map((part, index) => {
    const isLast = index === group.parts.length - 1;
    const from = at;
    const end = group.parts[index + 1]?.line ?? Infinity;
    while (at < group.preferences.length && (group.preferences[at]?.line ?? end) < end) at += 1;
    return {
      tokens: [...new Set(part.tokens)],
      parts: [part],
      rules: isLast ? group.rules : [],
      preferences: group.preferences.slice(from, at),
      // Kept for all of them: we never pause for less than a reader might.
      crawlDelayS: group.crawlDelayS,
    };
  });
}
