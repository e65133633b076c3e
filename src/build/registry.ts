import type { Check } from '../scanner/verdict/check.js';
import { documentedErrors, type ErrorCode, ERRORS } from '../platform/errors.js';
import { TRIGGERS } from '../app/runs/run.js';
import { scoreOf } from '../scanner/report/score.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { STANDARDS } from '../scanner/verdict/standards.js';
import { ERROR_TYPES, PILLARS, RESULTS } from '../scanner/verdict/vocabulary.js';
import { TspCode, tspName, tspString, tspValue, type TspValue } from './tsp-source.js';

/**
 * The source's lists as TypeSpec: the enums of the contract, the table of error codes, and the data for the specification's
 * examples. This keeps the document in step with what the service answers.
 */
export function buildRegistry(checks: readonly Check[]): string {
  return [
    HEAD,
    enumOf('Pillar', 'What part of agent-readiness a check belongs to.', PILLARS, {
      variables: Object.values(PILLARS),
    }),
    enumOf('Result', 'What a check came to.', RESULTS),
    enumOf('ErrorType', 'The kind of defect that a FAIL proved.', errorTypesOf(checks)),
    enumOf('Trigger', 'Why the run was started.', TRIGGERS),
    judgedBy(checks),
    extension('x-error-types', Object.fromEntries(checks.map(({ id, errorTypes }) => [id, [...errorTypes]]))),
    checkIds(checks),
    errorCodes(),
    refusalExamples(),
    runExamples(checks),
  ].join('\n');
}

function checkIds(checks: readonly Check[]): string {
  const titles = Object.fromEntries(checks.map(({ id, title }) => [id, title]));
  const failures = checks.map(({ id, errorTypes }) => `- \`${id}\`: ${errorTypes.join(', ')}`).join('\n');
  return enumOf('CheckId', 'The id of a check.', titles, {
    more: ['Its FAIL has one of these error types:', failures],
  });
}

/** The error types that checks declare, in vocabulary order: exactly those that results can contain (contract, "Finding"). */
function errorTypesOf(checks: readonly Check[]): Record<string, string> {
  const declared = new Set<string>(checks.flatMap(({ errorTypes }) => errorTypes));
  return Object.fromEntries(Object.entries(ERROR_TYPES).filter(([errorType]) => declared.has(errorType)));
}

const HEAD = `// Generated from src by "make generate". Do not edit.
import "@typespec/openapi";

using TypeSpec.OpenAPI;

namespace AgentReadiness;
`;

/**
 * A closed enum. Generators look for member names and descriptions in different places. Two keys hold arrays in member order,
 * since a map there has crashed some generators; the third key holds the map that others read.
 */
function enumOf(
  name: string,
  about: string,
  members: Readonly<Record<string, string>>,
  { variables = Object.keys(members), more = [] }: { variables?: readonly string[]; more?: readonly string[] } = {},
): string {
  const ids = Object.keys(members);
  const list = ids.map((id) => `- \`${id}\`: ${members[id] ?? ''}`).join('\n');
  return [
    `@doc(${tspString([`${about}\n\n${list}`, ...more].join('\n\n'))})`,
    extension('x-enum-varnames', variables.map(variableName)),
    extension('x-enum-descriptions', Object.values(members)),
    extension('x-enumDescriptions', members),
    `enum ${name} {`,
    ...ids.map((id) => `  ${tspName(id)},`),
    '}',
    '',
  ].join('\n');
}

/**
 * Lists the error codes without making them a closed enum: a later version may add a code, and today's clients must still parse
 * it (they fall back to the status).
 */
function errorCodes(): string {
  const errors = documentedErrors();
  const rows = errors.map(({ code, statuses, message }) => `- \`${code}\` (${statuses}): ${message}`);
  const about = 'What went wrong, for programs. More codes may come; the status tells what to do about those.';
  return [
    `@@doc(ErrorDetails.code, ${tspString([about, '', ...rows].join('\n'))});`,
    `@@extension(ErrorDetails.code, "x-extensible-enum", ${tspValue(errors.map(({ code }) => code))});`,
    '',
  ].join('\n');
}

/** Lists the standards of each check, as an extension of the enum of check ids. */
function judgedBy(checks: readonly Check[]): string {
  const standards = checks.map(({ id, judgedBy: ids }) => [id, ids.map((one) => ({ ...STANDARDS[one] }))] as const);
  return extension('x-judged-by', Object.fromEntries(standards));
}

/** Example answers of every error, with the headers that the compiler requires; see HeaderExamples in spec/examples.tsp. */
function refusalExamples(): string {
  return namespaceOf(
    'RefusalExamples',
    Object.entries(ERRORS).map(([code, { status, message }]) => {
      const headers = headersOf(code as ErrorCode, status).map((name) => `...HeaderExamples.${name}`);
      const body = tspValue({ error: { code, message } });
      return [code, new TspCode(`#{ status: ${status}, ${headers.join(', ')}, body: ${body} }`)];
    }),
  );
}

/** Errors that come before the quota is counted, or may. */
const UNMETERED: readonly ErrorCode[] = ['plan_without_api', 'overloaded', 'internal_error'];

function headersOf(code: ErrorCode, status: number): string[] {
  const delayed = status === 429 || status === 503 ? ['delayed'] : [];
  if (status === 401) return ['traced', 'challenged'];
  if (UNMETERED.includes(code)) return ['traced', ...delayed];
  return ['traced', code === 'monthly_quota_exceeded' ? 'spent' : 'metered', ...delayed];
}

/** The findings of the runs that the specification shows, and the score that follows from them. */
function runExamples(checks: readonly Check[]): string {
  const findings = exampleFindings(checks);
  return namespaceOf('FindingExamples', [
    ['findings', findings.map(findingValue)],
    ['score', scoreOf(findings)],
    ['unreached', unreachedFindings(checks).map(findingValue)],
  ]);
}

function findingValue(finding: Finding): TspValue {
  const { checkId, pillar, result, errorType } = finding;
  const member = (enumName: string, value: string) => new TspCode(`${enumName}.${tspName(value)}`);
  return {
    ...finding,
    checkId: member('CheckId', checkId),
    pillar: pillar && member('Pillar', pillar),
    result: member('Result', result),
    errorType: errorType && member('ErrorType', errorType),
  };
}

function namespaceOf(name: string, constants: readonly (readonly [string, TspValue])[]): string {
  const lines = constants.map(([key, value]) => `  const ${tspName(key)} = ${tspValue(value)};`);
  return [`namespace ${name} {`, ...lines, '}', ''].join('\n');
}

function extension(key: string, value: TspValue): string {
  return `@extension(${tspString(key)}, ${tspValue(value)})`;
}

/** A member name that is valid in programming languages: `C-LLMS-01` → `C_LLMS_01`. */
function variableName(id: string): string {
  return id.replaceAll(/\W/g, '_').toUpperCase();
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
