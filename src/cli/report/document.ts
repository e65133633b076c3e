import type { SiteAddress } from '../../app/sites/site-input.js';
import { shortLabel } from '../../platform/label.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import type { SpecialReach } from '../../scanner/report/for-agents.js';
import { RESULTS, type Result } from '../../scanner/verdict/vocabulary.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import type { ScanComparison } from '../compare.js';
import type { ScanDocument } from './scan-document.js';

/** Everything a format may show. */
export interface Report {
  /** The site, such as `https://www.example.com`. */
  readonly origin: string;
  readonly document: ScanDocument;
  /** The name of the host that the site has moved to, in its own words: for a terminal alone. */
  readonly movedTo: string | null;
  /** As far as it was told by options. */
  readonly reach?: SpecialReach;
  /** Null when no earlier scan was given. */
  readonly comparison: ScanComparison | null;
  /** What a trial of files assumes and does not prove, in sentences; absent where none were tried. */
  readonly trial?: readonly string[];
  /** Why the scan is below the requested bar; empty when it is not. */
  readonly shortfalls: readonly string[];
}

/** What is said of the site. @param judgedAs the site whose preview it is; null: it is none */
export function describeSite({ origin, hostname }: SiteAddress, judgedAs: URL | null): ScanDocument['site'] {
  return { hostname, origin: origin.origin, ...(judgedAs && { judgedAs: judgedAs.origin }) };
}

/** @param label what the caller names the scan by */
export function toDocument(
  site: ScanDocument['site'],
  { score, startedAt, finishedAt, findings, notes, gains, pages }: ScanReport,
  label?: string,
): ScanDocument {
  return {
    site,
    run: {
      ...{ score, startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() },
      ...(label !== undefined && { label }),
    },
    findings,
    notes,
    gains,
    ...(pages && { pages }),
  };
}

/** `preview.example.net, judged as https://www.example.com (v2.3.1)`, or its host name alone. */
export function nameOf({ site: { hostname, judgedAs }, run: { label } }: ScanDocument): string {
  const judged = judgedAs === undefined ? '' : `, judged as ${judgedAs}`;
  return `${hostname}${judged}${inBrackets(label)}`;
}

/** ` (v2.3.1)`; nothing for a run that has no label. */
export function inBrackets(label: string | undefined): string {
  return label === undefined ? '' : ` (${shortLabel(label)})`;
}

/** `2 pass, 1 fail, 0 undetermined, 15 not applicable` */
export function countResults(findings: readonly Finding[]): string {
  return (Object.keys(RESULTS) as Result[])
    .map((result) => {
      const counted = findings.filter((finding) => finding.result === result).length;
      return `${counted} ${result.toLowerCase().replace('_', ' ')}`;
    })
    .join(', ');
}

/** `82 of 100 (+9)`, or that there is none. */
export function describeScore(report: Report): string {
  const { score } = report.document.run;
  if (score === null) return 'no score';
  const change = scoreChange(report);
  return `${score} of 100${change === null ? '' : ` (${change})`}`;
}

/** How the score changed, such as `+6`; null when either scan has no score. */
function scoreChange({ document: { run }, comparison }: Report): string | null {
  const before = comparison?.earlier.run?.score ?? null;
  if (before === null || run.score === null) return null;
  const change = run.score - before;
  if (change === 0) return 'as before';
  return change > 0 ? `+${change}` : `−${-change}`;
}
