import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { TriedFile } from '../app/free-scan/free-scan.js';
import { parseSiteOfPage } from '../app/sites/site-input.js';
import { headlineOf } from '../scanner/report/failures.js';
import { describeNoScore } from '../scanner/report/no-score.js';
import { changesOf, listNotTried } from '../scanner/report/trial.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { ERROR_TYPES, type ErrorType, type Result, RESULTS } from '../scanner/verdict/vocabulary.js';
import { answering, missing } from './arguments.js';
import { checkIdOf } from './explain-check.js';
import { progressTo, respond, SITE_URL, type ToolServices } from './scan-call.js';

const BODY_BYTES_MAX = 100_000;
/** On the site: no host, query or fragment, nothing that a browser takes for one, and no step up. */
const PATH = /^\/(?![/\\])(?!(?:[^?#]*\/)?(?:\.|%2[eE]){1,2}(?:\/|$))[^?#\s\\]{0,1999}$/;
const TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(?: *;[ -~]{0,200})?$/;

/** How many findings are listed in full. */
const FINDINGS_MAX = 5;

interface TryFixInput {
  readonly url: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
  readonly checkIds?: readonly string[] | undefined;
}

/** Tries a file before it is deployed. */
export function tryFix(services: ToolServices) {
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
      .array(checkIdOf(services.checks))
      .max(services.checks.length, 'Give each check once.')
      .optional()
      .describe('The checks that it is meant to fix: each is reported even if unchanged.'),
  };
  return {
    name: 'try_fix',
    config: {
      title: 'Try a file before it is deployed',
      description: `Scans a site as it is, and as if one file were served: which checks would change, and the score. Nothing is changed or stored. Only for files: what a rule of the server decides is not tried. Takes up to a minute. Each call is one scan.`,
      inputSchema: z.looseObject(shape),
      outputSchema: outputSchema(),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    call: answering(shape, ({ url, path, contentType, body, checkIds = [] }: TryFixInput, context) =>
      respond(services, context, async (clientAddress) => {
        const onProgress = progressTo(context, parseSiteOfPage(url).hostname);
        const file = { path, type: contentType, body: Buffer.from(body) };
        const tried = await services.freeScans.tryFile({
          site: url,
          file,
          clientAddress,
          ...(onProgress && { onProgress }),
        });
        return show(tried, checkIds);
      }),
    ),
  };
}

function outputSchema() {
  const result = z.enum(Object.keys(RESULTS) as Result[]);
  const score = z.int().min(0).max(100).nullable().describe('Null, which is not zero: nothing could be determined.');
  const finding = z.looseObject({
    checkId: z.string(),
    result,
    errorType: z.enum(Object.keys(ERROR_TYPES) as ErrorType[]).nullable(),
    headline: z.string().describe('What would be wrong if it fails, else the name of the check.'),
    detail: z.string().nullable().describe('What would be observed; never content of site or file.'),
  });
  return z.looseObject({
    hostname: z.string(),
    before: z.looseObject({ score }).describe('Today.'),
    after: z.looseObject({
      score,
      findings: z
        .array(finding)
        .describe(`At most ${FINDINGS_MAX} that would not pass, of the changed and the requested ones.`),
    }),
    changes: z.array(z.looseObject({ checkId: z.string(), before: result.nullable(), after: result })),
    assumed: z
      .array(z.looseObject({ status: z.int().nullable().describe('What the path answers today; null: nothing.') }))
      .describe('The site is assumed to serve the file, although it does not answer 404 there today.'),
    notTried: z
      .array(z.string())
      .describe('Checks that fail before and after because of a rule of the server, which no file changes.'),
  });
}

function show({ hostname, trial }: TriedFile, checkIds: readonly string[]): CallToolResult {
  const [before, after] = [trial.before, trial.after];
  const changes = changesOf(before.findings, after.findings);
  const changed = changedChecks(before.findings, after.findings);
  const listed = after.findings.filter(({ checkId }) => changed.has(checkId) || checkIds.includes(checkId));
  const unsolved = [...listed.filter(isFailure), ...listed.filter(({ result }) => result === 'UNDETERMINED')];
  const findings = unsolved.slice(0, FINDINGS_MAX).map((finding) => {
    const { checkId, result, errorType, detail } = finding;
    return { checkId, result, errorType, headline: headlineOf(finding), detail };
  });
  const assumed = trial.assumed.map(({ status }) => ({ status }));
  const notTried = listNotTried(before.findings, after.findings);
  const sentences = [
    ...describeOutcomes(listed, changed),
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
      hostname,
      before: { score: before.score },
      after: { score: after.score, findings },
      changes,
      assumed,
      notTried,
    },
  };
}

/** Returns the checks whose result or error type changed. */
function changedChecks(before: readonly Finding[], after: readonly Finding[]): ReadonlySet<string> {
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
function describeOutcomes(listed: readonly Finding[], changed: ReadonlySet<string>): string[] {
  if (listed.length === 0) return ['No check would change.'];
  const byOutcome = Map.groupBy(
    listed,
    ({ checkId, result }) => `${WOULD[result]}${changed.has(checkId) ? '' : ' as today'}`,
  );
  return [...byOutcome].map(([would, findings]) => {
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
