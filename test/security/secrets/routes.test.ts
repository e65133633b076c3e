import type { Test } from 'tap';
import { BADGE, publish } from '../../../src/app/publications/publications.js';
import { isoTimeAfter } from '../../../src/platform/clock.js';
import { digestSecretToken, newId, newSecretToken } from '../../../src/platform/ids.js';
import type { Database } from '../../../src/store/database.js';
import { scanReport, TestClock, tokenOf } from '../../support/accounts.js';
import { onEachDatabase, onSqlite, type TestEngine } from '../../support/databases.js';
import { finding } from '../../support/reports.js';
import { ownershipRecords, visitWithoutAnswers } from '../../support/visit-site.js';
import { addDelivery, addFullAccount, STORED_SECRETS } from '../../support/full-account.js';
import { send, type HttpAnswer, Visitor } from '../../support/http-client.js';
import { TEST_PASSWORD } from '../../support/passwords.js';
import { insertRow, rowsOf, tablesOf } from '../../support/tables.js';
import { PUBLIC_URL } from '../../support/services.js';
import { startWeb, type WebRoute } from '../../support/web.js';

/** Starts the pages with an account that has something of everything: every route finds something, and every form would change something. */
async function openHouse(t: Test, engine: TestEngine) {
  const db = await engine.openDb(t);
  const clock = new TestClock();
  const now = clock.now().toISOString();
  const { accountId, sites, keyId, webhookId, email, password, session } = await addFullAccount(db, clock, {
    runCount: 1,
  });
  const site = sites[0]!;
  const web = await startWeb(t, db, {
    clock,
    // A failure that can be accepted and checked again.
    scan: async () => ({ ...scanReport(0), findings: [finding({ checkId: 'C-LLMS-01', result: 'FAIL' })] }),
    scanFree: async () => scanReport(),
    // Any check finds a proof, so a forged check would change the site.
    resolveTxt: ownershipRecords(async () => [await tokenOf(db, unverified)]),
    openVisit: async () => visitWithoutAnswers(),
  });
  const unverified = await web.sites.add({ accountId, site: 'new.example.com' });
  const at = { accountId, siteId: site.id };
  await web.runs.start({ ...at, trigger: 'SCHEDULED' });
  const deliveryId = await addDelivery(db, { accountId, siteId: null, webhookId, now });
  await web.freeScans.start({ site: 'shop.example.com', clientAddress: '192.0.2.1' });
  await web.freeScans.close();
  const offId = newId('wh');
  const off = { url: 'https://off.example.com/', secret: STORED_SECRETS.webhook, created_at: now, disabled_at: now };
  await insertRow(db, 'webhooks', { id: offId, account_id: accountId, ...off });
  const report = await publish({ db, clock }, at, { kind: 'report', number: null });
  const [device] = await web.signIn.listSessions(accountId);
  const values: Readonly<Record<string, string>> = {
    ...{ siteId: site.id, number: '2', keyId, webhookId, deliveryId, sessionId: device?.id ?? '' },
    ...{ hostname: 'shop.example.com', checkId: 'C-LLMS-01', errorType: 'MISSING' },
  };
  /** Routes whose form changes only something unverified or disabled. */
  const special: Readonly<Record<string, string>> = {
    '/sites/:siteId/verify': unverified.id,
    '/alerts/webhooks/:webhookId/enable': offId,
  };
  const tokens: Readonly<Record<string, () => Promise<string>>> = {
    '/sign-in/:token': async () => (await web.accounts.createSignInLink(accountId)).token,
    '/sign-up/:token': async () => {
      const token = newSecretToken();
      const expires_at = isoTimeAfter(clock.now(), 3_600_000);
      await insertRow(db, 'sign_in_links', { digest: digestSecretToken(token), email: 'new@example.com', expires_at });
      return token;
    },
    '/badges/:token.svg': () => publish({ db, clock }, at, BADGE),
    '/reports/:token': async () => report,
    '/reports/:token/markdown': async () => report,
  };
  /** Returns valid fields for the form of a route. */
  const fieldsFor = (path: string): Record<string, string> => ({
    ...{ email, current: password, password: path === '/sign-in' ? password : TEST_PASSWORD },
    name: path === '/sites/:siteId/remove' ? site.hostname : 'deployment',
    site: path === '/sites/bulk' ? site.id : 'another.example.com',
    ...{ frequency: 'WEEKLY', alerts: 'on', url: 'https://more.example.com/', reason: 'for now' },
    ...{ list: 'one-more.example.net', tag: 'press', ...MEANT_OTHERWISE[path] },
  });
  return {
    ...web,
    newHolder: () => new Visitor(web.port, `__Host-session=${session.token}`),
    unsafe: web.routes.filter(({ method }) => method !== 'GET' && method !== 'HEAD'),
    safe: web.routes.filter(({ method }) => method === 'GET'),
    /** Returns the table of each row that was added, changed or deleted since the dump. */
    async changesSince(before: readonly string[], without: readonly string[] = []): Promise<string[]> {
      const after = await dumpDatabase(db, without);
      const gone = before.filter((row) => !after.includes(row));
      return [...gone, ...after.filter((row) => !before.includes(row))].map((row) => row.split(' ', 1)[0] ?? '');
    },
    /** Returns the path of a route with valid parameters. */
    async addressOf({ path }: WebRoute): Promise<string> {
      const token = path.includes(':token') ? await tokens[path]?.() : undefined;
      const filled = path.replace(/:(\w+)/g, (_, name: string) => {
        const value = name === 'token' ? token : (special[path] ?? values[name]);
        if (value === undefined) throw new Error(`nobody says what ${name} of ${path} is`);
        return value;
      });
      return path.endsWith('/compare') ? `${filled}?from=1&to=2` : filled;
    },
    /** Sends the form of a route, without Sec-Fetch-Site and Origin. */
    post(visitor: Visitor, address: string, { method, path }: WebRoute, headers: Record<string, string>) {
      const cookie = visitor.cookie === null ? {} : { cookie: visitor.cookie };
      const own = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(fieldsFor(path)).toString();
      return send(web.port, address, { method, headers: { ...own, ...cookie, ...headers }, body });
    },
  };
}

/** Fields that mean something else in these forms. */
const MEANT_OTHERWISE: Readonly<Record<string, Record<string, string>>> = {
  '/sites/:siteId/platform': { platform: 'Wix' },
  '/sites/bulk': { act: 'tag-add', tag: 'many', confirmed: '1' },
};

/** Returns every row of the database as text. */
async function dumpDatabase(db: Database, without: readonly string[] = []): Promise<string[]> {
  const dumped: string[] = [];
  for (const table of await tablesOf(db)) {
    for (const row of await rowsOf(db, table)) {
      const kept = Object.entries(row).filter(([name]) => !without.includes(`${table}.${name}`));
      dumped.push(`${table} ${JSON.stringify(Object.fromEntries(kept))}`);
    }
  }
  return dumped.sort();
}

const EVIL = 'https://evil.example';
const OURS = { 'sec-fetch-site': 'same-origin' };

/** Headers of forms that another site sent, and of clients that do not say. */
const FOREIGN: readonly Record<string, string>[] = [
  ...['cross-site', 'same-site', 'same-origin, cross-site', 'Same-Origin'].map((site) => ({ 'sec-fetch-site': site })),
  ...[EVIL, 'null', PUBLIC_URL.replace('https', 'http'), `${PUBLIC_URL}.evil.example`].map((origin) => ({ origin })),
  ...[`${PUBLIC_URL}:8443`, `${PUBLIC_URL}, ${EVIL}`].map((origin) => ({ origin })),
  ...[{}, { 'sec-fetch-site': 'cross-site', origin: PUBLIC_URL }, { referer: `${PUBLIC_URL}/sites` }],
];

/** Forms that end the account or a part of it. */
const ENDING = /remove|revoke|delete|password|sign-|runs/;
const OF_ACCOUNT = /^\/(sites|keys|account|alerts)(\/|$)/;
/** Parameters that name something of one account. */
const OWNED = /:(siteId|keyId|webhookId|deliveryId|sessionId)/;

/** Returns the address with unknown ids. */
function absentAddress(address: string): string {
  return address
    .replaceAll(/\b(site|key|wh|msg)_[a-z2-7]{20}/g, (id) => id.replace(/_.*/, `_${'a'.repeat(20)}`))
    .replace(/(?<=\/sessions\/)\w+/, 'b'.repeat(20));
}

/** Public and cacheable. */
const PUBLIC =
  /^\/(llms(-full)?\.txt|robots\.txt|[a-z/]+\.md|sitemap\.xml|\.well-known\/.+|mcp\/server(-card|\.json)|badges\/.+)$/;

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

onSqlite(async (t, engine) => {
  t.test('a form from another site is refused on every route', async (t) => {
    const house = await openHouse(t, engine);
    t.ok(house.unsafe.length >= 24, `${house.unsafe.length} routes`);
    const addresses = await Promise.all(house.unsafe.map((route) => house.addressOf(route)));
    const before = await dumpDatabase(house.db);
    for (const [index, route] of house.unsafe.entries()) {
      for (const headers of FOREIGN) {
        const answer = await house.post(house.newHolder(), addresses[index] ?? '', route, headers);
        t.equal(answer.status, 403, `${route.method} ${route.path} ${JSON.stringify(headers)}`);
        t.equal(answer.headers['set-cookie'], undefined);
      }
    }
    t.strictSame(await house.changesSince(before), []);
  });

  t.test('each of these forms writes if it comes from our own page', async (t) => {
    const shared = await openHouse(t, engine);
    for (const route of shared.unsafe) {
      const house = ENDING.test(route.path) ? await openHouse(t, engine) : shared;
      // Only failures of the latest run can be checked again.
      const address = (await house.addressOf(route)).replace('/runs/2/checks', '/runs/3/checks');
      const before = await dumpDatabase(house.db);
      const answer = await house.post(house.newHolder(), address, route, OURS);
      await house.runsSettled();
      t.ok(answer.status < 400, `${route.path} answers ${answer.status}`);
      t.ok((await house.changesSince(before)).length > 0, `${route.path} writes`);
    }
  });

  t.test('what another account owns looks unknown, and visitors are sent to sign in', async (t) => {
    const house = await openHouse(t, engine);
    const stranger = await house.newMember();
    const routes = house.routes.filter(({ method, path }) => method !== 'HEAD' && OF_ACCOUNT.test(path));
    t.ok(routes.length >= 50, `${routes.length} routes`);
    const before = await dumpDatabase(house.db);
    for (const route of routes) {
      const about = `${route.method} ${route.path}`;
      const address = await house.addressOf(route);
      const ask = (visitor: Visitor, at: string) =>
        route.method === 'GET' ? visitor.get(at) : house.post(visitor, at, route, OURS);
      t.match(await ask(house.newVisitor(), address), { status: 303, headers: { location: /^\/sign-in/ } }, about);
      if (!OWNED.test(route.path)) continue;
      const absent = absentAddress(address);
      const answer = await ask(stranger, address);
      // A page that moved redirects without looking for anything.
      if (answer.status === 308) continue;
      t.equal(answer.status, 404, about);
      t.equal(answer.text.replaceAll(address, ''), (await ask(stranger, absent)).text.replaceAll(absent, ''), about);
    }
    t.strictSame(await house.changesSince(before), []);
  });

  t.test('every response has the security headers, and no cache stores private pages', async (t) => {
    const house = await openHouse(t, engine);
    const holder = house.newHolder();
    const answers: [about: string, path: string, answer: HttpAnswer][] = [];
    // Routes that sign out come last.
    const isWayOut = ({ path }: WebRoute) => Number(/sign-out|\/password|delete|sign-in/.test(path));
    const routes = [...house.safe, ...house.unsafe].sort((a, b) => isWayOut(a) - isWayOut(b));
    for (const route of routes) {
      const address = await house.addressOf(route);
      const note = (how: string, answer: HttpAnswer) =>
        void answers.push([`${route.method} ${route.path}, ${how}`, route.path, answer]);
      for (const [who, visitor] of Object.entries({ holder, visitor: house.newVisitor() })) {
        if (route.method === 'GET') note(who, await visitor.get(address));
        else {
          note(`${who}, empty`, await visitor.post(address));
          note(`${who}, foreign`, await house.post(visitor, address, route, {}));
        }
      }
      note('PROPFIND', await send(house.port, address, { method: 'PROPFIND', headers: { accept: 'text/html' } }));
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

/** A read writes the time of last use, every five minutes. */
const LAST_SEEN = ['sessions.last_seen_at'];

onEachDatabase(async (t, engine) => {
  t.test('GET and HEAD write only the time of last use and an event for each download', async (t) => {
    const house = await openHouse(t, engine);
    t.ok(house.safe.length >= 40, `${house.safe.length} routes`);
    const addresses = await Promise.all(house.safe.map((route) => house.addressOf(route)));
    house.clock.set('2026-03-15T12:30:00.000Z');
    const before = await dumpDatabase(house.db, LAST_SEEN);
    for (const [index, { path }] of house.safe.entries()) {
      for (const method of ['GET', 'HEAD']) {
        for (const visitor of [house.newHolder(), house.newVisitor()]) {
          const answer = await visitor.send(addresses[index] ?? '', { method, headers: { accept: 'text/html' } });
          t.ok(answer.status < 400, `${method} ${path} answers ${answer.status}`);
        }
      }
    }
    const downloads = house.safe.filter(({ path }) => path.endsWith('.har'));
    t.equal(downloads.length, 1);
    const written = await house.changesSince(before, LAST_SEEN);
    t.strictSame(written, Array(downloads.length).fill('audit_events'), 'one event for each, and none for a HEAD');
  });
});
