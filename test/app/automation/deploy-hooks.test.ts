import { siteRemoval } from '../../support/removal.js';
import type { RunResponse } from '../../../src/app/runs/run.js';
import { callHook, createHook, readHook, readHookStatus } from '../../../src/app/automation/deploy-hooks.js';
import type { RunLabel } from '../../../src/app/runs/run.js';
import type { RunRow } from '../../../src/app/runs/run-rows.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { addAccount, addSite, scanReport, TestClock, textOf } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { createRunWorker, jobsOf } from '../../support/queue.js';
import { LABEL } from '../../support/notes.js';
import { rowsOf } from '../../support/tables.js';
import { findOwnSite } from '../../../src/app/sites/site.js';
import { onJobsAdded } from '../../../src/queue/jobs.js';
import { usedRuns } from '../../support/daily-runs.js';

const storedHooks = defineQuery<Record<string, unknown>>((sql) => sql('deploy_hooks').select('*'));

/** A site, its deploy hook's service, and the queue behind it. */
async function prepare(db: Database, { isVerified = true } = {}) {
  const clock = new TestClock();
  const account = await addAccount(db);
  const site = await addSite(db, account.id, { isVerified });
  const at = { accountId: account.id, siteId: site.id };
  const announced: string[] = [];
  onJobsAdded(db, 'runs', () => announced.push('runs'));
  let duringScan = () => Promise.resolve();
  const scan = async () => {
    await duringScan();
    return scanReport();
  };
  const worker = createRunWorker({ db, clock, scan });
  const runs = createRuns({ db, clock, performRun: createRunPerformer({ db, clock, scan, slots: new Slots(1) }) });
  return {
    ...{ clock, account, site, at, announced },
    create: () => createHook({ db, clock }, at),
    call: (token: string, waitS: number, label?: RunLabel) => callHook({ db, clock }, token, waitS, label),
    status: (token: string) => readHookStatus(db, token),
    later: (ms: number) => void (clock.time = new Date(clock.time.getTime() + ms)),
    rows: () => jobsOf(db),
    /** What runs are named, by number. */
    names: async () => {
      const rows = (await rowsOf(db, 'runs')) as RunRow[];
      const named = rows.filter(({ label, commit_id }) => label !== null || commit_id !== null);
      return Object.fromEntries(named.map(({ number, label, commit_id }) => [number, [label, commit_id]]));
    },
    used: async () => (await usedRuns(db)).filter(({ trigger }) => trigger === 'POST_DEPLOY').at(-1)?.used ?? 0,
    perform: () => worker.performDue(),
    whileScanning: (work: () => Promise<void>) => void (duringScan = work),
    latestRun: async () => (JSON.parse(textOf((await runs.latest(at)).body)) as RunResponse).run,
  };
}

onEitherDatabase(async (t, engine) => {
  t.test('a call has the site run once the deployment is live', async (t) => {
    const db = await engine.openDb(t);
    const { create, call, status, clock, site, announced, later, perform, latestRun } = await prepare(db);
    const token = await create();
    t.same(await readHook(db, site.id), { createdAt: '2026-03-15T12:00:00.000Z', lastUsedAt: null });
    const runAfter = new Date(clock.now().getTime() + 30_000);
    t.same(await call(token, 30, LABEL), { siteId: site.id, hostname: site.hostname, runAfter, latestNumber: 0 });
    t.same(announced, ['runs'], 'workers are notified');
    t.match(await status(token), { state: 'waiting', latest: null });
    later(30_000);
    await perform();
    t.match(await latestRun(), { number: 1, trigger: 'POST_DEPLOY' });
    t.same(await status(token), {
      state: 'idle',
      latest: {
        ...{ number: 1, score: 100, trigger: 'POST_DEPLOY', finishedAt: '2026-03-15T12:00:30.000Z' },
        failures: [],
      },
    });
    t.equal((await call(token, 0)).latestNumber, 1, 'the next call returns the number of the latest run');
  });

  t.test('the last call before a run names it, and one during it names the next', async (t) => {
    const { create, call, later, perform, names, whileScanning } = await prepare(await engine.openDb(t));
    const token = await create();
    const release = (label: string) => ({ label, commit: null });
    await call(token, 0, release('v1'));
    await call(token, 0, { label: null, commit: '4f2a1c9' });
    whileScanning(async () => {
      whileScanning(() => Promise.resolve());
      await call(token, 0, release('v3'));
    });
    later(1000);
    await perform();
    later(1000);
    await perform();
    t.same(await names(), { 1: [null, '4f2a1c9'], 2: ['v3', null] });
    await call(token, 0, release('v4'));
    await call(token, 0);
    later(1000);
    await perform();
    t.same(Object.keys(await names()), ['1', '2'], 'a deployment without a name leaves the run without one');
  });

  t.test('a deployment names no run that begins before it is live', async (t) => {
    const db = await engine.openDb(t);
    const { create, call, later, perform, names, rows } = await prepare(db);
    const token = await create();
    const release = (label: string) => ({ label, commit: null });
    await call(token, 0, release('v1'));
    later(1000);
    await call(token, 600, release('v2'));
    await perform();
    t.same(await names(), {}, 'the last call is not live yet');
    await call(token, 10, release('v3'));
    later(601_000);
    await perform();
    t.same(await names(), { 2: ['v3', null] }, 'the last call counts');
    t.same(await rows(), []);
  });

  t.test('a run starts after each deployment is live, whatever is queued', async (t) => {
    const { create, call, clock, later, rows, used, perform } = await prepare(await engine.openDb(t));
    const token = await create();
    const callFor = async (waitS: number) => {
      const { runAfter } = await call(token, waitS);
      t.equal(runAfter.getTime(), clock.now().getTime() + waitS * 1000, `a deployment that is live in ${waitS} s`);
    };
    await callFor(600);
    later(30_000);
    await callFor(600);
    t.match(await rows(), [{ run_after: '2026-03-15T12:10:00.000Z', again_after: '2026-03-15T12:10:30.000Z' }]);
    t.equal(await used(), 2, 'the first cannot be postponed further, so another follows');
    clock.set('2026-03-15T12:10:00.000Z');
    await perform();
    t.match(await rows(), [{ run_after: '2026-03-15T12:10:30.000Z', again_after: null }]);
    later(10_000);
    await callFor(60);
    t.equal(await used(), 2, 'and can be postponed');
    t.match(await rows(), [{ run_after: '2026-03-15T12:11:10.000Z' }]);
  });

  t.test('30 calls at once make one run', async (t) => {
    const { create, call, rows, used } = await prepare(await engine.openDb(t));
    const token = await create();
    await Promise.all(Array.from({ length: 30 }, () => call(token, 10)));
    t.equal((await rows()).length, 1);
    t.equal(await used(), 1);
  });

  t.test('a site has 24 runs of its hook a day', async (t) => {
    const { create, call, clock, rows, used, perform } = await prepare(await engine.openDb(t));
    const token = await create();
    for (let count = 1; count <= 24; count += 1) {
      await call(token, 0);
      await call(token, 0);
      await perform();
    }
    t.equal(await used(), 24, 'a call that joins a waiting run is not counted');
    await t.rejects(call(token, 0), { code: 'daily_runs_exceeded', retryAfterS: 43_200 });
    t.same(await rows(), [], 'a refused call queues nothing');
    clock.set('2026-03-16T00:00:00.000Z');
    await call(token, 0);
    t.equal(await used(), 1);
    t.equal((await rows()).length, 1);
  });

  t.test('the secret is stored as a digest; a new one replaces the old', async (t) => {
    const db = await engine.openDb(t);
    const { create, call, status, at, later } = await prepare(db);
    const first = await create();
    t.match(first, /^[\w-]{43}$/);
    await call(first, 0);
    later(60_000);
    const second = await create();
    t.not(second, first);
    t.same(await readHook(db, at.siteId), { createdAt: '2026-03-15T12:01:00.000Z', lastUsedAt: null });
    await t.rejects(call(first, 0), { code: 'not_found' });
    await t.rejects(status(first), { code: 'not_found' });
    await call(second, 0);
    const stored = JSON.stringify(await db.run(storedHooks({})));
    for (const token of [first, second]) t.notOk(stored.includes(token));
  });

  t.test('the hook of a site whose domain is not verified starts nothing', async (t) => {
    const { create, call, status, rows, used } = await prepare(await engine.openDb(t), { isVerified: false });
    const token = await create();
    await t.rejects(call(token, 0), { code: 'domain_not_verified' });
    t.same(await rows(), []);
    t.equal(await used(), 0);
    t.match(await status(token), { state: 'idle', latest: null });
  });

  t.test('a hook is removed with its site', async (t) => {
    const db = await engine.openDb(t);
    const { create, call, at, clock } = await prepare(db);
    const token = await create();
    await call(token, 0);
    await siteRemoval({ db, clock }).removeOwn(await findOwnSite(db, at));
    await t.rejects(call(token, 0), { code: 'not_found' });
    t.same(await db.run(storedHooks({})), []);
  });
});
