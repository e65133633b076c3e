import t from 'tap';
import { startDemoSite } from '../../src/demo/server.js';
import { createGuard } from '../../src/gather/guard/guard.js';
import { createScanner } from '../../src/scan/scanner.js';

const ADDRESS = '127.0.0.1';

t.test('the demonstration site', async (t) => {
  const site = await startDemoSite(ADDRESS, 0);
  t.teardown(() => site.close());

  t.test('scores 100, and every check that applies passes', async (t) => {
    const scan = createScanner({
      guard: createGuard({ allowEndpoints: [{ address: ADDRESS, port: site.port }] }),
      resolver: { resolveAddresses: async () => [] },
      clock: { now: () => new Date() },
    });
    const { score, findings } = await scan({ origin: new URL(site.origin), isOwnershipVerified: true });
    for (const { checkId, result, detail } of findings) {
      t.ok(result === 'PASS' || result === 'NOT_APPLICABLE', `${checkId} ${result}: ${detail ?? ''}`);
    }
    t.equal(score, 100);
    const idle = findings.filter(({ result }) => result === 'NOT_APPLICABLE').map(({ checkId }) => checkId);
    t.same(idle, ['C-SD-04'], 'only the question of sameAs links cannot be asked of a site without the internet');
  });

  t.test('answers in the form that is asked for', async (t) => {
    const typeOf = async (accept: string): Promise<string> => {
      const response = await fetch(`${site.origin}/guide`, { headers: { accept } });
      t.equal(response.headers.get('vary'), 'Accept');
      return response.headers.get('content-type')?.split(';')[0] ?? '';
    };
    t.equal(await typeOf('text/html,*/*;q=0.8'), 'text/html');
    t.equal(await typeOf('*/*'), 'text/html');
    t.equal(await typeOf('text/markdown'), 'text/markdown');
    t.equal(await typeOf('text/markdown;q=0.5, text/html'), 'text/html');
  });

  t.test('its endpoints speak their protocols', async (t) => {
    const ask = async (path: string, body: unknown): Promise<unknown> => {
      const response = await fetch(site.origin + path, { method: 'POST', body: JSON.stringify(body) });
      return response.status === 200 ? response.json() : response.status;
    };
    t.match(await ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize' }), { id: 1, result: { serverInfo: {} } });
    t.match(await ask('/mcp', { jsonrpc: '2.0', id: 2, method: 'tools/call' }), {
      result: { content: [{ text: /07:00/ }] },
    });
    t.match(await ask('/a2a', { jsonrpc: '2.0', id: 3, method: 'SendMessage' }), { result: { message: {} } });
    t.match(await ask('/a2a', { jsonrpc: '2.0', id: 4, method: 'Other' }), { error: { code: -32601 } });
    t.equal(await ask('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }), 202);
    t.match(await ask('/mcp', []), { error: { code: -32600 } });
    t.equal(await ask('/mcp', 'x'.repeat(100_000)), 413);
  });

  t.test('answers what is not there, or not so, with a status of its own', async (t) => {
    t.equal((await fetch(`${site.origin}/nowhere`)).status, 404);
    t.equal((await fetch(`${site.origin}/mcp`)).status, 405);
    t.equal((await fetch(`${site.origin}/about`, { method: 'DELETE' })).status, 405);
    t.equal(await (await fetch(`${site.origin}/about`, { method: 'HEAD' })).text(), '');
  });
});
