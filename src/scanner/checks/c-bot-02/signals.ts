import { POLICY_TOKENS } from '../../artifacts/agents/policy-tokens.js';
import { OWNERS_RIGHT } from '../../artifacts/agents/tokens.js';
import type { Home } from '../../artifacts/pages.js';
import type { PreferenceLine, RobotsGroup, RobotsTxt } from '../../artifacts/robots.js';
import type { SafeText } from '../../artifacts/safe-text.js';
import { listLines, term, safeText } from '../../artifacts/safe-text.js';
import type { ContentSignal } from '../../parsers/header-values.js';
import { CONTENT_SIGNALS, parseContentSignal } from '../../parsers/header-values.js';
import type { View } from '../../parsers/robots-readings.js';
import { dividePreferences, listViews } from '../../parsers/robots-readings.js';

/** One signal from one line; `line` is null for a header field of the home page. */
interface Statement {
  readonly signal: ContentSignal;
  readonly path: string | null;
  readonly value: string;
  readonly line: number | null;
}

/** (c) One Content-Signal group sets a signal to both yes and no, or to neither. */
export function findOpposedSignals(
  robots: RobotsTxt | null,
  home: Home,
  policyTokens: readonly string[] = POLICY_TOKENS,
): SafeText[] {
  const headers = home.preferenceHeaders.map((header) => ({ ...header, line: null }));
  const groups = robots?.groups.filter((group) => !isPolicyAlone(group, policyTokens)) ?? [];
  return [...groups.flatMap(splitByNames), headers].flatMap((preferences) => {
    const statements = preferences.flatMap(statementsOf);
    return CONTENT_SIGNALS.flatMap(
      (signal) =>
        describeOpposed(
          signal,
          statements.filter((statement) => statement.signal === signal),
        ) ?? [],
    );
  });
}

/**
 * Groups preference lines by the names above them. For readers that know the record, it ends the User-agent lines; for others
 * (RFC 9309 §2.2.4) it does not. Only lines below the same names certainly apply to the same agents.
 */
function splitByNames({ preferences }: RobotsGroup): PreferenceLine[][] {
  return [...Map.groupBy(preferences, ({ nameCount }) => nameCount).values()];
}

/** (d) A signal invites search or AI input in a group that bars everything, for readers of every kind. */
export function findSignalsOfBarredGroups(
  robots: RobotsTxt,
  policyTokens: readonly string[] = POLICY_TOKENS,
): SafeText[] {
  const [first, ...others] = listViews(robots).map((view) => () => listInviting(view, policyTokens));
  const inviting = first?.() ?? [];
  if (inviting.length === 0) return [];
  const elsewhere = others.map((list) => new Set(list().flatMap((statements) => statements.map(({ line }) => line))));
  return inviting.flatMap((statements) => {
    const proven = statements.filter(({ line }) => elsewhere.every((lines) => lines.has(line)));
    return proven.length === 0
      ? []
      : [safeText`Content-Signal says yes (${placesOf(proven)}) in a group that disallows everything.`];
  });
}

/** The statements of each group that bars everything, as far as they invite. */
function listInviting(view: View, policyTokens: readonly string[]): Statement[][] {
  const stating = view.reading.groups
    .flatMap((group) => (group.preferences.length === 0 ? [] : dividePreferences(group, view.areNamesStrict)))
    .filter((group) => group.preferences.length > 0 && !isPolicyAlone(group, policyTokens));
  const siteRules = readSiteRules(view, new Set(stating.flatMap(({ tokens }) => tokens)));
  return stating
    .filter((group) => disallowsAll(group, siteRules))
    .map(({ preferences }) =>
      preferences.flatMap(statementsOf).filter(({ signal, value }) => signal !== 'ai-train' && value === 'yes'),
    );
}

function describeOpposed(signal: ContentSignal, statements: readonly Statement[]): SafeText | null {
  const strange = statements.filter(({ value }) => value !== 'yes' && value !== 'no');
  if (strange.length > 0) {
    return safeText`Content-Signal gives ${term(signal)} a value other than yes or no (${placesOf(strange)}).`;
  }
  const opposed = [...Map.groupBy(statements, ({ path }) => path).values()].filter(
    (same) => new Set(same.map(({ value }) => value)).size > 1,
  );
  if (opposed.length === 0) return null;
  return safeText`Content-Signal sets ${term(signal)} to both yes and no (${placesOf(opposed.flat())}).`;
}

/** A group for policy tokens alone states a preference; it admits and bars no agent. */
function isPolicyAlone({ tokens }: Pick<RobotsGroup, 'tokens'>, policyTokens: readonly string[]): boolean {
  return tokens.length > 0 && tokens.every((token) => policyTokens.includes(token));
}

/** What the groups of one token say about the whole site. */
interface SiteRules {
  readonly hasRoot: boolean;
  readonly hasAllow: boolean;
}

/** What the view says of each of these tokens: nothing of one that no group names. */
function readSiteRules({ reading, areNamesStrict }: View, named: ReadonlySet<string>): ReadonlyMap<string, SiteRules> {
  const siteRules = new Map<string, SiteRules>();
  if (named.size === 0) return siteRules;
  for (const group of reading.groups) {
    const tokens = group.tokens.filter((token) => named.has(token));
    if (tokens.length === 0) continue;
    const own: SiteRules = {
      hasRoot: group.rules.some(({ pattern }) => pattern === '/' || pattern === '/*'),
      hasAllow: group.rules.some((rule) => rule.allow),
    };
    const strict = areNamesStrict ? new Set(group.parts.at(-1)?.tokens) : null;
    for (const token of tokens) {
      const known = siteRules.get(token);
      const isMeant = strict === null || strict.has(token);
      siteRules.set(token, {
        hasRoot: known?.hasRoot === true || (isMeant && own.hasRoot),
        hasAllow: known?.hasAllow === true || (isMeant && own.hasAllow),
      });
    }
  }
  return siteRules;
}

/** Groups of one agent merge, so an Allow in another of its groups opens this one too. */
function disallowsAll({ tokens }: Pick<RobotsGroup, 'tokens'>, siteRules: ReadonlyMap<string, SiteRules>): boolean {
  if (tokens.every((token) => OWNERS_RIGHT.has(token))) return false;
  const own = tokens.map((token) => siteRules.get(token));
  return own.some((rules) => rules?.hasRoot) && own.every((rules) => rules?.hasAllow === false);
}

function statementsOf({
  field,
  value,
  line,
}: Pick<PreferenceLine, 'field' | 'value'> & { line: number | null }): Statement[] {
  if (field !== 'content-signal') return [];
  const { path, signals } = parseContentSignal(value);
  return signals.flatMap(({ name, value: given }) => {
    const signal = CONTENT_SIGNALS.find((known) => known === name);
    return signal === undefined ? [] : [{ signal, path, value: given, line }];
  });
}

function placesOf(statements: readonly Statement[]): SafeText {
  const lines = [...new Set(statements.flatMap(({ line }) => line ?? []))];
  return lines.length === 0
    ? safeText`a header of the home page`
    : safeText`${listLines('robots.txt', lines)} of robots.txt`;
}
