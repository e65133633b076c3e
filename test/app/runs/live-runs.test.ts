import type { Test } from 'tap';
import { createHistory } from '../../../src/app/runs/history.js';
import { createLiveRuns, type LiveRun } from '../../../src/app/runs/live-runs.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { createSlots } from '../../../src/platform/slots.js';
import { createSites } from '../../../src/app/sites/sites.js';
import type { Database } from '../../../src/store/database.js';
import { NotConnected } from '../../../src/store/errors.js';
import { selectQueuedRunsOfSite } from '../../../src/queue/queued-run-statements.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase, type TestEngine } from '../../support/databases.js';
import { HeldScan } from '../../support/held-scan.js';
import { createRunQueue } from '../../../src/app/automation/run-queue.js';
import { ATTEMPTS_MAX, LEASE_MS } from '../../../src/queue/work.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';

async function prepare(t: Test, engine: TestEngine, slots = createSlots(50)) {
  const db: Database = await engine.openDb(t);
  const clock = new TestClock();
  const account = await addAccount(db);
  const site = await addSite(db, account.id);
  const held = new HeldScan();
  const failures: unknown[] = [];
  const runs = createRuns({ db, clock, performRun: createRunPerformer({ db, clock, scan: held.scan, slots }) });
  const live = createLiveRuns({ db, runs, clock, onFailure: (error) => failures.push(error) });
  const at = { accountId: account.id, siteId: site.id };
  const left = async () => (await createHistory({ db, clock }).manualBudget(at)).left;
  const heard = (siteId = at.siteId) => {
    const states: LiveRun[] = [];
    const stop = live.watch(siteId, (run) => states.push(run));
    return { states, stop };
  };
  return { db, clock, account, site, held, failures, runs, live, at, left, heard };
}

/** A worker of another process. */
function startQueue(db: Database, clock: TestClock, held: HeldScan) {
  return createRunQueue({
    ...{ db, clock, planDue: async () => [], offerWork: () => undefined },
    performRun: createRunPerformer({ db, clock, scan: held.scan, slots: createSlots(10) }),
    observer: { retried: () => undefined, givenUp: () => undefined },
  });
}

async function queued(db: Database, siteId: string): Promise<number> {
  return (await db.run(selectQueuedRunsOfSite({ site_id: siteId }))).length;
}

onEachDatabase(async (t, engine) => {
  t.test('a run goes on behind the request that started it', async (t) => {
    const { live, at, held, heard, runs } = await prepare(t, engine);
    t.equal(await live.find(at.siteId), null);
    await live.start(at);
    await held.begun(1);
    const { states } = heard();
    held.last.progress(1);
    held.last.progress(20);
    t.match(await live.find(at.siteId), { state: 'running', progress: { done: 20, requestCount: 40 } });
    held.last.finish();
    await live.settle();
    const startedAt = '2026-03-15T12:00:00.000Z';
    t.same(states, [
      { state: 'running', startedAt, progress: { done: 0, total: 0, requestCount: 0 } },
      { state: 'running', startedAt, progress: { done: 1, total: 20, requestCount: 2 } },
      { state: 'running', startedAt, progress: { done: 20, total: 20, requestCount: 40 } },
      { state: 'finished', number: 1 },
    ]);
    t.match(JSON.parse(Buffer.from((await runs.latest(at)).body).toString()), { run: { trigger: 'MANUAL' } });
  });

  t.test('starts of the same site join the run that goes on, at the very same time too', async (t) => {
    const { live, at, held, left } = await prepare(t, engine);
    await Promise.all([live.start(at), live.start(at), live.start(at)]);
    await live.start(at);
    await held.begun(1);
    t.equal(await left(), 9);
    held.last.finish();
    await live.settle();
    t.equal(held.started.length, 1);
    await live.start(at);
    await held.begun(2);
    t.equal(await left(), 8, 'the next start is a run of its own');
    held.last.finish();
    await live.settle();
    t.same(await live.find(at.siteId), { state: 'finished', number: 2 });
  });

  t.test('a refusal is heard by everyone who started, and leaves nothing behind', async (t) => {
    const { db, live, at, account, runs, held } = await prepare(t, engine);
    const unverified = await addSite(db, account.id, { hostname: 'new.example.com', isVerified: false });
    const stranger = await addAccount(db);
    const cases: [accountId: string, siteId: string, code: string][] = [
      [at.accountId, `site_${'a'.repeat(20)}`, 'site_not_found'],
      [stranger.id, at.siteId, 'site_not_found'],
      [at.accountId, unverified.id, 'domain_not_verified'],
    ];
    for (const [accountId, siteId, code] of cases) {
      const starts = await Promise.allSettled([live.start({ accountId, siteId }), live.start({ accountId, siteId })]);
      for (const start of starts) t.match(start, { status: 'rejected', reason: { name: 'ServiceError', code } }, code);
      t.equal(await live.find(siteId), null);
    }
    for (let count = 1; count <= 10; count += 1) {
      const run = runs.start({ ...at, trigger: 'MANUAL' });
      await held.begun(count);
      held.last.finish();
      await run;
    }
    await t.rejects(live.start(at), { code: 'daily_runs_exceeded', retryAfterS: 43_200 });
    await live.settle();
  });

  t.test('a stranger neither joins the run of a site nor stops its owner from starting one', async (t) => {
    const { db, live, at, held, left } = await prepare(t, engine);
    const stranger = { ...at, accountId: (await addAccount(db)).id };
    const [foreign, own] = await Promise.allSettled([live.start(stranger), live.start(at)]);
    t.match(foreign, { status: 'rejected', reason: { code: 'site_not_found' } });
    t.equal(own.status, 'fulfilled');
    await held.begun(1);
    await t.rejects(live.start(stranger), { code: 'site_not_found' }, 'while it runs');
    t.equal(await left(), 9);
    held.last.finish();
    await live.settle();
  });

  t.test('a fault of ours is told in fixed words, and the day has its run back', async (t) => {
    const { live, at, held, left, heard, failures } = await prepare(t, engine);
    await live.start(at);
    await held.begun(1);
    const { states } = heard();
    held.last.fail(new Error('secret of the database'));
    await live.settle();
    t.match(states.at(-1), { state: 'failed', message: /fault of ours/ });
    t.notMatch(JSON.stringify(states), 'secret');
    t.match(failures, [{ message: 'secret of the database' }], 'the log hears the cause');
    t.equal(await left(), 10);
  });

  t.test('without a slot the run fails, and says when to try again', async (t) => {
    const slots = createSlots(1);
    await slots.close();
    const { live, at, left } = await prepare(t, engine, slots);
    await live.start(at);
    await live.settle();
    t.match(await live.find(at.siteId), { state: 'failed', message: /Try again in a minute/ });
    t.equal(await left(), 10);
  });

  t.test('a site that is removed while its run goes on', async (t) => {
    const { db, live, at, held, clock } = await prepare(t, engine);
    await live.start(at);
    await held.begun(1);
    await createSites({ db, clock, vetSite: () => true }).removeOwn(at);
    held.last.finish();
    await live.settle();
    t.match(await live.find(at.siteId), { state: 'failed', message: /removed/ });
  });

  t.test('how a run ended is kept for a minute, or until the next start', async (t) => {
    const { live, at, held, clock, heard } = await prepare(t, engine);
    const runOnce = async (count: number) => {
      await live.start(at);
      await held.begun(count);
      held.last.finish();
      await live.settle();
    };
    await runOnce(1);
    clock.set('2026-03-15T12:00:59.999Z');
    t.same(heard().states, [{ state: 'finished', number: 1 }], 'told at once to whoever comes late');
    clock.set('2026-03-15T12:01:00.000Z');
    t.equal(await live.find(at.siteId), null);
    t.same(heard().states, []);
    await runOnce(2);
    await live.start(at);
    t.match(await live.find(at.siteId), { state: 'running' });
    await held.begun(3);
    held.last.finish();
    await live.settle();
  });

  t.test('a listener that fails or leaves changes nothing for the run and the others', async (t) => {
    const { live, at, held, heard } = await prepare(t, engine);
    await live.start(at);
    await held.begun(1);
    live.watch(at.siteId, () => {
      throw new Error('the connection is gone');
    });
    const left = heard();
    const { states } = heard();
    left.stop();
    held.last.progress(3);
    held.last.finish();
    await live.settle();
    t.equal(left.states.length, 1, 'only what it heard at once');
    t.same(states.at(-1), { state: 'finished', number: 1 });
  });

  t.test('another process knows of the run, joins it, and hears of its end', async (t) => {
    const { live, at, held, db, clock, runs, left } = await prepare(t, engine);
    const timers: (() => void)[] = [];
    const other = createLiveRuns({ db, runs, clock, startTimer: (action) => (timers.push(action), () => undefined) });
    await live.start(at);
    await held.begun(1);
    t.match(await other.find(at.siteId), { state: 'running', progress: { total: 0 } });
    await other.start(at);
    t.equal(await left(), 9, 'it joins');
    const heard: LiveRun[] = [];
    let onHeard: () => void = () => undefined;
    const hearOne = () => new Promise<void>((resolve) => (onHeard = resolve));
    let next = hearOne();
    other.watch(at.siteId, (run) => {
      heard.push(run);
      onHeard();
    });
    await next;
    held.last.finish();
    await live.settle();
    next = hearOne();
    timers.at(-1)?.();
    await next;
    t.match(heard, [{ state: 'running' }, { state: 'finished', number: null }]);
    t.equal(timers.length, 1, 'and asks no more');
    t.equal(held.started.length, 1);
  });

  t.test('two processes that start a run of a site at once make one of it', async (t) => {
    const { live, at, held, db, clock, runs, left } = await prepare(t, engine);
    const other = createLiveRuns({ db, runs, clock });
    await Promise.all([live.start(at), other.start(at)]);
    await held.begun(1);
    t.equal(await left(), 9);
    held.last.finish();
    await Promise.all([live.settle(), other.settle()]);
    t.equal(held.started.length, 1);
  });

  t.test('a run that fails after a worker took it from a process that was too slow gives nothing back', async (t) => {
    const { live, at, held, db, clock, left } = await prepare(t, engine);
    await live.start(at);
    await held.begun(1);
    clock.time = new Date(clock.time.getTime() + LEASE_MS);
    const queue = startQueue(db, clock, held);
    const [work] = await queue.sweep();
    const performed = queue.perform(work?.key ?? '');
    await held.begun(2);
    held.started[0]?.fail(new Error('too late'));
    await live.settle();
    t.equal(await left(), 9, 'the run goes on');
    held.last.finish();
    await performed;
    t.equal(await left(), 9);
  });

  t.test('a run that fails while the database is away counts until a worker has done it', async (t) => {
    const { at, held, db, clock, left, runs } = await prepare(t, engine);
    let isDown = false;
    const away = failWhen(
      db,
      () => isDown,
      () => new NotConnected('away'),
    );
    const performRun = createRunPerformer({ db: away, clock, scan: held.scan, slots: createSlots(1) });
    const live = createLiveRuns({ db: away, clock, runs: createRuns({ db: away, clock, performRun }) });
    await live.start(at);
    await held.begun(1);
    isDown = true;
    held.last.finish();
    await live.settle();
    isDown = false;
    t.equal(await left(), 9, 'since it will take place');
    clock.time = new Date(clock.time.getTime() + LEASE_MS);
    const queue = startQueue(db, clock, held);
    const [work] = await queue.sweep();
    const performed = queue.perform(work?.key ?? '');
    await held.begun(2);
    held.last.finish();
    await performed;
    t.match(await runs.latest(at), { number: 1 });
    t.equal(await left(), 9);
  });

  t.test('a run that the workers give up does not count', async (t) => {
    for (const end of ['dies', 'fails'] as const) {
      const { live, at, held, db, clock, left } = await prepare(t, engine);
      await live.start(at);
      await held.begun(1);
      const queue = startQueue(db, clock, held);
      for (let attempt = 2; attempt <= ATTEMPTS_MAX; attempt += 1) {
        clock.time = new Date(clock.time.getTime() + LEASE_MS);
        const [work] = await queue.sweep();
        const performed = queue.perform(work?.key ?? '');
        await held.begun(attempt);
        if (end === 'dies') continue;
        held.last.fail(new Error('a fault'));
        await performed;
      }
      t.equal(await left(), end === 'dies' ? 9 : 10);
      clock.time = new Date(clock.time.getTime() + LEASE_MS);
      t.same(await queue.sweep(), []);
      t.equal(await left(), 10, end);
      t.equal(await queued(db, at.siteId), 0);
    }
  });

  t.test('a run whose process was killed is taken up by a worker, and counts once', async (t) => {
    const { live, at, held, db, clock, left, runs } = await prepare(t, engine);
    await live.start(at);
    await held.begun(1);
    clock.time = new Date(clock.time.getTime() + LEASE_MS);
    const queue = startQueue(db, clock, held);
    const [work] = await queue.sweep();
    const performed = queue.perform(work?.key ?? '');
    await held.begun(2);
    held.last.finish();
    await performed;
    held.started[0]?.finish();
    await live.settle();
    t.match(JSON.parse(Buffer.from((await runs.latest(at)).body).toString()), {
      run: { number: 1, trigger: 'MANUAL' },
    });
    t.equal(await left(), 9, 'the one that woke late stores nothing and gives nothing back');
  });
});
