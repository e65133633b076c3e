import { headlineOfAnswer, linesOfAnswer, TRAINING_WORDS } from '../../scanner/report/answer.js';
import type { Change } from '../../scanner/report/comparison.js';
import { failureOf, headlineOf, orderFailures } from '../../scanner/report/failures.js';
import { describeGain } from '../../scanner/report/gain.js';
import { describeNothingApplies } from '../../scanner/report/no-score.js';
import {
  describeGroup,
  isUntested,
  omitWaiting,
  pinCharacter,
  pinGroupsOf,
  type PinState,
} from '../../scanner/report/pins.js';
import { PROGRAM } from '../../scanner/report/program.js';
import { summarizeFailures } from '../../scanner/report/score.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { fixFor, splitFix, generalPart } from '../../scanner/verdict/fix-parts.js';
import { MOVE_NOTE_ID, type Note } from '../../scanner/verdict/note.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import type { ScanComparison } from '../compare.js';
import { wrap, wrapRows } from '../table.js';
import {
  answerOf,
  countResults,
  describeScore,
  formatLabel,
  nameScan,
  type Report,
  splitNotes,
  type View,
} from './document.js';

type Lines = readonly string[];

const PLAIN: View = { hasColour: false, isUnicode: false, columns: 80, fixes: [], showsOnlyFailures: false };
const GREY = 90;
const COLOURS: Readonly<Record<PinState, number>> = {
  PASS: 32,
  FAIL: 31,
  UNDETERMINED: 33,
  NOT_APPLICABLE: GREY,
  WAITING: GREY,
};
const BOLD = 1;
const MARKS: Readonly<Record<Result, readonly [unicode: string, ascii: string]>> = {
  PASS: ['✓', '+'],
  FAIL: ['✕', 'x'],
  UNDETERMINED: ['?', '?'],
  NOT_APPLICABLE: ['–', '-'],
};

/** Formats the report for a terminal: which assistants can read the site, the score, the pins, then what to fix, the most severe first. */
export function formatAsText(report: Report, options: Partial<View> = {}): string {
  const view = { ...PLAIN, ...options };
  const { document, comparison, trial } = report;
  const failures = orderFailures(document.findings, document.gains);
  const { heads } = splitNotes(document);
  const blocks: readonly Lines[] = [
    describeAnswer(report, view),
    [...describeScoreLine(report, view), ...heads.flatMap((note) => describeHeadNote(note, report.movedTo, view))],
    drawPins(document.findings, view),
    ...[...Map.groupBy(failures, nameSeverity)].map(([severity, group]) => [
      severity,
      ...group.flatMap((failure, index) => [...(index > 0 ? [''] : []), ...describeFinding(failure, report, view)]),
    ]),
    describeFixOptions(failures, view),
    ...(view.showsOnlyFailures ? [] : describeOthers(report, view)),
    comparison ? describeComparison(comparison, trial !== null, view) : [],
    trial ? wrap(trial.note, view.columns) : [],
  ];
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** Wraps a text and indents its lines: the first by `first`, the others by `others`. */
function paragraph(text: string, { columns }: View, first: number, others = first): string[] {
  return wrap(text, columns - Math.max(first, others)).map(
    (line, index) => ' '.repeat(index === 0 ? first : others) + line,
  );
}

function section(heading: string, lines: Lines): Lines {
  return lines.length > 0 ? [heading, ...lines] : [];
}

function paint(text: string, code: number, { hasColour }: View): string {
  return hasColour ? `\u001b[${code}m${text}\u001b[0m` : text;
}

/** Says which assistants can read the site; with `--only-failures`, only those that cannot. */
function describeAnswer({ document }: Report, view: View): Lines {
  const answer = answerOf(document);
  if (answer === null) return [];
  const lines = linesOfAnswer(answer).filter(({ state }) => !view.showsOnlyFailures || state !== 'open');
  const rows = lines.map(({ name, verdict, rest }) => [name, verdict + rest] as const);
  if (!view.showsOnlyFailures) rows.push(['Training', TRAINING_WORDS[answer.training]]);
  const headline = wrap(headlineOfAnswer(answer), view.columns).map((line) => paint(line, BOLD, view));
  return [...headline, ...wrapRows(rows, view.columns)];
}

function describeScoreLine(report: Report, view: View): Lines {
  const { run, findings } = report.document;
  const name = nameScan(report.document);
  if (run.score === null) {
    const why = describeNothingApplies(findings) ?? 'nothing could be determined';
    return wrap(`${name}: no score: ${why} (${countResults(findings)})`, view.columns);
  }
  const head = `${name}: ${describeScore(report)}, ${summarizeFailures(findings).join('').replace('Nothing', 'nothing')}`;
  const emphasized = `${paint(String(run.score), BOLD, view)} of 100`;
  return wrap(head, view.columns).map((line) => line.replace(`${run.score} of 100`, emphasized));
}

function describeHeadNote({ id, text }: Note, movedTo: string | null, { columns }: View): Lines {
  if (id !== MOVE_NOTE_ID || movedTo === null) return wrap(text, columns);
  const invitation = `${movedTo}: scan that domain, with ${PROGRAM} scan ${movedTo}`;
  return wrap(
    text.replace('another domain: scan that domain', () => invitation),
    columns,
  );
}

/** Draws a character for each check, and counts the passed ones of each pillar: `Discovery 5 of 6, Access 2 of 3`. */
function drawPins(findings: readonly Finding[], view: View): Lines {
  const groups = pinGroupsOf(findings);
  const drawn = groups.map(({ pins }) =>
    pins.map((pin) => paint(pinCharacter(pin, view.isUnicode), pin.scored ? COLOURS[pin.state] : GREY, view)).join(''),
  );
  const counts = omitWaiting(groups)
    .filter(({ pillar }) => pillar !== null)
    .map((group) => `${group.name} ${describeGroup(group)}`);
  return [`  ${drawn.join('  ')}`.trimEnd(), ...paragraph(counts.join(', '), view, 2)];
}

function nameSeverity(failure: Finding): string {
  const severity = failureOf(failure)?.severity;
  return severity === undefined ? 'Other' : SEVERITIES[severity].word;
}

function describeFinding(finding: Finding, { origin, document }: Report, view: View): Lines {
  const { checkId, errorType, detail, fix, scored } = finding;
  const gain = scored ? describeGain(document.gains, finding) : 'not scored';
  return describeItem(finding, headlineOf(finding), view, [
    [checkId, errorType, gain].filter((part) => part !== null).join(', '),
    ...(detail === null ? [] : wrap(detail, view.columns - 4)),
    ...(fix !== null && isFixShown(finding, view) ? ['', ...describeFix(fixFor(origin, fix, detail), view)] : []),
  ]);
}

/** @param rest lines that are short enough for an indent of 4 */
function describeItem({ result }: Finding, head: string, view: View, rest: Lines): Lines {
  const mark = paint(MARKS[result][view.isUnicode ? 0 : 1], COLOURS[result], view);
  const [first = '', ...others] = wrap(head, view.columns - 4);
  return [`  ${mark} ${first}`, ...[...others, ...rest].map((line) => `    ${line}`.trimEnd())];
}

function isFixShown({ result, checkId }: Finding, { fixes }: View): boolean {
  return result === 'FAIL' && (fixes === 'all' || fixes.includes(checkId));
}

/** Describes the general part of a fix, and names the servers that have their own part. */
function describeFix(fix: string, { columns }: View): Lines {
  const servers = splitFix(fix).flatMap(({ kind, text }) => (kind === 'server' ? [text] : []));
  const parts = splitFix(generalPart(fix)).map(({ kind, text }) =>
    kind === 'snippet' ? text.split('\n') : text.split('\n').flatMap((line) => wrap(line, columns - 4)),
  );
  if (servers.length > 0) parts.push(wrap(`For ${servers.join(', ')}: --format agent says how.`, columns - 4));
  return parts.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function describeFixOptions(failures: readonly Finding[], view: View): Lines {
  const [first] = failures;
  if (first === undefined || failures.some((failure) => isFixShown(failure, view))) return [];
  return wrap(`How to fix them: --fix ${first.checkId}, or --fixes.`, view.columns);
}

function describeOthers(report: Report, view: View): readonly Lines[] {
  const { findings } = report.document;
  const undetermined = findings.filter(({ result }) => result === 'UNDETERMINED');
  // The service runs these checks for verified sites, so its score may differ.
  const untested = findings.filter(isUntested);
  const others = findings.filter((finding) => !isUntested(finding));
  return [
    section(
      'Not determined',
      [...Map.groupBy(undetermined, ({ detail }) => detail).values()].flatMap((group) =>
        describeUndetermined(group, report, view),
      ),
    ),
    [
      ...listChecks('Passed', findings, 'PASS', view),
      ...listChecks('Does not apply', others, 'NOT_APPLICABLE', view),
      ...listChecks('Not tested', untested, 'NOT_APPLICABLE', view),
      ...untested.flatMap(({ detail }) => paragraph(detail ?? '', view, 2)),
    ],
    section(
      'Suggestions (not scored, no proven defects)',
      splitNotes(report.document).advice.flatMap((note) => describeNote(note, view)),
    ),
  ];
}

function describeUndetermined(group: readonly Finding[], report: Report, view: View): Lines {
  const [first] = group;
  if (!first?.detail || group.length === 1) return group.flatMap((finding) => describeFinding(finding, report, view));
  const ids = group.map(({ checkId }) => checkId).join(', ');
  return describeItem(first, first.detail, view, wrap(ids, view.columns - 4));
}

/** Lists checks with a result: `Passed (2): C-LLMS-01, C-LLMS-02`. */
function listChecks(heading: string, findings: readonly Finding[], result: Result, view: View): Lines {
  const ids = findings.filter((finding) => finding.result === result).map(({ checkId }) => checkId);
  return ids.length === 0 ? [] : paragraph(`${heading} (${ids.length}): ${ids.join(', ')}`, view, 0, 2);
}

function describeNote({ checkId, text, standard, url }: Note, view: View): Lines {
  const [first = '', ...rest] = paragraph(text, view, 13);
  return [`  ${(checkId ?? '').padEnd(11)}${first.trimStart()}`, ...rest, `${' '.repeat(13)}${standard}: ${url}`];
}

function describeComparison({ earlier, ...comparison }: ScanComparison, isTrial: boolean, view: View): Lines {
  const { newFailures, fixed, nowJudged, unchanged, changed, notComparable, hasOtherPages } = comparison;
  const ids = (changes: readonly Change[]): string => changes.map(({ checkId }) => checkId).join(', ') || 'none';
  const headlines = (changes: readonly Change[]): string =>
    changes.map((change) => `${change.checkId} (${headlineOf(change)})`).join(', ') || 'none';
  const results = changed.map(({ checkId, before, now }) => `${checkId} (${before}, now ${now})`.replaceAll('_', ' '));
  const lines = [
    `new failures: ${headlines(newFailures)}`,
    `fixed: ${headlines(fixed)}`,
    ...(nowJudged.length > 0 ? [`newly checked, failing: ${headlines(nowJudged)}`] : []),
    `otherwise changed: ${results.join(', ') || 'none'}`,
    `unchanged: ${ids(unchanged)}`,
    ...(notComparable.length > 0 ? [`in one of the two scans only: ${notComparable.join(', ')}`] : []),
    ...(hasOtherPages ? ['other pages were sampled than in the earlier scan'] : []),
  ];
  const heading = isTrial
    ? 'Compared with the site as it is now'
    : `Compared with the earlier scan${formatLabel(earlier.run?.label)}`;
  return [heading, ...lines.flatMap((line) => paragraph(line, view, 2, 4))];
}
