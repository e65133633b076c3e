import t from 'tap';
import { ERRORS, type ErrorCode } from '../../src/platform/errors.js';
import type { OperationId } from '../../src/api/operation.js';
import {
  CONTRACT_OPERATIONS,
  DOCUMENT,
  faultsOf,
  type Operation,
  OPERATIONS,
  operationOf,
} from '../support/contract.js';
import type { RunResponse } from '../../src/app/runs/run.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { RESULTS } from '../../src/scanner/verdict/vocabulary.js';
import { STANDARDS } from '../../src/scanner/verdict/standards.js';
import { FROZEN_CHECK_IDS, FROZEN_PRODUCERS } from './frozen.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly description?: string;
  readonly [extension: `x-${string}`]: unknown;
}

const SCHEMAS = DOCUMENT.components?.schemas as unknown as Readonly<Record<string, Schema>>;

t.test('versions and server', async (t) => {
  t.equal(DOCUMENT.openapi, '3.1.0');
  t.equal(DOCUMENT.info.version, '1.0.0', 'whatever the version of the package');
  t.strictSame(DOCUMENT.servers, [{ url: '/' }], 'the served document has the address of its service');
});

t.test('the operations of the contract are there, and every operation is described', async (t) => {
  const found = CONTRACT_OPERATIONS.map(({ path, method, object }) => `${object.operationId}: ${method} ${path}`);
  t.strictSame(found.sort(), [
    'createRun: POST /api/v1/sites/{siteId}/runs',
    'description: GET /api/v1/openapi.json',
    'getLatestRun: GET /api/v1/sites/{siteId}/runs/latest',
    'getRun: GET /api/v1/sites/{siteId}/runs/{number}',
  ]);
  for (const { object } of CONTRACT_OPERATIONS) {
    t.notOk('requestBody' in object, `${object.operationId} takes no body`);
  }
  for (const { object } of OPERATIONS) {
    t.ok(object.summary && object.description && object.tags.length === 1, `${object.operationId} is described`);
  }
});

t.test('parameters', async (t) => {
  const parametersOf = (operationId: OperationId) =>
    operationOf(operationId).parameters.map(({ name, in: place, required, schema }) => ({
      ...{ name, in: place, required, schema },
    }));
  const siteId = { name: 'siteId', in: 'path', required: true, schema: { type: 'string' } };
  const digits = { type: 'integer', format: 'int64', minimum: 1 };
  const number = { name: 'number', in: 'path', required: true, schema: digits };
  const ifNoneMatch = { name: 'If-None-Match', in: 'header', required: false, schema: { type: 'string' } };
  const retry = { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string' } };
  const label = { ...retry, name: 'X-Run-Label' };
  t.strictSame(parametersOf('createRun'), [siteId, retry, label]);
  t.strictSame(parametersOf('getLatestRun'), [siteId, ifNoneMatch]);
  t.strictSame(parametersOf('getRun'), [siteId, number, ifNoneMatch]);
  t.strictSame(parametersOf('description'), [ifNoneMatch]);
});

t.test('every parameter has an example, every integer a format and a minimum, every list a maximum', async (t) => {
  for (const { object } of OPERATIONS)
    for (const parameter of object.parameters) t.ok('example' in parameter, `${object.operationId} ${parameter.name}`);
  const bare = JSON.stringify(DOCUMENT).match(/"type":(?:"integer"|\["integer","null"\])(?!,"format":"int(?:32|64)")/g);
  t.equal(bare, null);
  const unbounded: string[] = [];
  JSON.stringify(DOCUMENT, (key, value: unknown) => {
    const { type, minimum, maxItems } = (value ?? {}) as { type?: unknown; minimum?: unknown; maxItems?: unknown };
    const types = [type].flat();
    if (types.includes('integer') && minimum === undefined) unbounded.push(`${key}: minimum`);
    if (types.includes('array') && maxItems === undefined) unbounded.push(`${key}: maxItems`);
    return value;
  });
  t.strictSame(unbounded, []);
});

t.test('a new run links to the operations that read it', async (t) => {
  t.match(operationOf('createRun').responses[201]!.links, {
    readRun: {
      operationId: 'getRun',
      parameters: { siteId: '$response.body#/site/id', number: '$response.body#/run/number' },
    },
    readLatestRun: { operationId: 'getLatestRun', parameters: { siteId: '$response.body#/site/id' } },
  });
});

t.test('every operation but the description asks for a bearer key', async (t) => {
  t.match(DOCUMENT.components?.securitySchemes, { ApiKey: { type: 'http', scheme: 'bearer', bearerFormat: /^ars_/ } });
  t.strictSame(DOCUMENT.security, [{ ApiKey: [] }]);
  for (const { object } of OPERATIONS) {
    t.strictSame(object.security, object.operationId === 'description' ? [] : undefined, object.operationId);
  }
});

type Codes = Record<number, ErrorCode[] | null>;

const REFUSALS: Codes = {
  401: ['missing_api_key', 'invalid_api_key'],
  403: ['plan_without_api', 'site_not_owned'],
  429: ['monthly_quota_exceeded'],
  500: ['internal_error'],
  503: ['overloaded'],
};

/** The codes that each status of each operation can carry; null for an answer that is not an error. */
const STATUSES: Partial<Record<OperationId, Codes>> = {
  createRun: {
    ...REFUSALS,
    201: null,
    404: ['site_not_found'],
    409: ['domain_not_verified'],
    413: ['payload_too_large'],
    429: ['monthly_quota_exceeded', 'daily_runs_exceeded'],
  },
  getLatestRun: { ...REFUSALS, 200: null, 304: null, 404: ['site_not_found', 'no_completed_run'] },
  getRun: {
    ...REFUSALS,
    200: null,
    304: null,
    400: ['invalid_run_number'],
    404: ['site_not_found', 'run_not_found'],
  },
  description: { 200: null, 304: null, 500: ['internal_error'] },
};

t.test('statuses, their error codes and an example of each', async (t) => {
  for (const { object } of OPERATIONS) {
    const expected = STATUSES[object.operationId];
    if (expected) t.strictSame(Object.keys(object.responses), Object.keys(expected), object.operationId);
    for (const [status, { description, content }] of Object.entries(object.responses)) {
      const about = `${object.operationId} ${status}`;
      const codes = expected?.[Number(status)];
      t.equal(content === undefined, status === '304', `${about}: a body, but for 304`);
      const { schema = {}, examples: named = {} } = content?.['application/json'] ?? {};
      const examples = Object.entries(named);
      for (const [name, { value }] of examples) t.strictSame(faultsOf(schema, value), [], `${about} ${name}`);
      if (codes) {
        t.strictSame(examples.map(([name]) => name).sort(), [...codes].sort(), `${about}: an example of each code`);
        for (const code of codes) t.ok(description.includes(code), `${about} tells of ${code}`);
        for (const [code, { value }] of examples) {
          t.strictSame(value, { error: { code, message: ERRORS[code as ErrorCode].message } });
          t.equal(String(ERRORS[code as ErrorCode].status), status);
        }
      }
    }
  }
});

t.test('example runs are complete, and their scores follow from their findings', async (t) => {
  const runsOf = (operationId: OperationId, status: number) => {
    const { examples } = operationOf(operationId).responses[status]!.content!['application/json']!;
    return Object.values(examples).map(({ value }) => value as RunResponse);
  };
  const created = runsOf('createRun', 201);
  const runs = [...created, ...runsOf('getRun', 200)];
  for (const { run, findings } of runs) {
    t.strictSame(
      findings.map(({ checkId }) => checkId),
      CHECKS.map(({ id }) => id),
    );
    t.equal(run.score, scoreOf(findings as readonly Finding[]));
  }
  t.ok(runs.some(({ run }) => run.score === null));
  const results = created.flatMap(({ findings }) => findings.map(({ result }) => result));
  t.strictSame([...new Set(results)].sort(), Object.keys(RESULTS).sort());
  for (const { findings } of created) {
    for (const { result, fix } of findings) t.equal(fix !== null, result === 'FAIL');
  }
});

t.test('headers', async (t) => {
  const always = ['X-Request-Id?', 'Cache-Control?'];
  const metered = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit-Policy', 'RateLimit'];
  const optional = metered.map((name) => `${name}?`);
  const read = [...always, 'ETag', ...metered];
  const open = [...always, 'ETag', 'Access-Control-Allow-Origin?'];
  const HEADERS: Record<string, string[]> = {
    200: read,
    201: [...read, 'Location', 'Idempotent-Replayed?'],
    304: read,
    400: [...always, ...metered],
    401: [...always, 'WWW-Authenticate'],
    403: [...always, ...optional],
    404: [...always, ...metered],
    409: [...always, ...metered],
    413: [...always, ...metered],
    429: [...always, ...metered, 'Retry-After'],
    500: [...always, ...optional],
    503: [...always, ...optional, 'Retry-After'],
  };
  for (const { object } of OPERATIONS) {
    for (const [status, { headers = {} }] of Object.entries(object.responses)) {
      const found = Object.entries(headers).map(([name, { required }]) => (required ? name : `${name}?`));
      const expected = object.operationId !== 'description' ? HEADERS[status] : status === '500' ? always : open;
      t.strictSame(found.sort(), [...(expected ?? [])].sort(), `${object.operationId} ${status}`);
    }
  }
});

const FIELDS: Record<string, Record<string, object>> = {
  RunResponse: {
    site: { $ref: '#/components/schemas/Site' },
    run: { $ref: '#/components/schemas/Run' },
    findings: { type: 'array', items: { $ref: '#/components/schemas/Finding' } },
  },
  Site: { id: { type: 'string' }, hostname: { type: 'string' } },
  Run: {
    number: { type: 'integer', format: 'int64', minimum: 1 },
    reference: { type: 'string', pattern: '^CR-[0-9]{6}$' },
    score: { type: ['integer', 'null'], format: 'int32', minimum: 0, maximum: 100 },
    trigger: { $ref: '#/components/schemas/Trigger' },
    startedAt: { type: 'string', format: 'date-time' },
    finishedAt: { type: ['string', 'null'], format: 'date-time' },
  },
  Finding: {
    checkId: { $ref: '#/components/schemas/CheckId' },
    pillar: { anyOf: [{ $ref: '#/components/schemas/Pillar' }, { type: 'null' }] },
    scored: { type: 'boolean' },
    result: { $ref: '#/components/schemas/Result' },
    errorType: { anyOf: [{ $ref: '#/components/schemas/ErrorType' }, { type: 'null' }] },
    detail: { type: ['string', 'null'] },
    title: { type: ['string', 'null'] },
    explanation: { type: ['string', 'null'] },
    fix: { type: ['string', 'null'] },
  },
  Error: { error: { $ref: '#/components/schemas/ErrorDetails' } },
  ErrorDetails: { code: { type: 'string' }, message: { type: 'string' } },
};

t.test('the fields of the contract are all required; later ones are optional, and nothing is forbidden', async (t) => {
  for (const [name, fields] of Object.entries(FIELDS)) {
    const schema = SCHEMAS[name] ?? {};
    const found = Object.keys(schema.properties ?? {}).filter((field) => field in fields);
    t.strictSame(found, Object.keys(fields), name);
    t.strictSame(schema.required, Object.keys(fields), `${name}: these are required, and no others`);
    for (const [field, expected] of Object.entries(fields))
      t.match(schema.properties?.[field], expected, `${name}.${field}`);
  }
  const closed = JSON.stringify(DOCUMENT).match(/"(additional|unevaluated)Properties":false/g);
  t.equal(closed, null, 'fields can be added later');
});

t.test('enums', async (t) => {
  const ENUMS: Record<string, string[]> = {
    CheckId: FROZEN_CHECK_IDS,
    ErrorType: Object.keys(FROZEN_PRODUCERS),
    Pillar: ['A', 'B', 'C', 'D'],
    Result: ['PASS', 'FAIL', 'UNDETERMINED', 'NOT_APPLICABLE'],
    Trigger: ['MANUAL', 'SCHEDULED', 'POST_DEPLOY', 'API'],
  };
  for (const [name, members] of Object.entries(ENUMS)) {
    const schema = SCHEMAS[name] ?? {};
    t.strictSame(schema.enum, members, name);
    const descriptions = schema['x-enum-descriptions'] as string[];
    t.strictSame(
      schema['x-enum-varnames'],
      name === 'Pillar'
        ? ['DISCOVERY_SURFACE', 'ACCESS_POLICY', 'STRUCTURED_DATA', 'MACHINE_ENDPOINTS']
        : members.map((member) => member.replaceAll('-', '_')),
    );
    t.equal(descriptions.length, members.length);
    t.strictSame(
      schema['x-enumDescriptions'],
      Object.fromEntries(members.map((id, index) => [id, descriptions[index]])),
    );
    for (const text of descriptions) t.ok(schema.description?.includes(text), `${name} explains: ${text}`);
  }
});

t.test('the document names what judges each check', async (t) => {
  const judges = CHECKS.map(
    ({ id, judgedBy }) => [id, judgedBy.map((standard) => ({ ...STANDARDS[standard] }))] as const,
  );
  t.strictSame(SCHEMAS.CheckId?.['x-judged-by'], Object.fromEntries(judges));
});

t.test('the document names the error types of each check, for programs and in words', async (t) => {
  const { description = '', 'x-error-types': errorTypes } = SCHEMAS.CheckId ?? {};
  t.strictSame(errorTypes, Object.fromEntries(CHECKS.map((check) => [check.id, [...check.errorTypes]])));
  for (const check of CHECKS) t.ok(description.includes(`- \`${check.id}\`: ${check.errorTypes.join(', ')}`), check.id);
});

t.test('the document lists the error codes that answers can have, and no others', async (t) => {
  const schema = (SCHEMAS.ErrorDetails?.properties?.code ?? {}) as Schema;
  const listed = Object.keys(ERRORS);
  t.strictSame(schema['x-extensible-enum'], listed);
  for (const code of listed) {
    const { status, message } = ERRORS[code as ErrorCode];
    const statuses = code === 'bad_request' ? '400, 408, 413 or 431' : status;
    t.ok(schema.description?.includes(`\`${code}\` (${statuses}): ${message}`), code);
  }
  t.equal(schema.enum, undefined, 'a code may be added later');
});

t.test('each paragraph is one line', async (t) => {
  const texts = JSON.stringify(DOCUMENT).match(/"description":"(?:[^"\\]|\\.)*"/g) ?? [];
  t.ok(texts.length > 50);
  for (const text of texts) t.notMatch(text, /[^n]\\n(?!\\n|- )\w/, text.slice(0, 60));
});

t.test('nothing breaks client generators', async (t) => {
  const { components } = DOCUMENT as unknown as { components: Record<string, Record<string, unknown>> };
  t.notMatch(Object.keys(components.headers ?? {}).join(), 'if-known');
  for (const item of Object.values(DOCUMENT.paths ?? {})) {
    for (const { operationId, responses } of Object.values(item as Record<string, Operation['object']>))
      for (const [status, response] of Object.entries(responses))
        t.equal('$ref' in response, !status.startsWith('2'), `${operationId} ${status}`);
  }
  t.match(SCHEMAS.Error, { title: 'ErrorBody' });
  for (const name of ['DescriptionDocument', 'DescriptionInfo']) t.match(SCHEMAS[name], { additionalProperties: true });
  t.notOk(SCHEMAS.ErrorCode, 'a component that is a bare string becomes a class');
});

t.test('the introduction explains keys, quota, null scores and results', async (t) => {
  for (const about of [
    /Authorization: Bearer/,
    /shown once/,
    /monthly quota/,
    /UTC/,
    /5 runs per site/,
    /Retry-After/,
    /null score is not zero/i,
    /PASS/,
    /FAIL is a proven defect/,
    /UNDETERMINED means/,
    /NOT_APPLICABLE that the check does not apply/,
    /MONITOR/,
    /members to the enumerations CheckId and ErrorType/,
    /`Deprecation` and `Sunset` for at least 90 days/,
  ]) {
    t.match(DOCUMENT.info.description, about);
  }
});
