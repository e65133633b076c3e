import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { answering, argumentsOf, missing } from './arguments.js';
import type { Check } from '../scanner/verdict/check.js';
import { type ShownAnswer, showAnswers } from '../scanner/verdict/example.js';
import { type NamedFailure, namedFailures, type Severity, SEVERITIES } from '../scanner/verdict/failure.js';
import { ERROR_TYPES, type ErrorType, type Pillar, PILLARS } from '../scanner/verdict/vocabulary.js';

const ANSWERS = z
  .array(z.looseObject({ request: z.string(), answer: z.string(), body: z.string().nullable() }))
  .describe('Alongside a plain home page; 404 elsewhere.');

const EXPLAINED = z.looseObject({
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
  example: z
    .object({ failing: ANSWERS, passing: ANSWERS.describe('What it answers otherwise, and then passes.') })
    .optional()
    .describe('Of the error type that was asked for.'),
});

interface Asked {
  readonly checkId: string;
  readonly errorType?: ErrorType | undefined;
}

interface ShownExample {
  readonly failing: readonly ShownAnswer[];
  readonly passing: readonly ShownAnswer[];
}

/** Tells what a check means, from the registry. */
export function explainCheck(checks: readonly Check[]) {
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
      inputSchema: argumentsOf(shape),
      outputSchema: EXPLAINED,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    call: answering(shape, async ({ checkId, errorType }: Asked) => {
      const check = known.get(checkId);
      if (!check) throw new Error('the schema let an unknown check through');
      const { id, title, pillar, scored, explanation } = check;
      const failures = namedFailures(check).filter((failure) => [undefined, failure.errorType].includes(errorType));
      if (failures.length === 0) return refuse(`${id} has no such error type. It has ${check.errorTypes.join(', ')}.`);
      const example = errorType && (await check.examples()).EXAMPLES[errorType];
      const shown = example && { failing: showAnswers(example.failing), passing: showAnswers(example.passing) };
      const errorTypes = failures.map((failure) => ({ meaning: ERROR_TYPES[failure.errorType], ...failure }));
      return {
        content: [{ type: 'text', text: describe(check, failures, shown) }],
        structuredContent: {
          checkId: id,
          title,
          pillar,
          scored,
          explanation,
          errorTypes,
          ...(shown && { example: shown }),
        },
      };
    }),
  };
}

function refuse(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/** The id of one of these checks, as input. */
export function checkIdOf(checks: readonly Check[]) {
  const ids = checks.map(({ id }) => id);
  const all = `The checks are ${ids.join(', ')}.`;
  return z.enum(ids, {
    error: (issue) => `${missing('checkId').error(issue) ?? 'There is no such check.'} ${all}`,
  });
}

function describe(
  { id, title, pillar, scored, explanation }: Check,
  failures: readonly NamedFailure[],
  example: ShownExample | undefined,
): string {
  return [
    `${id}: ${title}`,
    `${pillarName(pillar)}${scored ? 'It counts towards the score.' : 'It does not count towards the score.'}`,
    explanation,
    ...failures.map(({ errorType, severity, headline, fix }) =>
      [`${errorType}: ${headline}.`, `${SEVERITIES[severity].word}: ${SEVERITIES[severity].meaning}`, fix].join('\n\n'),
    ),
    ...(example
      ? ['A site that fails:', ...inWords(example.failing), 'It passes with:', ...inWords(example.passing)]
      : []),
  ].join('\n\n');
}

function inWords(answers: readonly ShownAnswer[]): string[] {
  return answers.map(({ request, answer, body }) => `${request}: ${answer}${body === null ? '' : `\n\n${body}`}`);
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
