import type { Answer } from '../../scanner/artifacts/answer.js';
import { failureOf, headlineOf, orderFailures } from '../../scanner/report/failures.js';
import { type Gain, ladderOf } from '../../scanner/report/gain.js';
import { isUntested } from '../../scanner/report/pins.js';
import { leftToFix, shareOf } from '../../scanner/report/score.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { hasMoved, type Note } from '../../scanner/verdict/note.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { addressOf } from '../server/site-paths.js';
import {
  type FindingRow,
  isAcceptedBy,
  type Accepted,
  type OwnerNotes,
  outcomeOf,
  rowOf,
  stateOf,
} from './finding-view.js';
import { checkHref } from './result.js';

/** A scan that is shown. */
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
  /** True if nothing could be judged, and not because the site has moved. */
  readonly isUnjudged: boolean;
  readonly isAllPassed: boolean;
  /** Next to the score: `3 things to fix`, and `, and 1 not scored`. */
  readonly toDo: readonly [words: string, unscored?: string];
  /** `All three fixed: at least 93`; null if that is no more than the score. */
  readonly promise: { readonly words: string; readonly score: number } | null;
  /** `1 of 4 fixed, not yet in the score`; null if none is. */
  readonly fixedWords: string | null;
  /** `10 of 15`: scored checks that apply. */
  readonly passed: string;
  readonly toFix: FindingList | null;
  readonly fixed: FindingList | null;
  /** What the figures of the rows say; null if there are none. */
  readonly ladderWords: string | null;
  readonly folds: readonly ReportFold[];
  /** Accepted failures that the run did not find. */
  readonly acceptedUnseen: readonly AcceptedUnseen[];
  /** Where the failures are described for a coding agent; null if nowhere. */
  readonly agentHref: string | null;
  /** Where a run is started that counts what is fixed; null for visitors, and for an older run. */
  readonly runHref: string | null;
  /** The last repeated check, for readers of screens; empty without one, null if there is no list to follow. */
  readonly spoken: string | null;
  readonly hasUncertainGain: boolean;
}

export interface FindingList {
  readonly title: string;
  readonly count: string;
  readonly groups: readonly SeverityGroup[];
}

export interface SeverityGroup {
  readonly id: string;
  readonly word: string;
  readonly meaning: string | null;
  readonly rows: readonly FindingRow[];
}

export interface ReportFold {
  readonly title: string;
  readonly count: string;
  readonly isOpen: boolean;
  /** Findings that may need a look. */
  readonly rows: readonly FindingRow[];
  /** Findings that need nothing. */
  readonly lines: readonly FindingLine[];
}

export interface FindingLine {
  readonly checkId: string;
  readonly result: Result;
  readonly scored: boolean;
  readonly title: string;
  readonly href: string;
  readonly detail: string | null;
}

export interface AcceptedUnseen {
  readonly accepted: Accepted;
  readonly headline: string;
  readonly undoHref: string;
}

interface ReportOptions {
  readonly agentHref: string | null;
  /** Null for anyone but the owner of the site. */
  readonly owner?: OwnerNotes | null;
}

/** Says everything that a report says. Components only set it. */
export function reportView(scan: ShownScan, { agentHref, owner = null }: ReportOptions): ReportView {
  const { findings, gains, score, origin } = scan;
  const failures = orderFailures(findings, gains);
  const inState = (...states: readonly FindingRow['state'][]): Finding[] =>
    failures.filter((finding) => states.includes(stateOf(finding, owner)));
  const [open, fixed, accepted] = [inState('open'), inState('fixed'), inState('accepted')];
  const isOld = owner !== null && !owner.isLatest;
  const hasFixed = fixed.length > 0;
  const ladder = ladderOf(findings, gains, [...fixed, ...open]);
  const [first] = isOld ? [] : open;
  const row = (finding: Finding): FindingRow =>
    rowOf(finding, {
      origin,
      agentHref,
      owner,
      rung: ladder?.rungs.get(finding.checkId) ?? null,
      gain: gains.find(({ checkId }) => checkId === finding.checkId) ?? null,
      isFirst: finding === first,
      hasFixed,
    });
  const openScored = open.filter(({ scored }) => scored).length;
  return {
    scan,
    isUnjudged: score === null && !hasMoved(scan.notes),
    isAllPassed: score !== null && findings.every(({ result }) => result === 'PASS' || result === 'NOT_APPLICABLE'),
    toDo: describeToDo(scan, open),
    promise:
      ladder !== null && !isOld && openScored > 0 && ladder.to > (score ?? 0)
        ? { words: `${describeAllFixed(openScored)}: ${ladder.isAtLeast ? 'at least ' : ''}`, score: ladder.to }
        : null,
    fixedWords: hasFixed ? `${fixed.length} of ${fixed.length + open.length} fixed, not yet in the score` : null,
    passed: countPassed(findings),
    toFix: listOf('To fix', countToFix(open), open.map(row)),
    fixed: listOf('Fixed, not yet in the score', `${fixed.length} of ${fixed.length + open.length}`, fixed.map(row)),
    ladderWords:
      ladder !== null && openScored > 0
        ? `Score if you fix these in order${fixed.length > 0 ? ', after what is already fixed' : ''}`
        : null,
    folds: foldsOf(findings, { row, accepted, owner, isQuiet: open.length + fixed.length === 0 }),
    acceptedUnseen: owner === null ? [] : acceptedUnseen(owner, findings),
    agentHref,
    runHref: owner !== null && !isOld ? addressOf.runs(owner.siteId) : null,
    spoken: owner?.isOpen ? describeLastRecheck(findings, owner) : null,
    hasUncertainGain: open.some(({ checkId }) => ladder?.rungs.get(checkId)?.isAtLeast),
  };
}

/** Returns every row of a report: of its lists, then of its folds. */
export function rowsOf({ toFix, fixed, folds }: ReportView): readonly FindingRow[] {
  const groups = [...(toFix?.groups ?? []), ...(fixed?.groups ?? [])];
  return [...groups, ...folds].flatMap(({ rows }) => rows);
}

function describeToDo({ score, findings }: ShownScan, open: readonly Finding[]): ReportView['toDo'] {
  if (score === null) return ['Nothing could be judged'];
  return leftToFix(findings.filter((finding) => finding.result !== 'FAIL' || open.includes(finding)));
}

/** Counts the scored checks that apply: `10 of 15`. */
export function countPassed(findings: readonly Pick<Finding, 'scored' | 'result'>[]): string {
  const { passed, applicable } = shareOf(findings);
  return `${passed} of ${applicable}`;
}

const NUMBERS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** `All four fixed`. */
export function describeAllFixed(count: number): string {
  return count === 1 ? 'Once fixed' : `${count === 2 ? 'Both' : `All ${NUMBERS[count] ?? count}`} fixed`;
}

/** Leaves unscored failures to the head of the page, unless there are no others. */
function countToFix(failures: readonly Finding[]): string {
  const scored = failures.filter((failure) => failure.scored).length;
  return scored === 0 ? `${failures.length}, not scored` : String(scored);
}

function listOf(title: string, count: string, rows: readonly FindingRow[]): FindingList | null {
  if (rows.length === 0) return null;
  const bySeverity = Map.groupBy(rows, ({ finding }) => failureOf(finding)?.severity ?? null);
  const groups = [...bySeverity].map(([severity, group]): SeverityGroup => {
    const { word, meaning } = severity === null ? { word: 'Other', meaning: null } : SEVERITIES[severity];
    const id = word.toLowerCase().replace(' ', '-');
    return { id, word, meaning, rows: group };
  });
  return { title, count, groups };
}

interface FoldOptions {
  readonly row: (finding: Finding) => FindingRow;
  readonly accepted: readonly Finding[];
  readonly owner: OwnerNotes | null;
  /** True if no failure is listed above. */
  readonly isQuiet: boolean;
}

function foldsOf(findings: readonly Finding[], { row, accepted, owner, isQuiet }: FoldOptions): readonly ReportFold[] {
  const withResult = (result: Result): readonly Finding[] => findings.filter((finding) => finding.result === result);
  const plainRow = (finding: Finding): FindingRow => ({ ...row(finding), worth: null });
  const line = (finding: Finding): FindingLine => lineOf(finding, owner);
  const notApplicable = withResult('NOT_APPLICABLE');
  const undetermined = withResult('UNDETERMINED');
  return [
    foldOf('Not tested', { lines: notApplicable.filter(isUntested).map(line), isOpen: true }),
    foldOf('Passed', { lines: withResult('PASS').map(line), isOpen: isQuiet && undetermined.length === 0 }),
    foldOf('Undetermined', { rows: undetermined.map(plainRow) }),
    foldOf('Do not apply', { lines: notApplicable.filter((finding) => !isUntested(finding)).map(line) }),
    foldOf('Accepted', { rows: accepted.map(plainRow) }),
  ].filter((fold) => fold.count !== '0');
}

function foldOf(title: string, { rows = [], lines = [], isOpen = false }: Partial<ReportFold>): ReportFold {
  const count = rows.length + lines.length;
  const unscored = lines.filter(({ scored }) => !scored).length;
  return {
    title,
    count: unscored === 0 ? String(count) : `${count}, ${unscored} of them not scored`,
    isOpen: isOpen || rows.some((row) => row.isOpen),
    rows,
    lines,
  };
}

const NOT_TESTED = 'Not tested: verify ownership to test your firewall.';

/** Leads to the page of the finding, or to the check for those without one. */
function lineOf(finding: Finding, owner: OwnerNotes | null): FindingLine {
  const { checkId, result, scored, title, detail } = finding;
  const href = owner ? addressOf.evidence(owner.siteId, owner.number, checkId) : checkHref(checkId);
  const words = isUntested(finding) ? NOT_TESTED : detail;
  return { checkId, result, scored, title: title ?? checkId, href, detail: words };
}

/** Accepted failures that the run did not find: they would silence alerts without being seen. */
function acceptedUnseen({ siteId, accepted }: OwnerNotes, findings: readonly Finding[]): readonly AcceptedUnseen[] {
  return accepted
    .filter((one) => !findings.some((finding) => isAcceptedBy(one, finding)))
    .map((one) => ({
      accepted: one,
      headline: headlineOf({ ...one, title: null }),
      undoHref: addressOf.removeAccepted(siteId, one),
    }));
}

function describeLastRecheck(findings: readonly Finding[], owner: OwnerNotes): string {
  const [last] = owner.rechecks.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt));
  const finding = findings.find(({ checkId }) => checkId === last?.checkId);
  return finding ? `${headlineOf(finding)}: ${outcomeOf(finding, owner)?.words ?? ''}` : '';
}
