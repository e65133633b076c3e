import { readFileSync } from 'node:fs';
import { TRIGGERS } from '../app/runs/run.js';
import { documentedErrors, type ErrorCode, ERRORS } from '../platform/errors.js';
import { scoreOf } from '../scanner/report/score.js';
import type { Check } from '../scanner/verdict/check.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { STANDARDS } from '../scanner/verdict/standards.js';
import { ERROR_TYPES, PILLARS, RESULTS } from '../scanner/verdict/vocabulary.js';
import { type OpenApi, operationsOf } from './compile-spec.js';

const EXAMPLES_BY_OPERATION: Readonly<Record<string, readonly string[]>> = {
  createRun: ['completed_run'],
  getLatestRun: ['completed_run'],
  getRun: ['completed_run', 'run_without_score'],
  description: ['abridged_document'],
};

/**
 * Adds to the compiled specification what only the source knows: the enumerations of the contract, the error codes, and the examples. So
 * the document always matches what the service answers.
 */
export function addRegistry(document: OpenApi, checks: readonly Check[]): OpenApi {
  const filled = structuredClone(document);
  const { components } = filled;
  for (const { operationId = '', responses } of operationsOf(filled)) {
    for (const [status, { description = '', content = {} }] of Object.entries(responses)) {
      const examples = status.startsWith('2')
        ? referTo(EXAMPLES_BY_OPERATION[operationId] ?? [])
        : errorExamples(description);
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
  const checkIds = closedEnum('The id of a check.', Object.fromEntries(checks.map(({ id, title }) => [id, title])));
  return {
    CheckId: {
      ...checkIds,
      description: [checkIds.description, 'Its FAIL has one of these error types:', listOfFailures].join('\n\n'),
      'x-error-types': Object.fromEntries(checks.map(({ id, errorTypes }) => [id, errorTypes])),
      'x-judged-by': Object.fromEntries(checks.map(({ id, judgedBy }) => [id, judgedBy.map((one) => STANDARDS[one])])),
    },
    // Includes only error types that results can contain (contract, "Finding").
    ErrorType: closedEnum(
      'The kind of defect that a FAIL proved.',
      Object.fromEntries(Object.entries(ERROR_TYPES).filter(([errorType]) => declared.has(errorType))),
    ),
    Pillar: {
      ...closedEnum('The part of agent-readiness that a check belongs to.', PILLARS),
      'x-enum-varnames': Object.values(PILLARS).map(variableName),
    },
    Result: closedEnum('The outcome of a check.', RESULTS),
    Trigger: closedEnum('Why the run was started.', TRIGGERS),
  };
}

/**
 * Returns a closed enum. Generators look for member names and descriptions in different places. Two keys have arrays in member order,
 * since a map has crashed some generators; the third key has the map that others read.
 */
function closedEnum(about: string, members: Readonly<Record<string, string>>) {
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

/** Returns a member name that is valid in programming languages: `C-LLMS-01` → `C_LLMS_01`. */
function variableName(id: string): string {
  return id.replaceAll(/\W/g, '_').toUpperCase();
}

/**
 * Lists the error codes, but not as a closed enum: a later version may add a code, which today's clients must still parse. They can
 * then go by the status.
 */
function errorCodes(): object {
  const errors = documentedErrors();
  const rows = errors.map(({ code, statuses, message }) => `- \`${code}\` (${statuses}): ${message}`);
  const about = 'What went wrong, for programs. Later versions may add codes: handle an unknown one by its status.';
  return {
    description: [about, '', ...rows].join('\n'),
    'x-extensible-enum': errors.map(({ code }) => code),
  };
}

function errorExamples(description: string): Record<string, object> {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => new RegExp(`\\b${code}\\b`).test(description));
  return Object.fromEntries(
    codes.map((code) => [code, { summary: code, value: { error: { code, message: ERRORS[code].message } } }]),
  );
}

/** Returns references to examples of the components: `completed_run` to CompletedRun. */
function referTo(titles: readonly string[]): Record<string, object> {
  return Object.fromEntries(titles.map((title) => [title, { $ref: `#/components/examples/${componentName(title)}` }]));
}

function componentName(title: string): string {
  return title.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

interface ExampleRun {
  readonly site: object;
  readonly run: object;
  /** By check id; `default` applies to all others. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

type Outcome = Partial<Pick<Finding, 'result' | 'errorType' | 'detail'>>;

/** Returns examples for the components, since several operations return the same run. */
function successExamples(checks: readonly Check[]): Record<string, object> {
  const runs = JSON.parse(readFileSync('spec/example-runs.json', 'utf8')) as Readonly<Record<string, ExampleRun>>;
  const values = Object.entries(runs).map(([title, { site, run, outcomes }]) => {
    const findings = checks.map((check) => toFinding(check, outcomes[check.id] ?? outcomes.default ?? {}));
    return [title, { site, run: { ...run, score: scoreOf(findings) }, findings }] as const;
  });
  const document = { openapi: '3.1.0', info: { title: 'Agent Readiness Scan API', version: '1.0.0' }, paths: {} };
  return Object.fromEntries(
    [['abridged_document', document] as const, ...values].map(([title, value]) => [
      componentName(title),
      { summary: title, value },
    ]),
  );
}

function toFinding(check: Check, { result = 'PASS', errorType = null, detail = null }: Outcome): Finding {
  const { id: checkId, pillar, scored, title, explanation, failures } = check;
  const fix = errorType === null ? null : (failures[errorType]?.fix ?? null);
  return { checkId, pillar, scored, result, errorType, detail, title, explanation, fix };
}
