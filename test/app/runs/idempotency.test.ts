import { createSiteRemoval } from '../../../src/app/data/removal.js';
import { createHash } from 'node:crypto';
import type { Test } from 'tap';
import { openServices } from '../../support/services.js';
import { Slots } from '../../../src/platform/slots.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { onEachDatabase, type TestEngine } from '../../support/databases.js';
import { HeldScan } from '../../support/held-scan.js';
import { HeldTimers, until } from '../../support/held-timers.js';
import { createRunServices, openRuns } from '../../support/runs.js';
import { rowsOf, updateRows } from '../../support/tables.js';
import { usedRuns } from '../../support/daily-runs.js';

const DAY = '2026-03-15';

async function prepare(t: Test, engine: TestEngine) {
  const db = await engine.openDb(t);
  const { clock, at } = await openRuns(db);
  /** One of several processes on the database; its scans and timers go on when the test says so. */
  const openProcess = (slots = 10) => {
    const held = new HeldScan();
    const timers = new HeldTimers();
    const services = { db, clock, scan: held.scan, slots: new Slots(slots), startTimer: timers.start };
    const { runs } = createRunServices(services);
    const start = (
      value: string | null = 'build-1',
      { keyId = 'key_a', ...other }: Partial<Record<'siteId' | 'accountId' | 'keyId', string>> = {},
    ) => runs.start({ ...at, trigger: 'API', ...other, ...(value !== null && { idempotencyKey: { keyId, value } }) });
    /** A start that another process answers: resolves once it waits. */
    const join = async (value?: string) => {
      const count = timers.count;
      const joined = start(value);
      joined.catch(() => undefined);
      await until(() => timers.count > count);
      return { joined };
    };
    /** Has it look, and wait again. */
    const look = async () => {
      const { count } = timers;
      timers.fire();
      await until(() => timers.count === count);
    };
    /** Starts a run and has its scan finish; the number of the run that answers. */
    const make = async (...asked: Parameters<typeof start>) => {
      const count = held.started.length;
      const run = start(...asked);
      await Promise.race([held.begun(count + 1), run]);
      if (held.started.length > count) held.last.finish();
      return (await run).number;
    };
    return { held, timers, runs, start, make, join, look };
  };
  return {
    ...{ db, clock, ...at, openProcess },
    claims: () => rowsOf(db, 'idempotency_keys'),
    used: async (day = DAY) => (await usedRuns(db)).find((row) => row.day === day)?.used ?? 0,
    later: (ms: number) => void (clock.time = new Date(clock.time.getTime() + ms)),
  };
}

/** Begins a run and leaves it going. */
async function begin({ start, held }: ReturnType<Awaited<ReturnType<typeof prepare>>['openProcess']>, value?: string) {
  const run = start(value);
  run.catch(() => undefined);
  await held.begun(1);
  return { run };
}

onEachDatabase(async (t, engine) => {
  t.test('the same value joins the run that is going on, in any process, and answers with it ever after', async (t) => {
    const { openProcess, used, claims } = await prepare(t, engine);
    const [here, full] = [openProcess(1), openProcess(0)];
    const { run } = await begin(here);
    const joined = [(await here.join()).joined, (await here.join()).joined, (await full.join()).joined];
    await full.look();
    here.held.last.finish();
    const first = await run;
    for (const { timers } of [here, full]) timers.fire();
    for (const one of [...joined, here.start(), full.start(), openProcess().start()]) {
      const { number, body, etag } = await one;
      t.same({ number, etag }, { number: 1, etag: first.etag });
      t.ok(Buffer.from(first.body).equals(body), 'the same bytes');
    }
    t.equal(here.held.started.length + full.held.started.length, 1);
    t.equal(await used(), 1);
    t.match(await claims(), [{ digest: createHash('sha256').update('build-1').digest('hex'), number: 1 }]);
    t.notMatch(JSON.stringify(await claims()), 'build-1', 'the value itself is not stored');
  });

  t.test('thirty at once in three processes make one run', async (t) => {
    const { db, openProcess, used } = await prepare(t, engine);
    const processes = [openProcess(), openProcess(), openProcess()];
    const all = Promise.all(Array.from({ length: 10 }, () => processes.map(({ start }) => start())).flat());
    await until(() => processes.reduce((waiting, { timers }) => waiting + timers.count, 0) === 29);
    for (const { held } of processes) for (const scan of held.started) scan.finish();
    await until(async () => (await rowsOf(db, 'runs')).length === 1);
    for (const { timers } of processes) timers.fire();
    t.same(new Set((await all).map(({ number }) => number)), new Set([1]));
    t.equal(processes.flatMap(({ held }) => held.started).length, 1);
    t.equal(await used(), 1);
  });

  t.test('another value, key or site is another run; so is none, and the same after 24 hours', async (t) => {
    const { db, accountId, openProcess, clock } = await prepare(t, engine);
    const here = openProcess();
    const other = await addSite(db, accountId, { hostname: 'blog.example.com' });
    t.equal(await here.make(), 1);
    t.equal(await here.make('build-2'), 2);
    t.equal(await here.make('build-1', { keyId: 'key_b' }), 3);
    t.equal(await here.make('build-1', { siteId: other.id }), 1);
    t.equal(await here.make(null), 4);
    clock.set('2026-03-16T11:59:59.999Z');
    t.equal(await here.make(), 1);
    clock.set('2026-03-16T12:00:00.000Z');
    t.equal(await here.make(), 5);
    t.equal(await here.make(), 5);
  });

  t.test('the owner is asked for first; then what is known is answered before any other refusal', async (t) => {
    const { db, accountId, siteId, openProcess } = await prepare(t, engine);
    const here = openProcess();
    const stranger = await addAccount(db);
    t.equal(await here.make(), 1);
    for (let count = 2; count <= 5; count += 1) await here.make(null);
    await t.rejects(here.start('build-2'), { code: 'daily_runs_exceeded' });
    t.equal((await here.start()).number, 1);
    await t.rejects(here.start('build-1', { accountId: stranger.id }), { code: 'site_not_owned' });
    await t.rejects(here.start('build-1', { siteId: `site_${'a'.repeat(20)}` }), { code: 'site_not_found' });

    const { id } = await addSite(db, accountId, { hostname: 'new.example.com', isVerified: false });
    await t.rejects(here.start('build-1', { siteId: id }), { code: 'domain_not_verified' });
    await openServices(db).sites.markVerified(id, 'operator');
    t.equal(await here.make('build-1', { siteId: id }), 1, 'a refusal is not kept');

    await createSiteRemoval({ db, clock: new TestClock() }).remove(siteId);
    await t.rejects(here.start(), { code: 'site_not_found', isChargeReturned: false });
    t.equal((await rowsOf(db, 'idempotency_keys')).length, 1, 'a site takes what is known of it along');
  });

  t.test('a run that failed is forgotten; requests that waited fail with it', async (t) => {
    const { db, openProcess, used, claims } = await prepare(t, engine);
    const [here, there] = [openProcess(), openProcess()];
    const { run } = await begin(here);
    const waiting = [await there.join(), await there.join()];
    const transactions = t.capture(db, 'transaction', db.transaction);
    await there.look();
    t.equal(transactions().length, 0, 'waiting only reads');
    here.held.last.fail(new Error('a fault of ours'));
    await t.rejects(run, { message: 'a fault of ours' });
    t.same(await claims(), []);
    t.equal(await used(), 0);
    there.timers.fire();
    for (const { joined } of waiting) await t.rejects(joined, { code: 'overloaded', isChargeReturned: true });
    t.same(there.held.started, []);

    t.equal(await here.make(), 1);
    t.equal(await used(), 1);
  });

  t.test('the run of a process that died is started again, and counts again', async (t) => {
    const { db, openProcess, used, later, claims } = await prepare(t, engine);
    const [dead, there] = [openProcess(), openProcess()];
    const { run } = await begin(dead);
    later(119_999);
    const { joined } = await there.join();
    t.equal(there.held.started.length, 0, 'it may still be running');
    later(1);
    const third = openProcess();
    const again = await begin(third);
    // The first process was only slow: the key has one run, which counts once.
    dead.held.last.finish();
    await t.rejects(run, { code: 'overloaded' });
    t.equal((await rowsOf(db, 'runs')).length, 0);
    t.equal(await used(), 1);
    third.held.last.finish();
    t.equal((await again.run).number, 1);
    there.timers.fire();
    t.equal((await joined).number, 1);
    t.match(await claims(), [{ number: 1 }]);
    t.equal((await dead.start()).number, 1);
  });

  t.test('a run is not started again once the site is no longer verified, but a stored one is answered', async (t) => {
    const { db, openProcess, used, later, claims } = await prepare(t, engine);
    const [dead, there] = [openProcess(), openProcess()];
    await there.make('build-0');
    await begin(dead);
    later(120_000);
    const before = await claims();
    await updateRows(db, 'sites', {}, { verified_at: null, verified_by: null });
    await t.rejects(Promise.race([there.start(), there.held.begun(2)]), { code: 'domain_not_verified' });
    t.same(await claims(), before);
    t.equal((await there.start('build-0')).number, 1);
    t.equal(await used(), 2);
  });

  t.test('a site that is removed while a request waits: 404', async (t) => {
    const { db, siteId, openProcess } = await prepare(t, engine);
    const [here, there] = [openProcess(), openProcess()];
    const { run } = await begin(here);
    const { joined } = await there.join();
    await createSiteRemoval({ db, clock: new TestClock() }).remove(siteId);
    here.held.last.finish();
    there.timers.fire();
    await t.rejects(run, { code: 'site_not_found', isChargeReturned: true });
    await t.rejects(joined, { code: 'site_not_found', isChargeReturned: true });
  });

  t.test('nobody waits for ever, and nobody past the end of the process', async (t) => {
    const { openProcess, later } = await prepare(t, engine);
    const [here, there, ending] = [openProcess(), openProcess(), openProcess()];
    await begin(here);
    const { joined } = await there.join();
    for (let looks = 0; looks < 89; looks += 1) {
      later(1000);
      await there.look();
    }
    const { joined: last } = await ending.join();
    ending.runs.close();
    for (const { timers } of [there, ending]) timers.fire();
    await until(() => there.timers.count === 1);
    there.timers.fire();
    await t.rejects(joined, { code: 'overloaded', isChargeReturned: true });
    await t.rejects(last, { code: 'overloaded', isChargeReturned: true });
    t.same([...there.held.started, ...ending.held.started], []);
    here.held.last.finish();
  });
});
