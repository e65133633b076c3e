import t, { type Test } from 'tap';
import { contract } from '../../src/api/api.js';
import type { AnyOperation, ApiDocument, ApiState } from '../../src/api/operation.js';
import { createHttpApp } from '../../src/platform/http/app.js';
import { createServer, Lifecycle } from '../../src/platform/http/server.js';
import { TestClock } from '../support/accounts.js';
import { codeOf, type HttpAnswer, type HttpRequest, send } from '../support/http-client.js';
import { createTestLogger } from '../support/test-logger.js';

/** A document with one operation of each kind that ours does not have: what the contract may ask for tomorrow. */
function documentOf(operation: object, path = '/things/{owner}', method = 'get'): ApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: { [path]: { [method]: { responses: { 200: { description: 'Things.' } }, ...operation } } },
  };
}

const parameter = (where: string, name: string, schema: object, more: object = {}) => ({
  ...{ in: where, name, schema, required: where === 'path' },
  ...more,
});

const LIST = {
  operationId: 'listThings',
  parameters: [
    parameter('path', 'owner', { type: 'string' }),
    parameter('query', 'kind', { type: 'string', enum: ['a', 'b'] }, { required: true }),
    parameter('query', 'limit', { type: 'integer', minimum: 0, maximum: 100 }),
    parameter('query', 'isNew', { type: 'boolean' }),
    parameter('query', 'ids', { type: 'array', items: { type: 'integer' } }),
    parameter('query', 'tags', { type: 'array', items: { type: 'string' } }, { explode: false }),
    parameter('query', 'text', { type: 'string' }, { explode: false }),
    parameter('header', 'X-Mode', { type: 'string', pattern: '^[a-z]+$' }),
  ],
};

const CREATE = {
  operationId: 'createThing',
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } },
      },
    },
  },
};

interface Bound {
  send(path: string, options?: HttpRequest): Promise<HttpAnswer>;
  /** What the handler was called with, one a call. */
  readonly calls: Record<string, unknown>[];
}

/** The document's operation over a handler that notes what it is called with. */
async function bind(t: Test, document: ApiDocument, operation: Partial<AnyOperation> = {}): Promise<Bound> {
  const calls: Record<string, unknown>[] = [];
  const noting: AnyOperation = {
    handle: (call) => {
      calls.push(call);
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('{}') });
    },
    ...operation,
  };
  const lifecycle = new Lifecycle();
  const { logger } = createTestLogger();
  const app = createHttpApp<ApiState>({ name: 'api', logger, lifecycle, initialState: { admission: null } });
  const never = () => Promise.reject(new Error('not called'));
  const deps = {
    ...{ document, lifecycle, publicUrl: 'https://things.test', access: { admit: never }, clock: new TestClock() },
    runs: { start: never, latest: never, byNumber: never, ask: () => undefined, close: () => undefined },
  };
  const operations = { listThings: noting, createThing: noting, a: noting };
  app.use(await contract(deps, operations));
  const server = createServer({ handle: app.callback(), lifecycle, logger });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  return { calls, send: (path, options) => send(port, path, options) };
}

t.test('path, query and header are read as the document says', async (t) => {
  const { send, calls } = await bind(t, documentOf(LIST));
  const answer = await send('/things/%C3%A9ve?kind=a&limit=20&isNew=true&ids=1&ids=2&tags=a,b&text=a,b&unknown=x', {
    headers: { 'X-Mode': 'fast' },
  });
  t.equal(answer.status, 200, answer.text);
  t.match(calls, [
    {
      params: { owner: 'éve' },
      query: { kind: 'a', limit: 20, isNew: true, ids: [1, 2], tags: ['a', 'b'], text: 'a,b' },
      headers: { 'x-mode': 'fast' },
      body: undefined,
    },
  ]);
  t.notOk('unknown' in (calls[0]?.query as object), 'what the document does not name is ignored');
  t.equal((await send('/things/x?kind=b&ids=7')).status, 200);
  t.strictSame(calls[1]?.query, { kind: 'b', ids: [7] }, 'one value is a list, too');
});

t.test('what the document does not allow is refused before the handler', async (t) => {
  const { send, calls } = await bind(t, documentOf(LIST));
  const bad: [query: string, headers?: HttpRequest['headers']][] = [
    [''],
    ['?'],
    ['?limit=3'],
    ['?kind=c'],
    ['?kind='],
    ['?kind=a&kind=b'],
    ['?kind[x]=a'],
    ['?kind=a&limit=101'],
    ['?kind=a&limit=-1'],
    ['?kind=a&limit=1e1'],
    ['?kind=a&limit=0x10'],
    ['?kind=a&limit=%2B7'],
    ['?kind=a&limit=007'],
    ['?kind=a&limit='],
    ['?kind=a&isNew=1'],
    ['?kind=a&text=1&text=2'],
    ['?kind=a&ids=1&ids=x'],
    ['?kind=a', { 'X-Mode': 'FAST' }],
  ];
  for (const [query, headers = {}] of bad) {
    const answer = await send(`/things/x${query}`, { headers });
    t.equal(answer.status, 400, query);
    t.equal(codeOf(answer), 'invalid_request', query);
  }
  t.strictSame(calls, []);
});

t.test('an operation names the error of its own parameters', async (t) => {
  const { send } = await bind(t, documentOf(LIST), { invalid: 'invalid_run_number' });
  t.equal(codeOf(await send('/things/x')), 'invalid_run_number');
});

t.test('a body is read where the document has one', async (t) => {
  const { send, calls } = await bind(t, documentOf(CREATE, '/things', 'post'));
  const post = (body: string) =>
    send('/things', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } });
  t.equal((await post('{"name":"a"}')).status, 200);
  t.match(calls, [{ body: { name: 'a' } }]);
  for (const body of ['', '{', '[]', '"a"', '7', 'null', '{}', '{"name":""}', '{"name":7}']) {
    const answer = await post(body);
    t.equal(answer.status, 400, body);
    t.equal(codeOf(answer), 'invalid_request', body);
  }
  t.equal((await send('/things', { method: 'POST' })).status, 400, 'none at all');
  t.equal((await post(JSON.stringify({ name: 'x'.repeat(65_536) }))).status, 413);
  t.equal(calls.length, 1);
});

t.test('a document that asks for what nothing reads is refused at the start', async (t) => {
  const query = (schema: object, more: object = {}) => ({
    operationId: 'listThings',
    parameters: [parameter('query', 'x', schema, more)],
  });
  const rows: [why: RegExp, operation: object][] = [
    [/no operationId/, { parameters: [] }],
    [/parameter x is of the type number/, query({ type: 'number' })],
    [/parameter x is of the type object/, query({ type: 'object' })],
    [/parameter x is of the type undefined/, query({ anyOf: [{ type: 'string' }, { type: 'integer' }] })],
    [/parameter x is of the type number/, query({ type: 'array', items: { type: 'number' } })],
    [/parameter x has a media type/, query({}, { content: { 'application/json': { schema: {} } } })],
    [/parameter x is a cookie/, { operationId: 'a', parameters: [parameter('cookie', 'x', { type: 'string' })] }],
    [/body is text\/plain/, { operationId: 'a', requestBody: { content: { 'text/plain': {} } } }],
    [/asks for OAuth/, { operationId: 'a', security: [{ OAuth: [] }] }],
    [/asks for ApiKey,OAuth/, { operationId: 'a', security: [{ ApiKey: [], OAuth: [] }] }],
  ];
  for (const [why, operation] of rows) {
    await t.rejects(bind(t, documentOf(operation, '/things')), { message: why }, String(why));
  }
});
