import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { TriedFile } from '../app/free-scan/free-scan.js';
import { parseSiteOfPage } from '../app/sites/site-input.js';
import { InputError } from '../platform/input-error.js';
import { headlineOf } from '../scanner/report/failures.js';
import { describeNoScore } from '../scanner/report/no-score.js';
import { changesOf, listNotTried } from '../scanner/report/trial.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { ERROR_TYPES, type ErrorType, type Result, RESULTS } from '../scanner/verdict/vocabulary.js';
import { answering, argumentsOf, missing } from './arguments.js';
import { checkIdOf } from './explain-check.js';
import { callerOf } from './relay.js';
import { cancellationOf, progressTo, refusalOf, type ScanCallDeps, SCANS_MAX, SITE_URL } from './scan-call.js';

const BODY_BYTES_MAX = 100_000;
/** On the site: no host, query or fragment, nothing that a browser takes for one, and no step up. */
const PATH = /^\/(?![/\\])(?!(?:[^?#]*\/)?(?:\.|%2[eE]){1,2}(?:\/|$))[^?#\s\\]{0,1999}$/;
const TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?: *;[ -~]{0,200})?$/;

/** How many findings are told in full. */
const TOLD_MAX = 5;

interface TryFixInput {
  readonly url: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
  readonly checkIds?: readonly string[] | undefined;
}

/** Tries a file before it is deployed. */
export function tryFix(deps: ScanCallDeps) {
  const shape = {
    url: SITE_URL,
    path: z
      .string(missing('path'))
      .regex(PATH, 'Give the path on the site, such as /llms.txt, without host, query and dots for folders.')
      .describe('Where the file will be served, such as /llms.txt.'),
    contentType: z
      .string(missing('contentType'))
      .regex(TYPE, 'Give the contentType as it will be sent, such as text/plain; charset=utf-8.')
      .describe('Its Content-Type, such as text/plain; charset=utf-8.'),
    body: z
      .string(missing('body'))
      .refine((text) => Buffer.byteLength(text) <= BODY_BYTES_MAX, 'The body is larger than 100 kB: it is not tried.')
      .describe('The whole file as text, at most 100 kB. It is neither stored nor logged.'),
    checkIds: z
      .array(checkIdOf(deps.checks))
      .max(deps.checks.length, 'Give each check once.')
      .optional()
      .describe('The checks that it is meant to fix: each is told, also where it stays as it is.'),
  };
  return {
    name: 'try_fix',
    config: {
      title: 'Try a file before it is deployed',
      description: `Scans a site as it is, and as if one file were served: which checks would come out otherwise, and the score. Nothing is changed or kept. For files alone: what a server decides by a rule is not tried. Takes up to a minute. Each call counts: ${SCANS_MAX}`,
      inputSchema: argumentsOf(shape),
      outputSchema: outputSchema(),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    call: answering(shape, async (given: TryFixInput, { mcpReq, http }) => {
      const { url, path, contentType, body, checkIds = [] } = given;
      const { freeScans, logger } = deps;
      try {
        const { hostname } = parseSiteOfPage(url);
        const onProgress = progressTo(mcpReq, hostname);
        const file = { path, type: contentType, body: Buffer.from(body) };
        const tried = freeScans.tryFile({
          ...{ site: url, file, clientAddress: callerOf(http?.req) },
          ...(onProgress && { onProgress }),
        });
        const shown = tried.then((made) => show(made, checkIds));
        return await Promise.race([shown, cancellationOf(mcpReq.signal)]);
      } catch (error) {
        if (!(error instanceof InputError)) logger.error({ cause: error }, 'trial failed to run');
        return refusalOf(error);
      }
    }),
  };
}

function outputSchema() {
  const result = z.enum(Object.keys(RESULTS) as Result[]);
  const score = z.int().min(0).max(100).nullable().describe('Null, which is not zero: nothing could be determined.');
  const finding = z.looseObject({
    checkId: z.string(),
    result,
    errorType: z.enum(Object.keys(ERROR_TYPES) as ErrorType[]).nullable(),
    headline: z.string().describe('What would be wrong where it fails, else the name of the check.'),
    detail: z.string().nullable().describe('What would be observed; never content of site or file.'),
  });
  return z.looseObject({
    hostname: z.string(),
    before: z.looseObject({ score }).describe('Today.'),
    after: z.looseObject({
      score,
      findings: z
        .array(finding)
        .describe(`At most ${TOLD_MAX} that would not pass, of those that change or were asked for.`),
    }),
    changes: z.array(z.looseObject({ checkId: z.string(), before: result.nullable(), after: result })),
    assumed: z
      .array(z.looseObject({ status: z.int().nullable().describe('What the path answers today; null: nothing.') }))
      .describe('That the site will serve the file where it answers otherwise than by 404 today.'),
    notTried: z
      .array(z.string())
      .describe('Checks that fail by a rule of the server, before and after, which no file changes.'),
  });
}

function show({ hostname, trial }: TriedFile, checkIds: readonly string[]): CallToolResult {
  const [before, after] = [trial.before, trial.after];
  const changes = changesOf(before.findings, after.findings);
  const other = findOthers(before.findings, after.findings);
  const looked = after.findings.filter(({ checkId }) => other.has(checkId) || checkIds.includes(checkId));
  const told = [...looked.filter(isFailure), ...looked.filter(({ result }) => result === 'UNDETERMINED')];
  const findings = told.slice(0, TOLD_MAX).map((finding) => {
    const { checkId, result, errorType, detail } = finding;
    return { checkId, result, errorType, headline: headlineOf(finding), detail };
  });
  const assumed = trial.assumed.map(({ status }) => ({ status }));
  const notTried = listNotTried(before.findings, after.findings);
  const sentences = [
    ...describeOutcomes(looked, other),
    describeScores(before.score, after.score, after.findings),
    ...assumed.map(
      ({ status }) =>
        `Assumed: the file is served; ${status === null ? 'nothing answers' : `it answers ${status}`} today.`,
    ),
    ...(notTried.length > 0 ? [`Not tried, since a rule of the server decides: ${notTried.join(', ')}.`] : []),
  ];
  return {
    content: [{ type: 'text', text: `${hostname}: ${sentences.join(' ')}` }],
    structuredContent: {
      ...{ hostname, before: { score: before.score }, after: { score: after.score, findings } },
      ...{ changes, assumed, notTried },
    },
  };
}

/** The checks that come out otherwise, or fail otherwise. */
function findOthers(before: readonly Finding[], after: readonly Finding[]): ReadonlySet<string> {
  const outcomeOf = ({ checkId, result, errorType }: Finding): string => `${checkId} ${result} ${errorType ?? ''}`;
  const was = new Set(before.map(outcomeOf));
  return new Set(after.filter((finding) => !was.has(outcomeOf(finding))).map(({ checkId }) => checkId));
}

function isFailure({ result }: Finding): boolean {
  return result === 'FAIL';
}

const WOULD: Readonly<Record<Result, string>> = {
  PASS: 'would pass',
  FAIL: 'would fail',
  UNDETERMINED: 'could not be determined',
  NOT_APPLICABLE: 'would not apply',
};

/** `C-LLMS-01 and C-LLMS-02 would pass.` */
function describeOutcomes(looked: readonly Finding[], other: ReadonlySet<string>): string[] {
  if (looked.length === 0) return ['No check would come out otherwise.'];
  const said = Map.groupBy(looked, ({ checkId, result }) => `${WOULD[result]}${other.has(checkId) ? '' : ' as today'}`);
  return [...said].map(([would, findings]) => {
    const ids = new Intl.ListFormat('en-GB').format(findings.map(({ checkId }) => checkId));
    const [first] = findings;
    const why = findings.length === 1 && first && isFailure(first) ? `: ${headlineOf(first)}` : '';
    return `${ids} ${would}${why}.`;
  });
}

function describeScores(before: number | null, after: number | null, findings: readonly Finding[]): string {
  if (after === null) return `There would be no score. ${describeNoScore(findings) ?? ''}`.trimEnd();
  return before === after ? `The score stays ${after}.` : `Score ${before ?? 'none'} → ${after}.`;
}
