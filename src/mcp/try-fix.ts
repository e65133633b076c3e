import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { TriedFile } from '../app/free-scan/free-scans.js';
import { headlineOf } from '../scanner/report/failures.js';
import { describeNothingDetermined } from '../scanner/report/no-score.js';
import { listTrialChanges } from '../scanner/report/trial.js';
import type { Finding } from '../scanner/verdict/finding.js';
import type { Result } from '../scanner/verdict/vocabulary.js';
import { toolResult, OUTCOME, outcomeOf, RESULT, SCORE } from './answers.js';
import {
  checkIdSchema,
  defineTool,
  missingArgument,
  createProgressReporter,
  respond,
  SITE_URL,
  type ToolServices,
} from './tool.js';

const BODY_BYTES_MAX = 100_000;
/** Matches a path on the site: no host, query or fragment, nothing that a browser reads as one, no dot segment. */
const PATH = /^\/(?![/\\])(?!(?:[^?#]*\/)?(?:\.|%2[eE]){1,2}(?:\/|$))[^?#\s\\]{0,1999}$/;
const TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?: *;[ -~]{0,200})?$/;

/** How many findings are listed in full. */
const FINDINGS_MAX = 5;

export function tryFix(services: ToolServices) {
  return defineTool({
    name: 'try_fix',
    title: 'Try a file before it is deployed',
    description:
      'Scans a site as it is and as if it served one file: which checks would change, and the scores. Nothing is changed or stored. Takes up to a minute. Each call is one scan.',
    input: {
      url: SITE_URL,
      path: z
        .string(missingArgument('path'))
        .regex(PATH, 'Give the path on the site, such as /llms.txt, without a host, query or dot segments.')
        .describe('Where the file will be served, such as /llms.txt.'),
      contentType: z
        .string(missingArgument('contentType'))
        .regex(TYPE, 'Give the contentType as it will be sent, such as text/plain; charset=utf-8.')
        .describe('Its Content-Type, such as text/plain; charset=utf-8.'),
      body: z
        .string(missingArgument('body'))
        .refine(
          (text) => Buffer.byteLength(text) <= BODY_BYTES_MAX,
          'The body is larger than 100 kB, the limit for a trial.',
        )
        .describe('The whole file as text, at most 100 kB. It is neither stored nor logged.'),
      checkIds: z
        .array(checkIdSchema(services.checks))
        .max(services.checks.length, 'Give each check once.')
        .optional()
        .describe('The checks that the file is meant to fix. Each is reported even if unchanged.'),
    },
    output: z.looseObject({
      hostname: z.string(),
      before: z.looseObject({ score: SCORE }).describe('Today.'),
      after: z.looseObject({
        score: SCORE,
        findings: z
          .array(OUTCOME)
          .describe(`At most ${FINDINGS_MAX} that would not pass, of the changed and the requested ones.`),
      }),
      changes: z.array(z.looseObject({ checkId: z.string(), before: RESULT.nullable(), after: RESULT })),
      note: z.string().describe('What the trial leaves open.'),
    }),
    call: ({ url, path, contentType, body, checkIds = [] }, context) =>
      respond(services, context, async (clientAddress) => {
        const onProgress = createProgressReporter(context, url);
        onProgress();
        const file = { path, type: contentType, body: Buffer.from(body) };
        return show(await services.freeScans.tryFile({ site: url, file, clientAddress, onProgress }), checkIds);
      }),
  });
}

function show({ hostname, before, after, note }: TriedFile, checkIds: readonly string[]): CallToolResult {
  const changes = listTrialChanges(before.findings, after.findings);
  const changed = changedChecks(before.findings, after.findings);
  const listed = after.findings.filter(({ checkId }) => changed.has(checkId) || checkIds.includes(checkId));
  const unsolved = [...listed.filter(isFailure), ...listed.filter(({ result }) => result === 'UNDETERMINED')];
  const findings = unsolved.slice(0, FINDINGS_MAX).map(outcomeOf);
  const sentences = [
    ...describeOutcomes(listed, changed),
    describeScores(before.score, after.score, after.findings),
    note,
  ];
  const scores = { before: { score: before.score }, after: { score: after.score, findings } };
  return toolResult([`${hostname}: ${sentences.join(' ')}`], { hostname, ...scores, changes, note });
}

/** Returns the checks whose result or error type changed. */
function changedChecks(before: readonly Finding[], after: readonly Finding[]): ReadonlySet<string> {
  const summarize = ({ checkId, result, errorType }: Finding): string => `${checkId} ${result} ${errorType ?? ''}`;
  const summaries = new Set(before.map(summarize));
  return new Set(after.filter((finding) => !summaries.has(summarize(finding))).map(({ checkId }) => checkId));
}

function isFailure({ result }: Finding): boolean {
  return result === 'FAIL';
}

const RESULT_WORDS: Readonly<Record<Result, string>> = {
  PASS: 'would pass',
  FAIL: 'would fail',
  UNDETERMINED: 'could not be determined',
  NOT_APPLICABLE: 'would not apply',
};

/** Returns sentences such as `C-LLMS-01 and C-LLMS-02 would pass.` */
function describeOutcomes(listed: readonly Finding[], changed: ReadonlySet<string>): string[] {
  if (listed.length === 0) return ['No check would change.'];
  const byOutcome = Map.groupBy(
    listed,
    ({ checkId, result }) => `${RESULT_WORDS[result]}${changed.has(checkId) ? '' : ' as today'}`,
  );
  return [...byOutcome].map(([outcome, findings]) => {
    const ids = new Intl.ListFormat('en-GB').format(findings.map(({ checkId }) => checkId));
    const [first] = findings;
    const why = findings.length === 1 && first && isFailure(first) ? `: ${headlineOf(first)}` : '';
    return `${ids} ${outcome}${why}.`;
  });
}

function describeScores(before: number | null, after: number | null, findings: readonly Finding[]): string {
  if (after === null) return `There would be no score. ${describeNothingDetermined(findings) ?? ''}`.trimEnd();
  return before === after ? `The score stays ${after}.` : `Score ${before ?? 'none'} → ${after}.`;
}
