import { z } from 'zod';
import { answering, argumentsOf, missing } from './arguments.js';
import type { Check } from '../scanner/verdict/check.js';
import { namedFailures, type Severity, SEVERITIES } from '../scanner/verdict/failure.js';
import { ERROR_TYPES, type Pillar, PILLARS } from '../scanner/verdict/vocabulary.js';

/** Tells what a check means, from the registry. */
export function explainCheck(checks: readonly Check[]) {
  const known = new Map(checks.map((check) => [check.id, check]));
  const shape = { checkId: checkIdOf(checks).describe('The id of the check, as findings carry it.') };
  return {
    name: 'explain_check',
    config: {
      title: 'Explain a check',
      description:
        'Explains one of the checks that scan_site makes: what it looks at, why it matters, and for each of its error types what is wrong, how much that matters and how to fix it.',
      inputSchema: argumentsOf(shape),
      outputSchema: z.looseObject({
        checkId: z.string(),
        title: z.string(),
        pillar: z.string().nullable().describe(describePillars()),
        scored: z.boolean().describe('Whether its findings count towards the score.'),
        explanation: z.string(),
        errorTypes: z.array(
          z.looseObject({
            errorType: z.string(),
            meaning: z.string(),
            severity: z.enum(Object.keys(SEVERITIES) as Severity[]),
            headline: z.string().describe('What is wrong.'),
            fix: z.string().describe('How to fix just that; the site is https://www.example.com.'),
          }),
        ),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    call: answering(shape, ({ checkId }: { readonly checkId: string }) => {
      const check = known.get(checkId);
      if (!check) throw new Error('the schema let an unknown check through');
      const { id, title, pillar, scored, explanation } = check;
      const errorTypes = namedFailures(check).map((failure) => ({
        meaning: ERROR_TYPES[failure.errorType],
        ...failure,
      }));
      return {
        content: [{ type: 'text', text: describe(check) }],
        structuredContent: { checkId: id, title, pillar, scored, explanation, errorTypes },
      };
    }),
  };
}

/** The id of one of these checks, as input. */
export function checkIdOf(checks: readonly Check[]) {
  const ids = checks.map(({ id }) => id);
  const all = `The checks are ${ids.join(', ')}.`;
  return z.enum(ids, {
    error: (issue) => `${missing('checkId').error(issue) ?? 'There is no such check.'} ${all}`,
  });
}

function describe({ id, title, pillar, scored, explanation, failures }: Check): string {
  return [
    `${id}: ${title}`,
    `${pillarName(pillar)}${scored ? 'It counts towards the score.' : 'It does not count towards the score.'}`,
    explanation,
    ...namedFailures({ failures }).map(({ errorType, severity, headline, fix }) =>
      [`${errorType}: ${headline}.`, `${SEVERITIES[severity].word}: ${SEVERITIES[severity].meaning}`, fix].join('\n\n'),
    ),
  ].join('\n\n');
}

function pillarName(pillar: Pillar | null): string {
  return pillar === null ? '' : `Pillar ${pillar}, ${PILLARS[pillar]}. `;
}

/** "A discovery surface, B access policy, …, or null". */
export function describePillars(): string {
  return `${Object.entries(PILLARS)
    .map(([pillar, name]) => `${pillar} ${name}`)
    .join(', ')}, or null`;
}
