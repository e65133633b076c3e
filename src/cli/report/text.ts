import { headlineOf } from '../../scanner/failures/index.js';
import type { Change } from '../../scanner/findings/comparison.js';
import type { Finding } from '../../scanner/findings/finding.js';
import { fixFor } from '../../scanner/findings/fix-parts.js';
import type { Note } from '../../scanner/findings/note.js';
import { PILLARS } from '../../scanner/findings/vocabulary.js';
import type { ScanComparison } from '../compare.js';
import { countResults, type Report, scoreChange } from './document.js';

const HEADINGS = [
  ...(['A', 'B', 'C', 'D'] as const).map((pillar) => ({ pillar, heading: `${pillar}  ${PILLARS[pillar]}` })),
  { pillar: null, heading: 'Forward-looking (not scored)' },
];

/** The report for a person at a terminal. */
export function formatAsText(report: Report): string {
  const { origin, document, comparison } = report;
  const { notes } = document;
  const lines = [headline(report), ...notes.filter(isAtHead).flatMap(({ text }) => wrap(text, 110)), ''];
  for (const { pillar, heading } of HEADINGS) {
    const findings = document.findings.filter((finding) => finding.pillar === pillar);
    if (findings.length === 0) continue;
    lines.push(heading, ...findings.flatMap((finding) => describeFinding(finding, origin)), '');
  }
  const beside = notes.filter((note) => !isAtHead(note));
  if (beside.length > 0)
    lines.push('Worth a look (not scored, no proven defects)', ...beside.flatMap(describeNote), '');
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

function describeFinding(finding: Finding, origin: string): string[] {
  const { result, checkId, errorType, detail, fix } = finding;
  const what = `${headlineOf(finding)}${errorType ? ` [${errorType}]` : ''}`;
  const lines = [`  ${result.padEnd(14)}  ${checkId.padEnd(9)}  ${what}`];
  const indent = ' '.repeat(29);
  if (detail && result !== 'PASS') lines.push(...wrap(detail, 90).map((line) => indent + line));
  if (fix && result === 'FAIL')
    lines.push(
      ...fixFor(origin, fix)
        .split('\n')
        .flatMap((line) => wrap(line, 90))
        .map((line) => `${indent}${line}`.trimEnd()),
    );
  return lines;
}

function isAtHead({ checkId }: Note): boolean {
  return checkId === null;
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

function describeComparison({ newFailures, fixed, unchanged, changed, notComparable }: ScanComparison): string[] {
  const list = (changes: readonly Change[]): string => changes.map(({ checkId }) => checkId).join(', ') || 'none';
  return [
    `new failures: ${list(newFailures)}`,
    `fixed: ${list(fixed)}`,
    `otherwise changed: ${list(changed)}`,
    `unchanged: ${list(unchanged)}`,
    ...(notComparable.length > 0 ? [`in one of the two scans only: ${notComparable.join(', ')}`] : []),
  ];
}
