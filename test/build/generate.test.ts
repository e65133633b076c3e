import t from 'tap';
import { compileSpec } from '../../src/build/compile-spec.js';
import {
  assertRefusals,
  relocate,
  shareAnswers,
  shareExamples,
  tidyDocument,
} from '../../src/build/finish-document.js';
import { buildRegistry } from '../../src/build/registry.js';
import { TspCode, tspName, tspString, tspValue } from '../../src/build/tsp-source.js';
import { CHECKS } from '../../src/scanner/checks/index.js';

t.test('the document is tidied', async (t) => {
  const cases: [about: string, from: Parameters<typeof tidyDocument>[0], to: unknown][] = [
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
  for (const [about, from, to] of cases) t.strictSame(tidyDocument(from), to ?? from, about);
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

t.test('examples of successes are described once, by their title', async (t) => {
  const answering = (...examples: Record<string, object>[]) => ({
    paths: Object.fromEntries(
      examples.map((some, index) => [
        `/${index}`,
        {
          get: {
            responses: {
              200: { content: { json: { examples: some } } },
              404: { content: { json: { examples: { no: {} } } } },
            },
          },
        },
      ]),
    ),
    components: {},
  });
  const run = { value: 1 };
  const shared = shareExamples(answering({ completed_run: run }, { completed_run: run, old: { value: 2 } }));
  t.match(shared.components, { examples: { CompletedRun: run, Old: { value: 2 } } });
  t.match(shared.paths['/1'], {
    get: {
      responses: { 200: { content: { json: { examples: { completed_run: refTo('examples', 'CompletedRun') } } } } },
    },
  });
  t.match(shared.paths['/1'], { get: { responses: { 404: { content: { json: { examples: { no: {} } } } } } } });
  t.throws(() => shareExamples(answering({ a: run }, { a: { value: 3 } })), /two examples "a", and not alike/);
});

const TEXT = { type: 'string', description: 'any text' };

t.test('an operation that can be called wrongly must declare 400', async (t) => {
  const assertOf = (operation: object, status = '200') =>
    assertRefusals({
      paths: { '/x': { get: { operationId: 'getRun', ...operation, responses: { [status]: {} } } } },
      components: { parameters: { Number: { name: 'number', in: 'path', schema: { type: 'integer' } } } },
    });
  const cases: [about: string, operation: object, needed: string | null][] = [
    ['nothing to send', {}, null],
    ['a plain string in the path', { parameters: [{ name: 'id', in: 'path', required: true, schema: TEXT }] }, null],
    ['an optional plain header', { parameters: [{ name: 'If-None-Match', in: 'header', schema: TEXT }] }, null],
    [
      'a required query',
      { parameters: [{ name: 'q', in: 'query', required: true, schema: TEXT }] },
      'the query parameter q',
    ],
    [
      'a required header',
      { parameters: [{ name: 'h', in: 'header', required: true, schema: TEXT }] },
      'the header parameter h',
    ],
    [
      'a required cookie',
      { parameters: [{ name: 'c', in: 'cookie', required: true, schema: TEXT }] },
      'the cookie parameter c',
    ],
    [
      'a pattern',
      { parameters: [{ name: 'q', in: 'query', schema: { ...TEXT, pattern: 'a' } }] },
      'the query parameter q',
    ],
    ['a choice', { parameters: [{ name: 'q', in: 'query', schema: { $ref: '#/x' } }] }, 'the query parameter q'],
    [
      'a number of the components',
      { parameters: [{ $ref: '#/components/parameters/Number' }] },
      'the path parameter number',
    ],
    ['a required body', { requestBody: { required: true } }, 'a required body'],
    ['an optional body', { requestBody: {} }, null],
  ];
  for (const [about, operation, needed] of cases) {
    if (needed === null) t.doesNotThrow(() => assertOf(operation), about);
    else t.throws(() => assertOf(operation), { message: new RegExp(`^getRun has ${needed}, so it needs`) }, about);
    t.doesNotThrow(() => assertOf(operation, '400'), `${about}, refused`);
  }
});

t.test('values are written as TypeSpec reads them', async (t) => {
  t.equal(tspString('a "b" \\ ${c}\n'), '"a \\"b\\" \\\\ \\${c}\\n"');
  t.equal(tspName('plain_1'), 'plain_1');
  t.equal(tspName('C-LLMS-01'), '`C-LLMS-01`');
  t.equal(tspName('null'), '`null`');
  t.equal(
    tspValue({ 'a-b': [1, null, true, 'x'], c: new TspCode('D.E') }),
    '#{ `a-b`: #[1, null, true, "x"], c: D.E }',
  );
});

t.test('the texts of the checks reach the document unharmed', async (t) => {
  const text = 'Quotes " and `, a backslash \\, ${x}, an at @sign, */ and\nlines – in “UTF-8”.';
  const [first, ...rest] = CHECKS;
  const registry = buildRegistry([{ ...first, title: text, explanation: text }, ...rest]);
  const document = JSON.parse((await compileSpec(registry))['3.1.0']) as {
    components: { schemas: { CheckId: Record<string, string[]> } };
  };
  t.equal(document.components.schemas.CheckId['x-enum-descriptions']?.[0], text);
  t.ok(JSON.stringify(document).includes(JSON.stringify({ explanation: text }).slice(1, -1)), 'in an example');
});

t.test('a fault of the specification stops the build', async (t) => {
  await t.rejects(compileSpec('namespace AgentReadiness; enum Pillar { A }'), /error/);
});

t.test('what is wrong with the specification is told in a line each', async (t) => {
  const registry = buildRegistry(CHECKS).replaceAll(/ explanation: "(?:[^"\\]|\\.)*",/g, '');
  const lines = await compileSpec(registry).then(
    () => [],
    (error: unknown) => (error as Error).message.split('\n'),
  );
  t.ok(lines.length > 0);
  t.match(lines[0], /^spec\/examples\.tsp:\d+:\d+ - error unassignable: /);
  for (const line of lines) t.ok(line.length <= 162 && line.startsWith('spec/'), line);
});

t.test('the error types of the document are those that the checks declare', async (t) => {
  const withoutMime = CHECKS.map((check) => ({
    ...check,
    errorTypes: check.errorTypes.filter((type) => type !== 'WRONG_MIME'),
  }));
  t.match(buildRegistry(CHECKS), /^ {2}WRONG_MIME,$/m);
  t.notMatch(buildRegistry(withoutMime), 'WRONG_MIME');
});
