import { z } from 'zod';
import { answering, missing } from './arguments.js';
import { type Fitted, fitFixes } from './failures.js';
import { describeFix } from './report.js';
import { errorOf, type ToolServices } from './scan-call.js';
import type { Check } from '../scanner/verdict/check.js';
import { exampleOf, showAnswers } from '../scanner/report/examples.js';
import { type NamedFailure, namedFailures, type Severity, SEVERITIES } from '../scanner/verdict/failure.js';
import { ERROR_TYPES, type ErrorType, PILLARS } from '../scanner/verdict/vocabulary.js';

const ANSWERS = z
  .array(z.looseObject({ request: z.string(), answer: z.string(), body: z.string().nullable() }))
  .describe('Alongside a plain home page; 404 elsewhere.');

const EXPLAINED = z.looseObject({
  checkId: z.string(),
  title: z.string(),
  pillar: z.string().nullable().describe(describePillars()),
  scored: z.boolean().describe('True if its findings count towards the score.'),
  explanation: z.string(),
  errorTypes: z.array(
    z.looseObject({
      errorType: z.string(),
      meaning: z.string(),
      severity: z.enum(Object.keys(SEVERITIES) as Severity[]),
      headline: z.string().describe('What is wrong.'),
      fix: z.string().describe('How to fix it; the site is https://www.example.com.'),
      isWhole: z.boolean().describe('False if fix is shortened: ask for this errorType to get all of it.'),
    }),
  ),
  example: z
    .object({ failing: ANSWERS, passing: ANSWERS.describe('An answer that passes.') })
    .optional()
    .describe('For the requested error type.'),
});

interface Asked {
  readonly checkId: string;
  readonly errorType?: ErrorType | undefined;
}

/** The limit of an answer, however many error types a check has. */
const EXPLANATION_TOKENS_MAX = 1500;

/** Explains a check. */
export function explainCheck({ checks }: Pick<ToolServices, 'checks'>) {
  const known = new Map(checks.map((check) => [check.id, check]));
  const shape = {
    checkId: checkIdOf(checks).describe('The id of the check, as findings carry it.'),
    errorType: z
      .enum(Object.keys(ERROR_TYPES) as ErrorType[])
      .optional()
      .describe(
        'One of its error types: explains that alone, with an example of a site that fails so and how it passes.',
      ),
  };
  return {
    name: 'explain_check',
    config: {
      title: 'Explain a check',
      description:
        'Explains one of the checks that scan_site makes: what it looks at, why it matters, and for each of its error types what is wrong, how much that matters and how to fix it.',
      inputSchema: z.looseObject(shape),
      outputSchema: EXPLAINED,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    call: answering(shape, ({ checkId, errorType }: Asked) => {
      const check = known.get(checkId);
      if (!check) throw new Error('the schema let an unknown check through');
      const { id, title, pillar, scored, explanation } = check;
      const failures = namedFailures(check).filter((failure) => [undefined, failure.errorType].includes(errorType));
      if (failures.length === 0) return errorOf(`${id} has no such error type. It has ${check.errorTypes.join(', ')}.`);
      const example = errorType && exampleOf({ checkId: id, errorType });
      const shown = example && { failing: showAnswers(example.failing), passing: showAnswers(example.passing) };
      const kinds = failures.map((failure) => ({ meaning: ERROR_TYPES[failure.errorType], ...failure }));
      return fitFixes(kinds, EXPLANATION_TOKENS_MAX, (errorTypes) => ({
        content: [{ type: 'text', text: describe(check, errorTypes) }],
        structuredContent: {
          checkId: id,
          title,
          pillar,
          scored,
          explanation,
          errorTypes,
          ...(shown && { example: shown }),
        },
      }));
    }),
  };
}

/** The input schema for the id of one of these checks. */
export function checkIdOf(checks: readonly Check[]) {
  const ids = checks.map(({ id }) => id);
  const all = `The checks are ${ids.join(', ')}.`;
  return z.enum(ids, {
    error: (issue) => `${missing('checkId').error(issue) ?? 'There is no such check.'} ${all}`,
  });
}

function describe({ id, title, scored, explanation }: Check, failures: readonly Fitted<NamedFailure>[]): string {
  const counts = scored ? 'It counts towards the score.' : 'It does not count towards the score.';
  const fixes = failures.map(
    (failure) => `${failure.errorType}: ${failure.headline}.\n${describeFix({ checkId: id, ...failure })}`,
  );
  return [`${id}: ${title}. ${counts}`, explanation, ...fixes].join('\n\n');
}

/** "A discovery surface, B access policy, …, or null". */
export function describePillars(): string {
  return `${Object.entries(PILLARS)
    .map(([pillar, name]) => `${pillar} ${name}`)
    .join(', ')}, or null`;
}
