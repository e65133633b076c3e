import type { Change, Comparison } from '../domain/comparison.js';
import { PILLARS } from '../domain/vocabulary.js';
import type { Finding } from '../domain/finding.js';
import { formatJson, formatMarkdownTable } from './table.js';

export type ScanFormat = 'table' | 'json' | 'markdown';

/** What `scan --format json` prints: the contract's fields without those that only a stored run has. */
export interface ScanDocument {
  readonly site: { readonly hostname: string };
  readonly run: { readonly score: number | null; readonly startedAt: string; readonly finishedAt: string };
  readonly findings: readonly Finding[];
}

/** The report in one of the three formats, with the comparison where one was asked for. */
export function formatReport(document: ScanDocument, format: ScanFormat, comparison: Comparison | null): string {
  if (format === 'json') return formatJson(comparison ? { ...document, comparison: idsOf(comparison) } : document);
  return format === 'table' ? formatText(document, comparison) : formatMarkdown(document, comparison);
}

const HEADINGS = [
  ...(['A', 'B', 'C', 'D'] as const).map((pillar) => ({ pillar, heading: `${pillar}  ${PILLARS[pillar]}` })),
  { pillar: null, heading: 'Forward-looking (not scored)' },
];

function formatText(document: ScanDocument, comparison: Comparison | null): string {
  const lines = [headline(document), ''];
  for (const { pillar, heading } of HEADINGS) {
    const findings = document.findings.filter((finding) => finding.pillar === pillar);
    if (findings.length === 0) continue;
    lines.push(heading, ...findings.flatMap(describeFinding), '');
  }
  if (comparison)
    lines.push('Compared with the earlier scan', ...describeComparison(comparison).map((line) => `  ${line}`), '');
  return lines.join('\n');
}

function headline({ site, run, findings }: ScanDocument): string {
  const counted = (result: Finding['result']): number => findings.filter((finding) => finding.result === result).length;
  const score = run.score === null ? 'no score: nothing could be determined' : `score ${run.score} of 100`;
  return `${site.hostname}: ${score} (${counted('PASS')} pass, ${counted('FAIL')} fail, ${counted('UNDETERMINED')} undetermined, ${counted('NOT_APPLICABLE')} not applicable)`;
}

function describeFinding({ result, checkId, title, errorType, detail, fix }: Finding): string[] {
  const lines = [`  ${result.padEnd(14)}  ${checkId.padEnd(9)}  ${title ?? ''}${errorType ? ` [${errorType}]` : ''}`];
  const indent = ' '.repeat(29);
  if (detail && result !== 'PASS') lines.push(...wrap(detail, 90).map((line) => indent + line));
  if (fix && result === 'FAIL')
    lines.push(
      ...fix
        .split('\n')
        .flatMap((line) => wrap(line, 90))
        .map((line) => `${indent}${line}`.trimEnd()),
    );
  return lines;
}

/** Breaks at spaces; leading spaces of a snippet are kept. */
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

function formatMarkdown(document: ScanDocument, comparison: Comparison | null): string {
  const rows = document.findings.map(({ result, checkId, title, errorType, detail }) => [
    checkId,
    title ?? '',
    errorType ? `**${result}** ${errorType}` : result,
    detail ?? '',
  ]);
  const parts = [
    `## Agent readiness of ${headline(document)}\n`,
    formatMarkdownTable(['check', 'title', 'result', 'detail'], rows),
  ];
  if (comparison)
    parts.push(
      `### Compared with the earlier scan\n\n${describeComparison(comparison)
        .map((line) => `- ${line}`)
        .join('\n')}\n`,
    );
  return parts.join('\n');
}

/** The lists as scripts read them: check ids. */
function idsOf(comparison: Comparison): Record<keyof Comparison, readonly string[]> {
  const { newFailures, fixed, unchanged, changed, notComparable } = comparison;
  const ids = (changes: readonly Change[]): string[] => changes.map(({ checkId }) => checkId);
  return {
    newFailures: ids(newFailures),
    fixed: ids(fixed),
    unchanged: ids(unchanged),
    changed: ids(changed),
    notComparable,
  };
}

function describeComparison({ newFailures, fixed, unchanged, changed, notComparable }: Comparison): string[] {
  const list = (changes: readonly Change[]): string => changes.map(({ checkId }) => checkId).join(', ') || 'none';
  return [
    `new failures: ${list(newFailures)}`,
    `fixed: ${list(fixed)}`,
    `otherwise changed: ${list(changed)}`,
    `unchanged: ${list(unchanged)}`,
    ...(notComparable.length > 0 ? [`in one of the two scans only: ${notComparable.join(', ')}`] : []),
  ];
}
