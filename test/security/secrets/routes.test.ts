import type { Test } from 'tap';
import { TEST_PASSWORD } from '../../support/passwords.js';
import { onEachDatabase, onSqlite, type TestEngine } from '../../support/databases.js';
import { send, type HttpAnswer } from '../../support/http-client.js';
import { type Visitor, WEB_URL, type WebRoute } from '../../support/web.js';
import { dumpDatabase, openHouse } from './house.js';

type House = Awaited<ReturnType<typeof openHouse>>;

const SAFE = new Set(['GET', 'HEAD']);
const EVIL = 'https://evil.example';

/** What browsers say of a form that another site sent, or what a client says that cannot tell. */
const FOREIGN: readonly Record<string, string>[] = [
  {},
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site', origin: WEB_URL },
  { 'sec-fetch-site': 'same-origin, cross-site' },
  { 'sec-fetch-site': 'Same-Origin' },
  { origin: EVIL },
  { origin: 'null' },
  { origin: WEB_URL.replace('https', 'http') },
  { origin: `${WEB_URL}.evil.example` },
  { origin: `${WEB_URL}:8443` },
  { origin: `${WEB_URL}, ${EVIL}` },
  { referer: `${WEB_URL}/sites` },
];

/** What is typed where a form asks for a name. */
const NAMES: Readonly<Record<string, (house: House) => string>> = {
  '/sites/:siteId/remove': ({ site }) => site.hostname,
};

/** Where the same field means something else. */
const MANY: Readonly<Record<string, Record<string, string>>> = {
  '/sites/:siteId/mail': { alerts: 'off' },
  '/sites/:siteId/platform': { platform: 'Wix' },
  '/sites/bulk': { act: 'tag-add', tag: 'many', confirmed: '1' },
};

/** Forms that name a site of the account by its id. */
const MEANS_ITS_ID = new Set(['/sites/bulk']);

/** What makes each form do what it is there for. */
function fieldsFor(house: House, { path }: WebRoute): Record<string, string> {
  const { email, password } = house.person;
  return {
    ...{ email, current: password, password: path === '/sign-in' ? password : TEST_PASSWORD },
    ...{ name: NAMES[path]?.(house) ?? 'deployment' },
    site: MEANS_ITS_ID.has(path) ? house.site.id : 'another.example.com',
    ...{ frequency: 'WEEKLY', alerts: 'on', url: 'https://more.example.com/', reason: 'for now' },
    ...{ list: 'one-more.example.net', tag: 'press', ...MANY[path] },
  };
}

/** Forms after which there is nothing more to be done with the account, or with a part of it. */
const ENDING = /remove|revoke|delete|password|sign-|runs/;

async function open(t: Test, engine: TestEngine) {
  const house = await openHouse(t, await engine.openDb(t));
  const holder = house.newHolder();
  const unsafe = house.routes.filter(({ method }) => !SAFE.has(method));
  const safe = house.routes.filter(({ method }) => method === 'GET');
  return { house, holder, unsafe, safe };
}

async function post(visitor: Visitor, house: House, address: string, route: WebRoute, headers: Record<string, string>) {
  const { method } = route;
  const cookie = visitor.cookie === null ? {} : { cookie: visitor.cookie };
  const body = new URLSearchParams(fieldsFor(house, route)).toString();
  const own = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  return send(house.port, address, { method, headers: { ...own, ...cookie, ...headers }, body });
}

onSqlite(async (t, engine) => {
  t.test('no form that another site sends does anything, whatever the route', async (t) => {
    const { house, holder, unsafe } = await open(t, engine);
    t.ok(unsafe.length >= 24, `${unsafe.length} routes`);
    const addresses = await Promise.all(unsafe.map((route) => house.addressOf(route)));
    const before = await dumpDatabase(house.db);
    for (const [index, route] of unsafe.entries()) {
      for (const headers of FOREIGN) {
        const answer = await post(holder, house, addresses[index] ?? '', route, headers);
        t.equal(answer.status, 403, `${route.method} ${route.path} ${JSON.stringify(headers)}`);
        t.equal(answer.headers['set-cookie'], undefined);
      }
    }
    t.strictSame(await house.changesSince(before), []);
  });

  t.test('and each of these forms does something when it is ours', async (t) => {
    const shared = await open(t, engine);
    for (const route of shared.unsafe) {
      const { house, holder } = ENDING.test(route.path) ? await open(t, engine) : shared;
      // Checks are made again for the latest run alone.
      const address = (await house.addressOf(route)).replace('/runs/2/checks', '/runs/3/checks');
      const before = await dumpDatabase(house.db);
      const answer = await post(holder, house, address, route, { 'sec-fetch-site': 'same-origin' });
      await house.runsSettled();
      t.ok(answer.status < 400, `${route.path} answers ${answer.status}`);
      t.ok((await house.changesSince(before)).length > 0, `${route.path} writes`);
    }
  });
});

/** Pages and forms of an account. */
const OF_ACCOUNT = /^\/(sites|keys|account|alerts)(\/|$)/;

/** Parameters of addresses that lead to something of one account. */
const OWNED = /:(siteId|keyId|webhookId|deliveryId|sessionId)/;

/** The same address with ids that never were. */
function absentAddress(address: string): string {
  return address
    .replaceAll(/\b(site|key|wh|msg)_[a-z2-7]{20}/g, (id) => id.replace(/_.*/, `_${'a'.repeat(20)}`))
    .replace(/(?<=\/sessions\/)\w+/, 'b'.repeat(20));
}

onSqlite(async (t, engine) => {
  t.test('what is of another account is as absent as what never was; who is not signed in has to', async (t) => {
    const { house } = await open(t, engine);
    const stranger = await house.newMember();
    const routes = house.routes.filter(({ method, path }) => method !== 'HEAD' && OF_ACCOUNT.test(path));
    t.ok(routes.length >= 50, `${routes.length} routes`);
    const before = await dumpDatabase(house.db);
    for (const route of routes) {
      const about = `${route.method} ${route.path}`;
      const address = await house.addressOf(route);
      const ask = (visitor: Visitor, at: string) =>
        route.method === 'GET' ? visitor.get(at) : post(visitor, house, at, route, { 'sec-fetch-site': 'same-origin' });
      t.match(await ask(house.newVisitor(), address), { status: 303, headers: { location: /^\/sign-in/ } }, about);
      if (!OWNED.test(route.path)) continue;
      const absent = absentAddress(address);
      const answer = await ask(stranger, address);
      // A page that was merged into another one redirects before it looks for anything.
      if (answer.status === 308) continue;
      t.equal(answer.status, 404, about);
      t.equal(answer.text.replaceAll(address, ''), (await ask(stranger, absent)).text.replaceAll(absent, ''), about);
    }
    t.strictSame(await house.changesSince(before), []);
  });
});

/** Written by a read: when a session was last seen, to five minutes. */
const LAST_SEEN = ['sessions.last_seen_at'];

onEachDatabase(async (t, engine) => {
  t.test(
    'no GET and no HEAD writes, but for the time at which a session was last seen, and what is downloaded',
    async (t) => {
      const { house, holder, safe } = await open(t, engine);
      t.ok(safe.length >= 40, `${safe.length} routes`);
      const addresses = await Promise.all(safe.map((route) => house.addressOf(route)));
      house.clock.set('2026-03-15T12:30:00.000Z');
      const before = await dumpDatabase(house.db, LAST_SEEN);
      for (const [index, { path }] of safe.entries()) {
        for (const method of ['GET', 'HEAD']) {
          for (const visitor of [holder, house.newVisitor()]) {
            const headers = { accept: 'text/html', ...(visitor.cookie !== null && { cookie: visitor.cookie }) };
            const answer = await send(house.port, addresses[index] ?? '', { method, headers });
            t.ok(answer.status < 400, `${method} ${path} answers ${answer.status}`);
          }
        }
      }
      const downloads = safe.filter(({ path }) => path.endsWith('.har'));
      t.equal(downloads.length, 2);
      t.strictSame(
        await house.changesSince(before, LAST_SEEN),
        downloads.map(() => 'audit_events'),
        'one event for each, and none for a HEAD',
      );
    },
  );
});

/** What is the same for everyone, and says so. */
const PUBLIC =
  /^\/(llms(-full)?\.txt|robots\.txt|[a-z/]+\.md|sitemap\.xml|\.well-known\/.+|mcp\/server(-card|\.json)|badges\/.+)$/;

onSqlite(async (t, engine) => {
  t.test('every answer has the headers that keep it safe, and no cache keeps what is somebody’s', async (t) => {
    const { house, holder } = await open(t, engine);
    const answers: [about: string, path: string, answer: HttpAnswer][] = [];
    // The ways out go last, since nobody is signed in after them.
    const isWayOut = ({ path }: WebRoute) => Number(/sign-out|\/password|delete|sign-in/.test(path));
    const routes = [...house.routes].filter(({ method }) => method !== 'HEAD');
    for (const route of routes.sort((a, b) => isWayOut(a) - isWayOut(b))) {
      const address = await house.addressOf(route);
      const about = `${route.method} ${route.path}`;
      for (const [who, visitor] of [
        ['holder', holder],
        ['visitor', house.newVisitor()],
      ] as const) {
        if (route.method === 'GET') answers.push([`${about}, ${who}`, route.path, await visitor.get(address)]);
        else {
          answers.push([`${about}, ${who}, empty`, route.path, await visitor.post(address)]);
          answers.push([`${about}, ${who}, foreign`, route.path, await post(visitor, house, address, route, {})]);
        }
      }
      const strange = await send(house.port, address, { method: 'PROPFIND', headers: { accept: 'text/html' } });
      answers.push([`PROPFIND ${route.path}`, route.path, strange]);
    }
    for (const path of ['/nowhere', '/%zz', '/sites/site_x', '/assets/none.js', '/keys/x/revoke']) {
      answers.push([path, path, await house.newHolder().get(path)]);
    }
    for (const [about, path, { status, headers }] of answers) {
      const isPicture = path.startsWith('/badges/') && status === 200;
      t.match(headers['content-security-policy'], isPicture ? "default-src 'none'; sandbox" : STRICT, about);
      t.match(headers, COMMON, about);
      const cache = headers['cache-control'] ?? '';
      if (!PUBLIC.test(path) || status >= 300) t.match(cache, /^(no-store|private, no-cache)$/, `${about}: ${cache}`);
      const isPage = headers['content-type']?.startsWith('text/html') === true;
      if (about.endsWith('holder') && isPage) t.equal(cache, 'no-store', `${about}: not even the browser keeps it`);
    }
  });
});

const STRICT = [
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'",
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
].join('; ');

const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'strict-transport-security': 'max-age=63072000',
  'x-request-id': /^[\w-]{36}$/,
};
