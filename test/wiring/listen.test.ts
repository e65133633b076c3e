import t from 'tap';
import { closeAll, listenOn } from '../../src/wiring/serve.js';

t.test('a port or host that cannot be listened on is named with its variable', async (t) => {
  const failing = (code: string) => ({ listen: () => Promise.reject(Object.assign(new Error(code), { code })) });
  const place = { host: 'nowhere.example', port: 80, variable: 'PORT' };
  await t.rejects(listenOn(failing('EADDRINUSE'), place), { message: /^port 80 .*: PORT=4000$/ });
  await t.rejects(listenOn(failing('EADDRNOTAVAIL'), place), { message: /^nowhere\.example .*\bHOST\b/ });
  await t.rejects(listenOn(failing('EACCES'), place), { message: /^port 80 .*\bPORT\b.* 1023$/ });
  await t.rejects(listenOn(failing('ENOTFOUND'), place), { message: / nowhere\.example: .*\bHOST\b/ });
  await t.rejects(listenOn(failing('EMFILE'), place), { message: 'EMFILE' }, 'others stay as they are');
});

t.test('everything is closed in reverse order, even if a step fails', async (t) => {
  const closed: string[] = [];
  const close = (name: string) => async () => void closed.push(name);
  const fail = () => Promise.reject(new Error('broken'));
  const throwAtOnce = () => {
    throw new Error('at once');
  };
  t.match(await closeAll([[close('database')], [close('app')], [fail, throwAtOnce, close('server')]]), [
    { message: 'broken' },
    { message: 'at once' },
  ]);
  t.same(closed, ['server', 'app', 'database']);
});
