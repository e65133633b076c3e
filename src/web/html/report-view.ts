import type { Answer } from '../../scanner/artifacts/answer.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { failureOf, headlineOf, orderFailures } from '../../scanner/report/failures.js';
import type { Gain } from '../../scanner/report/gain.js';
import { commonCause } from '../../scanner/report/no-score.js';
import { isUntested } from '../../scanner/report/pins.js';
import { countScored, scoreOf, summarizeFailures } from '../../scanner/report/score.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { Platform } from '../../scanner/verdict/fix-parts.js';
import { hasMoved, type Note } from '../../scanner/verdict/note.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { addressOf, checkHref } from '../server/paths.js';
import { isUnfixableOn } from './platform-fix.js';
import { type FindingRow, outcomeOf, type OwnerNotes, rowOf, stateOf } from './finding-view.js';

export interface ShownScan {
  /** Such as `https://www.example.com`. */
  readonly origin: string;
  readonly score: number | null;
  readonly findings: readonly Finding[];
  readonly gains: readonly Gain[];
  readonly notes: readonly Note[];
  /** The host that the site has moved to; null if it has not. */
  readonly movedTo: string | null;
  readonly answer: Answer | null;
}

/** A report as plain data, in the order of the page. */
export interface ReportView {
  readonly scan: ShownScan;
  /** The cause that most checks share if nothing could be judged; null if something was judged, or if the site has moved. */
  readonly unjudgedReason: string | null;
  /** Next to the score: `3 things to fix`, and `, and 1 not scored`. */
  readonly toDo: readonly [words: string, unscored?: string];
  /** `All 3 fixed: at least 93`; null if not above the score. */
  readonly scoreIfFixed: string | null;
  /** `10 of 15`: scored checks that apply. */
  readonly passed: string;
  readonly toFix: FindingList | null;
  readonly fixed: FindingList | null;
  /** `1 check fixed since run 4`; null if none was. */
  readonly fixedSince: string | null;
  readonly folds: readonly ReportFold[];
  /** URL of the failures as text for a coding agent; null if there is none. */
  readonly agentHref: string | null;
  /** Form that chooses the platform of the fixes; null for owners, who have a setting, and if nothing is to fix. */
  readonly platformForm: PlatformChoice | null;
  /** URL that starts a run, so that fixes count; null for visitors and for an older run. */
  readonly runHref: string | null;
  /** Outcome of the last recheck, for screen readers; empty without one, null if checks cannot be repeated. */
  readonly announcement: string | null;
  readonly hasUncertainGain: boolean;
}

export interface PlatformChoice {
  readonly action: string;
  /** Null if none is chosen. */
  readonly platform: Platform | null;
}

export interface FindingList {
  readonly title: string;
  readonly count: string;
  readonly groups: readonly SeverityGroup[];
}

export interface SeverityGroup {
  readonly word: string;
  readonly meaning: string | null;
  readonly rows: readonly FindingRow[];
}

export interface ReportFold {
  readonly title: string;
  readonly count: string;
  readonly isExpanded: boolean;
  readonly rows: readonly FindingRow[];
  readonly lines: readonly FindingLine[];
}

export interface FindingLine {
  readonly finding: Finding;
  /** Page of the finding, or else of its check. */
  readonly href: string;
  readonly detail: string | null;
}

interface ReportOptions {
  readonly agentHref: string | null;
  /** Null for anyone but the owner of the site. */
  readonly owner?: OwnerNotes | null;
  /** Where the site runs: fixes show only what applies there. */
  readonly platform?: Platform | null;
  readonly platformHref?: string | null;
  /** URL of a visitor's page, which has the platform as a query parameter. */
  readonly platformAction?: string | null;
}

/** Makes every decision about a report. Components only lay it out. */
export function reportView(scan: ShownScan, options: ReportOptions): ReportView {
  const { agentHref, owner = null, platform = null, platformHref = null, platformAction = null } = options;
  const { findings, gains, score, origin } = scan;
  const failures = Object.groupBy(orderFailures(findings, gains), (finding) => stateOf(finding, owner));
  const { open = [], fixed = [], accepted = [] } = failures;
  const isOlderRun = owner !== null && !owner.isLatest;
  const fixable = open.filter((finding) => !isUnfixableOn(platform, finding));
  const gainOf = (finding: Finding): Gain | null => gains.find(({ checkId }) => checkId === finding.checkId) ?? null;
  const row = (finding: Finding): FindingRow =>
    rowOf(finding, {
      origin,
      agentHref,
      owner,
      platform,
      platformHref,
      gain: gainOf(finding),
      isFirst: finding === open[0] && !isOlderRun,
      hasFixed: fixed.length > 0,
    });
  const remaining = findings.filter((finding) => !fixed.includes(finding) && !accepted.includes(finding));
  const openScored = open.filter(({ scored }) => scored).length;
  const fixableScored = fixable.filter(({ scored }) => scored).length;
  const isUncertain = (finding: Finding): boolean => gainOf(finding)?.isAtLeast === true;
  const scoreIfFixed = scoreOfFixed(findings, [...fixed, ...fixable]);
  const hasHigherScore = fixableScored > 0 && !isOlderRun && score !== null && scoreIfFixed > score;
  const atLeast = scoreIfFixed < 100 && [...fixed, ...open].some(isUncertain) ? 'at least ' : '';
  const { passed, applicable } = countScored(findings);
  return {
    scan,
    unjudgedReason: score === null && !hasMoved(scan.notes) ? commonCause(findings) : null,
    toDo: score === null ? ['Nothing could be judged'] : summarizeFailures(remaining),
    scoreIfFixed: hasHigherScore ? `${describeAllFixed(fixableScored, openScored)}: ${atLeast}${scoreIfFixed}` : null,
    passed: `${passed} of ${applicable}`,
    toFix: listOf('To fix', openScored === 0 ? `${open.length}, not scored` : String(openScored), open.map(row)),
    fixed: listOf('Fixed, not yet in the score', String(fixed.length), fixed.map(row)),
    fixedSince:
      owner !== null && fixed.length > 0 ? `${countOf(fixed.length, 'check')} fixed since run ${owner.number}` : null,
    folds: foldsOf(findings, owner, accepted.map(row), row),
    agentHref,
    platformForm: platformAction !== null && open.length > 0 ? { action: platformAction, platform } : null,
    runHref: owner !== null && !isOlderRun ? addressOf.runs(owner.siteId) : null,
    announcement: owner?.canRecheck ? describeLastRecheck(findings, owner) : null,
    hasUncertainGain: open.some(isUncertain),
  };
}

export function rowsOf({ toFix, fixed, folds }: ReportView): readonly FindingRow[] {
  const groups = [...(toFix?.groups ?? []), ...(fixed?.groups ?? [])];
  return [...groups, ...folds].flatMap(({ rows }) => rows);
}

/** Returns the score if these failures passed. */
function scoreOfFixed(findings: readonly Finding[], fixed: readonly Finding[]): number {
  const results = findings.map((finding) =>
    fixed.includes(finding) ? { ...finding, result: 'PASS' as const } : finding,
  );
  return scoreOf(results) ?? 0;
}

function describeAllFixed(fixable: number, count: number): string {
  if (fixable < count) return 'All others fixed';
  if (count === 1) return 'Once fixed';
  return count === 2 ? 'Both fixed' : `All ${count} fixed`;
}

function listOf(title: string, count: string, rows: readonly FindingRow[]): FindingList | null {
  if (rows.length === 0) return null;
  const bySeverity = Map.groupBy(rows, ({ finding }) => failureOf(finding)?.severity ?? null);
  const groups = [...bySeverity].map(([severity, group]): SeverityGroup => {
    const { word, meaning } = severity === null ? { word: 'Other', meaning: null } : SEVERITIES[severity];
    return { word, meaning, rows: group };
  });
  return { title, count, groups };
}

const NOT_TESTED = 'Not tested: verify ownership to test your firewall.';

/** Returns the folds below the failures. Passed checks are expanded if nothing is left to do. */
function foldsOf(
  findings: readonly Finding[],
  owner: OwnerNotes | null,
  accepted: readonly FindingRow[],
  row: (finding: Finding) => FindingRow,
): readonly ReportFold[] {
  const {
    PASS = [],
    UNDETERMINED = [],
    NOT_APPLICABLE = [],
    FAIL = [],
  } = Object.groupBy(findings, ({ result }): Result => result);
  const line = (finding: Finding): FindingLine => ({
    finding,
    href: owner ? addressOf.evidence(owner.siteId, owner.number, finding.checkId) : checkHref(finding.checkId),
    detail: isUntested(finding) ? NOT_TESTED : finding.detail,
  });
  const isAllDone = FAIL.length === accepted.length && UNDETERMINED.length === 0;
  return [
    foldOf('Not tested', { lines: NOT_APPLICABLE.filter(isUntested).map(line), isExpanded: true }),
    foldOf('Passed', { lines: PASS.map(line), isExpanded: isAllDone }),
    foldOf('Undetermined', { rows: UNDETERMINED.map(row) }),
    foldOf('Do not apply', { lines: NOT_APPLICABLE.filter((finding) => !isUntested(finding)).map(line) }),
    foldOf('Accepted', { rows: accepted.map((one) => ({ ...one, worth: null })) }),
  ].filter((fold) => fold.count !== '0');
}

function foldOf(title: string, { rows = [], lines = [], isExpanded = false }: Partial<ReportFold>): ReportFold {
  const count = rows.length + lines.length;
  const unscored = lines.filter(({ finding }) => !finding.scored).length;
  return {
    title,
    count: unscored === 0 ? String(count) : `${count}, ${unscored} of them not scored`,
    isExpanded: isExpanded || rows.some((row) => row.isExpanded),
    rows,
    lines,
  };
}

function describeLastRecheck(findings: readonly Finding[], owner: OwnerNotes): string {
  const [last] = owner.rechecks.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt));
  const finding = findings.find(({ checkId }) => checkId === last?.checkId);
  return finding ? `${headlineOf(finding)}: ${outcomeOf(finding, owner)?.words ?? ''}` : '';
}
