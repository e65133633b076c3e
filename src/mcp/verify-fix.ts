import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { VerifiedChecks } from '../app/free-scan/free-scan.js';
import { headlineOf } from '../scanner/report/failures.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { fixFor } from '../scanner/verdict/fix-parts.js';
import { checkIdOf, DATE_TIME, IS_WHOLE, OUTCOME, outcomeOf, shortenFixes } from './failures.js';
import { describeFix } from './report.js';
import { defineTool, errorOf, respond, SITE_URL, type ToolServices } from './tool.js';

/** Repeats some checks, to prove fixes. */
export function verifyFix(services: ToolServices) {
  const checkIdSchema = checkIdOf(services.checks);
  return defineTool({
    name: 'verify_fix',
    title: 'Prove fixes',
    description:
      'Repeats checks of a site after a fix: each passes, still fails, or could not be determined. Takes seconds, and stores nothing. Each call is one scan.',
    input: {
      url: SITE_URL,
      checkIds: z.array(checkIdSchema).min(1).optional().describe('The checks to repeat, all in one scan.'),
      checkId: checkIdSchema.optional().describe('Instead of checkIds, for a single check.'),
    },
    output: z.looseObject({
      hostname: z.string(),
      finishedAt: DATE_TIME,
      results: z
        .array(OUTCOME.extend({ fix: z.string().nullable().describe('What to do if it fails.'), isWhole: IS_WHOLE }))
        .optional()
        .describe('The results of checkIds. With checkId alone, its fields are next to `hostname` instead.'),
    }),
    call: ({ url, checkIds: list, checkId }, context) => {
      const checkIds = [...new Set([...(list ?? []), ...(checkId === undefined ? [] : [checkId])])];
      if (checkIds.length === 0) return errorOf('The argument "checkIds" is missing.');
      return respond(services, context, async (clientAddress) => {
        const verified = await services.freeScans.verify({ site: url, checkIds, clientAddress });
        return show(verified, list !== undefined);
      });
    },
  });
}

/** @param isList true if the checks were named in a list */
function show({ hostname, origin, findings, finishedAt }: VerifiedChecks, isList: boolean): CallToolResult {
  const outcomes = findings.map((finding) => {
    const { result, fix, detail } = finding;
    return { ...outcomeOf(finding), fix: result === 'FAIL' && fix !== null ? fixFor(origin, fix, detail) : null };
  });
  const results = shortenFixes(outcomes);
  const sentences = findings.map((finding) => describe(finding, findings.length === 1));
  const fixes = results.filter(({ fix }) => fix !== null).map((result) => `${result.checkId}: ${describeFix(result)}`);
  return {
    content: [{ type: 'text', text: [`${hostname}: ${sentences.join(' ')}`, ...fixes].join('\n\n') }],
    structuredContent: { hostname, finishedAt, ...(isList ? { results } : results[0]) },
  };
}

function describe(finding: Finding, isAlone: boolean): string {
  const { checkId, result, errorType, detail } = finding;
  const observed = isAlone && detail !== null ? ` ${detail}` : '';
  switch (result) {
    case 'PASS':
      return `${checkId} passes.`;
    case 'FAIL':
      return `${checkId} fails${errorType === null ? '' : ` (${errorType})`}${isAlone ? `: ${headlineOf(finding)}` : ''}.${observed}`;
    case 'UNDETERMINED':
      return `${checkId} could not be determined.${observed}`;
    case 'NOT_APPLICABLE':
      return `${checkId} does not apply.${observed}`;
  }
}
