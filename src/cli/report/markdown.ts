import { headlineOfAnswer, listAnswer } from '../../scanner/report/answer.js';
import { headlineOf } from '../../scanner/report/failures.js';
import type { Change } from '../../scanner/report/comparison.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { isAtHead, type Note } from '../../scanner/verdict/note.js';
import { fixFor } from '../../scanner/verdict/fix-parts.js';
import { escapeMarkdown, formatFix } from '../../scanner/report/markdown.js';
import type { ScanComparison } from '../compare.js';
import { describeNoneScored } from '../../scanner/report/no-score.js';
import { formatMarkdownTable } from '../table.js';
import { answerOf, countResults, describeScore, inBrackets, nameOf, type Report, type View } from './document.js';
import type { ScanDocument } from '../public-types.js';

/** Hidden first line by which a workflow finds its earlier comment. */
export const COMMENT_MARKER = '<!-- agent-readiness -->';

/** New failures whose fixes are expanded at most. */
const OPEN_MAX = 3;

/** Formats the report for a pull request or a job summary: the verdict first, the rest collapsed. */
export function formatAsMarkdown(report: Report, { isOnlyFailures = false }: Partial<View> = {}): string {
  const { origin, document, comparison } = report;
  const failures = document.findings.filter(({ result }) => result === 'FAIL');
  const isNew = ({ checkId }: Finding): boolean =>
    comparison?.newFailures.some((change) => change.checkId === checkId) ?? false;
  const newFailures = failures.filter(isNew);
  const otherFailures = failures.filter((failure) => !isNew(failure));
  return joinWithin([
    COMMENT_MARKER,
    ...describeAnswer(document),
    headline(report),
    ...(report.trial ? [report.trial.map(escapeForGithub).join(' ')] : []),
    ...describeVerdict(report),
    ...document.notes.filter(isAtHead).map(({ text }) => escapeForGithub(text)),
    ...(newFailures.length > 0
      ? [
          '### New failures',
          ...newFailures.map((finding) => describeFailure(finding, origin, newFailures.length <= OPEN_MAX)),
        ]
      : []),
    ...(comparison ? describeChanges(comparison) : []),
    ...foldFailures(otherFailures, origin, comparison !== null),
    ...(isOnlyFailures ? [] : foldOthers(document)),
  ]);
}

function describeAnswer(document: ScanDocument): string[] {
  const answer = answerOf(document);
  if (answer === null) return [];
  return [`## ${escapeForGithub(headlineOfAnswer(answer))}`, listAnswer(answer)];
}

function headline(report: Report): string {
  return `## Agent readiness of ${escapeForGithub(nameOf(report.document))}: ${describeScore(report)}`;
}

function describeVerdict(report: Report): string[] {
  const sentences = [verdictOf(report), report.comparison && describeSince(report.comparison)];
  const said = sentences.filter((sentence) => sentence !== null);
  return said.length > 0 ? [said.join(' ')] : [];
}

function verdictOf({ document, comparison, shortfalls }: Report): string | null {
  const noneScored = describeNoneScored(document.findings);
  if (document.run.score === null && noneScored === null)
    return '**Nothing could be determined.** The site may have been down, or have refused the scanner.';
  if (shortfalls.length > 0) return `**Below the bar:** ${shortfalls.join('; ')}.`;
  if (comparison) return '**No new failures.**';
  return noneScored && `No score: ${noneScored}.`;
}

function describeSince({ earlier, ...comparison }: ScanComparison): string {
  const { site, run } = earlier;
  const { newFailures, fixed, nowJudged, changed, unchanged, hasOtherPages } = comparison;
  const of = site ? ` of ${escapeForGithub(site.hostname)}` : '';
  const on = run ? ` on ${run.finishedAt.slice(0, 16).replace('T', ' ')} UTC` : '';
  const judged = nowJudged.length > 0 ? `, ${nowJudged.length} now judged` : '';
  const counts = `${newFailures.length} newly failing, ${fixed.length} fixed${judged}, ${changed.length} otherwise changed, ${unchanged.length} unchanged`;
  return `Compared with the scan${of}${on}${escapeForGithub(inBrackets(run?.label))}: ${counts}.${hasOtherPages ? ' Other pages were sampled.' : ''}`;
}

function describeFailure(finding: Finding, origin: string, isOpen: boolean): string {
  const { checkId, errorType, detail, fix } = finding;
  const name = `**${checkId} ${escapeForGithub(headlineOf(finding))}**${errorType === null ? '' : ` \`${errorType}\``}`;
  const parts = [name, ...(detail === null ? [] : [escapeForGithub(detail)])];
  if (fix !== null) parts.push(fold('How to fix it', formatFix(fixFor(origin, fix, detail), escapeForGithub), isOpen));
  return parts.join('\n\n');
}

function describeChanges({ fixed, nowJudged, changed, notComparable }: ScanComparison): string[] {
  const list = (heading: string, lines: readonly string[]): string[] =>
    lines.length > 0 ? [`### ${heading}\n\n${lines.map((line) => `- ${line}`).join('\n')}`] : [];
  const nameOf = (change: Change): string => `${change.checkId} ${escapeForGithub(headlineOf(change))}`;
  return [
    ...list('Fixed', fixed.map(nameOf)),
    ...list('Now judged: failing, and not judged before', nowJudged.map(nameOf)),
    ...list(
      'Otherwise changed',
      changed.map((change) => `${nameOf(change)}: ${change.before} → ${change.now}`.replaceAll('_', ' ')),
    ),
    ...list('In one of the two scans only', notComparable),
  ];
}

function foldFailures(failures: readonly Finding[], origin: string, isCompared: boolean): string[] {
  if (failures.length === 0) return [];
  const what = `${failures.length} ${failures.length === 1 ? 'check fails' : 'checks fail'}${isCompared ? ', not newly' : ''}`;
  return [fold(what, failures.map((failure) => describeFailure(failure, origin, false)).join('\n\n'))];
}

function foldOthers({ findings, notes }: ScanDocument): string[] {
  return [
    ...foldNotes(notes.filter((note) => !isAtHead(note))),
    fold(`All ${findings.length} checks: ${countResults(findings)}`, tableOf(findings)),
  ];
}

function foldNotes(notes: readonly Note[]): string[] {
  if (notes.length === 0) return [];
  const lines = notes.map(
    ({ checkId, text, standard, url }) =>
      `- ${checkId ?? ''}: ${escapeForGithub(text)} [${escapeForGithub(standard)}](${url})`,
  );
  return [fold(`${notes.length} worth a look, not scored`, lines.join('\n'))];
}

function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map(({ result, checkId, title, errorType, detail }) => [
    checkId,
    escapeForGithub(title ?? ''),
    errorType ? `**${result}** ${errorType}` : result.replaceAll('_', ' '),
    escapeForGithub(detail ?? ''),
  ]);
  return formatMarkdownTable(['check', 'title', 'result', 'detail'], rows).trimEnd();
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

/** A collapsed section. The empty lines make GitHub render its content as Markdown. */
export function fold(summary: string, body: string, isOpen = false): string {
  return `<details${isOpen ? ' open' : ''}>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

const LEFT_OUT = 'Some parts are left out: they are longer than a comment may be.';

/** Joins the blocks into one document. Blocks that do not fit into a comment are dropped whole, so that no element stays open. */
export function joinWithin(blocks: readonly string[], charsMax = COMMENT_CHARS_MAX): string {
  const joined = `${blocks.join('\n\n')}\n`;
  if (joined.length <= charsMax) return joined;
  const kept: string[] = [];
  let room = charsMax - LEFT_OUT.length - 1;
  for (const block of blocks) {
    if (block.length + 2 > room) continue;
    kept.push(block);
    room -= block.length + 2;
  }
  return `${[...kept, LEFT_OUT].join('\n\n')}\n`;
}
