import type { Finding } from '../verdict/finding.js';
import { SEVERITIES } from '../verdict/failure.js';
import { describeGain, type Gain } from './gain.js';
import { fixFor } from '../verdict/fix-parts.js';
import { describeNoScore } from './no-score.js';
import { escapeMarkdown, formatFix } from './markdown.js';
import { failureOf, headlineOf } from './failures.js';
import { orderFailures } from './order.js';
import { PROGRAM } from './program.js';

/** A scan of which to tell a coding agent. */
export interface ScanForAgents {
  /** The site, such as `https://www.example.com`. */
  readonly origin: string;
  readonly findings: readonly Finding[];
  readonly gains: readonly Gain[];
  /** How it was reached, where that takes more than its address: MCP then cannot reach it. */
  readonly reach?: SpecialReach;
}

/** What a scan of the command line took besides the address. */
export interface SpecialReach {
  /** A server of one's own. */
  readonly isLocal: boolean;
  /** Fields of a request, which the command that proves a fix does not repeat: they may be secret. */
  readonly hasFields: boolean;
}

/**
 * What a coding agent needs to fix a site, as Markdown: all failures in the order in which to fix them, each with what was seen and the fix,
 * and how to prove them. Of the site it names its origin alone.
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

/** Where nothing fails: what was not determined may fail all the same. */
function describeNothing(origin: string, findings: readonly Finding[]): string {
  const open = findings.filter(({ result }) => result === 'UNDETERMINED').map(({ checkId }) => checkId);
  if (open.length === 0) return `${escapeMarkdown(origin)} has no failure to fix.`;
  if (describeNoScore(findings) !== null) {
    return 'What fails is not known: there is nothing to fix until the site answers. Scan it again then.';
  }
  return `${escapeMarkdown(origin)} has no failure to fix. These checks could not be determined: ${open.join(', ')}.`;
}

/** One failure, for a coding agent. */
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

/** What goes live together is proven together: one scan, however many checks. */
function describeProof(origin: string, failures: readonly Finding[], reach?: SpecialReach): string {
  const ids = failures.map(({ checkId }) => checkId);
  const command = `${PROGRAM} scan ${reach?.isLocal ? '--local ' : ''}${origin} --only ${ids.join(',')}`;
  if (reach) {
    const fields = reach.hasFields ? ', with the --header or --basic of this scan,' : '';
    return `Once it is served, prove it by \`${command}\`${fields} where this scanner is installed and reaches it.`;
  }
  return `Once live, prove it in one call: by the MCP tool verify_fix with url "${origin}" and checkIds ${JSON.stringify(ids)}, or by \`${command}\` where this scanner is installed.`;
}
