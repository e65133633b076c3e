import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { VerifiedChecks } from '../app/free-scan/free-scan.js';
import { parseSiteOfPage } from '../app/sites/site-input.js';
import { InputError } from '../platform/input-error.js';
import { headlineOf } from '../scanner/report/failures.js';
import { fixFor } from '../scanner/verdict/fix-parts.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { ERROR_TYPES, type ErrorType, type Result, RESULTS } from '../scanner/verdict/vocabulary.js';
import { answering, argumentsOf, missing } from './arguments.js';
import { checkIdOf } from './explain-check.js';
import { DATE_TIME } from './failures.js';
import { fitFixes, IS_WHOLE } from './fitted-fixes.js';
import { callerOf } from './relay.js';
import { whereToRead } from './report.js';
import { cancellationOf, errorOf, refusalOf, type ScanCallDeps, SCANS_MAX, SITE_URL } from './scan-call.js';

interface VerifyFixInput {
  readonly url: string;
  readonly checkIds?: readonly string[] | undefined;
  readonly checkId?: string | undefined;
}

/** Of an answer, however many checks fail still. */
const PROOF_TOKENS_MAX = 2000;

/** Of one check. */
const PROVEN = z.looseObject({
  checkId: z.string(),
  result: z.enum(Object.keys(RESULTS) as Result[]),
  errorType: z.enum(Object.keys(ERROR_TYPES) as ErrorType[]).nullable(),
  headline: z.string().describe('What is wrong where it fails, else the name of the check.'),
  detail: z.string().nullable().describe('What was observed; never content of the site.'),
  fix: z.string().nullable().describe('What to do where it fails.'),
  isWhole: IS_WHOLE,
});

/** Makes some checks again, to prove fixes. */
export function verifyFix(deps: ScanCallDeps) {
  const { freeScans, logger, publicUrl, checks } = deps;
  const checkId = checkIdOf(checks);
  const shape = {
    url: SITE_URL,
    checkIds: z.array(checkId).min(1).optional().describe('The checks to make: all of them are one scan.'),
    checkId: checkId.optional().describe('In place of checkIds, where it is one.'),
  };
  return {
    name: 'verify_fix',
    config: {
      title: 'Prove fixes',
      description: `Makes checks of a site again, once what they found has been fixed: each passes, fails still, or could not tell. Takes seconds; nothing is kept. Each call counts: ${SCANS_MAX}`,
      inputSchema: argumentsOf(shape),
      outputSchema: z.looseObject({
        hostname: z.string(),
        finishedAt: DATE_TIME,
        results: z
          .array(PROVEN)
          .optional()
          .describe('Of checkIds. With checkId alone, the keys of its result stand alongside hostname instead.'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    call: answering(shape, ({ url, checkIds, checkId: alone }: VerifyFixInput, { mcpReq, http }) => {
      const asked = [...new Set([...(checkIds ?? []), ...(alone === undefined ? [] : [alone])])];
      if (asked.length === 0) return errorOf(missing('checkIds').error({}) ?? '');
      const verified = freeScans.verify({ site: url, checkIds: asked, clientAddress: callerOf(http?.req) });
      const shown = verified.then(
        (made) => show(made, { origin: parseSiteOfPage(url).origin.origin, publicUrl, isList: checkIds !== undefined }),
        (error: unknown) => {
          if (!(error instanceof InputError)) logger.error({ cause: error }, 'checks failed to run');
          return refusalOf(error);
        },
      );
      return Promise.race([shown, cancellationOf(mcpReq.signal)]);
    }),
  };
}

interface Asked {
  /** The site, such as `https://www.example.com`. */
  readonly origin: string;
  readonly publicUrl: string;
  /** Whether checks were named in a list. */
  readonly isList: boolean;
}

function show(
  { hostname, findings, finishedAt }: VerifiedChecks,
  { origin, publicUrl, isList }: Asked,
): CallToolResult {
  const proofs = findings.map((finding) => {
    const { checkId, result, errorType, detail } = finding;
    const fix = result === 'FAIL' && finding.fix !== null ? fixFor(origin, finding.fix, detail) : null;
    return { checkId, result, errorType, headline: headlineOf(finding), detail, fix };
  });
  const failures = findings.filter(({ result }) => result === 'FAIL');
  const said = findings.map((finding) => describe(finding, findings.length === 1));
  const text = [`${hostname}: ${said.join(' ')}`, whereToRead(failures, publicUrl)].join('\n').trim();
  return fitFixes(proofs, PROOF_TOKENS_MAX, (fitted) => ({
    content: [{ type: 'text', text }],
    structuredContent: { hostname, finishedAt, ...(isList ? { results: fitted } : fitted[0]) },
  }));
}

function describe(finding: Finding, isAlone: boolean): string {
  const { checkId, result, errorType, detail } = finding;
  const seen = isAlone && detail !== null ? ` ${detail}` : '';
  switch (result) {
    case 'PASS':
      return `${checkId} passes.`;
    case 'FAIL':
      return `${checkId} fails${errorType === null ? '' : ` (${errorType})`}${isAlone ? `: ${headlineOf(finding)}` : ''}.${seen}`;
    case 'UNDETERMINED':
      return `${checkId} could not be determined.${seen}`;
    case 'NOT_APPLICABLE':
      return `${checkId} does not apply.${seen}`;
  }
}
