import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { VerifiedCheck } from '../app/free-scan/free-scan.js';
import { parseSiteOfPage } from '../app/sites/site-input.js';
import { InputError } from '../platform/input-error.js';
import { headlineOf } from '../scanner/report/failures.js';
import { fixFor } from '../scanner/verdict/fix-parts.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { ERROR_TYPES, type ErrorType, type Result, RESULTS } from '../scanner/verdict/vocabulary.js';
import { answering, argumentsOf } from './arguments.js';
import { checkIdOf } from './explain-check.js';
import { callerOf } from './relay.js';
import { cancellationOf, LIMITS, refusalOf, type ScanCallDeps, SITE_URL } from './scan-call.js';

interface VerifyFixInput {
  readonly url: string;
  readonly checkId: string;
}

/** Makes one check again, to prove a fix. */
export function verifyFix(deps: ScanCallDeps) {
  const shape = { url: SITE_URL, checkId: checkIdOf(deps.checks).describe('The check to make.') };
  return {
    name: 'verify_fix',
    config: {
      title: 'Prove a fix',
      description: `Makes one check of a site again, once what it found has been fixed: it passes, fails still, or could not tell. Takes seconds; nothing is kept. ${LIMITS}`,
      inputSchema: argumentsOf(shape),
      outputSchema: z.looseObject({
        hostname: z.string(),
        checkId: z.string(),
        result: z.enum(Object.keys(RESULTS) as Result[]),
        errorType: z.enum(Object.keys(ERROR_TYPES) as ErrorType[]).nullable(),
        headline: z.string().describe('What is wrong where it fails, else the name of the check.'),
        detail: z.string().nullable().describe('What was observed; never content of the site.'),
        fix: z.string().nullable().describe('What to do where it fails.'),
        finishedAt: z.string().describe('ISO 8601, UTC.'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    call: answering(shape, ({ url, checkId }: VerifyFixInput, { mcpReq, http }) => {
      const { freeScans, logger } = deps;
      const verified = freeScans.verify({ site: url, checkId, clientAddress: callerOf(http?.req) });
      const shown = verified.then(
        (made) => show(made, parseSiteOfPage(url).origin.origin),
        (error: unknown) => {
          if (!(error instanceof InputError)) logger.error({ cause: error }, 'check failed to run');
          return refusalOf(error);
        },
      );
      return Promise.race([shown, cancellationOf(mcpReq.signal)]);
    }),
  };
}

function show({ hostname, finding, finishedAt }: VerifiedCheck, origin: string): CallToolResult {
  const { checkId, result, errorType, detail } = finding;
  const headline = headlineOf(finding);
  const fix = result === 'FAIL' && finding.fix !== null ? fixFor(origin, finding.fix, detail) : null;
  const text = [`${hostname}: ${describe(finding)}`, ...(fix === null ? [] : [`How to fix it:\n${fix}`])].join('\n\n');
  return {
    content: [{ type: 'text', text }],
    structuredContent: { hostname, checkId, result, errorType, headline, detail, fix, finishedAt },
  };
}

function describe(finding: Finding): string {
  const { checkId, result, errorType, detail } = finding;
  const seen = detail === null ? '' : ` ${detail}`;
  switch (result) {
    case 'PASS':
      return `${checkId} passes.${seen}`;
    case 'FAIL':
      return `${checkId} fails${errorType === null ? '' : ` (${errorType})`}: ${headlineOf(finding)}.${seen}`;
    case 'UNDETERMINED':
      return `${checkId} could not be determined.${seen}`;
    case 'NOT_APPLICABLE':
      return `${checkId} does not apply.${seen}`;
  }
}
