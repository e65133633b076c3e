import type { Finding } from '../verdict/finding.js';
import { SEVERITIES } from '../verdict/failure.js';
import { describeGain, type Gain } from './gain.js';
import { fixFor } from '../verdict/fix-parts.js';
import { describeNoScore } from './no-score.js';
import { escapeMarkdown, formatFix } from './markdown.js';
import { failureOf, headlineOf, orderFailures } from './failures.js';
import { PROGRAM } from './program.js';

/** A scan, as reports for coding agents read it. */
export interface ScanForAgents {
  /** The site, such as `https://www.example.com`. */
  readonly origin: string;
  readonly findings: readonly Finding[];
  readonly gains: readonly Gain[];
  /** Set if the site cannot be reached by its address alone; MCP then cannot reach it. */
  readonly reach?: SpecialReach;
}

/** Options that a scan of the command line needed to reach the site. */
export interface SpecialReach {
  /** True with `--local`. */
  readonly isLocal: boolean;
  /** True with `--header` or `--basic`. The command that proves a fix does not repeat them: they may be secret. */
  readonly hasFields: boolean;
}

/**
 * Renders what a coding agent needs to fix a site, as Markdown: the failures in the order to fix them, each with evidence and fix, and a
 * command that proves the fixes. Contains no text of the site but its origin.
 */
export function describeForAgents({ origin, findings, gains, reach }: ScanForAgents): string {
  const failures = orderFailures(findings, gains);
  const noScore = describeNoScore(findings);
  const head = noScore === null ? [] : [`${escapeMarkdown(origin)} has no score. ${escapeMarkdown(noScore)}`];
  if (failures.length === 0) return [...head, describeNothing(origin, findings)].join(' ');
  const what = failures.length === 1 ? 'One check fails' : `${failures.length} checks fail`;
  return [
    ...head,
    `# Make ${escapeMarkdown(origin)} ready for AI agents`,
    `${what}. Fix them in this order.`,
    ...failures.map((failure, index) => describeFailure(failure, { origin, gains }, `## ${index + 1}. `)),
    ...(failures.length === 1 ? [] : ['## Proof']),
    describeProof(origin, failures, reach),
  ].join('\n\n');
}

/** Says what is left if nothing fails: undetermined checks may still fail. */
function describeNothing(origin: string, findings: readonly Finding[]): string {
  const open = findings.filter(({ result }) => result === 'UNDETERMINED').map(({ checkId }) => checkId);
  if (open.length === 0) return `${escapeMarkdown(origin)} has no failure to fix.`;
  if (describeNoScore(findings) !== null) {
    return `These checks could not run: ${open.join(', ')}. Fix what blocked them, then scan again.`;
  }
  return `${escapeMarkdown(origin)} has no failure to fix. These checks could not be determined: ${open.join(', ')}.`;
}

/** Renders one failure for a coding agent. */
export function describeFailureForAgents(failure: Finding, scan: Pick<ScanForAgents, 'origin' | 'gains'>): string {
  return [describeFailure(failure, scan, '# '), describeProof(scan.origin, [failure])].join('\n\n');
}

function describeFailure(
  failure: Finding,
  { origin, gains }: Pick<ScanForAgents, 'origin' | 'gains'>,
  heading: string,
): string {
  const { detail, fix } = failure;
  return [
    `${heading}${escapeMarkdown(headlineOf(failure))}`,
    describeWeight(failure, gains),
    ...(detail === null ? [] : [`Seen at ${escapeMarkdown(origin)}: ${escapeMarkdown(detail)}`]),
    ...(fix === null ? [] : [formatFix(fixFor(origin, fix, detail))]),
  ].join('\n\n');
}

/** `C-LLMS-01, MISSING. Missing: agents look for it, and it is not there. +19 points.` */
function describeWeight(failure: Finding, gains: readonly Gain[]): string {
  const severity = failureOf(failure)?.severity;
  const gain = describeGain(gains, failure);
  return [
    `${[failure.checkId, failure.errorType].filter((part) => part !== null).join(', ')}.`,
    ...(severity ? [`${SEVERITIES[severity].word}: ${SEVERITIES[severity].meaning}`] : []),
    ...(gain === null ? [] : [`The score, once it is fixed: ${gain}.`]),
  ].join(' ');
}

/** Names one command that proves all fixes. */
function describeProof(origin: string, failures: readonly Finding[], reach?: SpecialReach): string {
  const ids = failures.map(({ checkId }) => checkId);
  const command = `${PROGRAM} scan ${reach?.isLocal ? '--local ' : ''}${origin} --only ${ids.join(',')}`;
  if (reach) {
    const fields = reach.hasFields ? ', with the --header or --basic of this scan,' : '';
    return `Once it is served, prove it by \`${command}\`${fields} where this scanner is installed and reaches it.`;
  }
  return `Once live, prove it in one call: by the MCP tool verify_fix with url "${origin}" and checkIds ${JSON.stringify(ids)}, or by \`${command}\` where this scanner is installed.`;
}
