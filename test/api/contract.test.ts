import t, { type Test } from 'tap';
import { contract } from '../../src/api/api.js';
import type { AnyOperation, ApiDocument, ApiState } from '../../src/api/operation.js';
import { createHttpApp } from '../../src/platform/http/app.js';
import { createServer, Lifecycle } from '../../src/platform/http/server.js';
import { TestClock } from '../support/accounts.js';
import { codeOf, type HttpAnswer, type HttpRequest, send } from '../support/http-client.js';
import { createTestLogger } from '../support/test-logger.js';

/** A document with one operation. */
function documentOf(operation: object): ApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: { '/things/{owner}': { get: { responses: { 200: { description: 'Things.' } }, ...operation } } },
  };
}

const parameter = (where: string, name: string, schema: object) => ({
  ...{ in: where, name, schema, required: where === 'path' },
});

const OWNER = parameter('path', 'owner', { type: 'string' });
const LIST = {
  operationId: 'listThings',
  parameters: [OWNER, parameter('header', 'X-Mode', { type: 'string', pattern: '^[a-z]+$' })],
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
  const operations = { listThings: noting, a: noting };
  app.use(await contract(deps, operations));
  const server = createServer({ handle: app.callback(), lifecycle, logger });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  return { calls, send: (path, options) => send(port, path, options) };
}

t.test('path and header are read as the document says', async (t) => {
  const { send, calls } = await bind(t, documentOf(LIST));
  const answer = await send('/things/%C3%A9ve?unknown=x', { headers: { 'X-Mode': 'fast' } });
  t.equal(answer.status, 200, answer.text);
  t.match(calls, [{ params: { owner: 'éve' }, headers: { 'x-mode': 'fast' } }]);
});

t.test('what the document does not allow is refused before the handler, by the error of the operation', async (t) => {
  for (const [operation, code] of [
    [{}, 'invalid_request'],
    [{ invalid: 'invalid_run_number' }, 'invalid_run_number'],
  ] as const) {
    const { send, calls } = await bind(t, documentOf(LIST), operation);
    const answer = await send('/things/x', { headers: { 'X-Mode': 'FAST' } });
    t.equal(answer.status, 400);
    t.equal(codeOf(answer), code);
    t.strictSame(calls, []);
  }
});

t.test('a document that asks for what nothing reads is refused at the start', async (t) => {
  const rows: [why: RegExp, operation: object][] = [
    [/no operationId/, { parameters: [OWNER] }],
    [
      /parameter x is of the type number/,
      { operationId: 'a', parameters: [parameter('path', 'x', { type: 'number' })] },
    ],
    [/parameter x is in the query/, { operationId: 'a', parameters: [parameter('query', 'x', { type: 'string' })] }],
    [/parameter x is in the cookie/, { operationId: 'a', parameters: [parameter('cookie', 'x', { type: 'string' })] }],
    [/has a body/, { operationId: 'a', requestBody: { content: { 'application/json': {} } } }],
    [/asks for OAuth/, { operationId: 'a', security: [{ OAuth: [] }] }],
    [/asks for ApiKey,OAuth/, { operationId: 'a', security: [{ ApiKey: [], OAuth: [] }] }],
  ];
  for (const [why, operation] of rows) {
    await t.rejects(bind(t, documentOf(operation)), { message: why }, String(why));
  }
});
