import type { CallToolResult, Client, ClientOptions, Progress } from '@modelcontextprotocol/client';
import type { AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import t from 'tap';
import { ANSWER, NOTES } from '../support/reports.js';
import { moved } from '../fixtures/sites/moved.js';
import { cLlms01 } from '../../src/scanner/checks/c-llms-01.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { headlineOfAnswer, listAnswer } from '../../src/scanner/report/answer.js';
import { ServiceError } from '../../src/platform/errors.js';
import { PROTOCOL_VERSIONS } from '../../src/mcp/card.js';
import { toFreeScan } from '../../src/app/free-scan/free-scan-store.js';
import type { FreeScans, FreeScanTicket } from '../../src/app/free-scan/free-scans.js';
import { scanReport } from '../support/accounts.js';
import { FIXTURE_ORIGIN, type FixtureSite } from '../support/fixture-site.js';
import { formatSkill } from '../../src/web/agents/documents.js';
import { onSqlite } from '../support/databases.js';
import { send } from '../support/http-client.js';
import { call, messagesOf, NO_DB, type RunningMcp, startMcp, STEPS, textOf } from '../support/mcp.js';

/** Ways in which a client negotiates the protocol revision. */
const MODES: readonly (readonly [name: string, options: ClientOptions, era: string])[] = [
  ['by default', {}, 'legacy'],
  ['asking first', { versionNegotiation: { mode: 'auto' } }, 'modern'],
  ['with the newest revision only', { versionNegotiation: { mode: { pin: '2026-07-28' } } }, 'modern'],
];

const scan = (client: Client, url: string): Promise<CallToolResult> => call(client, 'scan_site', { url });

const BARE: FixtureSite['routes'] = {
  '/': { body: '<!doctype html><title>Lamps</title><body><a href="/help">Help</a><p>Lamps by hand.' },
  '/help': { body: '<!doctype html><title>Help</title><body><h1>Help</h1>' },
  '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /\n' },
};
const FIXTURE_HOST = new URL(FIXTURE_ORIGIN).hostname;

interface Step {
  readonly checkId: string;
  readonly errorType: string;
  readonly headline: string;
  readonly points: number;
  readonly fix: string;
}

const callMessage = (id: number, url: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'scan_site', arguments: { url } },
});

onSqlite(async (t, engine) => {
  for (const [mode, options, era] of MODES) {
    t.test(`a client ${mode}`, async (t) => {
      const mcp = await startMcp(t, await engine.openDb(t));
      const client = await mcp.connect(options);
      t.equal(client.getProtocolEra(), era);
      t.match(client.getServerVersion(), { name: 'localhost/agent-readiness-scan', version: '1.2.3' });
      t.match(client.getInstructions(), /scan_site/);

      const { tools } = await client.listTools();
      const names = ['scan_site', 'fix_plan', 'try_fix', 'verify_fix', 'explain_check'];
      const annotationsOf = (name: string) => ({ readOnlyHint: true, openWorldHint: name !== 'explain_check' });
      const expected = names.map((name) => ({ name, annotations: annotationsOf(name) }));
      t.match(tools, expected);
      const limited = tools.filter(({ description }) => / an hour\b/.test(description ?? '')).map(({ name }) => name);
      t.same(limited, ['scan_site'], 'one tool names the limits');
      t.notMatch(client.getInstructions(), /\ban hour\b/);
      t.match(client.getInstructions(), /verify_fix/);
      const { prompts } = await client.listPrompts();
      t.match(prompts, [{ name: 'make_site_agent_ready' }]);
      const { messages } = await client.getPrompt({ name: 'make_site_agent_ready', arguments: { url: 'a.example' } });
      t.match(messages, [{ role: 'user', content: { type: 'text', text: /a\.example[^]*fix_plan[^]*verify_fix/ } }]);
      const ajv = new Ajv2020({ strict: false });
      addFormats.default(ajv);
      const schemas = new Map(
        tools.map(({ name, outputSchema }) => [name, ajv.compile((outputSchema ?? false) as AnySchema)]),
      );

      const steps: Progress[] = [];
      const result = await client.callTool(
        { name: 'scan_site', arguments: { url: 'https://shop.example.com/a/page', detail: 'full' } },
        { onprogress: (step) => steps.push(step) },
      );
      t.ok(schemas.get('scan_site')?.(result.structuredContent), 'the result fits its schema');
      t.match(result.structuredContent, { hostname: 'shop.example.com', score: 36, ageS: 0, isFresh: true });
      const findings = CHECKS.map(({ id }) => ({ checkId: id }));
      t.match(result.structuredContent, { ...ANSWER, findings });
      t.ok(textOf(result).includes(`**${headlineOfAnswer(ANSWER!)}**\n\n${listAnswer(ANSWER!)}\n`));
      t.match(textOf(result), /^# .* shop\.example\.com: 36 of 100$/m);
      t.same((result.structuredContent as { notes: unknown }).notes, NOTES);
      for (const { text } of NOTES) t.ok(textOf(result).includes(text), text);
      const later = Array.from({ length: STEPS }, (_, index) => ({ progress: index + 1, total: STEPS }));
      t.match(steps, [{ progress: 0, total: undefined }, ...later]);

      mcp.clock.time = new Date(mcp.clock.time.getTime() + 50_000);
      steps.length = 0;
      const earlier = await client.callTool(
        { name: 'scan_site', arguments: { url: 'shop.example.com' } },
        { onprogress: (step) => steps.push(step) },
      );
      t.same(steps, [], 'no progress for a cached result');
      t.ok(schemas.get('scan_site')?.(earlier.structuredContent));
      t.match(earlier.structuredContent, { ageS: 50, isFresh: false });
      const brief = earlier.structuredContent as { failures: { headline: string }[] };
      t.equal(brief.failures.length, 5);
      t.notOk('findings' in brief || 'notes' in brief, 'by default, only failures');
      t.match(textOf(earlier), 'shop.example.com: 36 of 100. 4 things to fix, and 1 not scored.\nScanned just now (');
      for (const { headline } of brief.failures) t.match(textOf(earlier), `: ${headline}.`);
      t.ok(textOf(earlier).startsWith(`${headlineOfAnswer(ANSWER!)}.\n${listAnswer(ANSWER!, '')}\n`));
      t.match(textOf(earlier), '(2026-03-15T12:00:00.000Z)');
      t.same(mcp.scanned, ['shop.example.com']);

      for (const { id, title } of CHECKS) {
        const explained = await call(client, 'explain_check', { checkId: id });
        t.ok(schemas.get('explain_check')?.(explained.structuredContent), id);
        t.match(explained.structuredContent, { checkId: id, title });
        t.match(textOf(explained), `${id}: ${title}`);
      }
      const one = await call(client, 'explain_check', { checkId: 'C-BOT-01', errorType: 'OVERSIZE' });
      t.ok(schemas.get('explain_check')?.(one.structuredContent));
      t.match(one.structuredContent, {
        errorTypes: [{ errorType: 'OVERSIZE' }],
        example: {
          failing: [{ request: '/robots.txt', answer: /^200, .*25,000 lines like "Disallow/, body: null }],
          passing: [{ request: '/robots.txt', answer: /^200/, body: /^User-agent: \*\n/ }],
        },
      });
      t.match(textOf(one), /^C-BOT-01: .*\n\nOVERSIZE: /ms);
    });
  }

  t.test('a site is scanned, fixed by the plan, and each fix is proven', async (t) => {
    let routes: FixtureSite['routes'] = BARE;
    const mcp = await startMcp(t, await engine.openDb(t), { site: () => ({ routes }) });
    const client = await mcp.connect();
    const { failures } = (await scan(client, FIXTURE_HOST)).structuredContent as { failures: Step[] };
    t.match(failures[0], { checkId: 'C-BOT-01', errorType: 'BLOCKED', severity: 'SHUT_OUT' });

    const plan = await call(client, 'fix_plan', { url: FIXTURE_HOST });
    const { steps, score } = plan.structuredContent as { steps: Step[]; score: number };
    t.equal(steps.map(({ checkId }) => checkId).join(), failures.map(({ checkId }) => checkId).join());
    const step = steps.find(({ checkId }) => checkId === 'C-LLMS-01');
    const { headline } = cLlms01.failures.MISSING!;
    t.match(step, { errorType: 'MISSING', severity: 'MISSING', headline, isAtLeast: true });
    t.ok(step && step.points > 0 && score + step.points <= 100);
    t.match(textOf(plan), `${FIXTURE_HOST}: ${score} of 100. ${steps.length - 1} things to fix, and 1 not scored.`);
    for (const { checkId, errorType, headline, fix } of steps) {
      t.match(textOf(plan), `${checkId} (${errorType}): ${headline}`);
      t.ok(textOf(plan).includes(fix), 'the text alone has the fix');
    }

    const verify = (checkId: string) => call(client, 'verify_fix', { url: FIXTURE_HOST, checkId });
    const before = await verify('C-LLMS-01');
    t.match(before.structuredContent, {
      results: [{ checkId: 'C-LLMS-01', result: 'FAIL', errorType: 'MISSING', fix: step?.fix }],
    });
    t.match(textOf(before), `C-LLMS-01 fails (MISSING): ${headline}.`);
    t.ok(textOf(before).includes(step?.fix ?? '?'));
    routes = { ...BARE, '/llms.txt': { type: 'text/plain', body: '# Lamps\n' } };
    const after = await verify('C-LLMS-01');
    t.match(after.structuredContent, { results: [{ result: 'PASS', headline: cLlms01.title, fix: null }] });
    t.match(textOf(after), `${FIXTURE_HOST}: C-LLMS-01 passes.`);
    t.match((await verify('C-LLMS-03')).structuredContent, { results: [{ result: 'NOT_APPLICABLE' }] });
    t.equal(mcp.scanned.length, 4, 'the plan is made from the scan');

    const checkIds = ['C-LLMS-03', 'C-BOT-01', 'C-LLMS-01', 'C-BOT-01'];
    const all = await call(client, 'verify_fix', { url: FIXTURE_HOST, checkIds, checkId: 'C-MD-01' });
    t.match(all.structuredContent, {
      hostname: FIXTURE_HOST,
      results: [
        { checkId: 'C-LLMS-01', result: 'PASS', fix: null },
        { checkId: 'C-LLMS-03', result: 'NOT_APPLICABLE' },
        { checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED' },
        { checkId: 'C-MD-01' },
      ],
    });
    t.match(textOf(all), /: C-LLMS-01 passes\. C-LLMS-03 .*\. C-BOT-01 fails \(BLOCKED\)\. /);
    t.equal(mcp.scanned.length, 5, 'all of them are one scan');
  });

  t.test('the skill names tools and arguments that the server has', async (t) => {
    const mcp = await startMcp(t, await engine.openDb(t));
    const skill = formatSkill(mcp.url.replace('/mcp', ''));
    const { tools } = await (await mcp.connect()).listTools();
    const named = new Set(Array.from(skill.matchAll(/`(\w+_\w+)`/g), ([, name]) => name));
    t.same([...named], ['fix_plan', 'explain_check', 'verify_fix', 'try_fix']);
    for (const [phrase, name, args] of [
      ["Call `fix_plan` with the site's url", 'fix_plan', ['url']],
      ["`explain_check` with the step's checkId and errorType", 'explain_check', ['checkId', 'errorType']],
      ['call `verify_fix` once, with the url and all their checkIds', 'verify_fix', ['url', 'checkIds']],
      ['`try_fix` with its path, contentType and body', 'try_fix', ['path', 'contentType', 'body']],
    ] as const) {
      t.match(skill, phrase);
      const known = tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {};
      for (const arg of args) t.ok(arg in known, `${name} ${arg}`);
    }
  });

  t.test('answers about a moved site begin with that note, without the new name', async (t) => {
    const mcp = await startMcp(t, await engine.openDb(t), { site: () => moved });
    const client = await mcp.connect();
    for (const detail of ['brief', 'full']) {
      const result = await call(client, 'scan_site', { url: 'www.fixture-oldname.com', detail });
      const [, note, ...rest] = textOf(result).split('\n\n');
      t.match(note, /redirects to another domain/);
      t.notOk(rest.includes(String(note)), 'once');
      t.notMatch(JSON.stringify(result), /newname/i);
    }
  });

  t.test("an agent's mistake is a tool error with advice", async (t) => {
    const mcp = await startMcp(t, await engine.openDb(t));
    const cases: [name: string, args: Record<string, unknown>, text: RegExp][] = [
      ['scan_site', { url: 'not a host' }, / host name\b.* example\.com\.$/],
      ['scan_site', { url: 'ftp://example.com' }, /\bhttps\b/],
      ['scan_site', { url: 'http://127.0.0.1' }, /\bpublic\b/],
      ['scan_site', {}, /"url"/],
      ['scan_site', { url: 7 }, /url/],
      ['scan_site', { url: 'example.com', detail: 'all' }, /detail/],
      ['fix_plan', { url: 'not a host' }, / host name\b/],
      ['verify_fix', { url: 'not a host', checkId: 'C-BOT-01' }, / host name\b/],
      ['verify_fix', { url: 'http://127.0.0.1', checkId: 'C-BOT-01' }, /\bpublic\b/],
      ['verify_fix', { url: 'example.com', checkId: 'C-NONE-01' }, / C-LLMS-01, .*C-FWD-01\./],
      ['explain_check', { checkId: 'C-NONE-01' }, / C-LLMS-01, .*C-FWD-01\./],
      ['explain_check', { checkId: 'C-LLMS-04', errorType: 'MISSING' }, /^C-LLMS-04 .* OVERSIZE\.$/],
      ['explain_check', { checkId: 'C-LLMS-04', errorType: 'constructor' }, /errorType/],
      ['explain_check', { checkId: '__proto__' }, / C-LLMS-01, /],
      ['verify_fix', { url: 'example.com' }, /"checkIds"/],
      ['verify_fix', { url: 'example.com', checkIds: [] }, /checkIds/],
      ['verify_fix', { url: 'example.com', checkIds: ['C-BOT-01', 'C-NONE-01'] }, / C-LLMS-01, /],
      ['verify_fix', { url: 'example.com', checks: ['C-BOT-01'] }, /"checkIds"/],
      ['explain_check', {}, /"checkId".* C-LLMS-01, /],
      ['scan_site', { website: 'example.com' }, /"url"/],
      ['verify_fix', { url: 'example.com', check_id: 'C-BOT-01' }, /"checkIds"/],
    ];
    for (const [mode, options] of MODES) {
      const client = await mcp.connect(options);
      for (const [name, args, text] of cases) {
        const result = await call(client, name, args);
        t.equal(result.isError, true, `${name} ${JSON.stringify(args)} ${mode}`);
        t.match(textOf(result), text);
      }
      await t.rejects(call(client, 'no_such_tool', {}), { code: -32602 });
    }
    t.same(mcp.scanned, []);
  });

  t.test('a batch has the same limits as single calls', async (t) => {
    const mcp = await startMcp(t, await engine.openDb(t));
    const answer = await mcp.post(Array.from({ length: 30 }, (_, index) => callMessage(index, `s${index}.com`)));
    const results = messagesOf(answer).map(({ result }) => result as CallToolResult);
    t.equal(results.length, 30);
    t.equal(results.filter(({ isError }) => isError !== true).length, 10);
    for (const result of results) if (result.isError) t.match(result.structuredContent, { retryAfterS: Number });
    t.equal(mcp.scanned.length, 10);
    const again = await mcp.post(callMessage(1, 'one-more.example.com'));
    t.match(messagesOf(again)[0], { result: { isError: true } });
    const tooMany = await mcp.post(Array.from({ length: 101 }, (_, index) => callMessage(index, 'example.com')));
    t.equal(tooMany.status, 400);
  });

  t.test('a cancelled call ends the waiting, not the scan', async (t) => {
    const mcp = await startMcp(t, await engine.openDb(t));
    for (const [mode, options] of MODES) {
      const host = `${options.versionNegotiation ? 'new' : 'old'}${mode.length}.example.com`;
      const client = await mcp.connect(options);
      mcp.hold();
      const cancelled = new AbortController();
      const result = client.callTool(
        { name: 'scan_site', arguments: { url: host } },
        { signal: cancelled.signal, onprogress: () => undefined },
      );
      while (!mcp.scanned.includes(host)) await new Promise((resolve) => setImmediate(resolve));
      cancelled.abort('changed my mind');
      await t.rejects(result, /changed my mind/, mode);
      mcp.release();
      const other = await mcp.connect();
      t.notOk((await scan(other, host)).isError);
      t.equal(mcp.scanned.filter((scanned) => scanned === host).length, 1);
    }
    t.notMatch(JSON.stringify(mcp.log), /"level":"error"/, 'a disconnected client is not logged as an error');
  });

  t.test('the caller is whom a trusted proxy names, otherwise the client of the connection', async (t) => {
    const [behindProxy, alone] = [
      await startMcp(t, await engine.openDb(t), { trustProxy: 1 }),
      await startMcp(t, await engine.openDb(t)),
    ];
    let hosts = 0;
    const isRefused = async (mcp: RunningMcp, forwarded: string) => {
      const headers = { 'x-forwarded-for': forwarded, 'x-caller': forwarded };
      const answer = await mcp.post(callMessage(1, `s${(hosts += 1)}.example.com`), { headers });
      return (messagesOf(answer)[0]?.result as CallToolResult).isError ?? false;
    };
    for (let count = 0; count < 10; count += 1) {
      t.notOk(await isRefused(behindProxy, '192.0.2.1'));
      t.notOk(await isRefused(alone, `192.0.2.${count}`));
    }
    t.ok(await isRefused(behindProxy, '192.0.2.1'));
    t.ok(await isRefused(behindProxy, '198.51.100.9, 192.0.2.1'), 'an entry by the client is ignored');
    t.notOk(await isRefused(behindProxy, '192.0.2.2'));
    t.ok(await isRefused(alone, '192.0.2.10'), 'no header changes the caller');
  });
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const FAULT = new Error('password=hunter2 at /srv/secret.ts');

t.test('answers reveal nothing about internal faults, which are not counted', async (t) => {
  const ticket = (error: Error): FreeScans['start'] => {
    const done = Promise.reject(error);
    done.catch(() => undefined);
    return () => Promise.resolve({ hostname: 'a', isFresh: true, done });
  };
  const busy = new ServiceError('overloaded', { retryAfterS: 7, cause: FAULT });
  const cases: [freeScans: Partial<FreeScans>, content: object | undefined, isLogged: boolean][] = [
    [{ start: () => Promise.reject(FAULT) }, undefined, true],
    [{ start: ticket(new ServiceError('internal_error', { cause: FAULT })) }, undefined, false],
    [{ start: () => Promise.reject(busy) }, { retryAfterS: 7 }, true],
    [{ start: ticket(new ServiceError('overloaded')) }, { retryAfterS: 5 }, false],
    [{ verify: () => Promise.reject(FAULT) }, undefined, true],
    [{ verify: () => Promise.reject(busy) }, { retryAfterS: 7 }, true],
  ];
  for (const [freeScans, content, isLogged] of cases) {
    const mcp = await startMcp(t, NO_DB, { freeScans });
    const name = freeScans.verify ? 'verify_fix' : 'scan_site';
    const result = await call(await mcp.connect(), name, { url: 'example.com', checkId: 'C-BOT-01' });
    t.equal(result.isError, true);
    t.strictSame(result.structuredContent, content);
    t.match(textOf(result), /\bnot counted\b/);
    t.notMatch(JSON.stringify(result), 'hunter2');
    t.equal(JSON.stringify(mcp.log).includes('hunter2'), isLogged, 'logged unless the service has logged it');
  }
});

t.test('requests that may come from pages of other sites are refused', async (t) => {
  const local = 'http://localhost:3000';
  const cases: [headers: Record<string, string>, status: number, publicUrl?: string][] = [
    [{}, 200],
    [{ origin: 'https://readiness.test' }, 200],
    [{ host: 'readiness.test' }, 200],
    [{ host: 'app:3000' }, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'http://readiness.test' }, 403],
    [{ origin: 'https://readiness.test:8443' }, 403],
    [{ origin: 'https://readiness.test.evil.example' }, 403],
    [{ origin: local }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: '' }, 403],
    [{ host: 'evil.example', origin: 'http://evil.example' }, 403],
    [{ host: 'evil.example' }, 403],
    [{ host: 'evil.example:80' }, 403],
    [{ host: '@' }, 403],
    // Loopback has three names.
    [{ origin: local }, 200, local],
    [{ origin: 'http://127.0.0.1:3000' }, 200, local],
    [{ origin: 'http://[::1]:3000' }, 200, local],
    [{ origin: 'http://localhost:3001' }, 403, local],
    [{ origin: 'https://localhost:3000' }, 403, local],
  ];
  for (const [headers, status, publicUrl = 'https://readiness.test'] of cases) {
    const mcp = await startMcp(t, NO_DB, { publicUrl });
    const answer = await mcp.post(ping, { headers });
    t.equal(answer.status, status, JSON.stringify(headers));
    if (status === 403) t.match(messagesOf(answer)[0], { jsonrpc: '2.0', id: null, error: { code: -32600 } });
  }
});

t.test('the endpoint takes POST only', async (t) => {
  const mcp = await startMcp(t, NO_DB);
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS']) {
    const answer = await send(mcp.port, '/mcp', { method, headers: { accept: 'text/event-stream' } });
    t.equal(answer.status, 405, method);
    t.equal(answer.headers.allow, 'POST');
  }
});

t.test('a body is JSON of at most 320 KiB, or 64 KiB without a declared length', async (t) => {
  const mcp = await startMcp(t, NO_DB);
  const pingOf = (bytes: number) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(bytes) } });
  const declared = await mcp.post(pingOf(320 * 1024));
  t.equal(declared.status, 413);
  t.match(messagesOf(declared)[0], { error: { message: /\b320 KiB\b/ } });
  t.equal((await mcp.post(pingOf(319 * 1024))).status, 200);
  const large = pingOf(65_536);
  const chunked = await mcp.post('', { body: [Buffer.from(large.slice(0, 40_000)), Buffer.from(large.slice(40_000))] });
  t.equal(chunked.status, 413);
  t.equal((await mcp.post('{')).status, 400);
  t.equal((await mcp.post('')).status, 400);
  t.equal((await mcp.post('{}', { headers: { 'content-type': 'text/plain' } })).status, 415);
  t.equal((await mcp.post(ping, { headers: { accept: 'text/html' } })).status, 406);
});

t.test('deeply nested messages are refused before they are parsed', async (t) => {
  const mcp = await startMcp(t, NO_DB);
  const nest = (levels: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"[{","version":"1\\"[["},` +
    `"capabilities":{"experimental":{"a":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}}}}`;
  t.equal((await mcp.post(nest(90))).status, 200);
  for (const body of [nest(200), nest(9_000), '['.repeat(60_000)]) {
    const answer = await mcp.post(body);
    t.equal(answer.status, 400);
    t.match(messagesOf(answer), [{ jsonrpc: '2.0', id: null, error: { code: -32600, message: /\bnested\b/ } }]);
  }
});

t.test('the server supports every protocol revision that the card names', async (t) => {
  const mcp = await startMcp(t, NO_DB);
  const [newest, ...older] = PROTOCOL_VERSIONS;
  for (const protocolVersion of older) {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const answer = await mcp.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    t.match(messagesOf(answer)[0], { result: { protocolVersion } }, protocolVersion);
    t.equal(answer.headers['mcp-session-id'], undefined, 'there are no sessions');
  }
  const client = await mcp.connect({ versionNegotiation: { mode: { pin: newest } } });
  t.equal(client.getNegotiatedProtocolVersion(), newest);
});

t.test('a subscription is acknowledged without notifications and ends', async (t) => {
  const mcp = await startMcp(t, NO_DB);
  const version = PROTOCOL_VERSIONS[0];
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const method = 'subscriptions/listen';
  const answer = await mcp.post(
    { jsonrpc: '2.0', id: 1, method, params: { notifications: { toolsListChanged: true }, _meta } },
    { headers: { 'mcp-protocol-version': version, 'mcp-method': method } },
  );
  t.match(messagesOf(answer), [
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
    { id: 1, result: { resultType: 'complete' } },
  ]);
});

t.test('the server stops once all calls are answered', async (t) => {
  const result = toFreeScan({ hostname: 'a', origin: new URL('https://a') }, scanReport(null));
  const ends: (() => void)[] = [];
  const start = async (): Promise<FreeScanTicket> => ({
    hostname: 'a',
    isFresh: true,
    done: new Promise((resolve) => ends.push(() => resolve(result))),
  });
  const mcp = await startMcp(t, NO_DB, { freeScans: { start } });
  const clients = await Promise.all(MODES.map(([, options]) => mcp.connect(options)));
  const calls = clients.map((client) => scan(client, 'example.com'));
  while (ends.length < calls.length) await new Promise((resolve) => setImmediate(resolve));
  let isClosed = false;
  const closed = mcp.server.close().then(() => (isClosed = true));
  await new Promise((resolve) => setImmediate(resolve));
  t.notOk(isClosed);
  for (const end of ends) end();
  for (const { structuredContent } of await Promise.all(calls)) t.match(structuredContent, { score: null });
  await closed;
});
