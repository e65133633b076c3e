import { distinctBy, getOrCreate } from '../../net/keyed.js';
import { CORE_TOKENS, BLOCKABLE_TOKENS, type CoreToken } from '../artifacts/agents.js';
import { valueOf, type EvidenceMap } from '../artifacts/evidence.js';
import type { LlmsDocument } from '../artifacts/llms.js';
import type { Home } from '../artifacts/pages.js';
import {
  isRobotsKnown,
  type PreferenceLine,
  type RobotsFile,
  type RobotsGroup,
  type RobotsTxt,
} from '../artifacts/robots.js';
import { count, lineOf, listLines, listSafeText, safeText, term, type SafeText } from '../artifacts/safe-text.js';
import type { SitemapEntries } from '../artifacts/sitemaps.js';
import { CONTENT_SIGNALS, parseContentSignal, type ContentSignal } from '../parsers/headers.js';
import { countRules, groupsFor, parseRobots } from '../parsers/robots.js';
import { defineCheck } from '../verdict/check.js';
import { fail, notApplicable, pass, undetermined } from '../verdict/verdict.js';
import { findDisallowedAgents, groupsByView, describeAgentGroups } from './bot-policy.js';
import { findDisallowedAdvertisements, findUnindexedHome, type Advertised } from './c-bot-02-advertised.js';
import { fenced } from './fixes.js';

/**
 * Finds statements of the site that contradict each other. Allowing search but not training is not a contradiction, nor is `ai-train=no`
 * with GPTBot allowed. Rule (b) ignores agents that already fail C-BOT-01, and agents that are not known to read the list or file: owners
 * hide llms.txt and Markdown copies of pages from search engines. Rule (d) ignores groups for training crawlers only.
 */
export const cBot02 = defineCheck({
  id: 'C-BOT-02',
  revision: 3,
  pillar: 'B',
  title: 'Access policy consistency',
  shortName: 'Policy',
  answer: 'The access rules of the site do not contradict each other.',
  explanation:
    'Agents can only follow rules that do not contradict each other. We look for "Allow: /" and "Disallow: /" for the same agent; for pages that llms.txt or the sitemap lists, but robots.txt blocks for an agent that is known to read that list; for a Content-Signal that says both yes and no, or says yes to agents that robots.txt blocks; and for a listed home page that is marked noindex. Different rules for search and for training are not a contradiction. The score measures readiness, not virtue: the rules themselves are up to you.',
  judgedBy: ['robots', 'content-signals', 'agents'],
  failures: {
    POLICY_INCONSISTENT: {
      severity: 'BROKEN',
      headline: 'The site contradicts itself about access for AI agents',
      fix: `Decide which of the two statements in the finding is right, and remove the other one.

In robots.txt, keep one group per agent, with one general rule and its exceptions:

${fenced(`User-agent: *
Content-Signal: search=yes, ai-train=no
Allow: /
Disallow: /PRIVATE-FOLDER/`)}

- Blocked pages: remove them from llms.txt and the sitemap, or allow them in robots.txt.
- Content-Signal: give each signal one value, yes or no. Say yes only to agents that robots.txt allows.
- A home page that agents should find: remove noindex from its X-Robots-Tag header and its robots meta tag.

On Cloudflare:

In AI Crawl Control, check whether Cloudflare manages your robots.txt. If it does, its Content-Signal comes before your rules. Turn that off, or use the same values.

In WordPress:

In Settings > Reading, clear "Discourage search engines from indexing this site". It adds noindex to every page.`,
    },
  },
  needs: ['home'],
  uses: ['robots', 'llms', 'llmsDocument', 'sitemapEntries'],
  judge({ home, robots, llms, llmsDocument, sitemapEntries }) {
    const outcome = valueOf(robots);
    if (!isRobotsKnown(outcome) || (outcome.kind === 'present' && outcome.value.file.isHtml)) {
      return notApplicable(safeText`robots.txt could not be read (see C-BOT-01), so there are no rules to compare.`);
    }
    const file = outcome.kind === 'present' ? outcome.value : null;
    if (file === null && !hasOtherPolicy(home)) {
      return notApplicable(
        safeText`The site has no access rules: no robots.txt, Content-Signal, X-Robots-Tag or robots meta tag.`,
      );
    }
    if (file?.robots.isWhole === false) {
      return undetermined(safeText`robots.txt has more groups or rules than this scanner reads (see C-BOT-01).`);
    }
    const rules = file?.robots ?? NO_RULES;
    const advertised = toAdvertised(valueOf(llms), valueOf(llmsDocument), valueOf(sitemapEntries));
    const contradictions = [
      ...findConflictingRules(rules),
      ...(file === null ? [] : findDisallowedAdvertisements(file, advertised, listReportedTokens(file, home))),
      ...findConflictingSignals(rules, home),
      ...findSignalsOfDisallowedGroups(rules),
      ...findUnindexedHome(rules, home, advertised),
    ];
    return contradictions.length > 0 ? fail('POLICY_INCONSISTENT', ...contradictions) : pass(describeOmissions(rules));
  },
});

/** Lists the tokens that C-BOT-01 reports: advertising pages to them is the same defect. */
function listReportedTokens(file: RobotsFile, home: Home): CoreToken[] {
  const { onHome, onOthers } = findDisallowedAgents(file, home, CORE_TOKENS);
  return [...onHome, ...onOthers].map(({ token }) => token);
}

const NO_RULES = parseRobots('');

function hasOtherPolicy({ preferenceHeaders, robotsTags, page }: Home): boolean {
  return preferenceHeaders.length > 0 || robotsTags.length > 0 || page?.metas.has('robots') === true;
}

function toAdvertised(
  llms: EvidenceMap['llms'] | null,
  document: LlmsDocument | null,
  entries: SitemapEntries | null,
): Advertised {
  return {
    llmsTxt: llms?.kind === 'present' && !llms.value.isHtml ? llms.value.url : null,
    llmsLinks: document?.links.flatMap(({ line, url }) => (url === null ? [] : [{ line, url }])) ?? [],
    sampledEntries: entries?.probed ?? [],
    listedEntries: entries?.parts.flatMap((part) => part.file.entries.map((entry) => entry.url)) ?? [],
  };
}

/** (a) Finds agents whose merged groups contain both `Disallow: /` and `Allow: /`, in every view. */
function findConflictingRules(robots: RobotsTxt): SafeText[] {
  const conflicting = (['*', ...CORE_TOKENS] as const).flatMap((token) => {
    const rules = groupsByView(robots, token).map((groups) =>
      groups.flatMap((group) => group.rules.filter(({ pattern }) => pattern === '/')),
    );
    const isConflicting = rules.every((view) => view.some(({ allow }) => allow) && view.some(({ allow }) => !allow));
    const disallow = rules[0]?.find(({ allow }) => !allow);
    const allow = rules[0]?.find(({ allow }) => allow);
    if (!isConflicting || !disallow || !allow) return [];
    const lines = safeText`both "Disallow: /" (${lineOf('robots.txt', disallow.line)}) and "Allow: /" (${lineOf('robots.txt', allow.line)})`;
    return [{ agent: token === '*' ? term('all other agents') : term(token), what: lines }];
  });
  return describeAgentGroups(conflicting, (lines, agents) => safeText`robots.txt says ${lines} for ${agents}.`);
}

/** One signal from one line; `line` is null for a header field of the home page. */
interface Statement {
  readonly signal: ContentSignal;
  readonly path: string | null;
  readonly value: 'yes' | 'no' | 'other';
  readonly line: number | null;
}

/** Maximum numbers of groups with signals, and of tokens per group. Real files have fewer. */
const GROUPS_MAX = 50;
const TOKENS_MAX = 100;

/** (c) Finds signals that the statements for one agent set to both yes and no, or to another value. */
function findConflictingSignals(robots: RobotsTxt, home: Home): SafeText[] {
  const inHeaders = home.preferenceHeaders.flatMap((header) => statementsOf({ ...header, line: null }));
  return [statementsByAgent(robots), [inHeaders]].flatMap((sets) =>
    CONTENT_SIGNALS.flatMap((signal) => describeConflicts(signal, sets) ?? []),
  );
}

/** Returns the statements for each agent. All groups that name an agent count as one (RFC 9309 §2.2.1). */
function statementsByAgent({ groups }: RobotsTxt): Statement[][] {
  const byToken = new Map<string, Statement[]>();
  for (const { tokens, preferences } of groupsWithSignals(groups.rfc)) {
    const statements = preferences.flatMap(statementsOf);
    for (const token of tokens.slice(0, TOKENS_MAX)) getOrCreate(byToken, token, () => []).push(...statements);
  }
  return [...byToken.values()];
}

function groupsWithSignals(groups: readonly RobotsGroup[]): readonly RobotsGroup[] {
  return groups.filter(({ preferences }) => preferences.length > 0).slice(0, GROUPS_MAX);
}

/** (d) Finds signals that allow search or AI input in a group that disallows everything, in both views. */
function findSignalsOfDisallowedGroups(robots: RobotsTxt): SafeText[] {
  const googleLines = new Set(listAllowingSignals(robots.groups.google).flatMap((statements) => linesOf(statements)));
  return listAllowingSignals(robots.groups.rfc).flatMap((statements) => {
    const proven = statements.filter(({ line }) => line !== null && googleLines.has(line));
    if (proven.length === 0) return [];
    return safeText`Content-Signal says yes (${describeLines(proven)}) in a group that disallows everything.`;
  });
}

/** Returns the "yes" signals of each group that disallows everything, without those about training. */
function listAllowingSignals(groups: readonly RobotsGroup[]): Statement[][] {
  return groupsWithSignals(groups)
    .filter(({ tokens }) => disallowsAll(new Set(tokens), groups))
    .map(({ preferences }) =>
      preferences.flatMap(statementsOf).filter(({ signal, value }) => signal !== 'ai-train' && value === 'yes'),
    );
}

/** True if the merged groups of these agents disallow the whole site. False if owners may block all of these agents without contradiction. */
function disallowsAll(agents: ReadonlySet<string>, groups: readonly RobotsGroup[]): boolean {
  const own = groups.filter(({ tokens }) => tokens.some((token) => agents.has(token)));
  return (
    ![...agents].every((agent) => BLOCKABLE_TOKENS.has(agent)) &&
    own.some(({ rules }) => rules.some(({ pattern }) => pattern === '/' || pattern === '/*')) &&
    !own.some(({ rules }) => rules.some(({ allow }) => allow))
  );
}

/** @param sets the statements for each agent */
function describeConflicts(signal: ContentSignal, sets: readonly (readonly Statement[])[]): SafeText | null {
  const own = sets.map((statements) => statements.filter((statement) => statement.signal === signal));
  const invalid = own.flat().filter(({ value }) => value === 'other');
  if (invalid.length > 0) {
    return safeText`Content-Signal gives ${term(signal)} a value other than yes or no (${describeLines(invalid)}).`;
  }
  const conflicting = own
    .flatMap((statements) => [...Map.groupBy(statements, ({ path }) => path).values()])
    .filter((same) => new Set(same.map(({ value }) => value)).size > 1);
  if (conflicting.length === 0) return null;
  return safeText`Content-Signal sets ${term(signal)} to both yes and no (${describeLines(conflicting.flat())}).`;
}

type Preference = Pick<PreferenceLine, 'field' | 'value'> & { readonly line: number | null };

/** Returns a line's statements without duplicates. A hostile line may repeat one a thousand times. */
function statementsOf({ field, value: text, line }: Preference): Statement[] {
  if (field !== 'content-signal') return [];
  const { path, signals } = parseContentSignal(text);
  const statements = signals.flatMap(({ name, value }): Statement[] => {
    const signal = CONTENT_SIGNALS.find((known) => known === name);
    if (signal === undefined) return [];
    return [{ signal, path, value: value === 'yes' || value === 'no' ? value : 'other', line }];
  });
  return distinctBy(statements, ({ signal, value }) => `${signal} ${value}`);
}

function linesOf(statements: readonly Statement[]): number[] {
  return [...new Set(statements.flatMap(({ line }) => line ?? []))];
}

function describeLines(statements: readonly Statement[]): SafeText {
  const lines = linesOf(statements);
  return lines.length === 0
    ? safeText`a header of the home page`
    : safeText`${listLines('robots.txt', lines)} of robots.txt`;
}

/** Maximum number of rules to compare. In longer files, a note would not help the owner. */
const COMPARED_RULES_MAX = 20_000;

/**
 * Describes rules for `*` that named groups do not repeat. A named group replaces the `*` group (RFC 9309 §2.2.1), often by mistake.
 */
function describeOmissions(robots: RobotsTxt): SafeText | null {
  if (countRules(robots.groups.rfc) > COMPARED_RULES_MAX) return null;
  // If `*` disallows everything, a named group is meant as an exception.
  const general = disallowedPatterns(groupsFor(robots.groups.rfc, '*'));
  for (const pattern of ['/', '/*']) general.delete(pattern);
  const incomplete = CORE_TOKENS.flatMap((token) => {
    const own = disallowedPatterns(groupsFor(robots.groups.rfc, token));
    const missing = [...general].filter((pattern) => !own.has(pattern)).length;
    return missing === 0 ? [] : [{ agent: term(token), what: count(missing, 'missing line', 'missing lines') }];
  });
  const omissions = describeAgentGroups(incomplete, (lines, agents) => safeText`${agents} (${lines})`);
  if (omissions.length === 0) return null;
  return safeText`Agents with their own group ignore the rules for "*". These groups do not repeat every Disallow line: ${listSafeText(omissions)}.`;
}

function disallowedPatterns(groups: readonly RobotsGroup[]): Set<string> {
  const rules = groups.flatMap((group) => group.rules.filter(({ allow }) => !allow));
  return new Set(rules.map(({ pattern }) => pattern));
}
