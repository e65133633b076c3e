import { ServiceError } from '../../../src/platform/errors.js';
import { createKeys } from '../../../src/app/keys/keys.js';
import { TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEitherDatabase } from '../../support/databases.js';
import { codeOf, send, sendRaw } from '../../support/http-client.js';
import { startWeb } from '../../support/web.js';

onEitherDatabase(async (t, engine) => {
  const web = await startWeb(t, await engine.openDb(t));
  t.test('programs get JSON in place of an error page', async (t) => {
    const page = await web.newVisitor().get('/nowhere');
    t.match(page, { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' }, text: /^<!doctype html>/ });
    const json = await web.newVisitor().get('/nowhere', { accept: '*/*' });
    t.match([json.status, codeOf(json)], [404, 'not_found']);
  });

  t.test('an error page leads a member to the sites, and offers a scan to anybody else', async (t) => {
    for (const path of ['/nowhere?notice=account-deleted', '/sign-in?notice=account-deleted', '/?notice=constructor'])
      t.notMatch((await web.newVisitor().get(path)).text, 'role="status"><p>', path);
    t.match((await web.newVisitor().get('/nowhere')).text, 'action="/scan"');
    t.match((await (await web.newMember()).get('/nowhere')).text, '<a class="btn" href="/sites">');
  });

  t.test('plain http makes no promise of https', async (t) => {
    const web = await startWeb(t, await engine.openDb(t), { publicUrl: 'http://localhost:3000' });
    t.equal((await web.newVisitor().get('/nowhere')).headers['strict-transport-security'], undefined);
  });

  t.test('icons lie where browsers and phones look for them', async (t) => {
    for (const [path, type] of [
      ['/favicon.ico', 'image/x-icon'],
      ['/apple-touch-icon.png', 'image/png'],
      ['/assets/og.png', 'image/png'],
    ] as const) {
      const { status, headers } = await web.newVisitor().get(path);
      t.match({ status, headers }, { status: 200, headers: { 'content-type': type, etag: /^"/ } }, path);
      t.equal((await web.newVisitor().get(path, { 'if-none-match': headers.etag ?? '' })).status, 304, path);
    }
  });

  t.test('a form of our own pages is read, by whichever header the browser says so', async (t) => {
    for (const headers of [{ 'sec-fetch-site': 'none' }, { 'sec-fetch-site': '', origin: 'https://readiness.test' }])
      t.equal((await web.newVisitor().post('/nowhere', {}, headers)).status, 404, JSON.stringify(headers));
  });

  t.test('what no page accepts is refused with the methods that it does', async (t) => {
    const own = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    for (const method of ['POST', 'PUT', 'DELETE', 'PROPFIND']) {
      const refused = await send(web.port, '/checks', { method, headers: own });
      t.match(refused, { status: 405, headers: { allow: 'HEAD, GET' } }, method);
    }
    const foreign = { ...own, 'sec-fetch-site': 'cross-site' };
    for (const [path, status] of [
      ['/sign-out', 403],
      ['/checks', 405],
      ['/nowhere', 404],
    ] as const)
      t.equal((await send(web.port, path, { method: 'POST', headers: foreign })).status, status, path);
    t.match(await send(web.port, '/sign-out', { method: 'HEAD' }), { status: 405, headers: { allow: 'POST' } });
    for (const path of ['/%zz', '/CHECKS', '/checks/', '//checks']) {
      t.equal((await web.newVisitor().get(path)).status, 404, path);
    }
  });

  t.test('a request that cannot be read is refused as safely as any other, and ends its connection', async (t) => {
    const answer = await sendRaw(web.port, 'GET /checks HTTP/1.1\r\nAccept: text/html\r\n\r\n');
    t.match(answer, /^HTTP\/1\.1 400 /);
    t.match(answer, /^Content-Security-Policy: default-src 'none'/m);
    t.match(answer, /^Connection: close\r$/m);
  });

  t.test('a form that is too long is refused, and what comes after it on the connection is answered', async (t) => {
    const form = 'Host: x\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\n';
    const chunks = `${(50_000).toString(16)}\r\n${'a'.repeat(50_000)}\r\n`.repeat(4);
    const answers = await sendRaw(
      web.port,
      `POST /sign-in HTTP/1.1\r\n${form}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n` +
        'GET /checks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    t.strictSame(answers.match(/(?<=HTTP\/1\.1 )\d+/g), ['413', '200']);
  });

  t.test('a form is read whatever stands in it', async (t) => {
    const visitor = web.newVisitor();
    const own = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
    const type = 'application/x-www-form-urlencoded';
    for (const [body, contentType] of [
      ['__proto__=x&__proto__[email]=x&constructor=x', type],
      [`email${'[a]'.repeat(5000)}=x`, type],
      ['a&'.repeat(30_000), type],
      ['email=%zz%00&password=%E0%A4', type],
      ['{"email":"ada@example.com"}', 'application/json'],
      ['', 'multipart/form-data'],
    ] as const) {
      const headers = { ...own, 'content-type': contentType };
      const answer = await send(web.port, '/sign-in', { method: 'POST', headers, body });
      t.equal(answer.status, 422, body.slice(0, 20));
    }
    const first = await visitor.post('/sign-in?email=query', { email: 'first', password: 'x' });
    t.match(first.text, 'value="first"');
  });

  t.test('an asset is kept for ever under its version, and compressed', async (t) => {
    const visitor = web.newVisitor();
    const [, url = ''] = /href="(\/assets\/style\.css\?v=[^"]+)"/.exec((await visitor.get('/nowhere')).text) ?? [];
    const plain = await visitor.get(url);
    const cache = /max-age=31536000, immutable/;
    t.match(plain, { status: 200, headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': cache } });
    t.equal((await visitor.get(url, { 'accept-encoding': 'gzip, br' })).headers['content-encoding'], 'br');
    t.equal((await visitor.get(url, { 'accept-encoding': 'gzip' })).headers['content-encoding'], 'gzip');
    t.equal((await visitor.get(url, { 'if-none-match': plain.headers.etag ?? '' })).status, 304);
    const [, font = ''] = /url\((\/assets\/hanken-grotesk\.woff2\?v=[^)]+)\)/.exec(plain.text) ?? [];
    const woff2 = await visitor.get(font, { 'accept-encoding': 'br' });
    t.match(woff2.headers, { 'content-type': 'font/woff2', 'cache-control': cache, 'content-encoding': undefined });
    t.ok(Buffer.byteLength(plain.text) <= 32_768, `${Buffer.byteLength(plain.text)} bytes of style`);
    t.equal((await visitor.get('/assets/style.css?v=old')).headers['cache-control'], 'no-cache');
    for (const path of ['', 'app.ts', '../app.ts', '%2e%2e/app.ts', 'tsconfig.json'])
      t.equal((await visitor.get(`/assets/${path}`)).status, 404, path);
  });

  t.test('while the database is away, pages that need it say so, and the others are there', async (t) => {
    const db = await engine.openDb(t);
    let isDown = false;
    const failing = failWhen(db, () => isDown, new ServiceError('overloaded'));
    const web = await startWeb(t, failing);
    const member = await web.newMember();
    isDown = true;
    for (const answer of [await member.get('/sites'), await web.newVisitor().post('/sign-in', { email: 'a@b.cc' })]) {
      t.match(answer, { status: 503, headers: { 'retry-after': '5', 'cache-control': 'no-store' } });
    }
    const trying = await member.get('//sites?before=9');
    t.equal(trying.headers.refresh, '5', 'it tries again by itself');
    t.match(trying.text, /\b5 seconds\b.*<a class="btn" href>/s);
    t.notMatch(trying.text, trying.headers['x-request-id'], 'while it tries, there is nothing to report');
    const posted = await member.post('/sites');
    t.equal(posted.headers.refresh, undefined, 'a form is not sent again by itself');
    t.match(posted.text, posted.headers['x-request-id'], 'the number that a report needs');
    t.equal((await web.newVisitor().get('/checks')).status, 200);
  });

  t.test('a fault of ours tells nobody but the log what it was', async (t) => {
    const db = await engine.openDb(t);
    const list = () => Promise.reject(new Error('secret of the engine room'));
    const web = await startWeb(t, db, { keys: { ...createKeys({ db, clock: new TestClock() }), list } });
    const answer = await (await web.newMember()).get('/keys');
    t.equal(answer.status, 500);
    t.notMatch(answer.text, /secret of the engine room|\.[jt]s:\d/);
    const line = web.log.find(({ level }) => level === 'error');
    t.match(line, { route: '/keys', cause: { message: 'secret of the engine room' } });
    t.match(answer.text, String(line?.requestId));
  });
});
