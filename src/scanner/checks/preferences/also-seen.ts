import { AGENT_TOKENS } from '../bot-policy/agent-tokens.js';
import type { ForwardSignals, Home } from '../../evidence/pages.js';
import type { RobotsFile } from '../../evidence/robots.js';
import { listSafeText, type SafeText, safeText, term } from '../../evidence/safe-text.js';
import { decide, groupsByToken } from '../../parse/robots-match.js';
import { saysNoAi } from '../../parse/robots-tags.js';

/** What is no declared preference, but tells of one, and other forward signals. */
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

/** Whether the home page says `noai`. */
export function isNoAi({ robotsTags, page }: Home): boolean {
  return [...robotsTags, ...(page?.metas.get('robots') ?? [])].some(saysNoAi);
}

function barredTrainers({ origin, robots }: RobotsFile): SafeText[] {
  const groups = groupsByToken(robots);
  return [...AGENT_TOKENS.training, ...AGENT_TOKENS.optOut]
    .filter((token) => !decide(groups.get(token.toLowerCase()) ?? [], new URL('/', origin)).allowed)
    .map((token) => term(token));
}
