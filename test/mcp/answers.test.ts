import type { CallToolResult } from '@modelcontextprotocol/client';
import { FIXTURE_ORIGIN, type FixtureSite } from '../support/fixture-site.js';
import { onSqlite } from '../support/databases.js';
import { call, messagesOf, startMcp, textOf } from '../support/mcp.js';

const HOST = new URL(FIXTURE_ORIGIN).hostname;
const DOWN: FixtureSite = { routes: { '*': { failure: 'stalled' } } };
const CAUSE = 'no complete response arrives in time';

onSqlite(async (t, engine) => {
  t.test('for a site that is down, each tool says once why there is no score', async (t) => {
    const mcp = await startMcp(t, await engine.openDb(t), { site: () => DOWN });
    const client = await mcp.connect();
    for (const [name, args] of [
      ['scan_site', { url: HOST }],
      ['scan_site', { url: HOST, detail: 'full' }],
      ['fix_plan', { url: HOST }],
    ] as const) {
      const result = await call(client, name, args);
      t.match(textOf(result), /no score[^]*Nothing could be determined\. Most checks say: /, name);
      t.equal(textOf(result).split(CAUSE).length, 2, `${name} ${JSON.stringify(args)}: ${textOf(result)}`);
      t.notMatch(textOf(result), /no failure|[Nn]othing to fix/);
      t.match(result.structuredContent, { score: null, noScore: new RegExp(CAUSE), ageS: 0 });
    }
    const { messages } = await client.getPrompt({ name: 'make_site_agent_ready', arguments: { url: HOST } });
    t.match(messages, [{ content: { text: /If it says that the site has no score, tell me why and stop/ } }]);
  });

  t.test('a caller over the limit gets cached results with their age, also without a score', async (t) => {
    let isDown = false;
    const mcp = await startMcp(t, await engine.openDb(t), {
      site: () => (isDown ? DOWN : { routes: { '/': '<!doctype html><title>Lamps</title><p>Lamps.' } }),
    });
    const client = await mcp.connect();
    await call(client, 'scan_site', { url: 'up.example.com' });
    isDown = true;
    await call(client, 'scan_site', { url: 'down.example.com' });
    for (let count = 2; count < 10; count += 1) {
      t.notOk((await call(client, 'verify_fix', { url: `other${count}.example.com`, checkId: 'C-BOT-01' })).isError);
    }
    mcp.clock.time = new Date(mcp.clock.time.getTime() + 120_000);
    for (const name of ['scan_site', 'fix_plan']) {
      const up = await call(client, name, { url: 'up.example.com' });
      t.match(up, { isError: false, structuredContent: { hostname: 'up.example.com', ageS: 120, noScore: null } });
      const down = await call(client, name, { url: 'down.example.com' });
      t.match(down, { isError: false, structuredContent: { score: null, ageS: 120 } });
      for (const result of [up, down]) t.match(textOf(result), /Scanned 2 minutes ago/);
    }
    for (const [name, url] of [
      ['scan_site', 'new.example.com'],
      ['verify_fix', 'new.example.com'],
      ['scan_site', 'other2.example.com'],
    ] as const) {
      const refused = await call(client, name, { url, checkId: 'C-BOT-01' });
      t.match(textOf(refused), /\b10 free scans for this hour\. Try again in 58 minutes\.$/);
      t.match(refused, { isError: true, structuredContent: { retryAfterS: 3480 } }, 'no result of a check is stored');
    }
    t.equal(mcp.scanned.length, 10);
    mcp.clock.set('2026-03-15T13:00:00.000Z');
    t.notOk((await call(client, 'scan_site', { url: 'new.example.com' })).isError);
  });

  t.test('an answer says that it is not an error, and unknown arguments are ignored', async (t) => {
    const mcp = await startMcp(t, await engine.openDb(t));
    const tools: [name: string, args: Record<string, unknown>][] = [
      ['scan_site', { url: 'example.com' }],
      ['fix_plan', { url: 'example.com' }],
      ['verify_fix', { url: 'example.com', checkId: 'C-BOT-01' }],
      ['explain_check', { checkId: 'C-BOT-01' }],
    ];
    for (const [name, args] of tools) {
      const params = { name, arguments: { ...args, session_id: 'a', ['x'.repeat(90)]: 'b' } };
      const answer = await mcp.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const { result } = messagesOf(answer)[0] as { result: CallToolResult };
      t.strictSame(result.isError, false, name);
    }
    const client = await mcp.connect();
    const { tools: listed } = await client.listTools();
    for (const { name, inputSchema } of listed) t.not(inputSchema.additionalProperties, false, name);
  });
});
