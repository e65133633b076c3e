import { relative } from 'node:path';
import t from 'tap';
import { compileSpec } from '../../src/build/compile-spec.js';
import { finishDocument, parseTidily, relocate, shareAnswers } from '../../src/build/finish-document.js';
import { addRegistry } from '../../src/build/registry.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import type { Check } from '../../src/scanner/verdict/check.js';

t.test('the document is tidied', async (t) => {
  const cases: [about: string, from: object, to: unknown][] = [
    [
      'a nullable scalar is a list of types and keeps its bounds and description',
      { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }], description: 'x' },
      { type: ['integer', 'null'], minimum: 0, description: 'x' },
    ],
    ['a nullable enum keeps its reference', { anyOf: [{ $ref: '#/x' }, { type: 'null' }] }, undefined],
    ['another choice stays', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, undefined],
    ['a scheme is in lower case', { a: { scheme: 'Bearer' } }, { a: { scheme: 'bearer' } }],
    ['no key', { security: [{}] }, { security: [] }],
    ['a key, or none, stays', { security: [{}, { k: [] }] }, undefined],
    ['no variables', { servers: [{ url: '/', variables: {} }] }, { servers: [{ url: '/' }] }],
    [
      'a paragraph is a line, and headings, items and paragraphs stay apart',
      { description: '# A\nb\nc\n\n- d\ne\n- f\n\ng' },
      { description: '# A\nb c\n\n- d e\n- f\n\ng' },
    ],
    ['an example may have line ends', { value: { text: 'a\nb' } }, undefined],
    ['what else is empty stays', { responses: {}, variables: { a: {} } }, undefined],
    ['within lists too', [[{ scheme: 'Bearer' }]], [[{ scheme: 'bearer' }]]],
  ];
  for (const [about, from, to] of cases) t.strictSame(parseTidily(JSON.stringify(from)), to ?? from, about);
});

const SURE = { required: true, schema: {} };
const PERHAPS = { required: false, schema: {} };
const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** A document of one operation with these headers, one for each answer. */
function documentOf(...headers: Record<string, object>[]) {
  const responses = Object.fromEntries(headers.map((some, index) => [String(200 + index), { headers: some }]));
  return { paths: { '/x': { get: { operationId: 'getRun', responses } } }, components: {} };
}

t.test('a header of several answers is described once, but inside an answer that may lack it', async (t) => {
  const X = refTo('headers', 'X');
  t.match(shareAnswers(documentOf({ X: SURE }, { X: PERHAPS }, { X: SURE })), {
    ...documentOf({ X }, { X: PERHAPS }, { X }),
    components: { headers: { X: SURE } },
  });
  t.match(shareAnswers(documentOf({ X: PERHAPS }, { X: PERHAPS })), documentOf({ X }, { X }), 'all may lack it');
  t.match(shareAnswers(documentOf({ X: PERHAPS })), documentOf({ X: PERHAPS }), 'one answer has it');
  const other = { required: true, schema: { type: 'string' } };
  t.throws(() => shareAnswers(documentOf({ X: SURE }, { X: other })), /header X is described twice, and not alike/);
});

t.test('refusals are described once and have names', async (t) => {
  const refusing = (answers: Record<string, Record<string, object>>) => ({
    paths: Object.fromEntries(
      Object.entries(answers).map(([operationId, responses]) => [
        `/${operationId}`,
        { get: { operationId, responses } },
      ]),
    ),
    components: {},
  });
  const answer = { description: 'no' };
  const shared = shareAnswers(
    refusing({ createRun: { 201: answer, 401: answer }, getRun: { 401: answer, 404: answer } }),
  );
  t.match(shared.paths, {
    '/createRun': { get: { responses: { 201: answer, 401: refTo('responses', 'Unauthorized') } } },
    '/getRun': {
      get: { responses: { 401: refTo('responses', 'Unauthorized'), 404: refTo('responses', 'RunNotFound') } },
    },
  });
  t.strictSame(shared.components.responses, { Unauthorized: answer, RunNotFound: answer });
  t.throws(() => shareAnswers(refusing({ getRun: { 418: answer } })), /getRun 418 needs a name/);
  t.throws(
    () => shareAnswers(refusing({ createRun: { 401: answer }, getRun: { 401: { description: 'never' } } })),
    /answer Unauthorized \(getRun 401\) is described twice/,
  );
});

t.test('what TypeSpec writes at an operation gets where OpenAPI has it', async (t) => {
  const links = { readRun: { operationId: 'getRun' } };
  const withLinks = (responses: Record<string, object>) => ({
    openapi: '3.1.0',
    paths: { '/x': { post: { operationId: 'createRun', responses, 'x-links': links } } },
    components: {},
  });
  t.strictSame(relocate(withLinks({ 201: { description: 'made' }, 401: {} })).paths, {
    '/x': { post: { operationId: 'createRun', responses: { 201: { description: 'made', links }, 401: {} } } },
  });
  t.throws(() => relocate(withLinks({ 401: {} })), /createRun has links, and no success/);

  const schemaOf = (name: string): object => ({ schema: refTo('schemas', name) });
  const withHook = (openapi: string) => ({
    openapi,
    paths: {
      '/x': { get: { operationId: 'getRun', responses: { 200: schemaOf('Run') } } },
      '/changed': { post: { operationId: 'changed', responses: { 200: schemaOf('Change') }, 'x-webhook': 'changed' } },
    },
    components: {
      schemas: {
        Run: {},
        Change: { items: refTo('schemas', 'Kind'), run: refTo('schemas', 'Run') },
        Kind: { kind: 'any' },
      },
    },
  });
  const moved = relocate(withHook('3.1.0'));
  t.strictSame(Object.keys(moved.paths), ['/x']);
  const change = { schema: { items: { kind: 'any' }, run: refTo('schemas', 'Run') } };
  t.strictSame('webhooks' in moved && moved.webhooks, {
    changed: { post: { operationId: 'changed', responses: { 200: change } } },
  });
  t.strictSame(moved.components, { schemas: { Run: {} } }, 'what webhooks alone use stands within them');
  const older = relocate(withHook('3.0.0'));
  t.strictSame(Object.keys(older.paths), ['/x']);
  t.notOk('webhooks' in older);
  t.strictSame(older.components, { schemas: { Run: {} } }, 'nor what they alone use');
});

t.test('a success shows its examples, and a refusal those of the codes that it names', async (t) => {
  const newContent = () => ({ 'application/json': {} });
  const document = {
    paths: {
      '/x': {
        get: {
          operationId: 'getLatestRun',
          responses: {
            200: { content: newContent() },
            404: { description: 'There is no site (site_not_found).', content: newContent() },
          },
        },
      },
    },
    components: { schemas: { ErrorDetails: { properties: { code: {} } } } },
  };
  const { paths, components } = addRegistry(document, CHECKS);
  const { responses = {} } = paths['/x']?.get ?? {};
  t.strictSame(responses[200]?.content?.['application/json']?.examples, {
    completed_run: refTo('examples', 'CompletedRun'),
  });
  t.match(components.examples?.CompletedRun, { summary: 'completed_run', value: { run: { trigger: 'API' } } });
  const examples = responses[404]?.content?.['application/json']?.examples;
  t.match(examples, { site_not_found: { value: { error: { code: 'site_not_found' } } } });
  t.same(Object.keys(examples ?? {}), ['site_not_found']);
});

interface Compiled {
  readonly components: { readonly schemas: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> };
}

const compiled = compileSpec().then((documents) => documents['3.1.0']);

t.test('the texts of the checks reach the document unharmed', async (t) => {
  const text = 'Quotes " and `, a backslash \\, ${x}, an at @sign, */ and\nlines – in “UTF-8”.';
  const [first, ...rest] = CHECKS;
  const finished = finishDocument(await compiled, [{ ...first, title: text, explanation: text }, ...rest]);
  const document = JSON.parse(finished) as Compiled;
  t.equal(document.components.schemas.CheckId?.['x-enum-descriptions']?.[0], text);
  t.ok(finished.includes(JSON.stringify({ explanation: text }).slice(2, -1).replace('":', '": ')), 'in an example');
});

t.test('a wrong specification', async (t) => {
  const folder = relative(
    process.cwd(),
    t.testdir({ 'main.tsp': `model A {\n  a: Missing;\n  b: ${'x'.repeat(300)};\n}\n` }),
  );
  const lines = await compileSpec(`${folder}/main.tsp`).then(
    () => [],
    (error: unknown) => (error as Error).message.split('\n'),
  );
  t.equal(lines.length, 2);
  t.match(lines[0], /main\.tsp:2:\d+ - error invalid-ref: /);
  for (const line of lines) t.ok(line.length <= 162, line);
});

t.test('the error types of the document are those that the checks declare', async (t) => {
  const withoutMime = CHECKS.map((check) => ({
    ...check,
    errorTypes: check.errorTypes.filter((type) => type !== 'WRONG_MIME'),
  }));
  const errorTypesOf = async (checks: readonly Check[]) =>
    (JSON.parse(finishDocument(await compiled, checks)) as Compiled).components.schemas.ErrorType?.enum;
  t.ok((await errorTypesOf(CHECKS))?.includes('WRONG_MIME'));
  t.notOk((await errorTypesOf(withoutMime))?.includes('WRONG_MIME'));
});
