import { remember } from '../../net/keyed.js';
import { OWNERS_RIGHT } from '../artifacts/agents/tokens.js';
import type { Home } from '../artifacts/pages.js';
import type { PreferenceLine, RobotsGroup, RobotsTxt } from '../artifacts/robots.js';
import { listLines, safeText, term, type SafeText } from '../artifacts/safe-text.js';
import { CONTENT_SIGNALS, parseContentSignal, type ContentSignal } from '../parsers/header-values.js';

/** One signal from one line; `line` is null for a header field of the home page. */
interface Statement {
  readonly signal: ContentSignal;
  readonly path: string | null;
  readonly value: string;
  readonly line: number | null;
}

/** Statements that are compared with each other at most. No honest file has as many. */
const COMPARED_MAX = 100_000;

/** (c) The statements for one agent set a signal to both yes and no, or to neither. */
export function findOpposedSignals(robots: RobotsTxt | null, home: Home): SafeText[] {
  const headers = home.preferenceHeaders.map((header) => ({ ...header, line: null }));
  const inRobots = robots ? statementsByAgent(robots) : [];
  return [inRobots, [headers.flatMap(statementsOf)]].flatMap((sets) =>
    CONTENT_SIGNALS.flatMap((signal) => describeOpposed(signal, sets) ?? []),
  );
}

/**
 * Returns the distinct sets of statements for agents. All groups of one token are one group (RFC 9309 §2.2.1).
 */
function statementsByAgent({ groups }: RobotsTxt): Statement[][] {
  const parts = groups.rfc
    .map(({ tokens, preferences }) => ({ tokens, statements: preferences.flatMap(statementsOf) }))
    .filter(({ statements }) => statements.length > 0);
  const partsByToken = new Map<string, number[]>();
  for (const [index, { tokens }] of parts.entries())
    for (const token of tokens) remember(partsByToken, token, () => []).push(index);
  const distinct = new Map([...partsByToken.values()].map((indexes) => [indexes.join(), indexes]));
  const sets: Statement[][] = [];
  let left = COMPARED_MAX;
  for (const indexes of distinct.values()) {
    if (left <= 0) break;
    const statements = indexes.flatMap((index) => parts[index]?.statements ?? []);
    left -= statements.length;
    sets.push(statements);
  }
  return sets;
}

/** (d) A signal invites search or AI input in a group that disallows everything, in both views. */
export function findSignalsOfDisallowedGroups(robots: RobotsTxt): SafeText[] {
  const forGoogle = new Set(
    listInviting(robots.groups.google).flatMap((statements) => statements.map(({ line }) => line)),
  );
  return listInviting(robots.groups.rfc).flatMap((statements) => {
    const proven = statements.filter(({ line }) => forGoogle.has(line));
    return proven.length === 0
      ? []
      : [safeText`Content-Signal says yes (${placesOf(proven)}) in a group that disallows everything.`];
  });
}

/** Returns the inviting statements of each group that disallows everything. */
function listInviting(groups: readonly RobotsGroup[]): Statement[][] {
  const stating = groups.filter((group) => group.preferences.length > 0);
  const siteRules = readSiteRules(groups, new Set(stating.flatMap(({ tokens }) => tokens)));
  return stating
    .filter((group) => disallowsAll(group, siteRules))
    .map(({ preferences }) =>
      preferences.flatMap(statementsOf).filter(({ signal, value }) => signal !== 'ai-train' && value === 'yes'),
    );
}

/** @param sets the statements for each agent */
function describeOpposed(signal: ContentSignal, sets: readonly (readonly Statement[])[]): SafeText | null {
  const own = sets.map((statements) => statements.filter((statement) => statement.signal === signal));
  const strange = own.flat().filter(({ value }) => value !== 'yes' && value !== 'no');
  if (strange.length > 0) {
    return safeText`Content-Signal gives ${term(signal)} a value other than yes or no (${placesOf(strange)}).`;
  }
  const opposed = own
    .flatMap((statements) => [...Map.groupBy(statements, ({ path }) => path).values()])
    .filter((same) => new Set(same.map(({ value }) => value)).size > 1);
  if (opposed.length === 0) return null;
  return safeText`Content-Signal sets ${term(signal)} to both yes and no (${placesOf(opposed.flat())}).`;
}

/** What the groups of one token say about the whole site. */
interface SiteRules {
  readonly hasRoot: boolean;
  readonly hasAllow: boolean;
}

/** Returns the rules for the named tokens, by token. */
function readSiteRules(groups: readonly RobotsGroup[], named: ReadonlySet<string>): ReadonlyMap<string, SiteRules> {
  const siteRules = new Map<string, SiteRules>();
  for (const group of groups) {
    const tokens = group.tokens.filter((token) => named.has(token));
    if (tokens.length === 0) continue;
    const own: SiteRules = {
      hasRoot: group.rules.some(({ pattern }) => pattern === '/' || pattern === '/*'),
      hasAllow: group.rules.some((rule) => rule.allow),
    };
    for (const token of tokens) {
      const known = siteRules.get(token);
      siteRules.set(token, {
        hasRoot: known?.hasRoot === true || own.hasRoot,
        hasAllow: known?.hasAllow === true || own.hasAllow,
      });
    }
  }
  return siteRules;
}

/** True if the merged groups of an agent disallow the whole site and allow nothing. */
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
