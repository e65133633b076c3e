import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { orderFailures } from '../scanner/report/failures.js';
import { describeNoScore } from '../scanner/report/no-score.js';
import { fixFor } from '../scanner/verdict/fix-parts.js';
import { describeFailure, DETAIL, FAILURE, IS_WHOLE, NO_SCORE, SCORE, shortenFixes } from './failures.js';
import { describePlan } from './report.js';
import { defineTool, type Scanned, scanFor, SITE_URL, type ToolServices } from './tool.js';

/** Lists what to fix on a site, step by step. */
export function fixPlan(services: ToolServices) {
  return defineTool({
    name: 'fix_plan',
    title: 'Plan the fixes of a site',
    description:
      'Returns what to fix on a site so that AI agents can use it: each failure in the order in which to fix it, with the fix, including snippets, and what it adds to the score. Uses the last scan of this hour, or scans.',
    input: { url: SITE_URL },
    output: z.looseObject({
      hostname: z.string(),
      score: SCORE,
      noScore: NO_SCORE,
      ageS: z.int().min(0).describe('Seconds since the scan.'),
      steps: z.array(
        FAILURE.extend({
          points: z.int().describe('What fixing it adds to the score.'),
          isAtLeast: z.boolean().describe('True if it may add more.'),
          detail: DETAIL,
          isWhole: IS_WHOLE,
        }),
      ),
    }),
    call: ({ url }, context) => scanFor(services, url, context, showPlan, true),
  });
}

function showPlan(scanned: Scanned): CallToolResult {
  const { scan, ageS } = scanned;
  const { hostname, origin, score, findings, gains } = scan;
  const failures = orderFailures(findings, gains).map((failure) => {
    const { detail } = failure;
    const fix = failure.fix === null ? null : fixFor(origin, failure.fix, detail);
    const { points = 0, isAtLeast = false } = gains.find(({ checkId }) => checkId === failure.checkId) ?? {};
    return { ...describeFailure(failure), points, isAtLeast, detail, fix };
  });
  const steps = shortenFixes(failures);
  return {
    content: [{ type: 'text', text: describePlan(scanned, steps) }],
    structuredContent: { hostname, score, noScore: describeNoScore(findings), ageS, steps },
  };
}
