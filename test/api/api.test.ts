import t from 'tap';
import { ServiceError } from '../../src/platform/errors.js';
import { codeOf, type HttpRequest } from '../support/http-client.js';
import { expectContract } from '../support/contract.js';
import { PUBLIC_URL } from '../support/services.js';
import { GOOD, RUN, SITE_ID, startFakeApi } from '../support/api.js';

const RUNS = `/api/v1/sites/${SITE_ID}/runs`;
const LATEST = `${RUNS}/latest`;
const DESCRIPTION = '/api/v1/openapi.json';

t.test('a run is sent byte for byte as it was stored', async (t) => {
  const api = await startFakeApi(t);
  const created = await api.send(RUNS, { method: 'POST', headers: GOOD });
  expectContract(t, 'createRun', created);
  t.equal(created.status, 201);
  t.equal(created.headers.location, `${PUBLIC_URL}${RUNS}/3`);
  const latest = await api.send(LATEST, { headers: GOOD });
  expectContract(t, 'getLatestRun', latest);
  const byNumber = await api.send(`${RUNS}/3`, { headers: GOOD });
  expectContract(t, 'getRun', byNumber);
  for (const answer of [created, latest, byNumber]) {
    t.equal(answer.text, Buffer.from(RUN.body).toString());
    t.equal(answer.headers.etag, RUN.etag);
    t.equal(answer.headers['cache-control'], 'private, no-cache');
  }
  t.equal(api.charges(), 3);
});

t.test('the operation gets the account, the site and the number', async (t) => {
  const asked: unknown[] = [];
  const note = (request: unknown) => (asked.push(request), Promise.resolve(RUN));
  const api = await startFakeApi(t, { runs: { start: note, read: note } });
  await api.send(RUNS, { method: 'POST', headers: GOOD });
  await api.send(LATEST, { headers: GOOD });
  await api.send(`${RUNS}/%31%32`, { headers: GOOD });
  t.strictSame(asked, [
    { accountId: 'acc_a', siteId: SITE_ID, trigger: 'API' },
    { accountId: 'acc_a', siteId: SITE_ID },
    { accountId: 'acc_a', siteId: SITE_ID, number: 12 },
  ]);
});

t.test('routes', async (t) => {
  const api = await startFakeApi(t, {
    runs: {
      async read({ number }) {
        if (number === undefined) throw new ServiceError('no_completed_run');
        return RUN;
      },
    },
  });
  const rows: [method: string, path: string, status: number, code?: string | undefined, allow?: string][] = [
    ['GET', '/', 404, 'not_found'],
    ['GET', '/api/v1', 404, 'not_found'],
    ['GET', '/API/v1/openapi.json', 404, 'not_found'],
    ['GET', `${DESCRIPTION}/`, 404, 'not_found'],
    ['GET', `/${DESCRIPTION}`, 404, 'not_found'],
    ['GET', '/api/v1/../v1/openapi.json', 404, 'not_found'],
    ['GET', '/api/v1/openapiXjson', 404, 'not_found'],
    ['GET', '/api/v1/openapi%2Ejson', 200],
    ['GET', `${DESCRIPTION}?x=1&x=2&__proto__=3`, 200],
    ['GET', `${DESCRIPTION}?%zz`, 200],
    ['GET', 'http://elsewhere.test/api/v1/openapi.json', 200],
    ['POST', DESCRIPTION, 405, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
    ['GET', RUNS, 405, 'method_not_allowed', 'POST, OPTIONS'],
    ['HEAD', RUNS, 405, undefined, 'POST, OPTIONS'],
    ['DELETE', `${RUNS}/3`, 405, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
    ['POST', LATEST, 405, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', LATEST, 405, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
    ['GET', LATEST, 404, 'no_completed_run'],
    ['GET', `${RUNS}/%6Catest`, 404, 'no_completed_run'],
    ['GET', `${RUNS}/3`, 200],
    ['GET', `${RUNS}/3?unknown=1`, 200],
    ['HEAD', `${RUNS}/3`, 200],
    ['GET', `${RUNS}/3/`, 404, 'not_found'],
    ['GET', `${RUNS}/`, 404, 'not_found'],
    ['GET', `${RUNS}/%zz`, 404, 'not_found'],
    ['GET', '/api/v1/sites/%/runs/3', 404, 'not_found'],
    ['GET', '/api/v1/sites/%C3%28/runs/3', 404, 'not_found'],
    ['GET', '/api/v1/sites//runs/3', 404, 'not_found'],
    ['GET', '/api/v1/sites/{siteId}/runs/3', 200],
    ['OPTIONS', '/nowhere', 404, 'not_found'],
    ['OPTIONS', '*', 404, 'not_found'],
  ];
  for (const [method, path, status, code, allow] of rows) {
    const answer = await api.send(path, { method, headers: GOOD });
    t.equal(answer.status, status, `${method} ${path}`);
    if (code !== undefined) t.equal(codeOf(answer), code, `${method} ${path}`);
    if (allow !== undefined) t.equal(answer.headers.allow, allow, `${method} ${path}`);
    t.match(answer.headers, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
  }
});

t.test('run numbers are decimal digits without a leading zero', async (t) => {
  const numbers: number[] = [];
  const read = ({ number = 0 }: { number?: number | undefined }) => (numbers.push(number), Promise.resolve(RUN));
  const api = await startFakeApi(t, { runs: { read } });
  const bad = '0 01 +1 -1 1.0 1e3 0x1 %20 1%20 %2F1 １ abc 1,2 NaN %00 1%00'.split(' ');
  for (const text of bad) {
    const answer = await api.send(`${RUNS}/${encodeURI(decodeURI(text))}`, { headers: GOOD });
    expectContract(t, 'getRun', answer, text);
    t.equal(answer.status, 400, text);
    t.equal(codeOf(answer), 'invalid_run_number');
  }
  t.equal(api.charges(), bad.length, 'a refused request counts');
  for (const text of ['1', '%31', '2147483648', '9'.repeat(400)]) {
    t.equal((await api.send(`${RUNS}/${text}`, { headers: GOOD })).status, 200, text);
  }
  t.strictSame(numbers, [1, 1, 2147483648, Number.MAX_SAFE_INTEGER]);
});

t.test('HEAD answers as GET without the body', async (t) => {
  const api = await startFakeApi(t);
  for (const [path, operationId] of [
    [DESCRIPTION, 'description'],
    [LATEST, 'getLatestRun'],
  ] as const) {
    const get = await api.send(path, { headers: GOOD });
    const head = await api.send(path, { method: 'HEAD', headers: GOOD });
    expectContract(t, operationId, head);
    t.equal(head.text, '');
    for (const name of ['content-length', 'content-type', 'etag']) t.equal(head.headers[name], get.headers[name], name);
  }
});

t.test('OPTIONS lists the methods, costs nothing and needs no key', async (t) => {
  const api = await startFakeApi(t);
  const answer = await api.send(RUNS, { method: 'OPTIONS' });
  t.match(answer, { status: 204, text: '', headers: { allow: 'POST, OPTIONS' } });
  t.equal(answer.headers['access-control-allow-origin'], undefined, 'pages of other origins have no business here');
  const preflight = await api.send(DESCRIPTION, { method: 'OPTIONS' });
  t.match(preflight, {
    status: 204,
    headers: {
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'If-None-Match',
    },
  });
  t.equal(api.charges(), 0);
});

t.test('If-None-Match', async (t) => {
  const api = await startFakeApi(t);
  const cases: [header: string, status: number][] = [
    [RUN.etag, 304],
    [`W/${RUN.etag}`, 304],
    [`"other", ${RUN.etag}`, 304],
    [`"a,b",W/${RUN.etag} , "c"`, 304],
    ['*', 304],
    ['"other"', 200],
    [RUN.etag.replaceAll('"', ''), 200],
    ['', 200],
    ['"', 200],
  ];
  for (const [header, status] of cases) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await api.send(`${RUNS}/3`, { method, headers: { ...GOOD, 'If-None-Match': header } });
      expectContract(t, 'getRun', answer);
      t.equal(answer.status, status, `${method} ${header}`);
      t.equal(answer.headers.etag, RUN.etag);
      t.equal(answer.headers['cache-control'], 'private, no-cache');
    }
  }
  t.equal(api.charges(), cases.length * 2, 'a 304 counts');
  const created = await api.send(RUNS, { method: 'POST', headers: { ...GOOD, 'If-None-Match': '*' } });
  t.equal(created.status, 201, 'a new run is nothing that a client can hold');
});

t.test('the description', async (t) => {
  const api = await startFakeApi(t);
  const answer = await api.send(DESCRIPTION);
  expectContract(t, 'description', answer);
  t.match(JSON.parse(answer.text), { openapi: '3.1.0', info: { version: '1.0.0' } });
  t.strictSame((JSON.parse(answer.text) as { servers: unknown }).servers, [{ url: PUBLIC_URL }]);
  t.match(answer.headers, { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' });
  const etag = answer.headers.etag ?? '';
  const again = await api.send(DESCRIPTION, { headers: { 'If-None-Match': etag } });
  expectContract(t, 'description', again);
  t.equal(again.status, 304);
  t.equal(api.charges(), 0);
});

t.test('the description says how to reach the operator', async (t) => {
  const name = 'The operator of this service';
  for (const [contact, expected] of [
    ['mailto:help@example.com', { name, email: 'help@example.com' }],
    ['https://example.com/help', { name, url: 'https://example.com/help' }],
    [null, { name }],
  ] as const) {
    const { text } = await (await startFakeApi(t, { contact })).send(DESCRIPTION);
    t.strictSame((JSON.parse(text) as { info: { contact: unknown } }).info.contact, expected);
  }
});

t.test('keys that are refused', async (t) => {
  const api = await startFakeApi(t);
  const missing = await api.send(LATEST);
  expectContract(t, 'getLatestRun', missing);
  t.match(missing, { status: 401, headers: { 'www-authenticate': 'Bearer realm="agent-readiness"' } });
  const bad = await api.send(LATEST, { headers: { Authorization: 'Bearer bad' } });
  expectContract(t, 'getLatestRun', bad);
  t.match(bad, {
    status: 401,
    headers: { 'www-authenticate': 'Bearer realm="agent-readiness", error="invalid_token"' },
  });
});

t.test('each refusal has its status, body and charge', async (t) => {
  const wait = (seconds: number) => ({ 'retry-after': String(seconds), 'x-ratelimit-remaining': '100' });
  const refusals: [error: ServiceError, expected: object, charges: number][] = [
    [new ServiceError('site_not_found'), { status: 404 }, 1],
    [new ServiceError('site_not_found', { isChargeReturned: true }), { status: 404 }, 0],
    [new ServiceError('site_not_owned'), { status: 403 }, 1],
    [new ServiceError('domain_not_verified'), { status: 409 }, 1],
    [new ServiceError('daily_runs_exceeded', { retryAfterS: 77 }), { status: 429, headers: wait(77) }, 0],
    [new ServiceError('overloaded', { retryAfterS: 3 }), { status: 503, headers: wait(3) }, 0],
    [new ServiceError('overloaded'), { status: 503, headers: wait(5) }, 0],
    [new ServiceError('internal_error'), { status: 500, headers: { 'x-ratelimit-remaining': '100' } }, 0],
  ];
  for (const [error, expected, charges] of refusals) {
    const api = await startFakeApi(t, { runs: { start: () => Promise.reject(error) } });
    const answer = await api.send(RUNS, { method: 'POST', headers: GOOD });
    expectContract(t, 'createRun', answer, error.code);
    t.match(answer, expected, error.code);
    t.strictSame(JSON.parse(answer.text), { error: { code: error.code, message: error.message } });
    t.equal(answer.headers['cache-control'], 'no-store');
    t.equal(api.charges(), charges, `${error.code}: charged`);
  }
});

t.test('a database that is away during admission is a 503 without charge or rate limit headers', async (t) => {
  const away = new ServiceError('overloaded', { retryAfterS: 5, cause: new Error('ECONNREFUSED') });
  const api = await startFakeApi(t, { access: { admit: () => Promise.reject(away) } });
  const answer = await api.send(LATEST, { headers: GOOD });
  expectContract(t, 'getLatestRun', answer);
  t.match(answer, { status: 503, headers: { 'retry-after': '5', 'x-ratelimit-limit': undefined } });
  t.match(api.log[0], { level: 'warn', cause: { message: 'ECONNREFUSED' } });
});

t.test('the cause of an internal error is only logged', async (t) => {
  const key = `ars_${'x'.repeat(36)}`;
  const api = await startFakeApi(t, { runs: { read: () => Promise.reject(new Error(`secret cause of ${key}`)) } });
  const answer = await api.send(LATEST, { headers: { ...GOOD, 'X-Request-Id': 'req-1' } });
  expectContract(t, 'getLatestRun', answer);
  t.equal(answer.status, 500);
  t.notMatch(answer.text, /secret/);
  const line = api.log.find(({ msg }) => msg === 'request failed');
  t.match(line, { level: 'error', requestId: 'req-1', code: 'internal_error', cause: { message: /secret cause/ } });
  t.notMatch(JSON.stringify(api.log), /ars_/, 'a key in a cause is blotted out');
});

t.test('each request logs one line, without its raw path or key', async (t) => {
  const api = await startFakeApi(t);
  await api.send(`${RUNS}/3?token=canary`, { headers: { ...GOOD, 'X-Request-Id': 'abc-1' } });
  await api.send('/canary', { headers: GOOD });
  t.match(api.log, [
    {
      msg: 'request',
      requestId: 'abc-1',
      method: 'GET',
      route: '/api/v1/sites/{siteId}/runs/{number}',
      status: 200,
      accountId: 'acc_a',
      keyId: 'key_a',
    },
    { msg: 'request', route: null, status: 404 },
  ]);
  t.equal(api.log.length, 2);
  t.notMatch(JSON.stringify(api.log), /canary|Bearer/);
});

t.test('request ids', async (t) => {
  const api = await startFakeApi(t);
  for (const sane of ['a', 'A-1.b_2~3', 'x'.repeat(64)]) {
    t.equal((await api.send('/healthz', { headers: { 'X-Request-Id': sane } })).headers['x-request-id'], sane);
  }
  for (const odd of ['', 'a b', 'x'.repeat(65), '{"forged":1}', 'é']) {
    const id = (await api.send('/nothing', { headers: { 'X-Request-Id': odd } })).headers['x-request-id'] ?? '';
    t.match(id, /^[0-9a-f-]{36}$/, JSON.stringify(odd));
  }
});

t.test('createRun ignores a body up to 64 KiB, and a read any', async (t) => {
  let starts = 0;
  const api = await startFakeApi(t, { runs: { start: () => (starts++, Promise.resolve(RUN)) } });
  const kib = Buffer.alloc(1024, 'x');
  const pieces = (count: number) => Array.from({ length: count }, () => kib);
  const bodies: [about: string, request: HttpRequest, status: number][] = [
    ['malformed JSON', { body: '{', headers: { 'Content-Type': 'application/json' } }, 201],
    ['odd encoding', { body: 'x', headers: { 'Content-Encoding': 'nonsense', 'Content-Type': 'a/b' } }, 201],
    ['unknown expectation', { headers: { Expect: 'miracles' } }, 201],
    ['64 KiB', { body: 'x'.repeat(64 * 1024) }, 201],
    ['64 KiB and a byte', { body: 'x'.repeat(64 * 1024 + 1) }, 413],
    ['64 KiB chunked', { body: pieces(64) }, 201],
    ['64 KiB and a byte, chunked', { body: [...pieces(64), Buffer.from('x')] }, 413],
    ['20 MiB chunked', { body: pieces(20 * 1024) }, 413],
  ];
  for (const [about, request, status] of bodies) {
    const answer = await api.send(RUNS, { ...request, method: 'POST', headers: { ...GOOD, ...request.headers } });
    expectContract(t, 'createRun', answer, about);
    t.equal(answer.status, status, about);
  }
  t.equal(starts, 5, 'no run starts for a body that is refused');
  const unauthorised = await api.send(RUNS, { method: 'POST', body: 'x'.repeat(64 * 1024 + 1) });
  t.equal(unauthorised.status, 401, 'the key comes before the size');
  const read = await api.send(LATEST, { headers: { ...GOOD, 'Content-Length': '1' }, body: '{' });
  t.equal(read.status, 200);
});

t.test('probes', async (t) => {
  const ready = { answer: (): Promise<string | null> => Promise.resolve(null) };
  const api = await startFakeApi(t, { checkReadiness: () => ready.answer() });
  t.match(await api.send('/healthz'), { status: 200, text: '{"status":"ok"}' });
  t.match(await api.send('/readyz'), { status: 200, text: '{"status":"ok"}' });
  t.match(await api.send('/readyz', { method: 'HEAD' }), { status: 200, text: '' });
  t.match(await api.send('/readyz', { method: 'OPTIONS' }), { status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } });
  t.match(await api.send('/healthz', { method: 'POST' }), { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
  const faults: [answer: typeof ready.answer, message: string][] = [
    [() => Promise.resolve('the disk is full'), 'The service is not ready: the disk is full.'],
    [() => Promise.reject(new Error('postgres://secret@db')), 'The readiness check failed.'],
  ];
  for (const [answer, message] of faults) {
    ready.answer = answer;
    const red = await api.send('/readyz');
    t.match(red, { status: 503, headers: { 'retry-after': '5' } });
    t.same(JSON.parse(red.text), { error: { code: 'overloaded', message } });
    t.equal((await api.send('/healthz')).status, 200, 'the process itself is fine');
  }
  ready.answer = () => Promise.resolve(null);
  t.equal((await api.send('/readyz')).status, 200, 'back without a restart');
  const lines = api.log.filter(({ msg }) => msg === 'request');
  t.same(new Set(lines.map(({ level, route }) => `${level} ${route}`)), new Set(['debug /healthz', 'debug /readyz']));
});
