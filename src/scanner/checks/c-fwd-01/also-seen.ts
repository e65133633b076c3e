import { TRAINING_TOKENS } from '../../artifacts/agents/tokens.js';
import type { ForwardSignals, Home } from '../../artifacts/pages.js';
import type { RobotsFile } from '../../artifacts/robots.js';
import { listSafeText, type SafeText, safeText, term } from '../../artifacts/safe-text.js';
import { decide, groupsByToken } from '../../parsers/robots-match.js';
import { isNoAi } from '../../parsers/robots-tags.js';

/** What is not a declared preference, but tells of one, and other forward signals. */
export function describeAlsoSeen(
  home: Home,
  robots: RobotsFile | null,
  signals: ForwardSignals | null,
): SafeText | null {
  const seen = (signals?.seen ?? []).map((name) => term(name));
  if (isNoAi(home)) seen.push(safeText`noai`);
  const barred = robots ? barredTrainers(robots) : [];
  if (barred.length > 0) seen.push(safeText`robots.txt groups that close the site to ${listSafeText(barred)}`);
  return seen.length === 0 ? null : safeText`Also seen: ${listSafeText(seen)}.`;
}

function barredTrainers({ origin, robots }: RobotsFile): SafeText[] {
  const groups = groupsByToken(robots);
  return TRAINING_TOKENS.filter((token) => !decide(groups.get(token.toLowerCase()) ?? [], origin).allowed).map(
    (token) => term(token),
  );
}
