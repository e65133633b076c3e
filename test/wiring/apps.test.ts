import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import t from 'tap';
import { createAppRouter } from '../../src/wiring/router.js';

/** The app that gets a request of this target. */
async function appOf(url: string, { hasMetrics = true } = {}): Promise<string | undefined> {
  const apps: string[] = [];
  const app = (name: string) => () => {
    apps.push(name);
    return Promise.resolve();
  };
  const handle = createAppRouter({
    ...{ api: app('api'), mcp: app('mcp'), hooks: app('hooks'), web: app('web') },
    metrics: hasMetrics ? app('metrics') : undefined,
  });
  const request = Object.assign(new IncomingMessage(new Socket()), { url });
  await handle(request, new ServerResponse(request));
  return apps.length === 1 ? apps[0] : undefined;
}

t.test('each request gets to its app by the path as it was sent', async (t) => {
  const apps: Readonly<Record<string, readonly string[]>> = {
    api: ['/api', '/api/', '/api?x', '/api/v1/openapi.json', '/healthz', '/readyz?x', 'http://host/api/v1', '*', ''],
    mcp: ['/mcp', '/mcp?x', 'https://host/mcp'],
    hooks: ['/hooks/', '/hooks/deploy/x?wait=3', 'https://host/hooks/x'],
    web: [
      '/',
      '/hooks',
      '/hookses/x',
      '//api',
      '/API',
      '/apis',
      '/%61pi',
      '/readyz/',
      '/mcp/',
      '/MCP',
      '/mcp/server-card',
      'http://host',
      '/x/../api',
    ],
  };
  for (const [app, targets] of Object.entries(apps)) {
    for (const target of targets) t.equal(await appOf(target), app, target);
  }
});

t.test('the metrics are an unknown path unless the operator wants them', async (t) => {
  for (const target of ['/metrics', '/metrics?x', 'http://host/metrics']) {
    t.equal(await appOf(target), 'metrics', target);
    t.equal(await appOf(target, { hasMetrics: false }), 'web', target);
  }
  for (const target of ['/metrics/', '/METRICS', '//metrics']) t.equal(await appOf(target), 'web', target);
});
