import { z } from 'zod';
import { failureOf, headlineOf } from '../scanner/report/failures.js';
import { SEVERITIES, type Severity } from '../scanner/verdict/failure.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { splitFix } from '../scanner/verdict/fix-parts.js';
import { ERROR_TYPES, type ErrorType, type Result, RESULTS } from '../scanner/verdict/vocabulary.js';

/** Fields of the tools' output. */
export const DATE_TIME = z.string().meta({ format: 'date-time', description: 'UTC.' });
export const SCORE = z.int().min(0).max(100).nullable().describe('Null, not zero, if nothing could be determined.');
export const NO_SCORE = z.string().nullable().describe('Why there is no score; null if there is one.');
export const RESULT = z.enum(Object.keys(RESULTS) as Result[]);
export const ERROR_TYPE = z.enum(Object.keys(ERROR_TYPES) as ErrorType[]);
export const SEVERITY = z.enum(Object.keys(SEVERITIES) as Severity[]);
export const DETAIL = z.string().nullable().describe('What was observed, never content of the site.');
export const FIX = z
  .string()
  .nullable()
  .describe('What to do, in short. explain_check with this checkId and errorType gives the full fix.');

export const FAILURE = z.looseObject({
  checkId: z.string(),
  errorType: ERROR_TYPE.nullable(),
  severity: SEVERITY.nullable().describe('Worst first.'),
  headline: z.string().describe('What is wrong.'),
  fix: FIX,
});

export const OUTCOME = z.looseObject({
  checkId: z.string(),
  result: RESULT,
  errorType: ERROR_TYPE.nullable(),
  headline: z.string().describe('What is wrong if the check fails, else its name.'),
  detail: DETAIL,
});

export function describeFailure(finding: Finding) {
  const { checkId, errorType } = finding;
  const severity = failureOf(finding)?.severity ?? null;
  return { checkId, errorType, severity, headline: headlineOf(finding), fix: shortFixOf(finding.fix) };
}

export function outcomeOf(finding: Finding) {
  const { checkId, result, errorType, detail } = finding;
  return { checkId, result, errorType, headline: headlineOf(finding), detail };
}

/** Returns the first paragraph of a fix, which makes sense on its own. It keeps a plan of all checks below 2,000 tokens. */
export function shortFixOf(fix: string | null): string | null {
  return fix === null ? null : (splitFix(fix)[0]?.text ?? fix);
}

/** Returns both text and structured content, since some clients show their model only the text. */
export function toolResult(paragraphs: readonly string[], structuredContent: Record<string, unknown>) {
  const text = paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
  return { content: [{ type: 'text' as const, text }], structuredContent };
}
