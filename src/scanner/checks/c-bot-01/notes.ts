import type { CoreToken } from '../../artifacts/agents/tokens.js';
import { CORE_TOKENS, NOBODY_TOKENS } from '../../artifacts/agents/tokens.js';
import type { Home, Sample } from '../../artifacts/pages.js';
import type { Outcome } from '../../artifacts/resource.js';
import { readableRobots, type RobotsFile, type RobotsTxt } from '../../artifacts/robots.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { listLines, listSafeText, safeText, term } from '../../artifacts/safe-text.js';
import { decide, groupsByToken, groupsFor, shareGroups } from '../../parsers/robots-match.js';
import { groupsIn, isDivided, viewOfGoogle } from '../../parsers/robots-readings.js';
import { defineNote } from '../../verdict/note-rule.js';

/** About robots.txt: what its readers disagree on, and what reaches nobody. */
export const cBot01Notes = [
  defineNote({
    id: 'robots-readings',
    standard: 'robots',
    uses: ['home', 'robots', 'sample'],
    observe: ({ home, robots, sample }) => {
      const asked = rulesAndPages(robots, home, sample);
      return asked && describeReadings(asked.rules, asked.pages);
    },
  }),
  defineNote({
    id: 'robots-index',
    standard: 'robots',
    uses: ['home', 'robots', 'sample'],
    observe: ({ home, robots, sample }) => {
      const asked = rulesAndPages(robots, home, sample);
      const lines = asked ? listFolderLines(asked.rules, asked.pages) : [];
      if (lines.length === 0) return null;
      return safeText`Google takes an index page that ${listLines('robots.txt', lines)} of robots.txt allows for its folder, too; not every reader does. Allow the folder itself, as in "Allow: /$" for the home page.`;
    },
  }),
  defineNote({
    id: 'robots-keys',
    standard: 'robots',
    uses: ['robots'],
    observe: ({ robots }) => {
      const lines = readableRobots(robots)?.robots.looseKeyLines ?? [];
      if (lines.length === 0) return null;
      return safeText`Google knows a record of robots.txt by the beginning of its key, others do not know the keys of ${listLines('robots.txt', lines)}: write just User-agent, Allow or Disallow before the colon.`;
    },
  }),
  defineNote({
    id: 'robots-characters',
    standard: 'robots',
    uses: ['robots'],
    observe: ({ robots }) => {
      const rules =
        readableRobots(robots)?.robots.groups.flatMap((group) => group.rules.filter(({ isRaw }) => isRaw === true)) ??
        [];
      if (rules.length === 0) return null;
      const lines = rules.map(({ line }) => line);
      return safeText`The paths in ${listLines('robots.txt', lines)} of robots.txt have characters that a URL holds only encoded, such as a space: Google compares them as they stand and finds them in no URL, others encode them first. Write them encoded (%20 for a space).`;
    },
  }),
  defineNote({
    id: 'robots-encoding',
    standard: 'robots',
    uses: ['robots'],
    observe: ({ robots }) => {
      const lines = readableRobots(robots)?.robots.octetLines ?? [];
      if (lines.length === 0) return null;
      return safeText`robots.txt is not UTF-8, so readers disagree on the path in ${listLines('robots.txt', lines)}: save it as UTF-8, or write the octets of its URL, as in %C3%A9.`;
    },
  }),
  defineNote({
    id: 'robots-nobody',
    standard: 'agents',
    uses: ['robots'],
    observe: ({ robots }) => {
      const named = groupsByToken(readableRobots(robots)?.robots ?? { groups: [] });
      const idle = NOBODY_TOKENS.filter((token) => named.has(token.toLowerCase())).map((token) => term(token));
      if (idle.length === 0) return null;
      return safeText`robots.txt has rules for ${listSafeText(idle)}, which address nobody, since no agent looks there under that name: remove them, or name the agents that you mean.`;
    },
  }),
];

/** What robots.txt may be asked about the pages of this site; null where there is no robots.txt, or no home page of its own. */
function rulesAndPages(
  robots: Outcome<RobotsFile> | null,
  home: Home | null,
  sample: Sample | null,
): { readonly rules: RobotsTxt; readonly pages: readonly URL[] } | null {
  const rules = readableRobots(robots)?.robots ?? null;
  if (rules === null || home === null || home.isElsewhere) return null;
  return { rules, pages: pagesOf(home, sample) };
}

/** Bounds what is compared: a hostile file may have a hundred thousand groups. */
const PAGES_MAX = 4;

function pagesOf(home: Home, sample: Sample | null): URL[] {
  const pages = [home.url, ...(sample?.disallowed ?? []), ...(sample?.pages.slice(1).map(({ url }) => url) ?? [])];
  return pages.filter(({ origin }) => origin === home.url.origin).slice(0, PAGES_MAX);
}

function describeReadings(rules: RobotsTxt, pages: readonly URL[]): SafeText | null {
  if (!rules.groups.some(isDivided)) return null;
  const [some, others] = [decideAll(rules, pages, false), decideAll(rules, pages, true)];
  const disputed = CORE_TOKENS.filter((token) => some.get(token) !== others.get(token));
  const divided = disputed.flatMap((token) => groupsFor(rules, token)).find(isDivided);
  if (!divided) return null;
  const lines = listLines(
    'robots.txt',
    divided.parts.map(({ line }) => line),
  );
  return safeText`User-agent ${lines} of robots.txt belong to one group for Google, to ${divided.parts.length} for others, so readers disagree on what ${listSafeText(disputed.map((token) => term(token)))} may fetch: put the records that stand between these lines below the rules.`;
}

/** The lines whose index page alone opens one of the pages to a core token. */
function listFolderLines(rules: RobotsTxt, pages: readonly URL[]): number[] {
  const google = viewOfGoogle(rules);
  const lines = shareGroups(rules, CORE_TOKENS).flatMap(({ tokens: [token], groups }) =>
    pages.flatMap((page) => {
      const { allowed, rule } = decide(groupsIn(google, token ?? '*'), page, 'google');
      return allowed && rule?.pattern.endsWith('/$') === true && !decide(groups, page).allowed ? [rule.line] : [];
    }),
  );
  return [...new Set(lines)];
}

/** What each core token may do on the pages, one letter for each page; evaluated once for tokens that share their groups. */
function decideAll(rules: RobotsTxt, pages: readonly URL[], areNamesStrict: boolean): ReadonlyMap<CoreToken, string> {
  const shared = shareGroups(rules, CORE_TOKENS, areNamesStrict).flatMap(({ tokens, groups }) => {
    const decisions = pages.map((page) => (decide(groups, page).allowed ? 'y' : 'n')).join('');
    return tokens.map((token) => [token, decisions] as const);
  });
  return new Map(shared);
}
