import { shortLabel } from '../../platform/label.js';
import type { Answer } from '../../scanner/artifacts/answer.js';
import { isAnswer } from '../../scanner/report/answer.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { isAtHead, type Note } from '../../scanner/verdict/note.js';
import { RESULTS, type Result } from '../../scanner/verdict/vocabulary.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import type { ScanComparison } from '../compare.js';
import type { Look } from '../command.js';
import type { ScanDocument } from '../public-types.js';

export interface Report {
  readonly origin: string;
  readonly document: ScanDocument;
  /** The host that the site has moved to. The site chose it, so it is shown only on a terminal. */
  readonly movedTo: string | null;
  /** True if only the user reaches the site. */
  readonly isLocal: boolean;
  /** True if header fields open the site, as `--header` and `--basic` do. */
  readonly hasFields: boolean;
  readonly comparison: ScanComparison | null;
  /** Sentences on what a trial of files assumes and does not prove; empty without a trial. */
  readonly trial: readonly string[];
  readonly shortfalls: readonly string[];
}

/** @param rest what differs from a report of one public scan */
export function createReport(origin: string, document: ScanDocument, rest: Partial<Report> = {}): Report {
  const none = { movedTo: null, isLocal: false, hasFields: false, comparison: null, trial: [], shortfalls: [] };
  return { origin, document, ...none, ...rest };
}

export interface View extends Look {
  readonly fixes: 'all' | readonly string[];
  readonly isOnlyFailures: boolean;
}

export function toDocument(
  site: ScanDocument['site'],
  { score, startedAt, finishedAt, findings, notes, gains, answer, pages }: ScanReport,
  label?: string,
): ScanDocument {
  const times = { startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() };
  return {
    site,
    run: { score, ...times, ...(label !== undefined && { label }) },
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

/** Formats a time: `2026-01-02 03:04 UTC`. */
export function formatTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

export function answerOf(document: ScanDocument): Answer | null {
  return isAnswer(document) ? { assistants: document.assistants, training: document.training } : null;
}

/** Notes about the whole site, and advice on single checks. */
export function splitNotes({ notes }: ScanDocument): Readonly<Record<'heads' | 'advice', readonly Note[]>> {
  return { heads: notes.filter(isAtHead), advice: notes.filter((note) => !isAtHead(note)) };
}

/** Counts results: `2 pass, 1 fail, 0 undetermined, 15 not applicable`. */
export function countResults(findings: readonly Finding[]): string {
  const countOf = (result: Result): number => findings.filter((finding) => finding.result === result).length;
  const results = Object.keys(RESULTS) as Result[];
  return results.map((result) => `${countOf(result)} ${result.toLowerCase().replace('_', ' ')}`).join(', ');
}

/** Describes the score: `82 of 100 (+9)`, or `no score`. */
export function describeScore({ document: { run }, comparison }: Report): string {
  if (run.score === null) return 'no score';
  const before = comparison?.earlier.run?.score ?? null;
  if (before === null) return `${run.score} of 100`;
  const change = run.score - before;
  const words = change === 0 ? 'as before' : `${change > 0 ? '+' : '−'}${Math.abs(change)}`;
  return `${run.score} of 100 (${words})`;
}
