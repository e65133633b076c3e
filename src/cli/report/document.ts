import type { SiteAddress } from '../../app/sites/site-input.js';
import { shortLabel } from '../../platform/label.js';
import type { Answer } from '../../scanner/artifacts/answer.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { isAnswer } from '../../scanner/report/answer.js';
import type { SpecialReach } from '../../scanner/report/for-agents.js';
import { RESULTS, type Result } from '../../scanner/verdict/vocabulary.js';
import type { Assumption } from '../../scanner/client/stand-in.js';
import { listNotTried } from '../../scanner/report/trial.js';
import type { Trial } from '../../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import type { ScanComparison } from '../compare.js';
import type { Look } from '../command.js';
import type { ScanDocument } from '../public-types.js';

/** Everything a format may show. */
export interface Report {
  /** The site, such as `https://www.example.com`. */
  readonly origin: string;
  readonly document: ScanDocument;
  /** The host that the site has moved to. The site chose it, so it is shown only on a terminal. */
  readonly movedTo: string | null;
  readonly reach?: SpecialReach;
  /** Null without an earlier scan. */
  readonly comparison: ScanComparison | null;
  /** Sentences on what a trial of files assumes and does not prove. */
  readonly trial?: readonly string[];
  /** Conditions that the scan does not meet. */
  readonly shortfalls: readonly string[];
}

/** @param judgedAs the site that a preview is judged as; null if it is no preview */
export function describeSite({ origin, hostname }: SiteAddress, judgedAs: URL | null): ScanDocument['site'] {
  return { hostname, origin: origin.origin, ...(judgedAs && { judgedAs: judgedAs.origin }) };
}

export function toDocument(
  site: ScanDocument['site'],
  { score, startedAt, finishedAt, findings, notes, gains, answer, pages }: ScanReport,
  label?: string,
): ScanDocument {
  return {
    site,
    run: {
      score,
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      ...(label !== undefined && { label }),
    },
    ...answer,
    findings,
    notes,
    gains,
    ...(pages && { pages }),
  };
}

/** Names a scan: `preview.example.net, judged as https://www.example.com (v2.3.1)`, or only its host. */
export function nameOf({ site: { hostname, judgedAs }, run: { label } }: ScanDocument): string {
  const judged = judgedAs === undefined ? '' : `, judged as ${judgedAs}`;
  return `${hostname}${judged}${inBrackets(label)}`;
}

/** Formats a label: ` (v2.3.1)`, or nothing. */
export function inBrackets(label: string | undefined): string {
  return label === undefined ? '' : ` (${shortLabel(label)})`;
}

/** Which assistants can read the site; null if the scan does not say. */
export function answerOf(document: ScanDocument): Answer | null {
  return isAnswer(document) ? { assistants: document.assistants, training: document.training } : null;
}

/** Counts results: `2 pass, 1 fail, 0 undetermined, 15 not applicable`. */
export function countResults(findings: readonly Finding[]): string {
  return (Object.keys(RESULTS) as Result[])
    .map((result) => {
      const counted = findings.filter((finding) => finding.result === result).length;
      return `${counted} ${result.toLowerCase().replace('_', ' ')}`;
    })
    .join(', ');
}

/** Describes the score: `82 of 100 (+9)`, or `no score`. */
export function describeScore(report: Report): string {
  const { score } = report.document.run;
  if (score === null) return 'no score';
  const change = scoreChange(report);
  return `${score} of 100${change === null ? '' : ` (${change})`}`;
}

/** Describes the change of the score, such as `+6`; null if either scan has none. */
function scoreChange({ document: { run }, comparison }: Report): string | null {
  const before = comparison?.earlier.run?.score ?? null;
  if (before === null || run.score === null) return null;
  const change = run.score - before;
  if (change === 0) return 'as before';
  return change > 0 ? `+${change}` : `−${-change}`;
}

/** How a report is shown. */
export interface View extends Look {
  /** The checks whose fixes are shown, if they fail. */
  readonly fixes: 'all' | readonly string[];
  /** True to show only the score and the failures. */
  readonly isOnlyFailures: boolean;
}

export const PLAIN: View = {
  hasColour: false,
  isUnicode: false,
  columns: 80,
  fixes: [],
  isOnlyFailures: false,
};

/** Says what a trial assumes and does not prove. */
export function describeTrial({ assumed, before, after }: Trial): string[] {
  const notTried = listNotTried(before.findings, after.findings);
  return [
    'As if the files were served: nothing was changed.',
    ...assumed.map(({ path, status }) => `Assumed: ${path} is served; ${describeStatus(status)}.`),
    ...(notTried.length > 0 ? [`Not tried, since a rule of the server decides: ${notTried.join(', ')}.`] : []),
  ];
}

function describeStatus(status: Assumption['status']): string {
  return status === null ? 'nothing answers there today' : `it answers ${status} today`;
}
