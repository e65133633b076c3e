import { siteRemoval } from '../../support/removal.js';
import {
  applyPlanToSchedules,
  PLANNED_AT_ONCE,
  planSchedules,
  Schedules,
} from '../../../src/app/automation/schedules.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { nextScheduledTime } from '../../../src/app/automation/schedule.js';

import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { RUN_ATTEMPTS_MAX } from '../../../src/app/runs/queued-runs.js';
import { createSites } from '../../../src/app/sites/sites.js';
import { Slots } from '../../../src/platform/slots.js';
import { addJob, LEASE_MS, onJobsAdded } from '../../../src/queue/jobs.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { countInTransactions } from '../../support/changed-database.js';
import { OutOfResources } from '../../../src/scanner/artifacts/out-of-resources.js';
import { onEachDatabase } from '../../support/databases.js';
import { HeldScan } from '../../support/held-scan.js';
import { createRunWorker, jobsOf } from '../../support/queue.js';
import { asOwner } from '../../support/as-owner.js';
import { findOwnSite } from '../../../src/app/sites/site.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const storedRuns = defineQuery<{ site_id: string; number: number; trigger: string }>((sql) =>
  sql('runs').select('site_id', 'number', 'trigger').orderBy(['site_id', 'number']),
);

/** A worker over the database, whose scans the test moves on; two over one database are two processes. */
function startWorker(db: Database, clock: TestClock, slots = new Slots(10)) {
  const held = new HeldScan();
  const worker = createRunWorker({ db, clock, slots, scan: held.scan });
  /** Begins what is due; `done` resolves when it has ended. */
  const begin = async (count = 1) => {
    const done = worker.performDue();
    await held.begun(held.started.length + count);
    return { done };
  };
  return Object.assign(worker, { held, begin });
}

async function prepare(db: Database) {
  const clock = new TestClock();
  const account = await addAccount(db);
  const site = await addSite(db, account.id);
  const at = { accountId: account.id, siteId: site.id };
  const job = { queue: 'runs', kind: 'SCHEDULED', key: site.id, account_id: account.id, site_id: site.id } as const;
  let announced = 0;
  onJobsAdded(db, 'runs', () => (announced += 1));
  return {
    ...{ clock, account, site, at },
    schedules: asOwner(db, new Schedules({ db, clock }), 'get', 'set'),
    /** Plans what is due. @returns how often the workers were told */
    plan: async (queuedMax?: number) => {
      announced = 0;
      const limit = queuedMax === undefined ? {} : { queuedMax };
      await planSchedules({ db, clock, ...limit });
      return announced;
    },
    later: (ms: number) => void (clock.time = new Date(clock.time.getTime() + ms)),
    once: () => db.transaction((tx) => addJob(tx, { ...job, run_after: clock.now().toISOString() }, clock.now())),
    rows: () => jobsOf(db),
    runs: () => db.run(storedRuns({})),
  };
}

onEachDatabase(async (t, engine) => {
  t.test('a site whose time has come runs once, and again a period later', async (t) => {
    const db = await engine.openDb(t);
    const { clock, at, later, runs, rows, plan, schedules } = await prepare(db);
    const worker = startWorker(db, clock);
    const { nextRunAt } = await schedules.set(at, 'DAILY');
    t.equal(await plan(), 0, 'nothing before its time');
    clock.set(nextRunAt ?? '');
    t.equal(await plan(), 1);
    t.equal(await plan(), 0, 'it is planned once');
    t.equal((await rows()).length, 1);
    const { done } = await worker.begin();
    worker.held.last.finish();
    await done;
    await plan();
    t.equal(await worker.performDue(), 0, 'and done once');
    t.match(await runs(), [{ number: 1, trigger: 'SCHEDULED' }]);
    later(DAY_MS);
    await plan();
    t.equal((await rows()).length, 1, 'the next day it is due again');
    const { nextRunAt: afterNext } = await schedules.get(at);
    t.equal(Date.parse(afterNext ?? ''), clock.now().getTime() + DAY_MS, 'at the same time of the day');
  });

  t.test('times that were missed make one run', async (t) => {
    const db = await engine.openDb(t);
    const { at, later, rows, plan, schedules } = await prepare(db);
    await schedules.set(at, 'DAILY');
    later(10 * DAY_MS);
    await plan();
    t.equal((await rows()).length, 1);
    later(DAY_MS);
    await plan();
    t.equal((await rows()).length, 1, 'while it waits, nothing is queued twice');
  });

  t.test('two processes plan each schedule once', async (t) => {
    const db = await engine.openDb(t);
    const { account, later, plan, schedules, rows } = await prepare(db);
    for (let index = 0; index < 25; index += 1) {
      const { id: siteId } = await addSite(db, account.id, { hostname: `s${index}.example.com` });
      await schedules.set({ accountId: account.id, siteId }, 'DAILY');
    }
    later(DAY_MS);
    await Promise.all([plan(), plan()]);
    t.equal((await rows()).length, 25);
    t.equal(new Set((await rows()).map(({ key }) => key)).size, 25);
  });

  t.test('a schedule can be changed and turned off; the plan decides how frequent it may be', async (t) => {
    const db = await engine.openDb(t);
    const { clock, at, account, later, plan, schedules } = await prepare(db);
    t.match(await schedules.get(at), { frequency: null, nextRunAt: null, choices: ['WEEKLY', 'DAILY'] });
    await t.rejects(schedules.set(at, 'HOURLY'), { message: /plan/ });
    await createAccounts({ db, clock, onPlanChanged: applyPlanToSchedules }).setPlan(account.id, 'SCALE');
    t.match(await schedules.set(at, 'HOURLY'), { frequency: 'HOURLY', effective: 'HOURLY' });
    await createAccounts({ db, clock, onPlanChanged: applyPlanToSchedules }).setPlan(account.id, 'FREE');
    t.match(await schedules.get(at), { frequency: 'HOURLY', effective: 'WEEKLY' });
    later(HOUR_MS);
    t.equal(await plan(), 1);
    const nextRunAt = nextScheduledTime(at.siteId, 'WEEKLY', clock.now()).toISOString();
    t.match(await schedules.get(at), { nextRunAt }, 'from then on it is as rare as the plan');
    t.equal((await schedules.nextRuns([at.siteId])).get(at.siteId), nextRunAt);
    t.match(await schedules.set(at, null), { frequency: null, nextRunAt: null });
    t.equal((await schedules.nextRuns([at.siteId])).size, 0);
    const stranger = await addAccount(db);
    for (const call of [
      () => schedules.get({ ...at, accountId: stranger.id }),
      () => schedules.set({ ...at, accountId: stranger.id }, 'WEEKLY'),
    ]) {
      await t.rejects(call(), { code: 'site_not_found' });
    }
  });

  t.test('schedules of many sites are changed by one statement', async (t) => {
    const db = await engine.openDb(t);
    const { clock, account, at } = await prepare(db);
    const { id: other } = await addSite(db, account.id, { hostname: 'other.example.com' });
    const { id: third } = await addSite(db, account.id, { hostname: 'third.example.com' });
    const statements = countInTransactions(db, 'schedules');
    const schedules = new Schedules({ db: statements.counted, clock });
    const sites = { accountId: account.id, plan: 'SCALE', siteIds: [at.siteId, other, third] } as const;
    const one = await schedules.setMany({ ...sites, siteIds: [other] }, 'WEEKLY');
    t.same([one.done.length, statements.count], [1, 2], 'a read and a write');
    t.match(await schedules.setMany(sites, 'DAILY'), { done: { length: 3 }, unchanged: [] });
    t.equal(statements.count, 4);
    const nextRuns = await schedules.nextRuns(sites.siteIds);
    const next = (siteId: string) => nextScheduledTime(siteId, 'DAILY', clock.now()).toISOString();
    t.same(nextRuns, new Map(sites.siteIds.map((siteId) => [siteId, next(siteId)])));
    await schedules.setMany({ ...sites, siteIds: [at.siteId, other] }, null);
    t.equal(statements.count, 6);
    t.same([...(await schedules.nextRuns(sites.siteIds)).keys()], [third]);
  });

  t.test('a site that is not verified is not run', async (t) => {
    const db = await engine.openDb(t);
    const { clock, account, later, plan, rows, schedules } = await prepare(db);
    const { id: siteId } = await addSite(db, account.id, { hostname: 'new.example.com', isVerified: false });
    await schedules.set({ accountId: account.id, siteId }, 'WEEKLY');
    later(7 * DAY_MS);
    await plan();
    t.same(await rows(), []);
    await createSites({ db, clock, vetSite: () => true }).markVerified(siteId, 'operator');
    later(7 * DAY_MS);
    await plan();
    t.equal((await rows()).length, 1, 'from the next time after it was verified on, it is');
  });

  t.test('a worker that wakes after another took its run writes nothing', async (t) => {
    const db = await engine.openDb(t);
    const { clock, once, later, runs, rows } = await prepare(db);
    await once();
    const [asleep, other] = [startWorker(db, clock), startWorker(db, clock)] as const;
    const first = await asleep.begin();
    later(LEASE_MS);
    const second = await other.begin();
    asleep.held.last.finish();
    await first.done;
    t.same(await runs(), [], 'while the other has it in hand');
    other.held.last.finish();
    await second.done;
    t.match(await runs(), [{ number: 1 }], 'the number of the run that was not stored is not lost');
    t.same(await rows(), []);
    t.same([...asleep.heard, ...other.heard], []);
  });

  t.test('a failed run is retried after a pause, and fails after its last attempt', async (t) => {
    const db = await engine.openDb(t);
    const { clock, once, later, rows } = await prepare(db);
    const causes = [
      new Error('a fault'),
      new ServiceError('overloaded', { cause: new OutOfResources() }),
      new ServiceError('overloaded', { cause: new Error('canceling statement due to statement timeout') }),
    ];
    for (const cause of causes) {
      await once();
      const worker = startWorker(db, clock);
      for (let attempt = 1; attempt <= RUN_ATTEMPTS_MAX; attempt += 1) {
        const { done } = await worker.begin();
        worker.held.last.fail(cause);
        await done;
        if (attempt === RUN_ATTEMPTS_MAX) break;
        const [job] = await rows();
        const pauseMs = Date.parse(job?.run_after ?? '') - clock.now().getTime();
        t.ok(pauseMs >= 15_000 * attempt, 'longer each time');
        later(pauseMs - 1);
        t.equal(await worker.performDue(), 0, 'not before the pause is over');
        later(1);
      }
      t.same(worker.heard, ['SCHEDULED retried', 'SCHEDULED retried', 'SCHEDULED given up']);
      t.same(await rows(), []);
    }
  });

  t.test('other work goes on while thousands of schedules are planned', async (t) => {
    const db = await engine.openDb(t);
    const { account, later, plan, schedules, rows } = await prepare(db);
    for (let index = 0; index < PLANNED_AT_ONCE + 1; index += 1) {
      const { id: siteId } = await addSite(db, account.id, { hostname: `s${index}.example.com` });
      await schedules.set({ accountId: account.id, siteId }, 'DAILY');
    }
    later(DAY_MS);
    let hadTurn = false;
    setImmediate(() => (hadTurn = true));
    t.equal(await plan(), 2, 'the workers are told of each part');
    t.equal((await rows()).length, PLANNED_AT_ONCE + 1);
    t.ok(hadTurn);
  });

  t.test('what is due beyond a full queue stays due, the longest due first', async (t) => {
    const db = await engine.openDb(t);
    const { clock, account, at, later, plan, schedules, rows } = await prepare(db);
    await schedules.set(at, 'DAILY');
    later(DAY_MS);
    t.equal(await plan(1), 1);
    const { id: siteId } = await addSite(db, account.id, { hostname: 'late.example.com' });
    await schedules.set({ accountId: account.id, siteId }, 'DAILY');
    later(DAY_MS);
    t.equal(await plan(1), 0, 'one is queued already');
    t.same(
      (await rows()).map(({ site_id }) => site_id),
      [at.siteId],
    );
    const worker = startWorker(db, clock);
    const { done } = await worker.begin();
    worker.held.last.finish();
    await done;
    t.equal(await plan(1), 1, 'there is room again');
    t.equal((await rows()).length, 2, 'in steps: a whole step is planned');
  });

  t.test('on a higher plan, a more frequent schedule chosen earlier gets an earlier next time', async (t) => {
    const db = await engine.openDb(t);
    const { clock, at, account, later, plan, schedules } = await prepare(db);
    const accounts = createAccounts({ db, clock, onPlanChanged: applyPlanToSchedules });
    await accounts.setPlan(account.id, 'SCALE');
    await schedules.set(at, 'HOURLY');
    await accounts.setPlan(account.id, 'FREE');
    later(HOUR_MS);
    await plan();
    await accounts.setPlan(account.id, 'SCALE');
    // By chance the site's weekly time may be sooner still.
    const times = (['WEEKLY', 'HOURLY'] as const).map((each) => nextScheduledTime(at.siteId, each, clock.now()));
    const nextRunAt = times.map((time) => time.toISOString()).sort()[0];
    t.match(await schedules.get(at), { effective: 'HOURLY', nextRunAt });
    await accounts.setPlan(account.id, 'FREE');
    t.match(await schedules.get(at), { effective: 'WEEKLY', nextRunAt }, 'a lower one from the time after it on');
  });

  t.test(
    'what a clock that was far ahead has planned comes back; one that is a little ahead changes nothing',
    async (t) => {
      const db = await engine.openDb(t);
      const { clock, at, later, rows, plan, schedules } = await prepare(db);
      const right = clock.now();
      const { nextRunAt } = await schedules.set(at, 'WEEKLY');
      t.equal(await plan(), 0);
      t.match(await schedules.get(at), { nextRunAt });
      later(400 * DAY_MS);
      await schedules.set(at, 'WEEKLY');
      clock.set(right.toISOString());
      await plan();
      t.same(await rows(), [], 'nothing is run for it');
      t.match(await schedules.get(at), { nextRunAt });
    },
  );

  t.test('a run that was queued while its site was being removed is dropped', async (t) => {
    const db = await engine.openDb(t);
    const { clock, site, once, rows } = await prepare(db);
    const worker = startWorker(db, clock);
    const mark = defineQuery<never, { id: string }>((sql, { id }) =>
      sql('sites').where({ id }).update({ is_deleting: 1 }),
    );
    await db.run(mark({ id: site.id }));
    await once();
    await worker.performDue();
    t.same(await rows(), []);
    t.equal(worker.held.started.length, 0);
  });

  t.test('removing a site also removes its schedule and its queued runs', async (t) => {
    const db = await engine.openDb(t);
    const { clock, at, once, rows, runs, schedules } = await prepare(db);
    const worker = startWorker(db, clock);
    await schedules.set(at, 'DAILY');
    await once();
    const { done } = await worker.begin();
    await siteRemoval({ db, clock }).removeOwn(await findOwnSite(db, at));
    worker.held.last.finish();
    await done;
    t.same(await rows(), []);
    t.same(await runs(), []);
    t.same(worker.heard, []);
    t.equal((await schedules.nextRuns([at.siteId])).size, 0);
  });
});
