import { ServiceError } from '../../../src/platform/errors.js';
import { createAccess } from '../../../src/app/keys/access.js';
import { accounts, createAccounts } from '../../../src/app/accounts/accounts.js';
import { setEmailAlerts } from '../../../src/app/alerts/deliveries.js';
import { createSiteRemoval, eraseRemoved } from '../../../src/app/data/removal.js';
import { openServices } from '../../support/services.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery, type Query, type Value } from '../../../src/store/query.js';
import { addAccount, cheapSignIn, RELEASE, TestClock, textOf } from '../../support/accounts.js';
import { changeDatabase, failWhen, watchStatements } from '../../support/changed-database.js';
import { connectRaw, untilBlocked } from '../../support/raw-connection.js';
import { onEachDatabase } from '../../support/databases.js';
import { addDelivery, addFullAccount, STORED_SECRETS } from '../../support/full-account.js';
import { rowsOf, tablesOf, tablesWith } from '../../support/tables.js';
import { ANSWER, evidenceFor, GAINS, LABEL, NOTES } from '../../support/reports.js';
import { findOwnSite } from '../../../src/app/sites/site.js';

/** Tables without an account: counts by digest, and scans of hosts. */
const OF_NO_ACCOUNT = ['free_scans', 'rate_windows', 'excluded_hosts'];
const NO_ACCOUNT = { name: 'InputError', message: /no such account/ };

async function prepare(db: Database, options: { runCount?: number } = {}) {
  const clock = new TestClock();
  const full = await addFullAccount(db, clock, options);
  const data = openServices(db, { clock }).accountData;
  return { db, clock, full, data, housekeep: () => eraseRemoved(db) };
}

/** Returns the database, which fails after `count` single statements. */
function dieAfter(db: Database, count: number): Database {
  let left = count;
  return failWhen(db, () => (left -= 1) < 0, new ServiceError('overloaded'));
}

async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const read: string[] = [];
  for await (const line of lines) read.push(line);
  return read;
}

/** Counts the rows that contain one of the texts. */
async function countRowsWith(db: Database, texts: readonly string[]): Promise<number> {
  const rows = (await Promise.all((await tablesOf(db)).map((table) => rowsOf(db, table)))).flat();
  return rows.filter((row) => Object.values(row).some((value) => texts.includes(value as string))).length;
}

/** Returns the database, whose single statements fail if `isFailing` says so. */
function failStatements(db: Database, isFailing: (query: Query<unknown>) => boolean): Database {
  return watchStatements(db, (query, tx) => {
    if (tx === null && isFailing(query)) throw new Error('out of order');
  });
}

const deleteRuns = defineQuery<never>((sql) => sql('runs').delete());

onEachDatabase(async (t, engine) => {
  t.test('removing an account deletes all of its rows and no others', async (t) => {
    const { db, full, data, clock } = await prepare(await engine.openDb(t));
    const other = await addFullAccount(db, clock);
    await createAccounts({ db, clock }).setPlan(full.accountId, 'SCALE');
    const everywhere = (await tablesOf(db)).filter((table) => !OF_NO_ACCOUNT.includes(table));
    t.same(await tablesWith(db, full.ids), everywhere, 'at first there is something of it in every table');
    const before = await countRowsWith(db, other.ids);
    t.match(await data.remove(full.accountId), { id: full.accountId, email: full.email });
    t.same(await tablesWith(db, full.ids), []);
    t.equal(await countRowsWith(db, other.ids), before);
    await t.rejects(data.remove(full.accountId), NO_ACCOUNT);
    await t.rejects(data.remove('acc_x'), NO_ACCOUNT);
  });

  t.test('if erasing an account fails, the rest is hidden, and the next sweep erases it', async (t) => {
    const { db, full, clock, housekeep } = await prepare(await engine.openDb(t), { runCount: 120 });
    const other = await addFullAccount(db, clock);
    // It fails in the middle of the erasure.
    const dying = dieAfter(db, 5);
    t.match(await openServices(dying, { clock }).accountData.removeOwn(full.accountId), { email: full.email });

    t.same(await tablesWith(db, [full.email]), [], 'the address is nowhere any more');
    const left = await tablesWith(db, full.ids);
    t.ok(left.includes('runs') && left.includes('accounts'), 'a part is left');
    t.notOk(left.some((table) => ['sessions', 'api_keys', 'jobs', 'publications', 'schedules'].includes(table)));
    const signIn = cheapSignIn(db, clock);
    t.equal(await signIn.authenticate(full.session.token), null);
    const { email, password } = full;
    await t.rejects(signIn.withPassword({ email, password, clientAddress: '192.0.2.1' }), { name: 'InputError' });
    await t.rejects(createAccess({ db, clock }).admit(`Bearer ${full.key}`), { code: 'invalid_api_key' });
    const { accounts, sites } = openServices(db, { clock });
    t.match(await accounts.list(), [{ id: other.accountId }]);
    await t.rejects(accounts.setPlan(full.accountId, 'FREE'), NO_ACCOUNT);
    await t.rejects(accounts.createSignInLink(full.accountId), NO_ACCOUNT);
    await t.rejects(sites.list(full.accountId), NO_ACCOUNT);
    await t.rejects(sites.add({ accountId: full.accountId, site: 'new.example.com' }), NO_ACCOUNT);
    await t.rejects(async () => {
      for await (const line of openServices(db, { clock }).accountData.exportAll(full.accountId)) t.fail(line);
    }, NO_ACCOUNT);
    const { account: again } = await accounts.create({ email, plan: 'FREE' });
    t.not(again.id, full.accountId, 'the address can have a new account at once');

    await housekeep();
    const ids = full.ids.filter((id) => id !== email);
    t.same(await tablesWith(db, ids), []);
    t.same((await accounts.list()).length, 2);
  });

  t.test('of two concurrent removals, one finds the account and both succeed', async (t) => {
    const { db, full, data, housekeep } = await prepare(await engine.openDb(t), { runCount: 120 });
    const { accountId } = full;
    const outcomes = await Promise.allSettled([data.remove(accountId), data.removeOwn(accountId), housekeep()]);
    t.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1);
    await housekeep();
    t.same(await tablesWith(db, full.ids), []);
  });

  if (engine.name === 'postgres') {
    t.test('an erasure that waits for another one erases the rest', async (t) => {
      const { db, full, clock, housekeep } = await prepare(await engine.openDb(t), { runCount: 120 });
      const siteId = full.sites[0]!.id;
      const site = await findOwnSite(db, { accountId: full.accountId, siteId });
      await createSiteRemoval({ db: dieAfter(db, 1), clock }).removeOwn(site);
      const other = await connectRaw(db.url);
      t.teardown(() => other.close());
      await other.exec(`BEGIN; DELETE FROM runs WHERE site_id = '${siteId}' AND number <= 100`);
      const erasing = housekeep();
      await untilBlocked(db.url, erasing);
      await other.exec('COMMIT');
      await erasing;
      t.same(await tablesWith(db, [siteId]), []);
    });
  }

  t.test('a site with many runs is erased in batches, and can be added again only afterwards', async (t) => {
    const { db, full, clock, housekeep } = await prepare(await engine.openDb(t), { runCount: 120 });
    const [site, other] = full.sites;
    const asked = { accountId: full.accountId, siteId: site!.id };
    const ofOther = await tablesWith(db, [other!.id]);
    const removal = createSiteRemoval({ db: dieAfter(db, 1), clock });
    t.match(await removal.removeOwn(await findOwnSite(db, asked)), { id: site!.id });
    const left = await tablesWith(db, [site!.id]);
    t.ok(left.includes('runs'));
    t.notOk(left.some((table) => ['jobs', 'publications', 'schedules', 'deploy_hooks'].includes(table)));
    await t.rejects(db.run(deleteRuns({})), /never change/);
    const add = () => openServices(db, { clock }).sites.add({ ...asked, site: 'shop.example.com' });
    await t.rejects(add(), { name: 'InputError', message: /still being erased/ });
    await housekeep();
    t.same(await tablesWith(db, [site!.id]), []);
    t.same(await tablesWith(db, [other!.id]), ofOther, 'the other site has all of its own');
    t.match(await add(), { hostname: 'shop.example.com' });
    await t.rejects(db.run(deleteRuns({})), /never change/);
  });

  t.test('a removal does not wait for the erasure of what others removed', async (t) => {
    const { db, full, clock, data, housekeep } = await prepare(await engine.openDb(t));
    const other = await addFullAccount(db, clock);
    await openServices(dieAfter(db, 1), { clock }).accountData.removeOwn(other.accountId);
    const ofOther = await tablesWith(db, other.ids);
    await data.remove(full.accountId);
    t.same(await tablesWith(db, full.ids), []);
    t.same(await tablesWith(db, other.ids), ofOther);
    await housekeep();
    t.same(await tablesWith(db, other.ids), []);
  });

  t.test('if one removed site cannot be erased, the others are erased', async (t) => {
    const { db, full, clock } = await prepare(await engine.openDb(t));
    const ids = full.sites.map(({ id }) => id);
    const failing = failStatements(db, ({ statement }) => statement.sqlFor(db.dialect).startsWith('delete'));
    await createSiteRemoval({ db: failing, clock }).removeMany(full.accountId, ids);
    let stuck: Value | undefined;
    const failingForFirst = failStatements(db, ({ params: { value } }) => {
      if (ids.some((known) => known === value)) stuck ??= value;
      return value !== undefined && value === stuck;
    });
    await t.rejects(eraseRemoved(failingForFirst), { message: 'out of order' });
    for (const id of ids) t.equal((await tablesWith(db, [id])).includes('sites'), id === stuck);
  });

  t.test('an export reads many sites and ownership tokens a page at a time', async (t) => {
    const db = await engine.openDb(t);
    const { id } = await addAccount(db);
    const hosts = Array.from({ length: 450 }, (_, index) => `s${String(index).padStart(3, '0')}.example.com`);
    await openServices(db, { sitesMaxOverride: 1000 }).sites.addList(id, hosts.join('\n'));
    let mostRows = 0;
    const watched = changeDatabase(db, {
      run: async (query) => {
        const rows = await db.run(query);
        mostRows = Math.max(mostRows, rows.length);
        return rows;
      },
    });
    const lines = await linesOf(openServices(watched).accountData.exportAll(id));
    const read = lines.map((line) => JSON.parse(line) as { type: string; hostname?: string; host?: string });
    const exported = read.filter(({ type }) => type === 'site').map(({ hostname }) => hostname);
    t.same(exported.sort(), hosts);
    const tokens = read.filter(({ type }) => type === 'ownership_token').map(({ host }) => host);
    t.same(tokens, ['example.com', ...hosts]);
    t.ok(mostRows <= 200, `${mostRows} rows in one statement`);
  });

  t.test('alerts by email cannot be turned on for a removed account', async (t) => {
    const db = await engine.openDb(t);
    const { id } = await addAccount(db);
    const context = { db, clock: new TestClock(), hasMail: true };
    await setEmailAlerts(context, id, true);
    await db.run(accounts.update({ id }, { email_alerts_since: null, removed_at: '2026-03-15T12:00:00.000Z' }));
    await setEmailAlerts(context, id, true);
    t.match(await rowsOf(db, 'accounts'), [{ id, email_alerts_since: null }]);
  });

  t.test('an export contains everything but secrets, and each run as it was stored', async (t) => {
    const { db, full, data, clock } = await prepare(await engine.openDb(t), { runCount: 120 });
    await addFullAccount(db, clock);
    const now = clock.now().toISOString();
    const message = { accountId: full.accountId, webhookId: full.webhookId, siteId: null, now };
    for (let count = 0; count < 450; count += 1) await addDelivery(db, message);
    const text = await linesOf(data.exportAll(full.accountId));
    t.ok(text.every((line) => line.indexOf('\n') === line.length - 1));
    const lines = text.map((line) => JSON.parse(line) as { type: string; [name: string]: unknown });
    const of = (type: string) => lines.filter((line) => line.type === type);
    const types = new Set(lines.map(({ type }) => type));
    t.equal([...types].join(' '), 'account site key webhook run delivery event ownership_token');
    t.match(of('account'), [{ id: full.accountId, email: full.email, plan: 'MONITOR', emailAlertsSince: null }]);
    const described = {
      verifiedBy: 'operator',
      chosenPages: ['/pricing', '/gone'],
      schedule: { frequency: 'DAILY', nextRunAt: '2026-03-16T00:00:00.000Z' },
      badge: { since: clock.now().toISOString() },
      deployHook: { createdAt: clock.now().toISOString(), lastUsedAt: null },
      acceptedFailures: [
        { checkId: 'C-LLMS-01', errorType: 'MISSING', reason: 'for now', acceptedAt: clock.now().toISOString() },
      ],
      rechecks: [{ checkId: 'C-MD-01', result: 'FAIL', errorType: 'MISSING', detail: 'It answers 404.' }],
    };
    const sites = of('site').toSorted((a, b) => String(a.hostname).localeCompare(String(b.hostname)));
    t.match(sites, [
      { ...described, hostname: 'blog.example.com', runCount: 2 },
      { ...described, hostname: 'shop.example.com', runCount: 121 },
    ]);
    const hosts = ['blog.example.com', 'example.com', 'shop.example.com'];
    t.match(
      of('ownership_token'),
      hosts.map((host) => ({ host, token: /^agent-readiness-/ })),
    );
    t.match(of('key'), [
      { id: full.keyId, name: 'deployment', expiresAt: null, requests: [{ month: '2026-03', used: 12 }] },
    ]);
    t.match(of('webhook'), [{ id: full.webhookId, url: 'https://hooks.example.com/' }]);
    t.equal(new Set(of('delivery').map(({ id }) => id)).size, 455, 'even where many have the same time');
    for (const secret of [...Object.values(STORED_SECRETS), full.key, full.session.token])
      t.notOk(text.join('').includes(secret), secret);
    const runs = text.filter((line) => line.startsWith('{"type":"run"'));
    t.equal(runs.length, 123);
    const stored = await full.runs.read({ accountId: full.accountId, siteId: full.sites[0]!.id, number: 117 });
    const line =
      runs.find((text) => text.startsWith(`{"type":"run","response":${textOf(stored.body)},"release":"`)) ?? '';
    t.match(JSON.parse(line), { release: RELEASE, label: LABEL, notes: NOTES, gains: GAINS, answer: ANSWER });
    t.match(JSON.parse(line), {
      evidence: [{ checkId: null, storedAt: /^2026-/, evidence: evidenceFor('C-LLMS-01') }],
    });
    const numbersOf = (siteId: string) =>
      of('run').flatMap(({ response }) => {
        const { site, run } = response as { site: { id: string }; run: { number: number } };
        return site.id === siteId ? [run.number] : [];
      });
    const all = Array.from({ length: 121 }, (_, index) => index + 1);
    const [shop, blog] = full.sites;
    t.same([numbersOf(shop!.id), numbersOf(blog!.id)], [all, [1, 2]], 'every run, in order');
  });
});
