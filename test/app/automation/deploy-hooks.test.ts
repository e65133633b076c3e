import { siteRemoval } from '../../support/removal.js';
import type { RunResponse } from '../../../src/app/runs/run.js';
import { DeployHooks } from '../../../src/app/automation/deploy-hooks.js';
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
import { asOwner } from '../../support/as-owner.js';
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
    hooks: asOwner(db, new DeployHooks({ db, clock }), 'find'),
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
    const { clock, at, site, hooks, announced, later, perform, latestRun } = await prepare(await engine.openDb(t));
    const { hook, token } = await hooks.create(at);
    t.same(hook, { createdAt: '2026-03-15T12:00:00.000Z', lastUsedAt: null });
    const runAfter = new Date(clock.now().getTime() + 30_000);
    t.same(await hooks.call(token, 30, LABEL), { siteId: site.id, hostname: site.hostname, runAfter, latestNumber: 0 });
    t.same(announced, ['runs'], 'the workers are told');
    t.match(await hooks.status(token), { state: 'waiting', latest: null });
    later(30_000);
    await perform();
    t.match(await latestRun(), { number: 1, trigger: 'POST_DEPLOY' });
    t.same(await hooks.status(token), {
      state: 'idle',
      latest: {
        ...{ number: 1, score: 100, trigger: 'POST_DEPLOY', finishedAt: '2026-03-15T12:00:30.000Z' },
        failures: [],
      },
    });
    t.equal((await hooks.call(token, 0)).latestNumber, 1, 'the next call tells which run is not yet its own');
  });

  t.test('the last call before a run names it, and one during it names the next', async (t) => {
    const { hooks, at, later, perform, names, whileScanning } = await prepare(await engine.openDb(t));
    const { token } = await hooks.create(at);
    const release = (label: string) => ({ label, commit: null });
    await hooks.call(token, 0, release('v1'));
    await hooks.call(token, 0, { label: null, commit: '4f2a1c9' });
    whileScanning(async () => {
      whileScanning(() => Promise.resolve());
      await hooks.call(token, 0, release('v3'));
    });
    later(1000);
    await perform();
    later(1000);
    await perform();
    t.same(await names(), { 1: [null, '4f2a1c9'], 2: ['v3', null] });
    await hooks.call(token, 0, release('v4'));
    await hooks.call(token, 0);
    later(1000);
    await perform();
    t.same(Object.keys(await names()), ['1', '2'], 'a deployment without a name leaves the run without one');
  });

  t.test('a deployment names no run that begins before it is live', async (t) => {
    const db = await engine.openDb(t);
    const { hooks, at, later, perform, names, rows } = await prepare(db);
    const { token } = await hooks.create(at);
    const release = (label: string) => ({ label, commit: null });
    await hooks.call(token, 0, release('v1'));
    later(1000);
    await hooks.call(token, 600, release('v2'));
    await perform();
    t.same(await names(), {}, 'the last call is not live yet');
    await hooks.call(token, 10, release('v3'));
    later(601_000);
    await perform();
    t.same(await names(), { 2: ['v3', null] }, 'the last call counts');
    t.same(await rows(), []);
  });

  t.test('whatever is in the queue, a run begins after each call has gone live', async (t) => {
    const { hooks, at, clock, later, rows, used, perform } = await prepare(await engine.openDb(t));
    const { token } = await hooks.create(at);
    const call = async (waitS: number) => {
      const { runAfter } = await hooks.call(token, waitS);
      t.equal(runAfter.getTime(), clock.now().getTime() + waitS * 1000, `a deployment that is live in ${waitS} s`);
    };
    await call(600);
    later(30_000);
    await call(600);
    t.match(await rows(), [{ run_after: '2026-03-15T12:10:00.000Z', again_after: '2026-03-15T12:10:30.000Z' }]);
    t.equal(await used(), 2, 'the first was put off for long enough, so that another follows');
    clock.set('2026-03-15T12:10:00.000Z');
    await perform();
    t.match(await rows(), [{ run_after: '2026-03-15T12:10:30.000Z', again_after: null }]);
    later(10_000);
    await call(60);
    t.equal(await used(), 2, 'which can be put off in its turn');
    t.match(await rows(), [{ run_after: '2026-03-15T12:11:10.000Z' }]);
  });

  t.test('30 calls at once make one run', async (t) => {
    const { hooks, at, rows, used } = await prepare(await engine.openDb(t));
    const { token } = await hooks.create(at);
    await Promise.all(Array.from({ length: 30 }, () => hooks.call(token, 10)));
    t.equal((await rows()).length, 1);
    t.equal(await used(), 1);
  });

  t.test('a site has 24 runs of its hook a day', async (t) => {
    const { hooks, at, clock, rows, used, perform } = await prepare(await engine.openDb(t));
    const { token } = await hooks.create(at);
    for (let count = 1; count <= 24; count += 1) {
      await hooks.call(token, 0);
      await hooks.call(token, 0);
      await perform();
    }
    t.equal(await used(), 24, 'a call that joins a waiting run is not counted');
    await t.rejects(hooks.call(token, 0), { code: 'daily_runs_exceeded', retryAfterS: 43_200 });
    t.same(await rows(), [], 'a refused call queues nothing');
    clock.set('2026-03-16T00:00:00.000Z');
    await hooks.call(token, 0);
    t.equal(await used(), 1);
    t.equal((await rows()).length, 1);
  });

  t.test('the secret is kept as a digest; a new one takes the place of the one before', async (t) => {
    const db = await engine.openDb(t);
    const { hooks, at, later } = await prepare(db);
    const first = await hooks.create(at);
    t.match(first.token, /^[\w-]{43}$/);
    await hooks.call(first.token, 0);
    later(60_000);
    const second = await hooks.create(at);
    t.not(second.token, first.token);
    t.same(await hooks.find(at), { createdAt: '2026-03-15T12:01:00.000Z', lastUsedAt: null });
    await t.rejects(hooks.call(first.token, 0), { code: 'not_found' });
    await t.rejects(hooks.status(first.token), { code: 'not_found' });
    await hooks.call(second.token, 0);
    const stored = JSON.stringify(await db.run(storedHooks({})));
    for (const { token } of [first, second]) t.notOk(stored.includes(token));
  });

  t.test('the hook of a site whose domain is not verified starts nothing', async (t) => {
    const { hooks, at, rows, used } = await prepare(await engine.openDb(t), { isVerified: false });
    const { token } = await hooks.create(at);
    await t.rejects(hooks.call(token, 0), { code: 'domain_not_verified' });
    t.same(await rows(), []);
    t.equal(await used(), 0);
    t.match(await hooks.status(token), { state: 'idle', latest: null });
  });

  t.test('a hook is removed with its site', async (t) => {
    const db = await engine.openDb(t);
    const { hooks, at, clock } = await prepare(db);
    const { token } = await hooks.create(at);
    await hooks.call(token, 0);
    await siteRemoval({ db, clock }).removeOwn(await findOwnSite(db, at));
    await t.rejects(hooks.call(token, 0), { code: 'not_found' });
    t.same(await db.run(storedHooks({})), []);
  });
});
