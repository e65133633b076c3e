import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import t from 'tap';
import { createFrontDoor } from '../../src/wiring/front-door.js';

/** The room to which a request of this target is led. */
async function roomOf(url: string, { hasMetrics = true } = {}): Promise<string | undefined> {
  const rooms: string[] = [];
  const room = (name: string) => () => {
    rooms.push(name);
    return Promise.resolve();
  };
  const handle = createFrontDoor({
    ...{ api: room('api'), mcp: room('mcp'), hooks: room('hooks'), web: room('web') },
    metrics: hasMetrics ? room('metrics') : undefined,
  });
  const request = Object.assign(new IncomingMessage(new Socket()), { url });
  await handle(request, new ServerResponse(request));
  return rooms.length === 1 ? rooms[0] : undefined;
}

t.test('each request is led to its room by the path as it was sent', async (t) => {
  const rooms: Readonly<Record<string, readonly string[]>> = {
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
  for (const [room, targets] of Object.entries(rooms)) {
    for (const target of targets) t.equal(await roomOf(target), room, target);
  }
});

t.test('the metrics are an unknown path unless the operator wants them', async (t) => {
  for (const target of ['/metrics', '/metrics?x', 'http://host/metrics']) {
    t.equal(await roomOf(target), 'metrics', target);
    t.equal(await roomOf(target, { hasMetrics: false }), 'web', target);
  }
  for (const target of ['/metrics/', '/METRICS', '//metrics']) t.equal(await roomOf(target), 'web', target);
});
