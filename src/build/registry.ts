import type { Check } from '../scanner/verdict/check.js';
import { documentedErrors, ERRORS } from '../platform/errors.js';
import { TRIGGERS } from '../app/runs/run.js';
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
    errorExamples(),
    checkExamples(checks),
  ].join('\n');
}

/** The ids of the checks, with the error types of each. */
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

/** Decorates the enum of check ids: what each is judged by, in which revision. */
function judgedBy(checks: readonly Check[]): string {
  const standards = checks.map(({ id, judgedBy: ids }) => [id, ids.map((one) => ({ ...STANDARDS[one] }))] as const);
  return extension('x-judged-by', Object.fromEntries(standards));
}

function errorExamples(): string {
  return namespaceOf(
    'ErrorExamples',
    Object.entries(ERRORS).map(([code, { message }]) => [code, { error: { code, message } }]),
  );
}

/**
 * The fields of a finding that come from the registry, for the examples to spread in the order of the contract: what stands before
 * its result, and the texts behind it, with the fix of its failure where it failed.
 */
function checkExamples(checks: readonly Check[]): string {
  const examples = checks.map(({ id, pillar, scored, title, explanation, errorTypes, failures }) => {
    const judged = {
      checkId: new TspCode(`CheckId.${tspName(id)}`),
      pillar: pillar === null ? null : new TspCode(`Pillar.${pillar}`),
      scored,
    };
    const textsWith = (fix: string | null): TspValue => ({ title, explanation, fix });
    return namespaceOf(variableName(id), [
      ['judged', judged],
      ['texts', textsWith(null)],
      ...errorTypes.map((errorType) => [errorType, textsWith(failures[errorType]?.fix ?? null)] as const),
    ]);
  });
  const passed = checks.map(({ id }) => {
    const name = variableName(id);
    return `#{ ...${name}.judged, result: Result.PASS, errorType: null, detail: null, ...${name}.texts }`;
  });
  const all = `const passed = #[\n${passed.join(',\n')}\n];`;
  return ['namespace CheckExamples {', ...examples, all, '}', ''].join('\n');
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
