import { TRIGGERS } from '../app/runs/run.js';
import { documentedErrors, type ErrorCode, ERRORS } from '../platform/errors.js';
import { scoreOf } from '../scanner/report/score.js';
import type { Check } from '../scanner/verdict/check.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { STANDARDS } from '../scanner/verdict/standards.js';
import { ERROR_TYPES, PILLARS, RESULTS } from '../scanner/verdict/vocabulary.js';
import { type OpenApi, operationsOf } from './compile-spec.js';

/** The examples of successes that each operation shows. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  createRun: ['completed_run'],
  getLatestRun: ['completed_run'],
  getRun: ['completed_run', 'run_without_score'],
  description: ['abridged_document'],
};

/**
 * Adds to the compiled specification what only the source knows: the enumerations of the contract, the error codes, and the examples. This
 * keeps the document in step with what the service answers.
 */
export function addRegistry(document: OpenApi, checks: readonly Check[]): OpenApi {
  const filled = structuredClone(document);
  const { components } = filled;
  for (const { operationId = '', responses } of operationsOf(filled)) {
    for (const [status, { description = '', content = {} }] of Object.entries(responses)) {
      const examples = status.startsWith('2') ? referTo(SHOWN[operationId] ?? []) : refusalExamples(description);
      for (const body of Object.values(content)) body.examples = examples;
    }
  }
  const details = components.schemas?.ErrorDetails as { readonly properties: { readonly code: object } };
  Object.assign(details.properties.code, errorCodes());
  components.schemas = { ...components.schemas, ...enumerations(checks) };
  components.examples = successExamples(checks);
  return filled;
}

function enumerations(checks: readonly Check[]): Record<string, object> {
  const listOfFailures = checks.map(({ id, errorTypes }) => `- \`${id}\`: ${errorTypes.join(', ')}`).join('\n');
  const declared = new Set<string>(checks.flatMap(({ errorTypes }) => errorTypes));
  const checkIds = enumOf('The id of a check.', Object.fromEntries(checks.map(({ id, title }) => [id, title])));
  return {
    CheckId: {
      ...checkIds,
      description: [checkIds.description, 'Its FAIL has one of these error types:', listOfFailures].join('\n\n'),
      'x-error-types': Object.fromEntries(checks.map(({ id, errorTypes }) => [id, errorTypes])),
      'x-judged-by': Object.fromEntries(checks.map(({ id, judgedBy }) => [id, judgedBy.map((one) => STANDARDS[one])])),
    },
    // Exactly those that results can contain (contract, "Finding").
    ErrorType: enumOf(
      'The kind of defect that a FAIL proved.',
      Object.fromEntries(Object.entries(ERROR_TYPES).filter(([errorType]) => declared.has(errorType))),
    ),
    Pillar: {
      ...enumOf('What part of agent-readiness a check belongs to.', PILLARS),
      'x-enum-varnames': Object.values(PILLARS).map(variableName),
    },
    Result: enumOf('What a check came to.', RESULTS),
    Trigger: enumOf('Why the run was started.', TRIGGERS),
  };
}

/**
 * A closed enum. Generators look for member names and descriptions in different places. Two keys hold arrays in member order,
 * since a map there has crashed some generators; the third key holds the map that others read.
 */
function enumOf(about: string, members: Readonly<Record<string, string>>) {
  const ids = Object.keys(members);
  return {
    type: 'string',
    enum: ids,
    description: `${about}\n\n${ids.map((id) => `- \`${id}\`: ${members[id] ?? ''}`).join('\n')}`,
    'x-enumDescriptions': members,
    'x-enum-descriptions': Object.values(members),
    'x-enum-varnames': ids.map(variableName),
  };
}

/** A member name that is valid in programming languages: `C-LLMS-01` → `C_LLMS_01`. */
function variableName(id: string): string {
  return id.replaceAll(/\W/g, '_').toUpperCase();
}

/**
 * Lists the error codes without making them a closed enum: a later version may add a code, and today's clients must still parse
 * it (they fall back to the status).
 */
function errorCodes(): object {
  const errors = documentedErrors();
  const rows = errors.map(({ code, statuses, message }) => `- \`${code}\` (${statuses}): ${message}`);
  const about = 'What went wrong, for programs. More codes may come; the status tells what to do about those.';
  return {
    description: [about, '', ...rows].join('\n'),
    'x-extensible-enum': errors.map(({ code }) => code),
  };
}

/** Returns an example for each error code that the description of a refusal names. */
function refusalExamples(description: string): Record<string, object> {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => new RegExp(`\\b${code}\\b`).test(description));
  return Object.fromEntries(
    codes.map((code) => [code, { summary: code, value: { error: { code, message: ERRORS[code].message } } }]),
  );
}

/** Refers to examples of the components: `completed_run` to CompletedRun. */
function referTo(titles: readonly string[]): Record<string, object> {
  return Object.fromEntries(titles.map((title) => [title, { $ref: `#/components/examples/${componentName(title)}` }]));
}

function componentName(title: string): string {
  return title.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Several operations answer the same run, so its examples are components. */
function successExamples(checks: readonly Check[]): Record<string, object> {
  const site = { id: 'site_k3v5qz7m2x4wanb6tjy2', hostname: 'www.example.com' };
  const findings = exampleFindings(checks);
  const values = {
    abridged_document: { openapi: '3.1.0', info: { title: 'Agent Readiness Scan API', version: '1.0.0' }, paths: {} },
    completed_run: {
      site,
      run: {
        number: 12,
        reference: 'CR-000042',
        score: scoreOf(findings),
        trigger: 'API',
        startedAt: '2026-03-02T09:30:00.000Z',
        finishedAt: '2026-03-02T09:30:04.120Z',
      },
      findings,
    },
    // The site could not be reached: nothing was determined, and that is not a score of 0.
    run_without_score: {
      site,
      run: {
        number: 3,
        reference: 'CR-000007',
        score: null,
        trigger: 'SCHEDULED',
        startedAt: '2026-02-11T03:00:00.000Z',
        finishedAt: '2026-02-11T03:00:16.004Z',
      },
      findings: unreachedFindings(checks),
    },
  };
  return Object.fromEntries(
    Object.entries(values).map(([title, value]) => [componentName(title), { summary: title, value }]),
  );
}

type Outcome = Partial<Pick<Finding, 'result' | 'errorType' | 'detail'>>;

const NO_LLMS_TXT: Outcome = {
  result: 'NOT_APPLICABLE',
  detail: 'There is no llms.txt that can be read as Markdown (see C-LLMS-01).',
};

/** Results of an ordinary site. A check that is not listed passes without a detail. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  'C-LLMS-01': { result: 'FAIL', errorType: 'MISSING', detail: '/llms.txt is missing (status 404).' },
  'C-LLMS-02': NO_LLMS_TXT,
  'C-LLMS-03': NO_LLMS_TXT,
  'C-LLMS-04': NO_LLMS_TXT,
  'C-SITE-01': { detail: 'Line 5 of robots.txt names an XML sitemap with 214 entries.' },
  'C-SITE-02': { detail: '214 entries read. 12 of 12 checked pages answer.' },
  'C-BOT-01': { detail: 'All 6 AI search and user agents may fetch the home page.' },
  'C-SD-01': { detail: '5 schema.org items in JSON-LD, on 3 of 4 pages read.' },
  'C-SD-02': { detail: '5 schema.org items match the vocabulary and the page.' },
  'C-SD-04': {
    result: 'UNDETERMINED',
    detail: 'No sameAs link gives a clear answer (refused, failing or too slow). Checked: 2 of 2 sameAs links.',
  },
  'C-WK-01': { result: 'NOT_APPLICABLE', detail: 'No MCP server is announced under /.well-known/.' },
  'C-WK-02': { result: 'NOT_APPLICABLE', detail: 'No A2A agent is announced: there is no agent card.' },
  'C-WK-03': {
    result: 'NOT_APPLICABLE',
    detail: 'There is no API catalog and no OAuth metadata.',
  },
};

/** Returns findings of an ordinary site: one failure, one undetermined check, checks that do not apply. */
function exampleFindings(checks: readonly Check[]): Finding[] {
  return checks.map((check) => findingOf(check, OUTCOMES[check.id] ?? {}));
}

/** Returns findings of a site that could not be reached. */
function unreachedFindings(checks: readonly Check[]): Finding[] {
  const detail =
    'The home page cannot be read: the TLS certificate has expired. Install a valid certificate with its full chain, then run again.';
  return checks.map((check) => findingOf(check, { result: 'UNDETERMINED', detail }));
}

function findingOf(check: Check, { result = 'PASS', errorType = null, detail = null }: Outcome): Finding {
  const { id: checkId, pillar, scored, title, explanation, failures } = check;
  const fix = errorType === null ? null : (failures[errorType]?.fix ?? null);
  return { checkId, pillar, scored, result, errorType, detail, title, explanation, fix };
}
