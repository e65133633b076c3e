import type { CoreToken } from '../agents/tokens.js';
import { CORE_TOKENS, NOBODY_TOKENS } from '../agents/tokens.js';
import type { Home, Sample } from '../evidence/pages.js';
import type { Outcome } from '../evidence/resource.js';
import type { RobotsFile, RobotsTxt } from '../evidence/robots.js';
import type { SafeText } from '../evidence/safe-text.js';
import { listLines, listSafeText, safeText, term } from '../evidence/safe-text.js';
import { decide, groupsByToken, groupsFor, shareGroups } from '../parse/robots-match.js';
import { isDivided, readStrictly } from '../parse/robots-readings.js';
import { defineNote } from './note.js';

/** Notes about robots.txt and what else says who may do what. */
export const POLICY_NOTES = [
  defineNote({
    id: 'robots-readings',
    checkId: 'C-BOT-01',
    standard: 'robots',
    uses: ['home', 'robots', 'sample'],
    observe: ({ home, robots, sample }) => {
      const rules = rulesOf(robots);
      if (rules === null || home === null || home.isElsewhere) return null;
      return describeReadings(rules, pagesOf(home, sample));
    },
  }),
  defineNote({
    id: 'robots-nobody',
    checkId: 'C-BOT-01',
    standard: 'agents',
    uses: ['robots'],
    observe: ({ robots }) => {
      const named = groupsByToken(rulesOf(robots) ?? NO_RULES);
      const idle = NOBODY_TOKENS.filter((token) => named.has(token.toLowerCase())).map((token) => term(token));
      if (idle.length === 0) return null;
      return safeText`robots.txt has rules for ${listSafeText(idle)}, which address nobody, since no agent looks there under that name: remove them, or name the agents that you mean.`;
    },
  }),
];

const NO_RULES: RobotsTxt = { groups: [], sitemaps: [], agentmaps: [], licenses: [], looseFields: [] };

function rulesOf(robots: Outcome<RobotsFile> | null): RobotsTxt | null {
  return robots?.kind === 'present' && !robots.value.file.isHtml ? robots.value.robots : null;
}

/** Bounds what is compared: a hostile file may have a hundred thousand groups. */
const PAGES_MAX = 4;

function pagesOf(home: Home, sample: Sample | null): URL[] {
  const pages = [home.url, ...(sample?.disallowed ?? []), ...(sample?.pages.slice(1).map(({ url }) => url) ?? [])];
  return pages.filter(({ origin }) => origin === home.url.origin).slice(0, PAGES_MAX);
}

function describeReadings(rules: RobotsTxt, pages: readonly URL[]): SafeText | null {
  const strict = readStrictly(rules);
  if (strict === rules) return null;
  const [some, others] = [decideAll(rules, pages), decideAll(strict, pages)];
  const disputed = CORE_TOKENS.filter((token) => some.get(token) !== others.get(token));
  const divided = disputed.flatMap((token) => groupsFor(rules, token)).find(isDivided);
  if (!divided) return null;
  const lines = listLines(
    'robots.txt',
    divided.parts.map(({ line }) => line),
  );
  return safeText`User-agent ${lines} of robots.txt belong to one group for Google, to ${divided.parts.length} for others, so readers disagree on what ${listSafeText(disputed.map((token) => term(token)))} may fetch: put the records that stand between these lines below the rules.`;
}

/** What each core token may do on the pages, one letter for each page; evaluated once for tokens that share their groups. */
function decideAll(rules: RobotsTxt, pages: readonly URL[]): ReadonlyMap<CoreToken, string> {
  const shared = shareGroups(rules, CORE_TOKENS).flatMap(({ tokens, groups }) => {
    const decisions = pages.map((page) => (decide(groups, page).allowed ? 'y' : 'n')).join('');
    return tokens.map((token) => [token, decisions] as const);
  });
  return new Map(shared);
}
