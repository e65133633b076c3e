import { z } from 'zod';
import { exampleOf, showAnswers } from '../scanner/report/examples.js';
import { namedFailures } from '../scanner/verdict/failure.js';
import { ERROR_TYPES, PILLARS } from '../scanner/verdict/vocabulary.js';
import { toolResult, ERROR_TYPE, SEVERITY, shortFixOf } from './answers.js';
import { checkIdSchema, defineTool, toolError, type ToolServices } from './tool.js';

const ANSWERS = z
  .array(z.looseObject({ request: z.string(), answer: z.string(), body: z.string().nullable() }))
  .describe('The site also has a plain home page; all else is 404.');

const EXPLANATION = z.looseObject({
  checkId: z.string(),
  title: z.string(),
  pillar: z.string().nullable().describe(describePillars()),
  scored: z.boolean().describe('True if its findings count towards the score.'),
  explanation: z.string(),
  errorTypes: z.array(
    z.looseObject({
      errorType: z.string(),
      meaning: z.string(),
      severity: SEVERITY,
      headline: z.string().describe('What is wrong.'),
      fix: z
        .string()
        .describe(
          'How to fix it, for the site https://www.example.com. Shortened if there are several error types: request one to get the full fix.',
        ),
    }),
  ),
  example: z
    .object({ failing: ANSWERS, passing: ANSWERS.describe('An answer that passes.') })
    .optional()
    .describe('For the requested error type.'),
});

export function explainCheck({ checks }: Pick<ToolServices, 'checks'>) {
  return defineTool({
    name: 'explain_check',
    title: 'Explain a check',
    description:
      'Explains one of the checks that scan_site makes: what it looks at, why it matters, and for each error type what is wrong, how severe it is and how to fix it.',
    input: {
      checkId: checkIdSchema(checks).describe('The checkId of a finding.'),
      errorType: ERROR_TYPE.optional().describe(
        'One of its error types. Explains only this one, with an example of a failing site and how it passes.',
      ),
    },
    output: EXPLANATION,
    isOffline: true,
    call: ({ checkId, errorType }) => {
      const check = checks.find(({ id }) => id === checkId);
      if (!check) throw new Error('the schema let an unknown check through');
      const { title, pillar, scored, explanation } = check;
      const failures = namedFailures(check).filter((failure) => [undefined, failure.errorType].includes(errorType));
      if (failures.length === 0) {
        return toolError(`${checkId} has no such error type. It has ${check.errorTypes.join(', ')}.`);
      }
      const isSingle = failures.length === 1;
      const errorTypes = failures.map((failure) => ({
        meaning: ERROR_TYPES[failure.errorType],
        ...failure,
        fix: isSingle ? failure.fix : shortFixOf(failure.fix),
      }));
      const example = errorType && exampleOf({ checkId, errorType });
      const answers = example && { failing: showAnswers(example.failing), passing: showAnswers(example.passing) };
      const weight = scored ? 'It counts towards the score.' : 'It does not count towards the score.';
      const fixes = errorTypes.map((one) => `${one.errorType}: ${one.headline}.\n${one.fix}`);
      const more = isSingle ? '' : 'With an errorType, explain_check gives its full fix.';
      return toolResult([`${checkId}: ${title}. ${weight}`, explanation, ...fixes, more], {
        checkId,
        title,
        pillar,
        scored,
        explanation,
        errorTypes,
        ...(answers && { example: answers }),
      });
    },
  });
}

/** Returns `A discovery surface, B access policy, …, or null`. */
function describePillars(): string {
  const pillars = Object.entries(PILLARS).map(([pillar, name]) => `${pillar} ${name}`);
  return `${pillars.join(', ')}, or null`;
}
