import { headlineOfAnswer, listAnswer } from '../../scanner/report/answer.js';
import { headlineOf, orderFailures } from '../../scanner/report/failures.js';
import { describeGain } from '../../scanner/report/gain.js';
import { escapeMarkdown, formatFix } from '../../scanner/report/markdown.js';
import { describeNothingApplies } from '../../scanner/report/no-score.js';
import { summarizeFailures } from '../../scanner/report/score.js';
import type { Change } from '../../scanner/report/comparison.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { fixFor } from '../../scanner/verdict/fix-parts.js';
import type { ScanComparison } from '../compare.js';
import type { ScanDocument } from '../public-types.js';
import { formatMarkdownTable } from '../table.js';
import {
  answerOf,
  countResults,
  describeScore,
  formatTime,
  formatLabel,
  nameScan,
  type Report,
  splitNotes,
  type View,
} from './document.js';

/** Hidden first line that lets a workflow find its earlier comment. */
export const COMMENT_MARKER = '<!-- agent-readiness -->';

/** Maximum number of new failures whose fixes are expanded. */
const EXPANDED_MAX = 3;

/** Style of a report: a comment on GitHub, or a page. */
export interface Style {
  /** Markdown marks of the first heading. */
  readonly heading: '#' | '##';
  readonly escape: (text: string) => string;
  readonly section: (summary: string, body: string) => string;
  readonly fix: (fix: string, isExpanded: boolean) => string;
}

const COMMENT: Style = {
  heading: '##',
  escape: escapeForGithub,
  section: fold,
  fix: (fix, isExpanded) => fold('How to fix it', fix, isExpanded),
};

export function formatAsMarkdown(report: Report, { showsOnlyFailures = false }: Partial<View> = {}): string {
  return joinBlocks([COMMENT_MARKER, ...describeInBlocks(report, COMMENT, showsOnlyFailures)]);
}

export function describeInBlocks(report: Report, style: Style, showsOnlyFailures = false): string[] {
  const { document, comparison, trial } = report;
  const { escape, section, heading } = style;
  const answer = answerOf(document);
  const newIds = comparison?.newFailures.map(({ checkId }) => checkId) ?? [];
  const failures = orderFailures(document.findings, document.gains);
  const newFailures = failures.filter(({ checkId }) => newIds.includes(checkId));
  const others = failures.filter(({ checkId }) => !newIds.includes(checkId));
  const summary = `${comparison ? 'Not new: ' : ''}${summarizeFailures(others).join('')}`;
  const blocks = [
    ...(answer ? [`${heading} ${escape(headlineOfAnswer(answer))}`, listAnswer(answer)] : []),
    `${answer ? '##' : heading} Agent readiness of ${escape(nameScan(document))}: ${describeScore(report)}`,
    trial ? escape(trial.note) : '',
    [summarize(report), comparison && describeComparison(comparison, escape, trial !== null)]
      .filter((text) => text !== null)
      .join(' '),
    ...splitNotes(document).heads.map(({ text }) => escape(text)),
    ...(newFailures.length > 0 ? ['### New failures'] : []),
    ...newFailures.map((failure) => describeFailure(failure, report, style, newFailures.length <= EXPANDED_MAX)),
    ...(comparison ? describeChanges(comparison, escape) : []),
    ...(others.length > 0
      ? [section(summary, others.map((failure) => describeFailure(failure, report, style)).join('\n\n'))]
      : []),
    ...(showsOnlyFailures ? [] : describeOthers(document, style)),
  ];
  return blocks.filter((block) => block !== '');
}

function summarize({ document, comparison, shortfalls }: Report): string | null {
  const noneScored = describeNothingApplies(document.findings);
  if (document.run.score === null && noneScored === null)
    return '**Nothing could be determined.** The site may have been down, or have refused the scanner.';
  if (shortfalls.length > 0) return `**Conditions not met:** ${shortfalls.join('; ')}.`;
  if (comparison) return '**No new failures.**';
  return noneScored && `No score: ${noneScored}.`;
}

function describeComparison(
  { earlier, ...comparison }: ScanComparison,
  escape: Style['escape'],
  isTrial: boolean,
): string {
  const { site, run } = earlier;
  const { newFailures, fixed, nowJudged, changed, unchanged, hasOtherPages } = comparison;
  const ofSite = site ? ` of ${escape(site.hostname)}` : '';
  const onDate = run ? ` on ${formatTime(run.finishedAt)}` : '';
  const counts = [
    `${newFailures.length} newly failing`,
    `${fixed.length} fixed`,
    ...(nowJudged.length > 0 ? [`${nowJudged.length} newly checked`] : []),
    `${changed.length} otherwise changed`,
    `${unchanged.length} unchanged`,
  ];
  const subject = isTrial ? 'site as it is now' : `scan${ofSite}${onDate}${escape(formatLabel(run?.label))}`;
  return `Compared with the ${subject}: ${counts.join(', ')}.${hasOtherPages ? ' Other pages were sampled.' : ''}`;
}

function describeFailure(finding: Finding, { origin, document }: Report, style: Style, isExpanded = false): string {
  const { checkId, errorType, detail, fix, scored } = finding;
  const gain = scored ? describeGain(document.gains, finding) : 'not scored';
  const facts = [errorType && `\`${errorType}\``, gain].filter((fact) => fact !== null).join(', ');
  return [
    `**${checkId} ${style.escape(headlineOf(finding))}** ${facts}`.trimEnd(),
    ...(detail === null ? [] : [style.escape(detail)]),
    ...(fix === null ? [] : [style.fix(formatFix(fixFor(origin, fix, detail), style.escape), isExpanded)]),
  ].join('\n\n');
}

function describeChanges({ fixed, nowJudged, changed, notComparable }: ScanComparison, escape: Style['escape']) {
  const list = (heading: string, lines: readonly string[]): string =>
    lines.length > 0 ? `### ${heading}\n\n${lines.map((line) => `- ${line}`).join('\n')}` : '';
  const nameChange = (change: Change): string => `${change.checkId} ${escape(headlineOf(change))}`;
  const results = ({ before, now }: Change): string => `${before} → ${now}`.replaceAll('_', ' ');
  return [
    list('Fixed', fixed.map(nameChange)),
    list('Newly checked: failing, without an earlier result', nowJudged.map(nameChange)),
    list(
      'Otherwise changed',
      changed.map((change) => `${nameChange(change)}: ${results(change)}`),
    ),
    list('In one of the two scans only', notComparable),
  ];
}

function describeOthers(document: ScanDocument, { escape, section }: Style): string[] {
  const { advice } = splitNotes(document);
  const lines = advice.map(
    ({ checkId, text, standard, url }) => `- ${checkId ?? ''}: ${escape(text)} [${escape(standard)}](${url})`,
  );
  const rows = document.findings.map(({ result, checkId, title, errorType, detail }) => [
    checkId,
    escape(title ?? ''),
    errorType ? `**${result}** ${errorType}` : result.replaceAll('_', ' '),
    escape(detail ?? ''),
  ]);
  const table = formatMarkdownTable(['check', 'title', 'result', 'detail'], rows).trimEnd();
  return [
    ...(advice.length > 0 ? [section(`Suggestions, not scored: ${advice.length}`, lines.join('\n'))] : []),
    section(`All ${rows.length} checks: ${countResults(document.findings)}`, table),
  ];
}

/** The longest comment body that GitHub accepts, in characters. */
export const COMMENT_CHARS_MAX = 65_536;

/**
 * Escapes plain text for GitHub's Markdown. Outside code, `@context` would mention a user of that name and `#1` would link to an
 * issue.
 */
export function escapeForGithub(text: string): string {
  return escapeMarkdown(text).replace(/(?<![\w`])[@#][A-Za-z0-9-]+/g, '`$&`');
}

/** Returns a collapsible section. The empty lines make GitHub render the body as Markdown. */
function fold(summary: string, body: string, isExpanded = false): string {
  return `<details${isExpanded ? ' open' : ''}>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

const LEFT_OUT = 'Some parts are left out: they do not fit into a comment.';

/** Joins the blocks into one document. Blocks that do not fit into a comment are dropped whole, so that no element stays open. */
export function joinBlocks(blocks: readonly string[], charsMax = COMMENT_CHARS_MAX): string {
  const joined = `${blocks.join('\n\n')}\n`;
  if (joined.length <= charsMax) return joined;
  let charsLeft = charsMax - LEFT_OUT.length - 1;
  const fitting = blocks.filter((block) => {
    const fits = block.length + 2 <= charsLeft;
    if (fits) charsLeft -= block.length + 2;
    return fits;
  });
  return `${[...fitting, LEFT_OUT].join('\n\n')}\n`;
}
