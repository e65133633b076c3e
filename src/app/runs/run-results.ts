import type { ErrorType, Result } from '../../scanner/verdict/vocabulary.js';
import type { RunResponse } from './run.js';

/** What a check came to in a run: what is compared between runs. */
export interface CheckResult {
  readonly checkId: string;
  readonly scored: boolean;
  readonly result: Result;
  readonly errorType: ErrorType | null;
}

/** As it is stored alongside the run, so that many runs can be looked through without reading them. */
type Vector = readonly (readonly [checkId: string, scored: 0 | 1, result: Result, errorType: ErrorType | null])[];

/** The results of a run as one text. */
export function formatResults({ findings }: Pick<RunResponse, 'findings'>): string {
  const vector: Vector = findings.map(({ checkId, scored, result, errorType }) => [
    ...([checkId, scored ? 1 : 0, result, errorType] as const),
  ]);
  return JSON.stringify(vector);
}

/** What {@link formatResults} writes of a check with this result: it stands nowhere else in the text. */
export function resultText({ checkId, scored }: Pick<CheckResult, 'checkId' | 'scored'>, result: Result): string {
  return JSON.stringify([checkId, scored ? 1 : 0, result]).slice(0, -1);
}

/** How many different texts are kept as parsed: about 2 kB each. */
const PARSED_MAX = 4096;
const PARSED = new Map<string, readonly CheckResult[]>();

/** What {@link formatResults} wrote. Most runs of a site say the same, so that a text that was parsed is looked up. */
export function parseResults(text: string): readonly CheckResult[] {
  const known = PARSED.get(text);
  if (known) return known;
  const results = (JSON.parse(text) as Vector).map(([checkId, scored, result, errorType]) => ({
    ...{ checkId, scored: scored === 1, result, errorType },
  }));
  if (PARSED.size >= PARSED_MAX) PARSED.clear();
  PARSED.set(text, results);
  return results;
}

/** A run without what only people read. */
export interface RunResults {
  readonly run: RunResponse['run'];
  readonly findings: readonly CheckResult[];
}
