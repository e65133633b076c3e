import { DAY_MS } from '../../../src/platform/clock.js';
import {
  type Frequency,
  nextScheduledTime,
  DUE_BATCH_SIZE,
  queueDueRuns,
  readNextRuns,
  readSchedule,
  setSchedule,
  setSchedules,
} from '../../../src/app/automation/schedules.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { RUN_ATTEMPTS_MAX } from '../../../src/app/runs/queued-runs.js';
import { openServices } from '../../support/services.js';
import { addJob, onJobsAdded } from '../../../src/queue/jobs.js';
import type { Database } from '../../../src/store/database.js';
import { addSite, scanReport } from '../../support/accounts.js';
import { OutOfResources } from '../../../src/scanner/artifacts/resource.js';
import { watchStatements } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { untilBlocked } from '../../support/raw-connection.js';
import { createRunWorker, jobsOf } from '../../support/queue.js';
import { openRuns } from '../../support/runs.js';
import { rowsOf, updateRows } from '../../support/tables.js';

async function prepare(db: Database) {
  const { clock, account, site, at } = await openRuns(db);
  const { accounts, sites } = openServices(db, { clock, sitesMaxOverride: 1000 });
  const job = { queue: 'runs', kind: 'SCHEDULED', key: site.id, account_id: account.id, site_id: site.id } as const;
  let announced = 0;
  onJobsAdded(db, 'runs', () => (announced += 1));
  return {
    ...{ db, clock, account, site, at, accounts, sites },
    get: () => readSchedule(db, site.id),
    set: (frequency: Frequency | null, siteId = site.id) =>
      setSchedule({ db, clock }, { accountId: account.id, siteId }, frequency),
    /** Adds verified sites that run every day. */
    addDaily: async (count: number) => {
      const hosts = Array.from({ length: count }, (_, index) => `s${index}.example.com`);
      const siteIds = (await sites.addList(account.id, hosts.join('\n'))).map(({ siteId }) => siteId ?? '');
      await updateRows(db, 'sites', {}, { verified_at: clock.now().toISOString() });
      await setSchedules({ db, clock }, { accountId: account.id, siteIds }, 'DAILY');
    },
    /** Plans what is due. @returns how often workers were notified */
    plan: async (queuedMax?: number) => {
      announced = 0;
      const limit = queuedMax === undefined ? {} : { queuedMax };
      await queueDueRuns({ db, clock, ...limit });
      return announced;
    },
    later: (ms: number) => void (clock.time = new Date(clock.time.getTime() + ms)),
    once: () => db.transaction((tx) => addJob(tx, { ...job, run_after: clock.now().toISOString() }, clock.now())),
    rows: () => jobsOf(db),
    runs: () => rowsOf(db, 'runs'),
  };
}

onEachDatabase(async (t, engine) => {
  t.test('a site runs once when its time has come or several have passed, and a period later', async (t) => {
    const { db, clock, set, get, later, runs, rows, plan } = await prepare(await engine.openDb(t));
    const worker = createRunWorker({ db, clock, scan: async () => scanReport() });
    const planned = await set('DAILY');
    t.equal(await plan(), 0, 'nothing before its time');
    clock.set(planned?.nextRunAt ?? '');
    t.equal(await plan(), 1);
    t.equal(await plan(), 0, 'it is planned once');
    t.equal((await rows()).length, 1);
    await worker.performDue();
    await plan();
    t.equal(await worker.performDue(), 0, 'and done once');
    t.match(await runs(), [{ number: 1, trigger: 'SCHEDULED' }]);
    later(DAY_MS);
    await plan();
    t.equal((await rows()).length, 1, 'the next day it is due again');
    const next = Date.parse((await get())?.nextRunAt ?? '');
    t.equal(next, clock.now().getTime() + DAY_MS, 'at the same time of the day');
    later(10 * DAY_MS);
    await plan();
    t.equal((await rows()).length, 1, 'times that were missed make one run');
  });

  t.test('two processes plan each schedule once', async (t) => {
    const { addDaily, later, plan, rows } = await prepare(await engine.openDb(t));
    await addDaily(25);
    later(DAY_MS);
    await Promise.all([plan(), plan()]);
    t.equal((await rows()).length, 25);
    t.equal(new Set((await rows()).map(({ key }) => key)).size, 25);
  });

  t.test('a schedule can be changed and turned off; the plan decides how frequent it may be', async (t) => {
    const { db, clock, at, account, accounts, get, set } = await prepare(await engine.openDb(t));
    t.equal(await get(), null);
    const next = (frequency: Frequency) => ({
      frequency,
      nextRunAt: nextScheduledTime(at.siteId, frequency, clock.now()).toISOString(),
    });
    await accounts.setPlan(account.id, 'SCALE');
    t.same(await set('HOURLY'), next('HOURLY'));
    await accounts.setPlan(account.id, 'FREE');
    t.same(await get(), next('WEEKLY'), 'a lower plan lowers it');
    await accounts.setPlan(account.id, 'SCALE');
    t.same(await get(), next('WEEKLY'), 'a higher one changes nothing');
    t.same([...(await readNextRuns(db, [at.siteId]))], [[at.siteId, next('WEEKLY').nextRunAt]]);
    t.equal(await set(null), null);
    t.equal((await readNextRuns(db, [at.siteId])).size, 0);
  });

  if (engine.name === 'postgres') {
    t.test('a plan is not lowered while a schedule is set', async (t) => {
      const { db, clock, at, account, accounts, get } = await prepare(await engine.openDb(t));
      await accounts.setPlan(account.id, 'SCALE');
      let lowering: Promise<unknown> | undefined;
      const watched = watchStatements(db, async ({ statement }, tx) => {
        if (tx === null || lowering !== undefined || !statement.sqlFor('postgres').includes('"sites"')) return;
        // The plan is read.
        lowering = accounts.setPlan(account.id, 'FREE');
        await untilBlocked(db.url, lowering);
      });
      await setSchedule({ db: watched, clock }, at, 'HOURLY');
      await lowering;
      t.match(await get(), { frequency: 'WEEKLY' });
    });
  }

  t.test('a site that is not verified is not run', async (t) => {
    const { db, account, sites, later, plan, rows, set } = await prepare(await engine.openDb(t));
    const { id: siteId } = await addSite(db, account.id, { hostname: 'new.example.com', isVerified: false });
    await set('WEEKLY', siteId);
    later(7 * DAY_MS);
    await plan();
    t.same(await rows(), []);
    await sites.markVerified(siteId, 'operator');
    later(7 * DAY_MS);
    await plan();
    t.equal((await rows()).length, 1, 'from the next time after it was verified on, it is');
  });

  t.test('a failed run is retried after a pause, and fails after its last attempt', async (t) => {
    const { db, clock, once, later, rows } = await prepare(await engine.openDb(t));
    const causes = [
      new Error('a fault'),
      new ServiceError('overloaded', { cause: new OutOfResources() }),
      new ServiceError('overloaded', { cause: new Error('canceling statement due to statement timeout') }),
    ];
    for (const cause of causes) {
      await once();
      const worker = createRunWorker({ db, clock, scan: () => Promise.reject(cause) });
      for (let attempt = 1; attempt <= RUN_ATTEMPTS_MAX; attempt += 1) {
        await worker.performDue();
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
    const { addDaily, set, later, plan, rows } = await prepare(await engine.openDb(t));
    await set('DAILY');
    await addDaily(DUE_BATCH_SIZE);
    later(DAY_MS);
    let hadTurn = false;
    setImmediate(() => (hadTurn = true));
    t.equal(await plan(), 2, 'workers are notified of each part');
    t.equal((await rows()).length, DUE_BATCH_SIZE + 1);
    t.ok(hadTurn);
  });

  t.test('schedules beyond a full queue stay due, the longest overdue first', async (t) => {
    const { db, clock, at, addDaily, later, plan, set, rows } = await prepare(await engine.openDb(t));
    await set('DAILY');
    later(DAY_MS);
    t.equal(await plan(1), 1);
    await addDaily(1);
    later(DAY_MS);
    t.equal(await plan(1), 0, 'one is queued already');
    t.match(await rows(), [{ site_id: at.siteId }]);
    await createRunWorker({ db, clock, scan: async () => scanReport() }).performDue();
    t.equal(await plan(1), 1, 'there is room again');
    t.equal((await rows()).length, 2, 'in steps: a whole step is planned');
  });

  t.test('a schedule that a fast clock planned far ahead is planned again', async (t) => {
    const { clock, later, rows, plan, get, set } = await prepare(await engine.openDb(t));
    const right = clock.now();
    const planned = await set('WEEKLY');
    t.equal(await plan(), 0);
    t.same(await get(), planned);
    later(400 * DAY_MS);
    await set('WEEKLY');
    clock.set(right.toISOString());
    await plan();
    t.same(await rows(), [], 'nothing is run for it');
    t.same(await get(), planned);
  });
});
