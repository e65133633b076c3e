import type { AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { REFUSED_TARGET } from '../../src/net/url-gate.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { onSqlite } from '../support/databases.js';
import { FIXTURE_ORIGIN, type FixtureSite } from '../support/fixture-site.js';
import { call, startMcp, textOf } from '../support/mcp.js';
import { rowsOf, tablesOf } from '../support/tables.js';

const HOST = new URL(FIXTURE_ORIGIN).hostname;
const CANARY = 'CANARY-of-the-body-7f3a';
const SITE: FixtureSite = {
  routes: {
    '/': '<!doctype html><html lang="en"><title>Lamps</title><h1>Lamps</h1><p>Lamps by hand.',
    '/llms.txt': { status: 403, body: 'no' },
    '/robots.txt': 'User-agent: *\nAllow: /\n',
  },
};
const LLMS = `# Lamps\n\n> ${CANARY}\n\n## Pages\n\n- [Home](${FIXTURE_ORIGIN}/)\n`;
const FILE = { url: HOST, path: '/llms.txt', contentType: 'text/plain; charset=utf-8', body: LLMS };

interface Tried {
  readonly before: { readonly score: number };
  readonly after: { readonly score: number; readonly findings: readonly { readonly checkId: string }[] };
  readonly changes: readonly { readonly checkId: string }[];
  readonly note: string;
}

onSqlite(async (t, engine) => {
  t.test('trying a file shows what would change, and nothing of it is stored', async (t) => {
    const db = await engine.openDb(t);
    const mcp = await startMcp(t, db, { site: () => SITE });
    const client = await mcp.connect();
    const { tools } = await client.listTools();
    const schema = tools.find(({ name }) => name === 'try_fix')?.outputSchema;
    const steps: number[] = [];
    const result = await client.callTool(
      { name: 'try_fix', arguments: { ...FILE, checkIds: ['C-LLMS-01', 'C-MD-01'] } },
      { onprogress: ({ progress }) => steps.push(progress) },
    );
    t.ok(new Ajv2020({ strict: false }).compile((schema ?? false) as AnySchema)(result.structuredContent));
    const { before, after, changes, note } = result.structuredContent as Tried;
    t.has(changes, [{ checkId: 'C-LLMS-01', before: 'FAIL', after: 'PASS' }]);
    t.ok(after.score > before.score);
    t.match(result.structuredContent, { hostname: HOST });
    t.match(after.findings, [{ checkId: 'C-MD-01', result: 'FAIL', errorType: 'NO_NEGOTIATION' }]);
    const text = textOf(result);
    t.match(text, /^www\.fixture-site\.com: C-LLMS-01\b.* would pass\./);
    t.match(text, ` Score ${before.score} → ${after.score}. `);
    t.match(text, ' C-MD-01 would fail as today');
    t.ok(text.endsWith(note));
    t.match(note, / Server rules, .* are not tested\. \/llms\.txt answers 403 today\.$/);
    t.ok(steps.length > 1 && steps.every((step, index) => index === 0 || step > (steps[index - 1] ?? 0)));

    t.notMatch(JSON.stringify(result), CANARY);
    t.notMatch(JSON.stringify(mcp.log), CANARY);
    for (const table of await tablesOf(db)) t.notMatch(JSON.stringify(await rowsOf(db, table)), CANARY, table);
    const asIs = textOf(await call(client, 'scan_site', { url: HOST }));
    t.match(asIs, 'C-LLMS-01 (BLOCKED): The server blocks llms.txt.', 'the site is unchanged');
  });

  t.test('a trial says if a file changes nothing, breaks something, or fails differently', async (t) => {
    const mcp = await startMcp(t, await engine.openDb(t), { site: () => SITE });
    const client = await mcp.connect();
    const same = await call(client, 'try_fix', { ...FILE, path: '/unrelated.txt' });
    t.match(textOf(same), /: No check would change\. The score stays \d+\./);
    const wrong = await call(client, 'try_fix', { ...FILE, contentType: 'image/png' });
    t.match(textOf(wrong), 'C-LLMS-01 would fail: ');
    t.match(wrong.structuredContent, { after: { findings: [{ checkId: 'C-LLMS-01', errorType: 'WRONG_MIME' }] } });
    const robots = { ...FILE, path: '/robots.txt', body: 'User-agent: *\nDisallow: /\n' };
    t.match((await call(client, 'try_fix', robots)).structuredContent, {
      after: { findings: [{ checkId: 'C-BOT-01', errorType: 'BLOCKED' }] },
    });
  });

  t.test('the longest answer is at most 1,500 tokens', async (t) => {
    const site: FixtureSite = { routes: { ...SITE.routes, '/robots.txt': { status: 503, body: '' } } };
    const client = await (await startMcp(t, await engine.openDb(t), { site: () => site })).connect();
    const result = await call(client, 'try_fix', {
      ...FILE,
      path: '/',
      body: '',
      checkIds: CHECKS.map(({ id }) => id),
    });
    const { after } = result.structuredContent as Tried;
    t.ok(after.findings.length <= 5);
    t.ok(JSON.stringify([result.content, result.structuredContent]).length < 1500 * 4);
  });

  t.test('a trial costs one scan, and nothing for invalid input', async (t) => {
    const mcp = await startMcp(t, await engine.openDb(t), { site: () => SITE });
    const client = await mcp.connect();
    const path = /Give the path on the site, such as \/llms\.txt, without a host, query or dot segments\./;
    const cases: [given: Record<string, unknown>, message: RegExp | string][] = [
      [{ path: 'llms.txt' }, path],
      [{ path: '//evil.example/llms.txt' }, path],
      [{ path: '/\\evil.example' }, path],
      [{ path: '/llms.txt?a' }, path],
      [{ path: '/llms.txt#a' }, path],
      [{ path: '/a b' }, path],
      [{ path: '/a/../llms.txt' }, path],
      [{ path: '/%2E' }, path],
      [{ path: undefined }, /The argument "path" is missing\./],
      [{ contentType: 'text' }, /Give the contentType as it will be sent/],
      [{ contentType: 'text/plain\r\nx: y' }, /Give the contentType as it will be sent/],
      [{ body: 'é'.repeat(50_001) }, /The body is larger than 100 kB, the limit for a trial\./],
      [{ body: undefined, content: 'x' }, /The argument "body" is missing\./],
      [{ checkIds: ['C-NONE-01'] }, /There is no such check\./],
      [{ url: 'not a host' }, /^This is not a host name or web address\./],
      [{ url: 'http://127.0.0.1' }, REFUSED_TARGET],
    ];
    for (const [given, message] of cases) {
      const result = await call(client, 'try_fix', { ...FILE, ...given });
      t.equal(result.isError, true, JSON.stringify(given).slice(0, 60));
      t.match(textOf(result), message);
      t.notMatch(textOf(result), /\n|CANARY/, 'one line');
    }
    t.same(mcp.scanned, []);
    t.notOk((await call(client, 'try_fix', { ...FILE, body: '😀'.repeat(25_000) })).isError, '100 kB are tried');
    for (let count = 0; count < 9; count += 1) t.notOk((await call(client, 'try_fix', FILE)).isError);
    // Refused addresses do not count.
    t.match(textOf(await call(client, 'try_fix', FILE)), /free scans for this hour\. Try again in /);
  });
});
