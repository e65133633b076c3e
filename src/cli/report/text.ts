import { headlineOf } from '../../scanner/report/failures.js';
import type { Change } from '../../scanner/report/comparison.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { fixFor, splitFix, withoutServers } from '../../scanner/verdict/fix-parts.js';
import { describeGain, type Gain } from '../../scanner/report/gain.js';
import { partsOfMove } from '../../scanner/verdict/move.js';
import type { Note } from '../../scanner/verdict/note.js';
import { PILLARS } from '../../scanner/verdict/vocabulary.js';
import { PROGRAM } from '../../scanner/report/program.js';
import type { ScanComparison } from '../compare.js';
import { countResults, type Report, scoreChange } from './document.js';

const HEADINGS = [
  ...(['A', 'B', 'C', 'D'] as const).map((pillar) => ({ pillar, heading: `${pillar}  ${PILLARS[pillar]}` })),
  { pillar: null, heading: 'Forward-looking (not scored)' },
];

/** The report for a person at a terminal. */
export function formatAsText(report: Report): string {
  const { origin, document, comparison } = report;
  const { notes, gains } = document;
  const lines = [headline(report), ...notes.filter(isAtHead).flatMap((note) => describeHead(note, report.movedTo)), ''];
  for (const { pillar, heading } of HEADINGS) {
    const findings = document.findings.filter((finding) => finding.pillar === pillar);
    if (findings.length === 0) continue;
    lines.push(heading, ...findings.flatMap((finding) => describeFinding(finding, { origin, gains })), '');
  }
  const others = notes.filter((note) => !isAtHead(note));
  if (others.length > 0)
    lines.push('Worth a look (not scored, no proven defects)', ...others.flatMap(describeNote), '');
  if (comparison) {
    lines.push('Compared with the earlier scan', ...describeComparison(comparison).map((line) => `  ${line}`), '');
  }
  return lines.join('\n');
}

function headline(report: Report): string {
  const { site, run, findings } = report.document;
  const change = scoreChange(report);
  const score =
    run.score === null
      ? 'no score: nothing could be determined'
      : `score ${run.score} of 100${change === null ? '' : `, ${change}`}`;
  return `${site.hostname}: ${score} (${countResults(findings)})`;
}

function describeFinding(
  finding: Finding,
  { origin, gains }: { readonly origin: string; readonly gains: readonly Gain[] },
): string[] {
  const { result, checkId, errorType, detail, fix } = finding;
  const gain = describeGain(gains, finding);
  const what = [headlineOf(finding), ...(errorType ? [`[${errorType}]`] : []), ...(gain === null ? [] : [gain])];
  const beneath = [
    ...(detail && result !== 'PASS' ? wrap(detail, 90) : []),
    ...(fix && result === 'FAIL' ? describeFix(fixFor(origin, fix)) : []),
  ];
  const indent = ' '.repeat(29);
  return [
    `  ${result.padEnd(14)}  ${checkId.padEnd(9)}  ${what.join(' ')}`,
    ...beneath.map((line) => `${indent}${line}`.trimEnd()),
  ];
}

/** What to do whatever the server is, and for which servers there is more. */
function describeFix(fix: string): string[] {
  const servers = splitFix(fix).flatMap(({ kind, text }) => (kind === 'server' ? [text] : []));
  const parts = splitFix(withoutServers(fix)).map(({ kind, text }) =>
    kind === 'snippet' ? text.split('\n') : text.split('\n').flatMap((line) => wrap(line, 90)),
  );
  if (servers.length > 0) parts.push(wrap(`For ${servers.join(', ')}: --format agent says how.`, 90));
  return parts.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function isAtHead({ checkId }: Note): boolean {
  return checkId === null;
}

function describeHead(note: Note, movedTo: string | null): string[] {
  const parts = partsOfMove(note);
  if (parts === null || movedTo === null) return wrap(note.text, 110);
  const [before, invitation, after] = parts;
  return wrap(`${before}${movedTo}: ${invitation}, with ${PROGRAM} scan ${movedTo}${after}`, 110);
}

function describeNote({ checkId, text, standard, url }: Note): string[] {
  const indent = ' '.repeat(13);
  const [first = '', ...rest] = wrap(text, 100);
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
