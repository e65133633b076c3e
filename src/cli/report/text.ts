import { headlineOfAnswer, linesOfAnswer, TRAINING_WORDS } from '../../scanner/report/answer.js';
import { failureOf, headlineOf, orderFailures } from '../../scanner/report/failures.js';
import { leftToFix } from '../../scanner/report/score.js';
import { describeNoneScored } from '../../scanner/report/no-score.js';
import {
  describeGroup,
  madeOf,
  type Pin,
  pinCharacter,
  type PinGroup,
  pinGroupsOf,
  type PinState,
} from '../../scanner/report/pins.js';
import { SEVERITIES } from '../../scanner/verdict/failure.js';
import type { Change } from '../../scanner/report/comparison.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { fixFor, splitFix, withoutServers } from '../../scanner/verdict/fix-parts.js';
import { describeGain } from '../../scanner/report/gain.js';
import { isAtHead, type Note, partsOfMove } from '../../scanner/verdict/note.js';
import type { Result } from '../../scanner/verdict/vocabulary.js';
import { PROGRAM } from '../../scanner/report/program.js';
import type { ScanComparison } from '../compare.js';
import { wrap, wrapRows } from '../table.js';
import {
  answerOf,
  countResults,
  describeScore,
  inBrackets,
  nameOf,
  PLAIN,
  type Report,
  type View,
} from './document.js';

const COLOURS: Readonly<Record<PinState, number>> = {
  PASS: 32,
  FAIL: 31,
  UNDETERMINED: 33,
  NOT_APPLICABLE: 90,
  WAITING: 90,
};
const MARKS: Readonly<Record<Result, readonly [unicode: string, ascii: string]>> = {
  PASS: ['✓', '+'],
  FAIL: ['✕', 'x'],
  UNDETERMINED: ['?', '?'],
  NOT_APPLICABLE: ['–', '-'],
};

/** Formats the report for a terminal: the score, the pins, then what to fix, the most severe first. */
export function formatAsText(report: Report, wished: Partial<View> = {}): string {
  const view = { ...PLAIN, ...wished };
  const { document, comparison } = report;
  const { notes, findings, gains } = document;
  const groups = pinGroupsOf(findings);
  const failures = orderFailures(findings, gains);
  const blocks = [
    describeAnswer(report, view),
    [
      ...wrapHeadline(report, view),
      ...notes.filter(isAtHead).flatMap((note) => describeHead(note, report.movedTo, view)),
    ],
    [
      `  ${groups.map(({ pins }) => pins.map((pin) => drawPin(pin, view)).join('')).join('  ')}`.trimEnd(),
      ...wrap(describeGroups(groups), view.columns - 2).map((line) => `  ${line}`),
    ],
    ...bySeverity(failures).map(([heading, graveAlike]) => [
      heading,
      ...graveAlike.flatMap((finding, index) => [
        ...(index > 0 ? [''] : []),
        ...describeFinding(finding, report, view),
      ]),
    ]),
    describeUnneeded(findings, view),
    describeHelp(failures, view),
    ...(view.isOnlyFailures ? [] : listOthers(report, view)),
    section(
      `Compared with the earlier scan${inBrackets(comparison?.earlier.run?.label)}`,
      comparison
        ? describeComparison(comparison).flatMap((line) =>
            indentRest(wrap(line, view.columns - 4)).map((part) => `  ${part}`),
          )
        : [],
    ),
    (report.trial ?? []).flatMap((sentence) => wrap(sentence, view.columns)),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** Says first which assistants can read the site; in brief, only those that cannot. */
function describeAnswer({ document }: Report, { columns, isOnlyFailures, hasColour }: View): readonly string[] {
  const answer = answerOf(document);
  if (answer === null) return [];
  const lines = linesOfAnswer(answer).filter(({ state }) => !isOnlyFailures || state !== 'open');
  const training = isOnlyFailures ? [] : [['Training', TRAINING_WORDS[answer.training]] as const];
  const rows = [...lines.map(({ name, verdict, rest }) => [name, verdict + rest] as const), ...training];
  const headline = wrap(headlineOfAnswer(answer), columns);
  return [...headline.map((line) => (hasColour ? `\u001b[1m${line}\u001b[0m` : line)), ...wrapRows(rows, columns)];
}

/** Lists what does not fail, and advice. */
function listOthers(report: Report, view: View): readonly (readonly string[])[] {
  const { findings, notes } = report.document;
  const undetermined = findings.filter(({ result }) => result === 'UNDETERMINED');
  return [
    section(
      'Not determined',
      [...Map.groupBy(undetermined, ({ detail }) => detail).values()].flatMap((alike) =>
        describeOpen(alike, report, view),
      ),
    ),
    [
      ...listOf('Passed', findings, 'PASS', view),
      ...listOf('Does not apply', findings, 'NOT_APPLICABLE', view),
      ...describeUnasked(findings, view),
    ],
    section(
      'Worth a look (not scored, no proven defects)',
      notes.filter((note) => !isAtHead(note)).flatMap((note) => describeNote(note, view)),
    ),
  ];
}

/** Describes undetermined checks with the same reason. */
function describeOpen(alike: readonly Finding[], report: Report, view: View): string[] {
  const [first, ...others] = alike;
  if (first === undefined) return [];
  if (others.length === 0 || first.detail === null)
    return alike.flatMap((finding) => describeFinding(finding, report, view));
  const width = view.columns - 4;
  const [head = '', ...rest] = wrap(first.detail, width);
  const ids = wrap(alike.map(({ checkId }) => checkId).join(', '), width);
  return [`  ${markOf(first, view)} ${head}`, ...[...rest, ...ids].map((line) => `    ${line}`)];
}

function markOf({ result }: Finding, view: View): string {
  const [unicode, ascii] = MARKS[result];
  return paint(view.isUnicode ? unicode : ascii, COLOURS[result], view);
}

/** Describes checks that did not fail although their fixes were requested. */
function describeUnneeded(findings: readonly Finding[], { fixes, columns }: View): readonly string[] {
  if (fixes === 'all') return [];
  return [...new Set(fixes)].flatMap((id) => {
    const result = findings.find(({ checkId }) => checkId === id)?.result;
    return result === 'FAIL'
      ? []
      : wrap(`${id} ${result ? UNNEEDED[result] : 'was not made: its fix is not known.'}`, columns);
  });
}

const UNNEEDED: Readonly<Record<Exclude<Result, 'FAIL'>, string>> = {
  PASS: 'passes: nothing to fix.',
  UNDETERMINED: 'could not be determined: what to fix is not known.',
  NOT_APPLICABLE: 'does not apply: nothing to fix.',
};

/** Says how to see fixes, if none is shown. */
function describeHelp(failures: readonly Finding[], view: View): readonly string[] {
  const { columns } = view;
  const [first] = failures;
  if (first === undefined || failures.some((failure) => isFixShown(failure, view))) return [];
  return wrap(`How to fix them: --fix ${first.checkId}, or --fixes.`, columns);
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? [heading, ...lines] : [];
}

function wrapHeadline(report: Report, { columns, hasColour }: View): string[] {
  const { run, findings } = report.document;
  const name = nameOf(report.document);
  if (run.score === null) {
    const why = describeNoneScored(findings) ?? 'nothing could be determined';
    return wrap(`${name}: no score: ${why} (${countResults(findings)})`, columns);
  }
  const score = `${run.score} of 100`;
  const head = `${name}: ${describeScore(report)}, ${leftToFix(findings).join('').replace('Nothing', 'nothing')}`;
  const bold = `\u001b[1m${run.score}\u001b[0m of 100`;
  return wrap(head, columns).map((line) => (hasColour ? line.replace(score, bold) : line));
}

/** Unscored pins are grey. */
function drawPin(pin: Pin, look: View): string {
  return paint(pinCharacter(pin, look.isUnicode), pin.scored ? COLOURS[pin.state] : 90, look);
}

function paint(text: string, colour: number, { hasColour }: View): string {
  return hasColour ? `\u001b[${colour}m${text}\u001b[0m` : text;
}

/** Describes the pillars that were checked: `Discovery 5 of 6, Access 2 of 3`. */
function describeGroups(groups: readonly PinGroup[]): string {
  return madeOf(groups)
    .filter(({ pillar }) => pillar !== null)
    .map((group) => `${group.name} ${describeGroup(group)}`)
    .join(', ');
}

/** Groups failures by the word for their severity. Retired ones come last. */
function bySeverity(failures: readonly Finding[]): readonly (readonly [string, readonly Finding[]])[] {
  const words = Map.groupBy(failures, (failure) => {
    const severity = failureOf(failure)?.severity;
    return severity === undefined ? 'Other' : SEVERITIES[severity].word;
  });
  return [...words];
}

function describeFinding(finding: Finding, { origin, document: { gains } }: Report, view: View): string[] {
  const { checkId, errorType, detail, fix, scored } = finding;
  const gain = scored ? describeGain(gains, finding) : 'not scored';
  const what = [checkId, ...(errorType ? [errorType] : []), ...(gain === null ? [] : [gain])].join(', ');
  const beneath = [
    ...(detail === null ? [] : wrap(detail, view.columns - 4)),
    ...(fix !== null && isFixShown(finding, view) ? ['', ...describeFix(fixFor(origin, fix, detail), view)] : []),
  ];
  const [head = '', ...rest] = wrap(headlineOf(finding), view.columns - 4);
  return [`  ${markOf(finding, view)} ${head}`, ...[...rest, what, ...beneath].map((line) => `    ${line}`.trimEnd())];
}

function isFixShown({ result, checkId }: Finding, { fixes }: View): boolean {
  return result === 'FAIL' && (fixes === 'all' || fixes.includes(checkId));
}

/** Lists checks with a result: `Passed (2): C-LLMS-01, C-LLMS-02`. */
function listOf(heading: string, findings: readonly Finding[], result: Result, { columns }: View): readonly string[] {
  const ids = findings.filter((finding) => finding.result === result).map(({ checkId }) => checkId);
  if (ids.length === 0) return [];
  return indentRest(wrap(`${heading} (${ids.length}): ${ids.join(', ')}`, columns - 2));
}

/** Says why the edge was not tested. The service tests it for verified sites, so its score may differ. */
function describeUnasked(findings: readonly Finding[], { columns }: View): readonly string[] {
  const edge = findings.find(({ checkId, result }) => checkId === 'C-BOT-03' && result === 'NOT_APPLICABLE');
  return edge?.detail ? wrap(`${edge.checkId}: ${edge.detail}`, columns - 2).map((line) => `  ${line}`) : [];
}

function indentRest([first = '', ...rest]: readonly string[]): string[] {
  return [first, ...rest.map((line) => `  ${line}`)];
}

/** Describes the general part of a fix, and names the servers for which there is more. */
function describeFix(fix: string, { columns }: View): string[] {
  const servers = splitFix(fix).flatMap(({ kind, text }) => (kind === 'server' ? [text] : []));
  const parts = splitFix(withoutServers(fix)).map(({ kind, text }) =>
    kind === 'snippet' ? text.split('\n') : text.split('\n').flatMap((line) => wrap(line, columns - 4)),
  );
  if (servers.length > 0) parts.push(wrap(`For ${servers.join(', ')}: --format agent says how.`, columns - 4));
  return parts.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function describeHead(note: Note, movedTo: string | null, { columns }: View): string[] {
  const parts = partsOfMove(note);
  if (parts === null || movedTo === null) return wrap(note.text, columns);
  const [before, invitation, after] = parts;
  return wrap(`${before}${movedTo}: ${invitation}, with ${PROGRAM} scan ${movedTo}${after}`, columns);
}

function describeNote({ checkId, text, standard, url }: Note, { columns }: View): string[] {
  const indent = ' '.repeat(13);
  const [first = '', ...rest] = wrap(text, columns - 13);
  return [
    `  ${(checkId ?? '').padEnd(9)}  ${first}`,
    ...rest.map((line) => indent + line),
    `${indent}${standard}: ${url}`,
  ];
}

function describeComparison(comparison: ScanComparison): string[] {
  const { newFailures, fixed, nowJudged, unchanged, changed, notComparable, hasOtherPages } = comparison;
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
    ...(hasOtherPages ? ['other pages were sampled than in the earlier scan'] : []),
  ];
}
