import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { describeForAgents } from '../scanner/report/for-agents.js';
import { headlineOf, failureOf } from '../scanner/report/failures.js';
import { orderFailures } from '../scanner/report/order.js';
import { fixFor } from '../scanner/verdict/fix-parts.js';
import { describeNoScore } from '../scanner/report/no-score.js';
import { answering, argumentsOf } from './arguments.js';
import { FAILURE, NO_SCORE } from './failures.js';
import { describeAge } from './report.js';
import { LIMITS, scanFor, type ScanCallDeps, type Scanned, SITE_URL } from './scan-call.js';

/** What to fix on one site, step by step. */
export function fixPlan(deps: ScanCallDeps) {
  const shape = { url: SITE_URL };
  return {
    name: 'fix_plan',
    config: {
      title: 'Plan the fixes of a site',
      description: `Returns what to fix on a site so that AI agents can use it: each failure in the order in which to fix it, with the whole fix (snippets among it) and what it adds to the score. Uses the last scan of this hour, or scans. ${LIMITS}`,
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
          }),
        ),
      }),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    call: answering(shape, ({ url }: { readonly url: string }, context) => scanFor(deps, url, context, showPlan, true)),
  };
}

function showPlan(scanned: Scanned): CallToolResult {
  const { scan, origin, ageS } = scanned;
  const { hostname, score, findings, gains = [] } = scan;
  const steps = orderFailures(findings, gains).map((failure) => {
    const { checkId, errorType, detail } = failure;
    const fix = failure.fix === null ? null : fixFor(origin, failure.fix, detail);
    const { points = 0, isAtLeast = false } = gains.find((gain) => gain.checkId === checkId) ?? {};
    const severity = failureOf(failure)?.severity ?? null;
    return { checkId, errorType, severity, headline: headlineOf(failure), points, isAtLeast, detail, fix };
  });
  return {
    content: [{ type: 'text', text: `${describeForAgents({ origin, findings, gains })}\n\n${describeAge(scanned)}` }],
    structuredContent: { hostname, score, noScore: describeNoScore(findings), ageS, steps },
  };
}
