import { AGENT_TOKENS } from '../../domain/agents.js';
import type { Home } from '../../domain/evidence/pages.js';
import type { PreferenceLine, RobotsGroup, RobotsTxt } from '../../domain/evidence/robots.js';
import type { Words } from '../../domain/words.js';
import { listLines, term, words } from '../../domain/words.js';
import type { ContentSignal } from '../../parse/header-values.js';
import { CONTENT_SIGNALS, parsePreference } from '../../parse/header-values.js';

/** Groups that name nobody else are the owner's right as they are. */
const OWNERS_RIGHT: ReadonlySet<string> = new Set(
  [...AGENT_TOKENS.training, ...AGENT_TOKENS.optOut].map((token) => token.toLowerCase()),
);

/** One signal as a line gives it; `line` is null for a header field of the home page. */
interface Statement {
  readonly signal: ContentSignal;
  readonly path: string | null;
  readonly value: string;
  readonly line: number | null;
}

/** (c) One group of Content-Signal sets a signal to both yes and no, or to something that is neither. */
export function findOpposedSignals(robots: RobotsTxt | null, home: Home): Words[] {
  const headers = home.preferenceHeaders.map((header) => ({ ...header, line: null }));
  return [...(robots?.groups.flatMap(splitByNames) ?? []), headers].flatMap((preferences) =>
    CONTENT_SIGNALS.flatMap((signal) => {
      const statements = preferences.flatMap(statementsOf).filter((statement) => statement.signal === signal);
      return describeOpposed(signal, statements) ?? [];
    }),
  );
}

/**
 * The preferences of a group by the names above them. For readers that know the record it ends the User-agent lines, for others
 * (RFC 9309 §2.2.4) it does not, so that only lines below the same names hold for the same agents without doubt.
 */
function splitByNames({ preferences }: RobotsGroup): PreferenceLine[][] {
  const nameCounts = new Set(preferences.map(({ nameCount }) => nameCount));
  return [...nameCounts].map((names) => preferences.filter(({ nameCount }) => nameCount === names));
}

/** (d) A signal invites search or input for AI into a group that shuts everything. */
export function findSignalsOfBarredGroups({ groups }: RobotsTxt): Words[] {
  return groups
    .filter((group) => isShut(group, groups))
    .flatMap((group) => {
      const inviting = group.preferences
        .flatMap(statementsOf)
        .filter(({ signal, value }) => signal !== 'ai-train' && value === 'yes');
      const lines = placesOf(inviting);
      return inviting.length === 0
        ? []
        : [words`Content-Signal says yes (${lines}) in a group that disallows everything.`];
    });
}

function describeOpposed(signal: ContentSignal, statements: readonly Statement[]): Words | null {
  const strange = statements.filter(({ value }) => value !== 'yes' && value !== 'no');
  if (strange.length > 0) {
    return words`Content-Signal gives ${term(signal)} a value other than yes or no (${placesOf(strange)}).`;
  }
  const opposed = [...groupByPath(statements).values()].filter(
    (same) => new Set(same.map(({ value }) => value)).size > 1,
  );
  if (opposed.length === 0) return null;
  return words`Content-Signal sets ${term(signal)} to both yes and no (${placesOf(opposed.flat())}).`;
}

function groupByPath(statements: readonly Statement[]): Map<string | null, Statement[]> {
  const byPath = new Map<string | null, Statement[]>();
  for (const statement of statements) {
    const same = byPath.get(statement.path);
    if (same) same.push(statement);
    else byPath.set(statement.path, [statement]);
  }
  return byPath;
}

/** Groups of one agent merge, so that an Allow of another one of them opens this one, too. */
function isShut({ tokens }: RobotsGroup, groups: readonly RobotsGroup[]): boolean {
  if (tokens.every((token) => OWNERS_RIGHT.has(token))) return false;
  const rules = groups
    .filter((other) => other.tokens.some((token) => tokens.includes(token)))
    .flatMap((other) => other.rules);
  return rules.some(({ pattern }) => pattern === '/' || pattern === '/*') && rules.every((rule) => !rule.allow);
}

function statementsOf({
  field,
  value,
  line,
}: Pick<PreferenceLine, 'field' | 'value'> & { line: number | null }): Statement[] {
  if (field !== 'content-signal') return [];
  const { path, signals } = parsePreference(field, value);
  return signals.flatMap(({ name, value: given }) => {
    const signal = CONTENT_SIGNALS.find((known) => known === name);
    return signal === undefined ? [] : [{ signal, path, value: given, line }];
  });
}

function placesOf(statements: readonly Statement[]): Words {
  const lines = [...new Set(statements.flatMap(({ line }) => line ?? []))];
  return lines.length === 0 ? words`a header of the home page` : words`${listLines(lines)} of robots.txt`;
}
