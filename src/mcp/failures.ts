import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { FreeScan } from '../app/free-scan/free-scan.js';
import { failureOf, headlineOf, orderFailures } from '../scanner/report/failures.js';
import { SEVERITIES, type Severity } from '../scanner/verdict/failure.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { splitFix, withoutServers } from '../scanner/verdict/fix-parts.js';
import { ERROR_TYPES, type ErrorType } from '../scanner/verdict/vocabulary.js';

/** A time in the output of tools. */
export const DATE_TIME = z.string().meta({ format: 'date-time', description: 'UTC.' });

/** A failure in the output of tools. */
export const FAILURE = z.looseObject({
  checkId: z.string(),
  errorType: z.enum(Object.keys(ERROR_TYPES) as ErrorType[]).nullable(),
  severity: z
    .enum(Object.keys(SEVERITIES) as Severity[])
    .nullable()
    .describe('Worst first.'),
  headline: z.string().describe('What is wrong.'),
  fix: z.string().nullable().describe('What to do, in a sentence or two.'),
});

/** The reason for a missing score in the output of tools. */
export const NO_SCORE = z.string().nullable().describe('Why there is no score; null if there is one.');

/** Lists the failures of a scan in the order in which to fix them. */
export function listFailures({ findings, gains }: Pick<FreeScan, 'findings' | 'gains'>): z.infer<typeof FAILURE>[] {
  return orderFailures(findings, gains).map((failure) => ({
    checkId: failure.checkId,
    errorType: failure.errorType,
    severity: failureOf(failure)?.severity ?? null,
    headline: headlineOf(failure),
    fix: shortFixOf(failure),
  }));
}

/** The first paragraph of a fix, which can be read alone. */
function shortFixOf({ fix }: Pick<Finding, 'fix'>): string | null {
  return (fix === null ? null : splitFix(fix)[0]?.text) ?? null;
}

/** Approximately, for text of this kind. */
const CHARS_PER_TOKEN = 4;

/** Reserved for the note about ignored arguments. */
const NOTE_TOKENS = 100;

/** Forms of a fix, the shortest first: its first paragraph; without instructions for single servers; everything. */
const FORMS: readonly ((fix: string) => string)[] = [
  (fix) => splitFix(fix)[0]?.text ?? fix,
  withoutServers,
  (fix) => fix,
];

/** The field of tools that return a fix. */
export const IS_WHOLE = z
  .boolean()
  .describe('False where fix leaves parts out: explain_check with this checkId and errorType has all.');

/** An item with a fix that may be shortened. */
export type Fitted<Item> = Item & { readonly isWhole: boolean };

/**
 * Makes the answer with the longest fixes that fit. Every fix gets its second form before any gets its third.
 * @param show makes the answer
 */
export function fitFixes<Item extends { readonly fix: string | null }>(
  items: readonly Item[],
  tokensMax: number,
  show: (fitted: readonly Fitted<Item>[]) => CallToolResult,
): CallToolResult {
  const inForm = (item: Item, form: (fix: string) => string): Fitted<Item> => {
    const fix = item.fix === null ? null : form(item.fix);
    return { ...item, fix, isWhole: fix === item.fix };
  };
  const [least, ...fuller] = FORMS.map((form) => items.map((item) => inForm(item, form)));
  let fitted = least ?? [];
  for (const forms of fuller) {
    for (const [index, item] of forms.entries()) {
      const more = fitted.with(index, item);
      if (tokensOf(show(more)) <= tokensMax - NOTE_TOKENS) fitted = more;
    }
  }
  return show(fitted);
}

/** Tokens of the text or of the structured content, whichever is longer: a client shows its model one of them. */
function tokensOf({ content, structuredContent }: CallToolResult): number {
  const lengths = [content, structuredContent].map((form) => JSON.stringify(form ?? '').length);
  return Math.ceil(Math.max(...lengths) / CHARS_PER_TOKEN);
}
