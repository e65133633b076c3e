import { isLocalOrigin } from '../../net/address.js';
import type { Answer } from '../artifacts/answer.js';
import { SEVERITIES } from '../verdict/failure.js';
import type { Finding } from '../verdict/finding.js';
import { fixFor } from '../verdict/fix-parts.js';
import type { Result } from '../verdict/vocabulary.js';
import { headlineOfAnswer, listAnswer } from './answer.js';
import { failureOf, headlineOf, orderFailures } from './failures.js';
import { describeGain, type Gain } from './gain.js';
import { escapeMarkdown, formatFix } from './markdown.js';
import { commonCause, describeNothingDetermined } from './no-score.js';
import { PROGRAM } from './program.js';
import { summarizeFailures } from './score.js';

/** A scan to describe in Markdown. The text quotes nothing from the site but its host and origin. */
export interface ScanToDescribe {
  readonly origin: string;
  readonly findings: readonly Finding[];
  readonly gains: readonly Gain[];
}

export interface ReportToDescribe extends ScanToDescribe {
  readonly hostname: string;
  readonly score: number | null;
  /** Which assistants can read the site, if that is known. */
  readonly answer?: Answer | null;
}

const OTHER_RESULTS: readonly (readonly [Result, string])[] = [
  ['UNDETERMINED', 'Could not be determined'],
  ['PASS', 'Passed'],
  ['NOT_APPLICABLE', 'Does not apply'],
];

/** Renders a whole report. @param byline sentence that says who made the report, and when */
export function describeReport(report: ReportToDescribe, byline: string): string {
  const { hostname, score, findings, gains, answer = null } = report;
  const noScore = describeNothingDetermined(findings);
  const failures = orderFailures(findings, gains);
  return [
    `# Agent readiness of ${escapeMarkdown(hostname)}: ${score === null ? 'no score' : `${score} of 100`}`,
    byline,
    ...(answer === null ? [] : [`**${headlineOfAnswer(answer)}**`, listAnswer(answer)]),
    ...(noScore === null ? [] : [escapeMarkdown(noScore)]),
    ...(failures.length === 0 ? [] : ['## To fix']),
    ...failures.map((failure) => describeFailure(failure, report, '### ')),
    ...OTHER_RESULTS.flatMap(([result, title]) =>
      describeResults(
        title,
        findings.filter((finding) => finding.result === result),
        noScore === null ? null : commonCause(findings),
      ),
    ),
  ].join('\n\n');
}

/** @param mentioned a detail that is already in the report */
function describeResults(title: string, findings: readonly Finding[], mentioned: string | null): string[] {
  if (findings.length === 0) return [];
  const lines = findings.map((finding) => {
    const { checkId, detail } = finding;
    return `- ${checkId}: ${escapeMarkdown(headlineOf(finding))}${detail === null || detail === mentioned ? '' : `. ${escapeMarkdown(detail)}`}`;
  });
  return [`## ${title}`, lines.join('\n')];
}

/** How the scanner reached a site. MCP reaches neither a local site nor one that needs header fields. */
interface Reach {
  readonly isLocal: boolean;
  readonly hasFields: boolean;
}

const PUBLIC: Reach = { isLocal: false, hasFields: false };

/**
 * Renders what a coding agent needs to fix a site: the failures in the order to fix them, each with evidence and fix, and a command that
 * proves the fixes.
 */
export function describeForAgents(scan: ScanToDescribe, reach: Reach = PUBLIC): string {
  const { origin, findings, gains } = scan;
  const failures = orderFailures(findings, gains);
  const noScore = describeNothingDetermined(findings);
  const head = noScore === null ? [] : [`${escapeMarkdown(origin)} has no score. ${escapeMarkdown(noScore)}`];
  if (failures.length === 0) return [...head, describeNoFailures(origin, findings)].join(' ');
  return [
    ...head,
    `# Make ${escapeMarkdown(origin)} ready for AI agents`,
    `${summarizeFailures(failures).join('')}.${failures.length === 1 ? '' : ' Fix them in this order.'}`,
    ...failures.map((failure, index) => describeFailure(failure, scan, `## ${index + 1}. `)),
    ...(failures.length === 1 ? [] : ['## Proof']),
    describeProof(origin, failures, reach),
  ].join('\n\n');
}

/** Says that nothing fails, and which checks could not be determined. */
function describeNoFailures(origin: string, findings: readonly Finding[]): string {
  const undetermined = findings.filter(({ result }) => result === 'UNDETERMINED').map(({ checkId }) => checkId);
  if (undetermined.length === 0) return `${escapeMarkdown(origin)} has no failure to fix.`;
  if (describeNothingDetermined(findings) !== null) {
    return `These checks could not run: ${undetermined.join(', ')}. Fix what blocked them, then scan again.`;
  }
  return `${escapeMarkdown(origin)} has no failure to fix. These checks could not be determined: ${undetermined.join(', ')}.`;
}

export function describeFailureForAgents(failure: Finding, scan: ScanToDescribe): string {
  return [describeFailure(failure, scan, '# '), describeProof(scan.origin, [failure], PUBLIC)].join('\n\n');
}

function describeFailure(failure: Finding, { origin, gains }: ScanToDescribe, heading: string): string {
  const { checkId, errorType, detail, fix } = failure;
  const severity = failureOf(failure)?.severity;
  const gain = describeGain(gains, failure);
  const facts = [
    `${[checkId, errorType].filter((part) => part !== null).join(', ')}.`,
    ...(severity ? [`${SEVERITIES[severity].word}: ${SEVERITIES[severity].meaning}`] : []),
    ...(gain === null ? [] : [`Score gain: ${gain}.`]),
  ];
  return [
    `${heading}${escapeMarkdown(headlineOf(failure))}`,
    facts.join(' '),
    ...(detail === null ? [] : [`Seen at ${escapeMarkdown(origin)}: ${escapeMarkdown(detail)}`]),
    ...(fix === null ? [] : [formatFix(fixFor(origin, fix, detail))]),
  ].join('\n\n');
}

/** This check runs only for verified owners, so neither MCP nor the command line can repeat it. */
const OWNERS_CHECK = 'C-BOT-03';

function describeProof(origin: string, failures: readonly Finding[], reach: Reach): string {
  const ids = failures.flatMap(({ checkId }) => (checkId === OWNERS_CHECK ? [] : [checkId]));
  if (ids.length === 0)
    return 'Once the fix is live, the owner of the site can prove it with “Check again” on the page of this failure.';
  const { hasFields } = reach;
  const isLocal = reach.isLocal || isLocalOrigin(new URL(origin));
  const command = `${PROGRAM} scan ${isLocal ? '--local ' : ''}${origin} --only ${ids.join(',')}`;
  const fields = hasFields ? ' with the same --header or --basic,' : '';
  return isLocal || hasFields
    ? `Once the fix is served, prove it: run \`${command}\`${fields} where this scanner is installed.`
    : `Once the fix is live, prove it in one call: use the MCP tool verify_fix with url "${origin}" and checkIds ${JSON.stringify(ids)}, or run \`${command}\` where this scanner is installed.`;
}
