import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Check } from '../scanner/findings/check.js';
import { ERROR_TYPES, type Pillar, PILLARS } from '../scanner/findings/vocabulary.js';

/** Tells what a check means, from the registry. */
export function explainCheck(checks: readonly Check[]) {
  const known = new Map(checks.map((check) => [check.id, check]));
  return {
    name: 'explain_check',
    config: {
      title: 'Explain a check',
      description:
        'Explains one of the checks that scan_site makes: what it looks at, why it matters, how to fix a failure, and what each error type means.',
      inputSchema: z.object({ checkId: checkIdOf(checks).describe('The id of the check, as findings carry it.') }),
      outputSchema: z.looseObject({
        checkId: z.string(),
        title: z.string(),
        pillar: z.string().nullable().describe(describePillars()),
        scored: z.boolean().describe('Whether its findings count towards the score.'),
        explanation: z.string(),
        fix: z.string(),
        errorTypes: z.array(z.looseObject({ errorType: z.string(), meaning: z.string() })),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    call: ({ checkId }: { readonly checkId: string }): CallToolResult => {
      const check = known.get(checkId);
      if (!check) throw new Error('the schema let an unknown check through');
      const { id, title, pillar, scored, explanation, fix } = check;
      const errorTypes = check.errorTypes.map((errorType) => ({ errorType, meaning: ERROR_TYPES[errorType] }));
      return {
        content: [{ type: 'text', text: describe(check) }],
        structuredContent: { checkId: id, title, pillar, scored, explanation, fix, errorTypes },
      };
    },
  };
}

/** The id of one of these checks, as input. */
export function checkIdOf(checks: readonly Check[]) {
  const ids = checks.map(({ id }) => id);
  return z.enum(ids, { error: `There is no such check. The checks are ${ids.join(', ')}.` });
}

function describe({ id, title, pillar, scored, explanation, fix, errorTypes }: Check): string {
  return [
    `${id}: ${title}`,
    `${pillarName(pillar)}${scored ? 'It counts towards the score.' : 'It does not count towards the score.'}`,
    explanation,
    `How to fix a failure:\n${fix}`,
    `Error types:\n${errorTypes.map((errorType) => `- ${errorType}: ${ERROR_TYPES[errorType]}`).join('\n')}`,
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
