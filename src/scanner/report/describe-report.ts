import type { Answer } from '../artifacts/answer.js';
import type { Finding } from '../verdict/finding.js';
import { fixFor } from '../verdict/fix-parts.js';
import type { Result } from '../verdict/vocabulary.js';
import { headlineOfAnswer, listAnswer } from './answer.js';
import { headlineOf, orderFailures } from './failures.js';
import { describeGain, type Gain } from './gain.js';
import { escapeMarkdown, formatFix } from './markdown.js';
import { commonCause, describeNoScore } from './no-score.js';

/** The scan to describe. */
export interface ReportToDescribe {
  readonly hostname: string;
  /** The site, such as `https://www.example.com`. */
  readonly origin: string;
  readonly score: number | null;
  readonly findings: readonly Finding[];
  readonly gains: readonly Gain[];
  /** Which assistants can read the site, if that is known. */
  readonly answer?: Answer | null;
}

const OTHERS: readonly (readonly [Result, string])[] = [
  ['UNDETERMINED', 'Could not be determined'],
  ['PASS', 'Passed'],
  ['NOT_APPLICABLE', 'Does not apply'],
];

/**
 * Renders a report as Markdown. Contains no text of the site but its host and origin.
 * @param made sentence that says whose report it is, and of when
 */
export function describeReport(report: ReportToDescribe, made: string): string {
  const { hostname, origin, score, findings, gains, answer = null } = report;
  const noScore = describeNoScore(findings);
  const failures = orderFailures(findings, gains);
  return [
    `# Agent readiness of ${escapeMarkdown(hostname)}: ${score === null ? 'no score' : `${score} of 100`}`,
    made,
    ...(answer === null ? [] : [`**${headlineOfAnswer(answer)}**`, listAnswer(answer)]),
    ...(noScore === null ? [] : [escapeMarkdown(noScore)]),
    ...(failures.length === 0 ? [] : ['## To fix']),
    ...failures.flatMap((failure) => describeFailure(failure, origin, gains)),
    ...OTHERS.flatMap(([result, title]) =>
      listOf(
        title,
        findings.filter((finding) => finding.result === result),
        noScore === null ? null : commonCause(findings),
      ),
    ),
  ].join('\n\n');
}

function describeFailure(failure: Finding, origin: string, gains: readonly Gain[]): string[] {
  const { checkId, scored, detail, fix } = failure;
  const gain = scored ? describeGain(gains, failure) : 'not scored';
  return [
    `### ${escapeMarkdown(headlineOf(failure))}`,
    gain === null ? checkId : `${checkId}, ${gain}`,
    ...(detail === null ? [] : [escapeMarkdown(detail)]),
    ...(fix === null ? [] : [formatFix(fixFor(origin, fix, detail))]),
  ];
}

/** @param known a detail that is already mentioned */
function listOf(title: string, findings: readonly Finding[], known: string | null): string[] {
  if (findings.length === 0) return [];
  const lines = findings.map((finding) => {
    const { checkId, detail } = finding;
    return `- ${checkId}: ${escapeMarkdown(headlineOf(finding))}${detail === null || detail === known ? '' : `. ${escapeMarkdown(detail)}`}`;
  });
  return [`## ${title}`, lines.join('\n')];
}
