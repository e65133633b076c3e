import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { FreeScan } from '../app/free-scan/free-scan-store.js';
import { headlineOf } from '../scanner/report/failures.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { fixFor } from '../scanner/verdict/fix-parts.js';
import { toolResult, DATE_TIME, describeFix, IS_WHOLE, OUTCOME, outcomeOf, shortenFixes } from './answers.js';
import { checkIdSchema, defineTool, toolError, respond, SITE_URL, type ToolServices } from './tool.js';

export function verifyFix(services: ToolServices) {
  const idSchema = checkIdSchema(services.checks);
  return defineTool({
    name: 'verify_fix',
    title: 'Prove fixes',
    description:
      'Repeats checks of a site after a fix: each passes, still fails, or could not be determined. Takes seconds, and stores nothing. Each call is one scan.',
    input: {
      url: SITE_URL,
      checkIds: z.array(idSchema).min(1).optional().describe('The checks to repeat, all in one scan.'),
      checkId: idSchema.optional().describe('Instead of checkIds, for a single check.'),
    },
    output: z.looseObject({
      hostname: z.string(),
      finishedAt: DATE_TIME,
      results: z.array(
        OUTCOME.extend({ fix: z.string().nullable().describe('What to do if it fails.'), isWhole: IS_WHOLE }),
      ),
    }),
    call: ({ url, checkIds = [], checkId }, context) => {
      const requested = [...new Set(checkId === undefined ? checkIds : [...checkIds, checkId])];
      if (requested.length === 0) return toolError('The argument "checkIds" is missing.');
      return respond(services, context, async (clientAddress) =>
        show(await services.freeScans.verify({ site: url, checkIds: requested, clientAddress })),
      );
    },
  });
}

function show({ hostname, origin, findings, finishedAt }: FreeScan): CallToolResult {
  const outcomes = findings.map((finding) => {
    const { result, fix, detail } = finding;
    return { ...outcomeOf(finding), fix: result === 'FAIL' && fix !== null ? fixFor(origin, fix, detail) : null };
  });
  const results = shortenFixes(outcomes);
  const sentences = findings.map((finding) => describe(finding, findings.length === 1));
  const fixes = results.filter(({ fix }) => fix !== null).map((result) => `${result.checkId}: ${describeFix(result)}`);
  return toolResult([`${hostname}: ${sentences.join(' ')}`, ...fixes], { hostname, finishedAt, results });
}

const RESULT_WORDS = {
  PASS: 'passes',
  FAIL: 'fails',
  UNDETERMINED: 'could not be determined',
  NOT_APPLICABLE: 'does not apply',
} as const;

function describe(finding: Finding, isSingle: boolean): string {
  const { checkId, result, errorType, detail } = finding;
  const kind = errorType === null ? '' : ` (${errorType})`;
  const headline = isSingle && result === 'FAIL' ? `: ${headlineOf(finding)}` : '';
  const observed = isSingle && result !== 'PASS' && detail !== null ? ` ${detail}` : '';
  return `${checkId} ${RESULT_WORDS[result]}${kind}${headline}.${observed}`;
}
