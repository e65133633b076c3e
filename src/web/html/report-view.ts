import type { Answer } from '../../scanner/artifacts/answer.js';
import { countOf } from '../../scanner/artifacts/counts.js';
import { failureOf, headlineOf, orderFailures } from '../../scanner/report/failures.js';
import { type Gain, scoreSteps } from '../../scanner/report/gain.js';
import { commonCause } from '../../scanner/report/no-score.js';
import { isUntested } from '../../scanner/report/pins.js';
import { leftToFix, shareOf } from '../../scanner/report/score.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { Platform } from '../../scanner/verdict/fix-parts.js';
import { hasMoved, type Note } from '../../scanner/verdict/note.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { addressOf, checkHref } from '../server/paths.js';
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

/** A report as plain data: everything it says, in its order. */
export interface ReportView {
  readonly scan: ShownScan;
  /** Why nothing could be judged, if most checks agree on it; null if something was, or if the site has moved. */
  readonly gap: string | null;
  /** Next to the score: `3 things to fix`, and `, and 1 not scored`. */
  readonly toDo: readonly [words: string, unscored?: string];
  /** `All 3 fixed: at least 93`; null if that is no more than the score. */
  readonly scoreIfFixed: string | null;
  /** `10 of 15`: scored checks that apply. */
  readonly passed: string;
  readonly toFix: FindingList | null;
  readonly fixed: FindingList | null;
  /** `As of run 4; 1 check fixed since`; null if nothing was. */
  readonly fixedSince: string | null;
  /** True if rows say what the score is once they are fixed. */
  readonly hasLadder: boolean;
  readonly folds: readonly ReportFold[];
  /** Where the failures are described for a coding agent; null if nowhere. */
  readonly agentHref: string | null;
  /** The form that shows the fixes for another platform; null for owners, whose site has a setting, and if nothing failed. */
  readonly platformForm: PlatformChoice | null;
  /** Where a run is started that counts what is fixed; null for visitors, and for an older run. */
  readonly runHref: string | null;
  /** The last repeated check, for readers of screens; empty without one, null if there is no list to follow. */
  readonly spoken: string | null;
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
  readonly isOpen: boolean;
  readonly rows: readonly FindingRow[];
  readonly lines: readonly FindingLine[];
}

export interface FindingLine {
  readonly finding: Finding;
  /** The page of the finding, or the check for those without one. */
  readonly href: string;
  readonly detail: string | null;
}

interface ReportOptions {
  readonly agentHref: string | null;
  /** Null for anyone but the owner of the site. */
  readonly owner?: OwnerNotes | null;
  /** Fixes show only what applies there. */
  readonly platform?: Platform | null;
  /** The setting of the site that says where it runs. */
  readonly platformHref?: string | null;
  /** The page of a visitor, which takes the platform as a parameter. */
  readonly platformAction?: string | null;
}

/** Says everything that a report says. Components only set it. */
export function reportView(scan: ShownScan, options: ReportOptions): ReportView {
  const { agentHref, owner = null, platform = null, platformHref = null, platformAction = null } = options;
  const { findings, gains, score, origin } = scan;
  const failures = Object.groupBy(orderFailures(findings, gains), (finding) => stateOf(finding, owner));
  const { open = [], fixed = [], accepted = [] } = failures;
  const isOld = owner !== null && !owner.isLatest;
  const steps = scoreSteps(findings, [...fixed, ...open]);
  const gainOf = (finding: Finding): Gain | null => gains.find(({ checkId }) => checkId === finding.checkId) ?? null;
  const row = (finding: Finding): FindingRow =>
    rowOf(finding, {
      origin,
      agentHref,
      owner,
      platform,
      platformHref,
      step: steps.get(finding.checkId) ?? null,
      gain: gainOf(finding),
      isFirst: finding === open[0] && !isOld,
      hasFixed: fixed.length > 0,
    });
  const openScored = open.filter(({ scored }) => scored).length;
  const isUncertain = (finding: Finding): boolean => gainOf(finding)?.isAtLeast === true;
  const hasLadder = steps.size > 0 && openScored > 0;
  const scoreIfFixed = [...steps.values()].at(-1)?.to ?? 0;
  const hasHigherScore = hasLadder && !isOld && scoreIfFixed > (score ?? 0);
  const atLeast = scoreIfFixed < 100 && [...fixed, ...open].some(isUncertain) ? 'at least ' : '';
  const { passed, applicable } = shareOf(findings);
  return {
    scan,
    gap: score === null && !hasMoved(scan.notes) ? commonCause(findings) : null,
    toDo: score === null ? ['Nothing could be judged'] : leftToFix(without(findings, [...fixed, ...accepted])),
    scoreIfFixed: hasHigherScore ? `${describeAllFixed(openScored)}: ${atLeast}${scoreIfFixed}` : null,
    passed: `${passed} of ${applicable}`,
    toFix: listOf('To fix', openScored === 0 ? `${open.length}, not scored` : String(openScored), open.map(row)),
    fixed: listOf('Fixed, not yet in the score', `${fixed.length} of ${fixed.length + open.length}`, fixed.map(row)),
    fixedSince:
      owner !== null && fixed.length > 0
        ? `As of run ${owner.number}; ${countOf(fixed.length, 'check')} fixed since`
        : null,
    hasLadder,
    folds: foldsOf(findings, owner, accepted.map(row), row),
    agentHref,
    platformForm: platformAction !== null && open.length > 0 ? { action: platformAction, platform } : null,
    runHref: owner !== null && !isOld ? addressOf.runs(owner.siteId) : null,
    spoken: owner?.isOpen ? describeLastRecheck(findings, owner) : null,
    hasUncertainGain: steps.size > 0 && open.some(isUncertain),
  };
}

export function rowsOf({ toFix, fixed, folds }: ReportView): readonly FindingRow[] {
  const groups = [...(toFix?.groups ?? []), ...(fixed?.groups ?? [])];
  return [...groups, ...folds].flatMap(({ rows }) => rows);
}

function without(findings: readonly Finding[], others: readonly Finding[]): readonly Finding[] {
  return findings.filter((finding) => !others.includes(finding));
}

function describeAllFixed(count: number): string {
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

/** What is not to be fixed, by result. What passed is open if there is nothing else. */
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
  const isQuiet = FAIL.length === accepted.length && UNDETERMINED.length === 0;
  return [
    foldOf('Not tested', { lines: NOT_APPLICABLE.filter(isUntested).map(line), isOpen: true }),
    foldOf('Passed', { lines: PASS.map(line), isOpen: isQuiet }),
    foldOf('Undetermined', { rows: UNDETERMINED.map(row) }),
    foldOf('Do not apply', { lines: NOT_APPLICABLE.filter((finding) => !isUntested(finding)).map(line) }),
    foldOf('Accepted', { rows: accepted.map((one) => ({ ...one, worth: null })) }),
  ].filter((fold) => fold.count !== '0');
}

function foldOf(title: string, { rows = [], lines = [], isOpen = false }: Partial<ReportFold>): ReportFold {
  const count = rows.length + lines.length;
  const unscored = lines.filter(({ finding }) => !finding.scored).length;
  return {
    title,
    count: unscored === 0 ? String(count) : `${count}, ${unscored} of them not scored`,
    isOpen: isOpen || rows.some((row) => row.isOpen),
    rows,
    lines,
  };
}

function describeLastRecheck(findings: readonly Finding[], owner: OwnerNotes): string {
  const [last] = owner.rechecks.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt));
  const finding = findings.find(({ checkId }) => checkId === last?.checkId);
  return finding ? `${headlineOf(finding)}: ${outcomeOf(finding, owner)?.words ?? ''}` : '';
}
