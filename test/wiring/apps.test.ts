import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import t from 'tap';
import { createAppRouter } from '../../src/platform/http/app.js';

/** Returns the app that gets a request of this target. */
async function appOf(url: string, hasMetrics = true): Promise<string | undefined> {
  const apps: string[] = [];
  const app = (name: string) => async () => void apps.push(name);
  const handlers = { probes: app('probes'), api: app('api'), mcp: app('mcp'), hooks: app('hooks'), web: app('web') };
  const handle = createAppRouter({ ...handlers, metrics: hasMetrics ? app('metrics') : undefined });
  const request = Object.assign(new IncomingMessage(new Socket()), { url });
  await handle(request, new ServerResponse(request));
  return apps.length === 1 ? apps[0] : undefined;
}

t.test('the raw path of a request decides its app', async (t) => {
  const targets: Readonly<Record<string, string>> = {
    probes: '/healthz /readyz /readyz?x http://host/healthz',
    api: '/api /api/ /api?x /api/v1/openapi.json http://host/api/v1 *',
    mcp: '/mcp /mcp?x https://host/mcp',
    hooks: '/hooks/ /hooks/deploy/x?wait=3 https://host/hooks/x',
    web: '/ /hooks /hookses/x //api /API /apis /%61pi /readyz/ /mcp/ /MCP /mcp/server-card http://host /x/../api /metrics/ /METRICS //metrics',
    metrics: '/metrics /metrics?x http://host/metrics',
  };
  for (const [app, list] of Object.entries(targets)) {
    for (const target of list.split(' ')) t.equal(await appOf(target), app, target);
  }
  t.equal(await appOf(''), 'api');
  for (const target of targets.metrics?.split(' ') ?? []) {
    t.equal(await appOf(target, false), 'web', 'unless the operator wants metrics');
  }
});
