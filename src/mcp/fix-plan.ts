import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { headlineOf, failureOf } from '../scanner/report/failures.js';
import { orderFailures } from '../scanner/report/order.js';
import { fixFor } from '../scanner/verdict/fix-parts.js';
import { describeNoScore } from '../scanner/report/no-score.js';
import { answering, argumentsOf } from './arguments.js';
import { FAILURE, NO_SCORE } from './failures.js';
import { fitFixes, IS_WHOLE } from './fitted-fixes.js';
import { describePlan } from './report.js';
import { LIMITS, scanFor, type ScanCallDeps, type Scanned, SITE_URL } from './scan-call.js';

/** Of an answer, however much fails. */
const PLAN_TOKENS_MAX = 2000;

/** What to fix on one site, step by step. */
export function fixPlan(deps: ScanCallDeps) {
  const shape = { url: SITE_URL };
  return {
    name: 'fix_plan',
    config: {
      title: 'Plan the fixes of a site',
      description: `Returns what to fix on a site so that AI agents can use it: each failure in the order in which to fix it, with the fix (snippets among it) and what it adds to the score. Uses the last scan of this hour, or scans. ${LIMITS}`,
      inputSchema: argumentsOf(shape),
      outputSchema: z.looseObject({
        hostname: z.string(),
        score: z.int().min(0).max(100).nullable(),
        noScore: NO_SCORE,
        ageS: z.int().min(0).describe('Seconds since the scan behind it.'),
        steps: z.array(
          FAILURE.extend({
            points: z.int().describe('What it adds to the score, once it is fixed.'),
            isAtLeast: z.boolean().describe('Whether it may add more.'),
            detail: z.string().nullable().describe('What was observed; never content of the site.'),
            isWhole: IS_WHOLE,
          }),
        ),
      }),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    call: answering(shape, ({ url }: { readonly url: string }, context) =>
      scanFor(deps, url, context, (scanned) => showPlan(scanned, deps.publicUrl), true),
    ),
  };
}

function showPlan(scanned: Scanned, publicUrl: string): CallToolResult {
  const { scan, origin, ageS } = scanned;
  const { hostname, score, findings, gains = [] } = scan;
  const failures = orderFailures(findings, gains).map((failure) => {
    const { checkId, errorType, detail } = failure;
    const fix = failure.fix === null ? null : fixFor(origin, failure.fix, detail);
    const { points = 0, isAtLeast = false } = gains.find((gain) => gain.checkId === checkId) ?? {};
    const severity = failureOf(failure)?.severity ?? null;
    return { checkId, errorType, severity, headline: headlineOf(failure), points, isAtLeast, detail, fix };
  });
  return fitFixes(failures, PLAN_TOKENS_MAX, (steps) => ({
    content: [{ type: 'text', text: describePlan(scanned, steps, publicUrl) }],
    structuredContent: { hostname, score, noScore: describeNoScore(findings), ageS, steps },
  }));
}
