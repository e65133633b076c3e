import { onSqlite } from '../../support/databases.js';
import { send } from '../../support/http-client.js';
import { startLiveApi } from '../../support/api.js';
import { TEST_PASSWORD } from '../../support/passwords.js';
import { startWeb } from '../../support/web.js';

const PLANTED = 'a'.repeat(43);

onSqlite(async (t, engine) => {
  t.test('a session cookie is bound to this host, and to https if the public URL is', async (t) => {
    const attributes = 'path=/; expires=[^;]+; samesite=lax';
    const cases: [publicUrl: string, trustProxy: number, cookie: RegExp][] = [
      ['https://readiness.test', 0, new RegExp(`^__Host-session=[\\w-]{43}; ${attributes}; secure; httponly$`)],
      ['https://readiness.test', 1, new RegExp(`^__Host-session=[\\w-]{43}; ${attributes}; secure; httponly$`)],
      ['http://localhost:3000', 0, new RegExp(`^session=[\\w-]{43}; ${attributes}; httponly$`)],
      ['http://localhost:3000', 1, new RegExp(`^session=[\\w-]{43}; ${attributes}; httponly$`)],
    ];
    for (const [publicUrl, trustProxy, cookie] of cases) {
      const web = await startWeb(t, await engine.openDb(t), { publicUrl, trustProxy });
      const member = await web.newMember();
      // Whatever headers and cookie the client sends.
      const claims = [
        {},
        ...['http', 'https'].map((proto) => ({ 'x-forwarded-proto': proto })),
        { host: 'evil.example' },
      ];
      for (const headers of claims) {
        const visitor = web.newVisitor();
        visitor.cookie = `${publicUrl.startsWith('https') ? '__Host-' : ''}session=${PLANTED}`;
        const fields = { email: member.account.email, password: TEST_PASSWORD };
        const answer = await visitor.post('/sign-in', fields, headers);
        const set = (answer.headers['set-cookie'] ?? []) as readonly string[];
        t.ok(set.length > 0 && set.every((line) => cookie.test(line)), JSON.stringify(headers));
        t.notMatch(String(answer.headers['set-cookie']), PLANTED, 'a session is new at sign-in');
        t.equal(answer.headers.location, '/sites', 'and leads nowhere else');
      }
    }
  });

  t.test('a cookie opens no operation of the API, and a key opens no page', async (t) => {
    const db = await engine.openDb(t);
    const web = await startWeb(t, db);
    const { port } = await startLiveApi(t, db);
    const member = await web.newMember();
    const { key } = await web.keys.create({ accountId: member.account.id, name: 'x' });
    const api = '/api/v1/sites/site_aaaaaaaaaaaaaaaaaaaa/runs/latest';
    t.equal((await send(port, api, { headers: { authorization: `Bearer ${key}` } })).status, 404);
    for (const path of [api, `${api}?key=${key}`, `${api}?access_token=${key}`]) {
      for (const cookie of [member.cookie ?? '', `__Host-session=${key}`, `session=${key}`]) {
        t.equal((await send(port, path, { headers: { cookie } })).status, 401, path);
      }
    }
    const token = member.cookie?.split('=')[1] ?? '';
    t.equal((await send(port, api, { headers: { authorization: `Bearer ${token}` } })).status, 401);
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { cookie: `__Host-session=${key}` },
      { cookie: `session=${token}` },
    ]) {
      for (const path of ['/sites', '/keys', '/account', '/account/activity']) {
        t.equal((await web.newVisitor().get(path, headers)).status, 303, path);
      }
    }
  });

  t.test('the Host header of a request reaches no page, link or redirect', async (t) => {
    const web = await startWeb(t, await engine.openDb(t), { trustProxy: 1 });
    const { account } = await web.newMember();
    const { token } = await web.accounts.createSignInLink(account.id);
    const evil = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    };
    const paths = `/ /sign-in /sign-in/${token} /sites /checks /llms.txt /sitemap.xml /nowhere`;
    for (const path of paths.split(' ')) {
      const { headers, text } = await web.newVisitor().get(path, evil);
      t.notOk((JSON.stringify(headers) + text).includes('evil.example'), path);
    }
  });
});
