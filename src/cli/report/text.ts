import { countOf } from '../../platform/counts.js';
import { failureOf, headlineOf } from '../../scanner/report/failures.js';
import { orderFailures } from '../../scanner/report/order.js';
import { describeGroup, type Pin, type PinGroup, pinGroupsOf, type PinState } from '../../scanner/report/pins.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import type { Change } from '../../scanner/report/comparison.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { fixFor, splitFix, withoutServers } from '../../scanner/verdict/fix-parts.js';
import { describeGain } from '../../scanner/report/gain.js';
import { partsOfMove } from '../../scanner/verdict/move.js';
import type { Note } from '../../scanner/verdict/note.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { PROGRAM } from '../../scanner/report/program.js';
import type { Look } from '../command.js';
import type { ScanComparison } from '../compare.js';
import { countResults, type Report, scoreChange } from './document.js';

/** How wide a line is; snippets and addresses may be longer. */
const WIDTH = 80;

const PLAIN: Look = { hasColour: false, isUnicode: false };

/** By state: in Unicode, in ASCII, and its colour. */
const PINS: Readonly<Record<PinState, readonly [unicode: string, ascii: string, colour: number]>> = {
  PASS: ['┃', '|', 32],
  FAIL: ['╻', 'x', 31],
  UNDETERMINED: ['┇', '?', 33],
  NOT_APPLICABLE: ['·', '.', 90],
  WAITING: [' ', ' ', 90],
};
const MARKS: Readonly<Record<Result, readonly [unicode: string, ascii: string]>> = {
  PASS: ['✓', '+'],
  FAIL: ['✕', 'x'],
  UNDETERMINED: ['?', '?'],
  NOT_APPLICABLE: ['–', '-'],
};

/** The report for a person at a terminal: the answer, the pins, then what to fix, the gravest first. */
export function formatAsText(report: Report, look: Look = PLAIN): string {
  const { document, comparison } = report;
  const { notes, findings, gains } = document;
  const groups = pinGroupsOf(findings);
  const others = notes.filter((note) => !isAtHead(note));
  const blocks = [
    [headline(report, look), ...notes.filter(isAtHead).flatMap((note) => describeHead(note, report.movedTo))],
    [`  ${groups.map((group) => drawGroup(group, look)).join('  ')}`.trimEnd(), `  ${describeGroups(groups)}`],
    ...bySeverity(orderFailures(findings, gains)).map(([heading, failures]) => [
      heading,
      ...failures.flatMap((finding, index) => [...(index > 0 ? [''] : []), ...describeFinding(finding, report, look)]),
    ]),
    section(
      'Not determined',
      findings
        .filter(({ result }) => result === 'UNDETERMINED')
        .flatMap((finding) => describeFinding(finding, report, look)),
    ),
    [...listOf('Passed', findings, 'PASS'), ...listOf('Does not apply', findings, 'NOT_APPLICABLE')],
    section('Worth a look (not scored, no proven defects)', others.flatMap(describeNote)),
    section(
      'Compared with the earlier scan',
      comparison ? describeComparison(comparison).map((line) => `  ${line}`) : [],
    ),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** Nothing where there are no lines. */
function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? [heading, ...lines] : [];
}

function headline(report: Report, look: Look): string {
  const { site, run, findings } = report.document;
  const change = scoreChange(report);
  if (run.score === null) return `${site.hostname}: no score: nothing could be determined (${countResults(findings)})`;
  const score = look.hasColour ? `\u001b[1m${run.score}\u001b[0m` : String(run.score);
  return `${site.hostname}: ${score} of 100${change === null ? '' : ` (${change})`}, ${describeLeft(findings)}`;
}

/** `4 things to fix, and 1 not scored`. */
function describeLeft(findings: readonly Finding[]): string {
  const failures = findings.filter(({ result }) => result === 'FAIL');
  const unscored = failures.filter(({ scored }) => !scored).length;
  const scored = failures.length - unscored;
  if (failures.length === 0) return 'nothing to fix';
  if (scored === 0) return `${countOf(unscored, 'thing')} to fix, not scored`;
  return `${countOf(scored, 'thing')} to fix${unscored > 0 ? `, and ${unscored} not scored` : ''}`;
}

function drawGroup({ pins }: PinGroup, look: Look): string {
  return pins.map((pin) => drawPin(pin, look)).join('');
}

/** What is not scored is grey and, where it failed, small: it must not look like a lost point. */
function drawPin({ state, scored }: Pin, look: Look): string {
  const [unicode, ascii, colour] = PINS[state];
  const shape = !scored && state === 'FAIL' ? '╷' : unicode;
  return paint(look.isUnicode ? shape : ascii, scored ? colour : 90, look);
}

function paint(text: string, colour: number, { hasColour }: Look): string {
  return hasColour ? `\u001b[${colour}m${text}\u001b[0m` : text;
}

/** `Discovery 5 of 6, Access 2 of 3`: without pillars of which no check was made. */
function describeGroups(groups: readonly PinGroup[]): string {
  return groups
    .filter(({ pillar, pins }) => pillar !== null && pins.some(({ state }) => state !== 'WAITING'))
    .map((group) => `${group.name} ${describeGroup(group)}`)
    .join(', ');
}

/** Under what their severity is called; those of a retired kind come last. */
function bySeverity(failures: readonly Finding[]): readonly (readonly [string, readonly Finding[]])[] {
  const words = Map.groupBy(failures, (failure) => {
    const severity = failureOf(failure)?.severity;
    return severity === undefined ? 'Other' : SEVERITIES[severity].word;
  });
  return [...words];
}

function describeFinding(finding: Finding, { origin, document: { gains } }: Report, look: Look): string[] {
  const { result, checkId, errorType, detail, fix, scored } = finding;
  const [unicode, ascii] = MARKS[result];
  const mark = paint(look.isUnicode ? unicode : ascii, PINS[result][2], look);
  const gain = scored ? describeGain(gains, finding) : 'not scored';
  const what = [checkId, ...(errorType ? [errorType] : []), ...(gain === null ? [] : [gain])].join(', ');
  const beneath = [
    ...(detail === null ? [] : wrap(detail, WIDTH - 4)),
    ...(fix !== null && result === 'FAIL' ? ['', ...describeFix(fixFor(origin, fix, detail))] : []),
  ];
  return [`  ${mark} ${headlineOf(finding)}`, ...[what, ...beneath].map((line) => `    ${line}`.trimEnd())];
}

/** `Passed (2): C-LLMS-01, C-LLMS-02`. */
function listOf(heading: string, findings: readonly Finding[], result: Result): readonly string[] {
  const ids = findings.filter((finding) => finding.result === result).map(({ checkId }) => checkId);
  if (ids.length === 0) return [];
  const [first = '', ...rest] = wrap(`${heading} (${ids.length}): ${ids.join(', ')}`, WIDTH);
  return [first, ...rest.map((line) => `  ${line}`)];
}

/** What to do whatever the server is, and for which servers there is more. */
function describeFix(fix: string): string[] {
  const servers = splitFix(fix).flatMap(({ kind, text }) => (kind === 'server' ? [text] : []));
  const parts = splitFix(withoutServers(fix)).map(({ kind, text }) =>
    kind === 'snippet' ? text.split('\n') : text.split('\n').flatMap((line) => wrap(line, WIDTH - 4)),
  );
  if (servers.length > 0) parts.push(wrap(`For ${servers.join(', ')}: --format agent says how.`, WIDTH - 4));
  return parts.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function isAtHead({ checkId }: Note): boolean {
  return checkId === null;
}

function describeHead(note: Note, movedTo: string | null): string[] {
  const parts = partsOfMove(note);
  if (parts === null || movedTo === null) return wrap(note.text, WIDTH);
  const [before, invitation, after] = parts;
  return wrap(`${before}${movedTo}: ${invitation}, with ${PROGRAM} scan ${movedTo}${after}`, WIDTH);
}

function describeNote({ checkId, text, standard, url }: Note): string[] {
  const indent = ' '.repeat(13);
  const [first = '', ...rest] = wrap(text, WIDTH - 13);
  return [
    `  ${(checkId ?? '').padEnd(9)}  ${first}`,
    ...rest.map((line) => indent + line),
    `${indent}${standard}: ${url}`,
  ];
}

/** Wraps at spaces; keeps the leading spaces of a snippet. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > width / 2 ? space : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

function describeComparison(comparison: ScanComparison): string[] {
  const { newFailures, fixed, nowJudged, unchanged, changed, notComparable } = comparison;
  const list = (changes: readonly Change[]): string => changes.map(({ checkId }) => checkId).join(', ') || 'none';
  const tell = (changes: readonly Change[]): string =>
    changes.map((change) => `${change.checkId} (${headlineOf(change)})`).join(', ') || 'none';
  return [
    `new failures: ${tell(newFailures)}`,
    `fixed: ${tell(fixed)}`,
    ...(nowJudged.length > 0 ? [`failing, but not judged before: ${tell(nowJudged)}`] : []),
    `otherwise changed: ${list(changed)}`,
    `unchanged: ${list(unchanged)}`,
    ...(notComparable.length > 0 ? [`in one of the two scans only: ${notComparable.join(', ')}`] : []),
  ];
}
