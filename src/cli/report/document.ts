import { shortLabel } from '../../platform/label.js';
import type { Answer } from '../../scanner/artifacts/answer.js';
import { isAnswer } from '../../scanner/report/answer.js';
import type { Finding } from '../../scanner/verdict/finding.js';
import { isReportNote, type Note } from '../../scanner/verdict/note.js';
import { RESULTS, type Result } from '../../scanner/verdict/vocabulary.js';
import type { ScanReport } from '../../scanner/scan/scan.js';
import type { ScanComparison } from '../compare.js';
import type { Display } from '../command.js';
import type { ScanDocument } from '../public-types.js';

export interface Report {
  readonly origin: string;
  readonly document: ScanDocument;
  /** The host that the site has moved to. Untrusted, so only a terminal shows it. */
  readonly movedTo: string | null;
  /** True for a scan with `--local`. */
  readonly isLocal: boolean;
  /** True if the site needs header fields, from `--header` or `--basic`. */
  readonly hasFields: boolean;
  readonly comparison: ScanComparison | null;
  /** For the result of `--overlay`: the report without the files, and what the trial leaves open. */
  readonly trial: { readonly before: ScanDocument; readonly note: string } | null;
  readonly shortfalls: readonly string[];
}

/** @param options only what differs from a plain scan of a public site */
export function createReport(origin: string, document: ScanDocument, options: Partial<Report> = {}): Report {
  const defaults = {
    movedTo: null,
    isLocal: false,
    hasFields: false,
    comparison: null,
    trial: null,
    shortfalls: [],
  };
  return { origin, document, ...defaults, ...options };
}

export interface View extends Display {
  readonly fixes: 'all' | readonly string[];
  readonly showsOnlyFailures: boolean;
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
export function nameScan({ site: { hostname, judgedAs }, run: { label } }: ScanDocument): string {
  const judged = judgedAs === undefined ? '' : `, judged as ${judgedAs}`;
  return `${hostname}${judged}${formatLabel(label)}`;
}

/** Formats a label: ` (v2.3.1)`, or nothing. */
export function formatLabel(label: string | undefined): string {
  return label === undefined ? '' : ` (${shortLabel(label)})`;
}

/** Formats a time: `2026-01-02 03:04 UTC`. */
export function formatTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

export function answerOf(document: ScanDocument): Answer | null {
  return isAnswer(document) ? { assistants: document.assistants, training: document.training } : null;
}

/** Separates notes about the whole site (`heads`) from advice on single checks. */
export function splitNotes({ notes }: ScanDocument): Readonly<Record<'heads' | 'advice', readonly Note[]>> {
  return { heads: notes.filter(isReportNote), advice: notes.filter((note) => !isReportNote(note)) };
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
  const difference = change === 0 ? 'as before' : `${change > 0 ? '+' : '−'}${Math.abs(change)}`;
  return `${run.score} of 100 (${difference})`;
}
