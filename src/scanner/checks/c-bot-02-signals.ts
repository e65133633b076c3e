import { remember } from '../../net/keyed.js';
import { OWNERS_RIGHT } from '../artifacts/agents/tokens.js';
import type { Home } from '../artifacts/pages.js';
import type { PreferenceLine, RobotsGroup, RobotsTxt } from '../artifacts/robots.js';
import { listLines, safeText, term, type SafeText } from '../artifacts/safe-text.js';
import { CONTENT_SIGNALS, parseContentSignal, type ContentSignal } from '../parsers/headers.js';

/** One signal from one line; `line` is null for a header field of the home page. */
interface Statement {
  readonly signal: ContentSignal;
  readonly path: string | null;
  readonly value: string;
  readonly line: number | null;
}

/** Groups with signals, and names of a group, that are compared at most. No honest file has as many. */
const GROUPS_MAX = 50;
const TOKENS_MAX = 100;

/** (c) The statements for one agent set a signal to both yes and no, or to neither. */
export function findOpposedSignals(robots: RobotsTxt | null, home: Home): SafeText[] {
  const inHeaders = home.preferenceHeaders.flatMap((header) => statementsOf({ ...header, line: null }));
  return [robots ? statementsByAgent(robots) : [], [inHeaders]].flatMap((sets) =>
    CONTENT_SIGNALS.flatMap((signal) => describeOpposed(signal, sets) ?? []),
  );
}

/** Returns the statements for each agent: all groups that name it are one group (RFC 9309 §2.2.1). */
function statementsByAgent({ groups }: RobotsTxt): Statement[][] {
  const byToken = new Map<string, Statement[]>();
  for (const { tokens, preferences } of statingGroups(groups.rfc)) {
    const statements = preferences.flatMap(statementsOf);
    for (const token of tokens.slice(0, TOKENS_MAX)) remember(byToken, token, () => []).push(...statements);
  }
  return [...byToken.values()];
}

function statingGroups(groups: readonly RobotsGroup[]): readonly RobotsGroup[] {
  return groups.filter(({ preferences }) => preferences.length > 0).slice(0, GROUPS_MAX);
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
  return statingGroups(groups)
    .filter(({ tokens }) => disallowsAll(new Set(tokens), groups))
    .map(({ preferences }) =>
      preferences.flatMap(statementsOf).filter(({ signal, value }) => signal !== 'ai-train' && value === 'yes'),
    );
}

/** True if the merged groups of these agents disallow the whole site and allow nothing. False if all of them only train models. */
function disallowsAll(agents: ReadonlySet<string>, groups: readonly RobotsGroup[]): boolean {
  const own = groups.filter(({ tokens }) => tokens.some((token) => agents.has(token)));
  return (
    ![...agents].every((agent) => OWNERS_RIGHT.has(agent)) &&
    own.some(({ rules }) => rules.some(({ pattern }) => pattern === '/' || pattern === '/*')) &&
    !own.some(({ rules }) => rules.some(({ allow }) => allow))
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

type Preference = Pick<PreferenceLine, 'field' | 'value'> & { readonly line: number | null };

function statementsOf({ field, value, line }: Preference): Statement[] {
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
