import { createSiteRemoval } from '../../../src/app/data/removal.js';
import type { Test } from 'tap';
import { History } from '../../../src/app/runs/history.js';
import { ManualRuns, RUN_ATTEMPTS_MAX } from '../../../src/app/runs/queued-runs.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { Slots } from '../../../src/platform/slots.js';
import { LEASE_MS, onJobsAdded } from '../../../src/queue/jobs.js';
import { OutOfSlots } from '../../../src/scanner/artifacts/resource.js';
import { NotConnected } from '../../../src/store/database.js';
import { NO_PROGRESS } from '../../../src/scanner/report/progress.js';
import { addAccount, addSite, textOf } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase, onPostgres, type TestEngine } from '../../support/databases.js';
import { HeldScan } from '../../support/held-scan.js';
import { connectRaw, untilBlocked } from '../../support/raw-connection.js';
import { createRunWorker, jobsOf } from '../../support/queue.js';
import { openRuns } from '../../support/runs.js';
import { findOwnSite } from '../../../src/app/sites/site.js';

async function prepare(t: Test, engine: TestEngine) {
  const { db, clock, account, at, runs } = await openRuns(await engine.openDb(t));
  const held = new HeldScan();
  const worker = createRunWorker({ db, clock, scan: held.scan });
  const announced: string[] = [];
  onJobsAdded(db, 'runs', () => announced.push('runs'));
  const manual = Object.assign(new ManualRuns({ db, clock }), {
    find: async (siteId: string) => (await manual.pendingRuns({ siteId })).manual,
  });
  /** Has a worker begin the run of the site; `done` resolves at its end. */
  const begin = async () => {
    const count = held.started.length;
    const done = worker.performDue();
    await held.begun(count + 1);
    return { done };
  };
  /** Has a worker perform the run of the site. */
  const perform = async (fault?: Error) => {
    const { done } = await begin();
    if (fault) held.last.fail(fault);
    else held.last.finish();
    await done;
  };
  return {
    ...{ db, clock, account, at, held, worker, announced, manual, begin, perform, runs },
    left: async () => (await new History({ db, clock }).manualBudget(await findOwnSite(db, at))).left,
    later: (ms: number) => void (clock.time = new Date(clock.time.getTime() + ms)),
  };
}

onEachDatabase(async (t, engine) => {
  t.test('a run that a person starts is queued, announced and performed; other starts join it', async (t) => {
    const { db, manual, at, announced, held, left, runs, begin, perform } = await prepare(t, engine);
    t.equal(await manual.find(at.siteId), null);
    await Promise.all([manual.start(at), manual.start(at), manual.start(at)]);
    t.same(announced, ['runs']);
    t.equal((await jobsOf(db)).length, 1);
    const startedAt = '2026-03-15T12:00:00.000Z';
    t.same(await manual.find(at.siteId), { state: 'running', startedAt, progress: NO_PROGRESS });
    const { done } = await begin();
    await manual.start(at);
    t.equal(await left(), 9);
    held.last.finish();
    await done;
    t.equal(await manual.find(at.siteId), null);
    t.match(JSON.parse(textOf((await runs.read(at)).body)), { run: { trigger: 'MANUAL' } });
    await manual.start(at);
    t.equal(await left(), 8, 'the next start is another run');
    await perform();
  });

  t.test('a refusal is heard by all who started, and leaves nothing behind', async (t) => {
    const { db, manual, at, account } = await prepare(t, engine);
    const unverified = await addSite(db, account.id, { hostname: 'new.example.com', isVerified: false });
    const stranger = await addAccount(db);
    const cases: [accountId: string, siteId: string, code: string][] = [
      [at.accountId, `site_${'a'.repeat(20)}`, 'site_not_found'],
      [at.accountId, 'no\0id', 'site_not_found'],
      [stranger.id, at.siteId, 'site_not_found'],
      [at.accountId, unverified.id, 'domain_not_verified'],
    ];
    for (const [accountId, siteId, code] of cases) {
      const request = { accountId, siteId };
      const starts = await Promise.allSettled([manual.start(request), manual.start(request)]);
      for (const start of starts) t.match(start, { status: 'rejected', reason: { name: 'ServiceError', code } }, code);
    }
    t.equal(await manual.find(at.siteId), null);
    t.same(await jobsOf(db), []);
  });

  t.test('a fault of ours is reported for a minute, and the day gets its run back', async (t) => {
    const { db, manual, at, held, left, worker, later, perform } = await prepare(t, engine);
    const fail = async (fault: Error) => {
      await manual.start(at);
      await perform(fault);
    };
    await fail(new Error('a fault of ours'));
    t.match(await manual.find(at.siteId), { state: 'failed', message: /because of a fault on our side.* not count/ });
    t.same(worker.heard, ['MANUAL given up'], 'the log hears of it');
    t.equal(await left(), 10);
    await fail(new ServiceError('overloaded', { cause: new OutOfSlots() }));
    t.equal(await left(), 10, 'a new start takes the place of the failure');
    t.match(await manual.find(at.siteId), { state: 'failed' }, 'also where others starved it');
    later(59_999);
    t.equal(await worker.performDue(), 0);
    later(1);
    await worker.performDue();
    t.equal(await manual.find(at.siteId), null);
    t.equal(held.started.length, 2, 'nothing is scanned for it');
    t.same(await jobsOf(db), []);
  });

  t.test('without a slot the run waits', async (t) => {
    const { db, manual, at, held, clock, left, later, perform } = await prepare(t, engine);
    const slots = new Slots(1);
    await slots.close();
    const full = createRunWorker({ db, clock, scan: held.scan, slots });
    await manual.start(at);
    await full.performDue();
    t.match(await manual.find(at.siteId), { state: 'running' });
    t.equal(await left(), 9);
    later(10_000);
    await perform();
    t.same(await jobsOf(db), []);
  });

  t.test('a site that is removed while it is scanned takes its run with it', async (t) => {
    const { db, manual, at, held, clock, worker, begin } = await prepare(t, engine);
    await manual.start(at);
    const { done } = await begin();
    await createSiteRemoval({ db, clock }).removeOwn(await findOwnSite(db, at));
    held.last.finish();
    await done;
    t.equal(await manual.find(at.siteId), null);
    t.same(worker.heard, []);
  });

  t.test('a run whose worker was killed is performed by another, and counts once', async (t) => {
    const { manual, at, held, left, runs, worker, later, begin, perform } = await prepare(t, engine);
    await manual.start(at);
    const { done: killed } = await begin();
    later(LEASE_MS);
    await perform();
    held.started[0]?.finish();
    await killed;
    t.equal((await runs.read(at)).number, 1);
    t.equal(await left(), 9, 'the one that woke late stores nothing and gives nothing back');
    t.same(worker.heard, []);
  });

  t.test('a run whose workers die again and again is given up, and does not count', async (t) => {
    const { manual, at, held, left, worker, later } = await prepare(t, engine);
    await manual.start(at);
    for (let attempt = 1; attempt <= RUN_ATTEMPTS_MAX; attempt += 1) {
      void worker.performDue();
      await held.begun(attempt);
      later(LEASE_MS);
    }
    t.equal(await left(), 9);
    await worker.performDue();
    t.same(worker.heard, ['MANUAL given up']);
    t.equal(await left(), 10);
    t.match(await manual.find(at.siteId), { state: 'failed' });
  });

  t.test('a run that cannot be stored while the database is away is performed again, and counts once', async (t) => {
    const { db, manual, at, held, clock, left, runs, later, perform } = await prepare(t, engine);
    let isDown = false;
    const away = failWhen(db, () => isDown, new NotConnected('away'));
    await manual.start(at);
    const cut = createRunWorker({ db: away, clock, scan: held.scan }).performDue();
    await held.begun(1);
    isDown = true;
    held.last.finish();
    await cut;
    isDown = false;
    t.equal(await left(), 9, 'since it will take place');
    later(LEASE_MS);
    await perform();
    t.match(await runs.read(at), { number: 1 });
    t.equal(await left(), 9);
  });
});

onPostgres(async (t, engine) => {
  t.test('a start and a removal lock the site and its job in one order', async (t) => {
    const { db, manual, at, perform } = await prepare(t, engine);
    await manual.start(at);
    await perform(new Error('a fault of ours'));
    const removal = await connectRaw(db.url);
    t.teardown(() => removal.close());
    await removal.exec(`BEGIN; SELECT id FROM sites WHERE id = '${at.siteId}' FOR UPDATE`);
    const again = manual.start(at);
    await untilBlocked(db.url, again);
    await t.resolves(removal.exec('SELECT key FROM jobs FOR UPDATE NOWAIT'), 'its job is free');
    await removal.exec('ROLLBACK');
    await again;
    t.match(await manual.find(at.siteId), { state: 'running' });
  });
});
