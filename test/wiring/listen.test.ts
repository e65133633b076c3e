import { createServer } from 'node:http';
import t from 'tap';
import { createServer as createApiServer, Lifecycle } from '../../src/platform/http/server.js';
import { createLogger } from '../../src/platform/logging.js';
import { listenOn } from '../../src/wiring/serve.js';

t.test('whoever cannot listen is told what to do about it', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const fails = async (host: string, port: number, message: RegExp): Promise<void> => {
    const logger = createLogger('silent');
    const server = createApiServer({ handle: () => Promise.resolve(), lifecycle: new Lifecycle(), logger });
    await t.rejects(listenOn(server, { host, port, variable: 'METRICS_PORT' }), { message });
  };
  await fails('127.0.0.1', port, /^port \d+ .*: METRICS_PORT=4000$/);
  await fails('203.0.113.5', 0, /^203\.0\.113\.5 .*\bHOST\b/);
});

t.test('a port that is not for every user, and a host that there is not', async (t) => {
  const failing = (code: string) => ({ listen: () => Promise.reject(Object.assign(new Error(code), { code })) });
  const place = { host: 'nowhere.example', port: 80, variable: 'PORT' };
  await t.rejects(listenOn(failing('EACCES'), place), { message: /^port 80 .*\bPORT\b.* 1023$/ });
  await t.rejects(listenOn(failing('ENOTFOUND'), place), { message: / nowhere\.example: .*\bHOST\b/ });
  await t.rejects(listenOn(failing('EMFILE'), place), { message: 'EMFILE' }, 'others stay as they are');
});
