import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError } from '../../../src/platform/errors.js';
import type { App } from '../../../src/app/app.js';
import { createKeys } from '../../../src/app/keys/keys.js';
import { addSite } from '../../support/accounts.js';
import { onEitherDatabase, onSqlite } from '../../support/databases.js';
import { formTo, readPage } from '../../support/page.js';
import { tablesWith } from '../../support/tables.js';
import { TEST_PASSWORD } from '../../support/passwords.js';
import { type RunningWeb, startWeb } from '../../support/web.js';

/** Creates a member with a key and a site with two runs. */
async function prepare(web: RunningWeb) {
  const member = await web.newMember();
  const { id: accountId, email } = member.account;
  const { id: siteId } = await addSite(web.db, accountId);
  for (let count = 0; count < 2; count += 1) await web.runs.start({ accountId, siteId, trigger: 'MANUAL' });
  await createKeys(web).create({ accountId, name: 'deployment' });
  return { member, accountId, email, siteId };
}

/** Returns a stand-in whose export has these lines. */
function exporting(lines: () => AsyncGenerator<string, void>): App['accountData'] {
  const unused = () => Promise.reject(new Error('not used'));
  return { summary: unused, remove: unused, removeOwn: unused, exportAll: lines };
}

onEitherDatabase(async (t, engine) => {
  t.test('the account page leads to the export, a file of JSON lines', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { member, accountId } = await prepare(web);
    t.match((await member.get('/account')).text, 'action="/account/export"');
    const file = await member.post('/account/export');
    t.match(file, {
      status: 200,
      headers: {
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="agent-readiness-2026-03-15.jsonl"',
        'cache-control': 'no-store',
      },
    });
    t.match(JSON.parse(file.text.split('\n', 1)[0] ?? ''), { type: 'account', id: accountId });
  });

  t.test('deleting an account requires its address and password', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { member, accountId, email, siteId } = await prepare(web);
    t.match((await member.get('/account')).text, 'href="/account/delete"');
    const page = await member.get('/account/delete');
    t.match(page.text, /1 site with 2 runs.*1 API key/s);
    t.notMatch(page.text, /\b0 [a-z]+|webhook/, 'what there is not does not go');
    for (const [fields, field] of [
      [{ email: 'other@example.com', current: TEST_PASSWORD }, 'email'],
      [{ email, current: 'not the password' }, 'current'],
      [{ email, current: '' }, 'current'],
    ] as const) {
      const { status, text } = await member.post('/account/delete', fields);
      t.same([status, readPage(text).invalid], [422, [field]]);
      t.equal(formTo(text, '/account/delete')?.fields.email, fields.email, 'the address is kept');
    }
    t.notSame(await tablesWith(web.db, [accountId, siteId]), []);

    const done = await member.post('/account/delete', { email: ` ${email.toUpperCase()} `, current: TEST_PASSWORD });
    t.match(done, { status: 303, headers: { location: '/?notice=account-deleted' } });
    t.match(String(done.headers['set-cookie']), /^__Host-session=;/);
    t.match((await member.get('/?notice=account-deleted')).text, /role="status"><p>[^<]* deleted/);
    t.match(await member.get('/account'), { status: 303 });
    t.same(await tablesWith(web.db, [accountId, email, siteId]), []);
  });

  t.test('wrong passwords are limited as they are when signing in', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { member, email } = await prepare(web);
    const guess = () => member.post('/account/delete', { email, current: 'a wrong guess of many' });
    for (let count = 0; count < 10; count += 1) t.equal((await guess()).status, 422);
    t.match(await guess(), { status: 429, headers: { 'retry-after': '900' } });
    const right = await member.post('/account/delete', { email, current: TEST_PASSWORD });
    t.equal(right.status, 429, 'the right one too');
  });
});

onSqlite(async (t, engine) => {
  t.test('an export that fails before its first line gets an error page; later the connection breaks', async (t) => {
    const fail = (): never => {
      throw new ServiceError('overloaded');
    };
    const db = await engine.openDb(t);
    const early = await startWeb(t, db, {
      accountData: exporting(async function* () {
        yield fail();
      }),
    });
    t.match(await (await early.newMember()).post('/account/export'), { status: 503 });
    const late = await startWeb(t, db, {
      accountData: exporting(async function* () {
        yield '{}\n';
        fail();
      }),
    });
    await t.rejects((await late.newMember()).post('/account/export'), { code: 'ECONNRESET' });
  });

  t.test('an export is read only as fast as the client reads, and stops when the client leaves', async (t) => {
    let [read, isEnded] = [0, false];
    const lines = async function* () {
      try {
        for (;;) {
          read += 1;
          yield `${'x'.repeat(100_000)}\n`;
          await turn();
        }
      } finally {
        isEnded = true;
      }
    };
    const web = await startWeb(t, await engine.openDb(t), { accountData: exporting(lines) });
    const { cookie } = await web.newMember();
    const socket = connect(web.port, '127.0.0.1');
    const head = `Host: x\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 0`;
    socket.write(`POST /account/export HTTP/1.1\r\n${head}\r\n\r\n`);
    await once(socket, 'readable');
    // Reading stops once the buffers of both ends are full.
    for (let before = 0, turns = 0; turns < 1000; turns = read === before ? turns + 1 : 0, before = read) await turn();
    t.ok(read < 300, `${read} lines of 100 kB`);
    t.notOk(isEnded);
    socket.destroy();
    while (!isEnded) await turn();
  });
});
