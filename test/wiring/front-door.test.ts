import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import t from 'tap';
import { createFrontDoor } from '../../src/wiring/front-door.js';

/** The room to which a request of this target is led. */
async function roomOf(url: string): Promise<string | undefined> {
  const rooms: string[] = [];
  const room = (name: string) => () => {
    rooms.push(name);
    return Promise.resolve();
  };
  const handle = createFrontDoor({ api: room('api'), mcp: room('mcp'), web: room('web') });
  const request = Object.assign(new IncomingMessage(new Socket()), { url });
  await handle(request, new ServerResponse(request));
  return rooms.length === 1 ? rooms[0] : undefined;
}

t.test('each request is led to its room by the path as it was sent', async (t) => {
  const rooms: Readonly<Record<string, readonly string[]>> = {
    api: ['/api', '/api/', '/api?x', '/api/v1/openapi.json', '/healthz', '/readyz?x', 'http://host/api/v1', '*', ''],
    mcp: ['/mcp', '/mcp?x', 'https://host/mcp'],
    web: [
      '/',
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
