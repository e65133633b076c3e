import { BoundedMap, remember } from '../../net/keyed.js';
import type { SampledPages } from '../../scanner/artifacts/chosen-pages.js';
import type { ErrorType, Result } from '../../scanner/verdict/vocabulary.js';
import type { RunResponse } from './run.js';
import type { RunFormat } from './run-texts.js';

/** What a check came to in a run: what is compared between runs. */
export interface CheckResult {
  readonly checkId: string;
  readonly scored: boolean;
  readonly result: Result;
  readonly errorType: ErrorType | null;
}

/** As it is stored alongside the run in form 1, so that many runs can be looked through without reading them. */
type Vector = readonly (readonly [checkId: string, scored: 0 | 1, result: Result, errorType: ErrorType | null])[];

/** In form 2, a check is `C-SITE-01+F:MISSING`: whether it is scored, and its result; a space stands between two. */
const LETTERS = { PASS: 'P', FAIL: 'F', UNDETERMINED: 'U', NOT_APPLICABLE: 'N' } as const satisfies Record<
  Result,
  string
>;

/** The results of a run as one text. */
export function formatResults({ findings }: Pick<RunResponse, 'findings'>, format: RunFormat): string {
  if (format === 2) return findings.map((one) => shortText(one, one.result) + shortType(one)).join(' ');
  const vector: Vector = findings.map(({ checkId, scored, result, errorType }) => [
    ...([checkId, scored ? 1 : 0, result, errorType] as const),
  ]);
  return JSON.stringify(vector);
}

type ScoredCheck = Pick<CheckResult, 'checkId' | 'scored'>;

/** What {@link formatResults} writes of a check with this result, in either form: it stands nowhere else in the text. */
export function resultTexts(check: ScoredCheck, result: Result): Readonly<Record<RunFormat, string>> {
  const { checkId, scored } = check;
  return { 1: JSON.stringify([checkId, scored ? 1 : 0, result]).slice(0, -1), 2: shortText(check, result) };
}

function shortText({ checkId, scored }: ScoredCheck, result: Result): string {
  return `${checkId}${scored ? '+' : '-'}${LETTERS[result]}`;
}

function shortType({ errorType }: Pick<CheckResult, 'errorType'>): string {
  return errorType === null ? '' : `:${errorType}`;
}

const SHORT = /^([^+]+)([+-])([PFUN])(?::([A-Z_]+))?$/;
const RESULT_OF = new Map(Object.entries(LETTERS).map(([result, letter]) => [letter as string, result as Result]));

function parseShort(text: string): CheckResult[] {
  return text.split(' ').flatMap((word) => {
    const [, checkId, sign, letter = '', errorType] = SHORT.exec(word) ?? [];
    if (checkId === undefined) return [];
    const result = RESULT_OF.get(letter) ?? 'UNDETERMINED';
    return [{ checkId, scored: sign === '+', result, errorType: (errorType as ErrorType | undefined) ?? null }];
  });
}

function parseVector(text: string): CheckResult[] {
  return (JSON.parse(text) as Vector).map(([checkId, scored, result, errorType]) => ({
    ...{ checkId, scored: scored === 1, result, errorType },
  }));
}

/** Different texts as parsed: about 2 kB each. */
const PARSED = new BoundedMap<string, readonly CheckResult[]>(4096);

/** What {@link formatResults} wrote. Most runs of a site say the same, so that a text that was parsed is looked up. */
export function parseResults(text: string): readonly CheckResult[] {
  return remember(PARSED, text, () => (text.startsWith('[') ? parseVector(text) : parseShort(text)));
}

/** A run without what only people read. */
export interface RunResults {
  readonly run: RunResponse['run'];
  readonly findings: readonly CheckResult[];
  /** Which it looked at; null or left out where nobody had ever chosen any. */
  readonly pages?: SampledPages | null;
}
