import type { Finding } from '../verdict/finding.js';
import { fixFor } from '../verdict/fix-parts.js';
import type { Result } from '../verdict/vocabulary.js';
import { headlineOf } from './failures.js';
import { describeGain, type Gain } from './gain.js';
import { escapeMarkdown, formatFix } from './markdown.js';
import { describeNoScore } from './no-score.js';
import { orderFailures } from './order.js';

/** A scan to tell of. */
export interface ReportToDescribe {
  readonly hostname: string;
  /** The site, such as `https://www.example.com`. */
  readonly origin: string;
  readonly score: number | null;
  readonly findings: readonly Finding[];
  readonly gains: readonly Gain[];
}

const OTHERS: readonly (readonly [Result, string])[] = [
  ['UNDETERMINED', 'Could not be determined'],
  ['PASS', 'Passed'],
  ['NOT_APPLICABLE', 'Does not apply'],
];

/**
 * A whole report as Markdown, to paste elsewhere. Of the site it names its host and origin alone.
 * @param made a sentence on whose it is, and of when
 */
export function describeReport({ hostname, origin, score, findings, gains }: ReportToDescribe, made: string): string {
  const noScore = describeNoScore(findings);
  const failures = orderFailures(findings, gains);
  return [
    `# Agent readiness of ${escapeMarkdown(hostname)}: ${score === null ? 'no score' : `${score} of 100`}`,
    made,
    ...(noScore === null ? [] : [escapeMarkdown(noScore)]),
    ...(failures.length === 0 ? [] : ['## To fix']),
    ...failures.flatMap((failure) => describeFailure(failure, origin, gains)),
    ...OTHERS.flatMap(([result, title]) =>
      listOf(
        title,
        findings.filter((finding) => finding.result === result),
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

function listOf(title: string, findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const lines = findings.map((finding) => {
    const { checkId, detail } = finding;
    return `- ${checkId}: ${escapeMarkdown(headlineOf(finding))}${detail === null ? '' : `. ${escapeMarkdown(detail)}`}`;
  });
  return [`## ${title}`, lines.join('\n')];
}
