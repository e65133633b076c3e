import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { FreeScan } from '../app/free-scan/free-scan-store.js';
import { headlineOf } from '../scanner/report/failures.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { toolResult, DATE_TIME, FIX, OUTCOME, outcomeOf, shortFixOf } from './answers.js';
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
      results: z.array(OUTCOME.extend({ fix: FIX })),
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

function show({ hostname, findings, finishedAt }: FreeScan): CallToolResult {
  const results = findings.map((finding) => ({
    ...outcomeOf(finding),
    fix: finding.result === 'FAIL' ? shortFixOf(finding.fix) : null,
  }));
  const sentences = findings.map((finding) => describe(finding, findings.length === 1));
  const fixes = results.flatMap(({ checkId, fix }) => (fix === null ? [] : [`${checkId}: ${fix}`]));
  if (fixes.length > 0) fixes.push('explain_check with the check and its error type gives the full fix.');
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
