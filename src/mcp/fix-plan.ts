import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { failureOf, headlineOf, orderFailures } from '../scanner/report/failures.js';
import { fixFor } from '../scanner/verdict/fix-parts.js';
import { describeNoScore } from '../scanner/report/no-score.js';
import { answering } from './arguments.js';
import { FAILURE, fitFixes, IS_WHOLE, NO_SCORE } from './failures.js';
import { describePlan } from './report.js';
import { scanFor, type ToolServices, type Scanned, SITE_URL } from './scan-call.js';

/** The limit of the text and of the structured content: a client shows its model one of them. */
const PLAN_TOKENS_MAX = 2000;

/** Lists what to fix on a site, step by step. */
export function fixPlan(services: ToolServices) {
  const shape = { url: SITE_URL };
  return {
    name: 'fix_plan',
    config: {
      title: 'Plan the fixes of a site',
      description: `Returns what to fix on a site so that AI agents can use it: each failure in the order in which to fix it, with the fix, including snippets, and what it adds to the score. Uses the last scan of this hour, or scans.`,
      inputSchema: z.looseObject(shape),
      outputSchema: z.looseObject({
        hostname: z.string(),
        score: z.int().min(0).max(100).nullable(),
        noScore: NO_SCORE,
        ageS: z.int().min(0).describe('Seconds since the scan.'),
        steps: z.array(
          FAILURE.extend({
            points: z.int().describe('What fixing it adds to the score.'),
            isAtLeast: z.boolean().describe('True if it may add more.'),
            detail: z.string().nullable().describe('What was observed; never content of the site.'),
            isWhole: IS_WHOLE,
          }),
        ),
      }),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    call: answering(shape, ({ url }: { readonly url: string }, context) =>
      scanFor(services, url, context, showPlan, true),
    ),
  };
}

function showPlan(scanned: Scanned): CallToolResult {
  const { scan, origin, ageS } = scanned;
  const { hostname, score, findings, gains } = scan;
  const failures = orderFailures(findings, gains).map((failure) => {
    const { checkId, errorType, detail } = failure;
    const fix = failure.fix === null ? null : fixFor(origin, failure.fix, detail);
    const { points = 0, isAtLeast = false } = gains.find((gain) => gain.checkId === checkId) ?? {};
    const severity = failureOf(failure)?.severity ?? null;
    return { checkId, errorType, severity, headline: headlineOf(failure), points, isAtLeast, detail, fix };
  });
  return fitFixes(failures, PLAN_TOKENS_MAX, (steps) => ({
    content: [{ type: 'text', text: describePlan(scanned, steps) }],
    structuredContent: { hostname, score, noScore: describeNoScore(findings), ageS, steps },
  }));
}
