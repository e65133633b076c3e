import { z } from 'zod';
import type { FreeScan } from '../app/free-scan/free-scan.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { failureOf, headlineOf } from '../scanner/report/failures.js';
import { orderFailures } from '../scanner/report/order.js';
import { SEVERITIES, type Severity } from '../scanner/verdict/failure.js';
import { splitFix } from '../scanner/verdict/fix-parts.js';
import { ERROR_TYPES, type ErrorType } from '../scanner/verdict/vocabulary.js';

/** A moment, as tools return it. */
export const DATE_TIME = z.string().meta({ format: 'date-time', description: 'UTC.' });

/** One failure in short, as tools return it. */
export const FAILURE = z.looseObject({
  checkId: z.string(),
  errorType: z.enum(Object.keys(ERROR_TYPES) as ErrorType[]).nullable(),
  severity: z
    .enum(Object.keys(SEVERITIES) as Severity[])
    .nullable()
    .describe('The gravest first.'),
  headline: z.string().describe('What is wrong.'),
  fix: z.string().nullable().describe('What to do, in a sentence or two.'),
});

/** As tools return it alongside the score. */
export const NO_SCORE = z.string().nullable().describe('Why there is no score; null where there is one.');

/** The failures of a scan in short, in the order in which to fix them. */
export function listFailures({
  findings,
  gains = [],
}: Pick<FreeScan, 'findings' | 'gains'>): z.infer<typeof FAILURE>[] {
  return orderFailures(findings, gains).map((failure) => ({
    checkId: failure.checkId,
    errorType: failure.errorType,
    severity: failureOf(failure)?.severity ?? null,
    headline: headlineOf(failure),
    fix: shortFixOf(failure),
  }));
}

/** The first paragraph of a fix, which stands for itself. */
function shortFixOf({ fix }: Pick<Finding, 'fix'>): string | null {
  return (fix === null ? null : splitFix(fix)[0]?.text) ?? null;
}
