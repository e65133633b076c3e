import { z } from 'zod';
import { failureOf, headlineOf } from '../scanner/report/failures.js';
import { SEVERITIES, type Severity } from '../scanner/verdict/failure.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { splitFix } from '../scanner/verdict/fix-parts.js';
import { ERROR_TYPES, type ErrorType, type Result, RESULTS } from '../scanner/verdict/vocabulary.js';

/** Fields in the output of tools. */
export const DATE_TIME = z.string().meta({ format: 'date-time', description: 'UTC.' });
export const SCORE = z
  .int()
  .min(0)
  .max(100)
  .nullable()
  .describe('Null, which is not zero: nothing could be determined.');
export const NO_SCORE = z.string().nullable().describe('Why there is no score; null if there is one.');
export const RESULT = z.enum(Object.keys(RESULTS) as Result[]);
export const ERROR_TYPE = z.enum(Object.keys(ERROR_TYPES) as ErrorType[]);
export const SEVERITY = z.enum(Object.keys(SEVERITIES) as Severity[]);
export const DETAIL = z.string().nullable().describe('What was observed; never content of the site.');
export const IS_WHOLE = z
  .boolean()
  .describe(
    'False if fix is only the first paragraph: explain_check with this checkId and errorType returns all of it.',
  );

export const FAILURE = z.looseObject({
  checkId: z.string(),
  errorType: ERROR_TYPE.nullable(),
  severity: SEVERITY.nullable().describe('Worst first.'),
  headline: z.string().describe('What is wrong.'),
  fix: z.string().nullable().describe('What to do.'),
});

export const OUTCOME = z.looseObject({
  checkId: z.string(),
  result: RESULT,
  errorType: ERROR_TYPE.nullable(),
  headline: z.string().describe('What is wrong if it fails, else the name of the check.'),
  detail: DETAIL,
});

/** Returns the fields of a failure, without its fix. */
export function describeFailure(finding: Finding) {
  const { checkId, errorType } = finding;
  return { checkId, errorType, severity: failureOf(finding)?.severity ?? null, headline: headlineOf(finding) };
}

export function outcomeOf(finding: Finding) {
  const { checkId, result, errorType, detail } = finding;
  return { checkId, result, errorType, headline: headlineOf(finding), detail };
}

/** Returns the first paragraph of a fix, which can be read alone. */
export function shortFixOf(fix: string | null): string | null {
  return fix === null ? null : (splitFix(fix)[0]?.text ?? fix);
}

/** An item with a fix that may be shortened. */
export type Shortened<Item> = Item & { readonly isWhole: boolean };

/** Estimated characters of an item with a shortened fix. */
const ITEM_CHARS = 350;

/** Keeps a plan below 2,000 tokens of four characters as JSON. */
const PLAN_CHARS = 6600;

/** Shortens each fix that no longer fits into `charsMax` to its first paragraph. */
export function shortenFixes<Item extends { readonly fix: string | null }>(
  items: readonly Item[],
  charsMax = PLAN_CHARS,
): Shortened<Item>[] {
  let charsLeft = charsMax - items.length * ITEM_CHARS;
  return items.map((item) => {
    const short = shortFixOf(item.fix);
    const restChars = (item.fix?.length ?? 0) - (short?.length ?? 0);
    const isWhole = restChars === 0 || restChars <= charsLeft;
    if (isWhole) charsLeft -= restChars;
    return { ...item, fix: isWhole ? item.fix : short, isWhole };
  });
}

/** Describes a fix, with a reference to the rest if it was shortened; empty if there is none. */
export function describeFix({
  checkId,
  errorType,
  fix,
  isWhole,
}: Shortened<Pick<Finding, 'checkId' | 'errorType' | 'fix'>>): string {
  if (fix === null) return '';
  return isWhole ? fix : `${fix}\n(Shortened: explain_check with ${checkId} and ${errorType} has the whole fix.)`;
}

/** Returns text and structured content: some clients show their model only the text. */
export function toolResult(paragraphs: readonly string[], structuredContent: Record<string, unknown>) {
  const text = paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
  return { content: [{ type: 'text' as const, text }], structuredContent };
}
