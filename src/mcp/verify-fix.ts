import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { VerifiedChecks } from '../app/free-scan/free-scan.js';
import { parseSiteOfPage } from '../app/sites/site-input.js';
import { headlineOf } from '../scanner/report/failures.js';
import { fixFor } from '../scanner/verdict/fix-parts.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { ERROR_TYPES, type ErrorType, type Result, RESULTS } from '../scanner/verdict/vocabulary.js';
import { answering, missing } from './arguments.js';
import { checkIdOf } from './explain-check.js';
import { DATE_TIME, fitFixes, type Fitted, IS_WHOLE } from './failures.js';
import { describeFix } from './report.js';
import { errorOf, respond, SITE_URL, type ToolServices } from './scan-call.js';

interface VerifyFixInput {
  readonly url: string;
  readonly checkIds?: readonly string[] | undefined;
  readonly checkId?: string | undefined;
}

/** The limit of an answer, however many checks still fail. */
const PROOF_TOKENS_MAX = 2000;

/** The result of one check. */
const PROVEN = z.looseObject({
  checkId: z.string(),
  result: z.enum(Object.keys(RESULTS) as Result[]),
  errorType: z.enum(Object.keys(ERROR_TYPES) as ErrorType[]).nullable(),
  headline: z.string().describe('What is wrong if it fails, else the name of the check.'),
  detail: z.string().nullable().describe('What was observed; never content of the site.'),
  fix: z.string().nullable().describe('What to do if it fails.'),
  isWhole: IS_WHOLE,
});

/** Repeats some checks, to prove fixes. */
export function verifyFix(services: ToolServices) {
  const checkId = checkIdOf(services.checks);
  const shape = {
    url: SITE_URL,
    checkIds: z.array(checkId).min(1).optional().describe('The checks to repeat, all in one scan.'),
    checkId: checkId.optional().describe('Instead of checkIds, for a single check.'),
  };
  return {
    name: 'verify_fix',
    config: {
      title: 'Prove fixes',
      description: `Repeats checks of a site after a fix: each passes, still fails, or could not be determined. Takes seconds, and stores nothing. Each call is one scan.`,
      inputSchema: z.looseObject(shape),
      outputSchema: z.looseObject({
        hostname: z.string(),
        finishedAt: DATE_TIME,
        results: z
          .array(PROVEN)
          .optional()
          .describe('The results of checkIds. With checkId alone, its fields are next to `hostname` instead.'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    call: answering(shape, ({ url, checkIds: list, checkId: alone }: VerifyFixInput, context) => {
      const checkIds = [...new Set([...(list ?? []), ...(alone === undefined ? [] : [alone])])];
      if (checkIds.length === 0) return errorOf(missing('checkIds').error({}) ?? '');
      return respond(services, context, async (clientAddress) => {
        const verified = await services.freeScans.verify({ site: url, checkIds, clientAddress });
        return show(verified, { origin: parseSiteOfPage(url).origin.origin, isList: list !== undefined });
      });
    }),
  };
}

interface Asked {
  /** The site, such as `https://www.example.com`. */
  readonly origin: string;
  /** True if checks were named in a list. */
  readonly isList: boolean;
}

function show({ hostname, findings, finishedAt }: VerifiedChecks, { origin, isList }: Asked): CallToolResult {
  const proofs = findings.map((finding) => {
    const { checkId, result, errorType, detail } = finding;
    const fix = result === 'FAIL' && finding.fix !== null ? fixFor(origin, finding.fix, detail) : null;
    return { checkId, result, errorType, headline: headlineOf(finding), detail, fix };
  });
  const said = findings.map((finding) => describe(finding, findings.length === 1));
  const textOf = (fitted: readonly Fitted<(typeof proofs)[number]>[]): string => {
    const fixes = fitted.flatMap((proof) =>
      describeFix(proof) === '' ? [] : `${proof.checkId}: ${describeFix(proof)}`,
    );
    return [`${hostname}: ${said.join(' ')}`, ...fixes].join('\n\n');
  };
  return fitFixes(proofs, PROOF_TOKENS_MAX, (fitted) => ({
    content: [{ type: 'text', text: textOf(fitted) }],
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
