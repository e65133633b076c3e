import { AGENT_TOKENS } from './agent-tokens.js';
import type { CoreToken } from './agent-tokens.js';
import type { Home, Sample } from '../../evidence/pages.js';
import type { RobotsFile } from '../../evidence/robots.js';
import type { TokenGroups } from '../../parse/robots-match.js';
import { decide, shareGroups } from '../../parse/robots-match.js';

/** A core token that robots.txt keeps out, and the line that does. */
export interface Barred {
  readonly token: CoreToken;
  readonly line: number;
}

/** Whom robots.txt keeps from the home page, and whom it lets in there, but nowhere else. */
export interface Admission {
  readonly fromHome: readonly Barred[];
  readonly fromOthers: readonly Barred[];
  /** False where robots.txt has more wildcards than are compared, so that others may be barred, too. */
  readonly isCertain: boolean;
}

/** What robots.txt means for the core tokens on the final home page and the other pages of the sample (C-BOT-01). */
export function findAdmission(file: RobotsFile, home: Home, sample: Sample | null): Admission {
  const sharers = shareGroups(file.robots, AGENT_TOKENS.core);
  const homeUrl = homeUrlOf(file, home);
  const fromHome = sharers.flatMap((sharer) => listBarred(sharer, [homeUrl]));
  const others = otherPagesOf(file, sample);
  const fromOthers = sharers
    .filter(({ tokens }) => !fromHome.some(({ token }) => tokens.includes(token)))
    .flatMap((sharer) => listBarred(sharer, others));
  const isCertain = sharers.every(({ groups }) => [homeUrl, ...others].every((page) => decide(groups, page).isCertain));
  return { fromHome, fromOthers, isCertain };
}

/** The page that a reader of this site's own host meets first. */
export function homeUrlOf({ origin }: RobotsFile, home: Home): URL {
  return home.isElsewhere ? new URL('/', origin) : home.url;
}

/**
 * Pages of another host have a robots.txt of their own (RFC 9309 §2.3). Where no page is left, those that were left out because
 * we are barred from them stand in, or a site that opens nothing but its home page would pass; beside an address that no rule
 * names, so that a one-page site may keep the few pages behind it closed.
 */
function otherPagesOf({ origin }: RobotsFile, sample: Sample | null): readonly URL[] {
  if (sample === null) return [];
  const others = sample.pages.slice(1).filter(({ url }) => url.origin === origin.origin);
  if (others.length > 0) return others.map(({ url }) => url);
  return sample.disallowed.length > 0 ? [new URL('/a-page-that-no-rule-names', origin), ...sample.disallowed] : [];
}

/** The tokens of the same groups that may fetch none of these pages, with the line that decides on the first of them. */
function listBarred({ tokens, groups }: TokenGroups<CoreToken>, pages: readonly URL[]): Barred[] {
  const decisions = pages.map((page) => decide(groups, page));
  const line = decisions[0]?.rule?.line;
  if (line === undefined || decisions.some((decision) => decision.allowed)) return [];
  return tokens.map((token) => ({ token, line }));
}
