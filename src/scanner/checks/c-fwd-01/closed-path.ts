import type { RobotsTxt } from '../../artifacts/robots.js';
import { decide, groupsFor } from '../../parsers/robots-match.js';

/** A group with more names than this is for everybody. */
const TOKENS_MAX = 5;

/**
 * Whether none of these agents may crawl anything at or below `path`: no preference exists there (draft-ietf-aipref-attach-05). Says
 * no where that is not certain.
 */
export function isClosedTo(robots: RobotsTxt, tokens: readonly string[], path: string, origin: URL): boolean {
  if (tokens.length === 0 || tokens.length > TOKENS_MAX) return false;
  // What begins with the part before a wildcard includes what the whole matches.
  const url = URL.parse(origin.origin + path.replace(/[*$].*$/s, ''), origin);
  return url !== null && tokens.every((token) => isClosed(robots, token, url));
}

/** The deciding rule closes all that begins with this path, and no Allow is long enough to open a part of it. */
function isClosed(robots: RobotsTxt, token: string, url: URL): boolean {
  const groups = groupsFor(robots, token);
  const { rule, isCertain } = decide(groups, url);
  if (rule === null || rule.allow || !isCertain || rule.pattern.endsWith('$')) return false;
  return !groups.some(({ rules }) =>
    rules.some(({ allow, pattern }) => allow && pattern.length >= rule.pattern.length),
  );
}
