import type { Test } from 'tap';
import { ServiceError } from '../../../src/platform/errors.js';
import { nextScheduledTime } from '../../../src/app/automation/schedule.js';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { queueAfter, queueOnce, type QueuedTrigger } from '../../../src/app/automation/queueing.js';
import { createRunQueue } from '../../../src/app/automation/run-queue.js';
import { createSchedules } from '../../../src/app/automation/schedules.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { createSites } from '../../../src/app/sites/sites.js';
import { createSlots } from '../../../src/platform/slots.js';
import { ATTEMPTS_MAX, LEASE_MS, OFFER_AGAIN_MS, type Work } from '../../../src/queue/work.js';
import type { Database } from '../../../src/store/database.js';
import { NotConnected } from '../../../src/store/errors.js';
import { defineQuery } from '../../../src/store/query.js';
import { PLANNED_AT_ONCE } from '../../../src/app/automation/schedule-statements.js';
import { selectQueuedRunsOfSite } from '../../../src/queue/queued-run-statements.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { HeldScan } from '../../support/held-scan.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const storedRuns = defineQuery<{ site_id: string; number: number; trigger: string }>((sql) =>
  sql('runs').select('site_id', 'number', 'trigger').orderBy(['site_id', 'number']),
);

/** A worker over the database, whose scans the test moves on; two over one database are two processes. */
function startWorker(db: Database, clock: TestClock, slots = createSlots(10)) {
  const held = new HeldScan();
  const offered: Work[] = [];
  const heard: string[] = [];
  const offerWork = (work: readonly Work[]): void => void offered.push(...work);
  const schedules = createSchedules({ db, clock });
  const queue = createRunQueue({
    ...{ db, clock, offerWork },
    performRun: createRunPerformer({ db, clock, slots, offerWork, scan: held.scan }),
    planDue: () => schedules.planDue(),
    observer: {
      retried: ({ trigger }) => void heard.push(`${trigger} retried`),
      givenUp: ({ trigger }) => void heard.push(`${trigger} given up`),
    },
  });
  return { ...queue, schedules, held, offered, heard };
}

async function prepare(db: Database) {
  const clock = new TestClock();
  const account = await addAccount(db);
  const site = await addSite(db, account.id);
  const at = { accountId: account.id, siteId: site.id };
  const request = (trigger: QueuedTrigger, runAfter = clock.now()) => ({ ...at, trigger, runAfter, now: clock.now() });
  return {
    ...{ clock, account, site, at },
    later: (ms: number) => void (clock.time = new Date(clock.time.getTime() + ms)),
    once: (trigger: QueuedTrigger = 'SCHEDULED') => db.transaction(() => queueOnce(request(trigger))),
    after: (runAfter: Date) => db.transaction(() => queueAfter(request('POST_DEPLOY', runAfter))),
    rows: () => db.run(selectQueuedRunsOfSite({ site_id: site.id })),
    runs: () => db.run(storedRuns({})),
  };
}

/** The key of the only work. */
function keyOf(t: Test, work: readonly Work[]): string {
  t.equal(work.length, 1, 'one piece of work');
  return work[0]?.key ?? '';
}

onEachDatabase(async (t, engine) => {
  t.test('a site whose time has come runs once, and again a period later', async (t) => {
    const db = await engine.openDb(t);
    const { clock, at, later, runs } = await prepare(db);
    const worker = startWorker(db, clock);
    const { nextRunAt } = await worker.schedules.set({ ...at, frequency: 'DAILY' });
    t.same(await worker.sweep(), [], 'nothing before its time');
    clock.set(nextRunAt ?? '');
    const key = keyOf(t, await worker.sweep());
    t.same(await worker.sweep(), [], 'it is planned once');
    const performed = worker.perform(key);
    await worker.held.begun(1);
    worker.held.last.finish();
    await performed;
    t.same(await worker.sweep(), [], 'and done once');
    t.match(await runs(), [{ number: 1, trigger: 'SCHEDULED' }]);
    later(DAY_MS);
    t.equal((await worker.sweep()).length, 1, 'the next day it is due again');
    const { nextRunAt: afterNext } = await worker.schedules.get(at);
    t.equal(Date.parse(afterNext ?? ''), clock.now().getTime() + DAY_MS, 'at the same time of the day');
  });

  t.test('times that were missed make one run', async (t) => {
    const db = await engine.openDb(t);
    const { clock, at, later, rows } = await prepare(db);
    const worker = startWorker(db, clock);
    await worker.schedules.set({ ...at, frequency: 'DAILY' });
    later(10 * DAY_MS);
    t.equal((await worker.sweep()).length, 1);
    later(DAY_MS);
    t.same((await worker.sweep()).length, 1, 'it still waits: offered anew, since nobody took it');
    t.equal((await rows()).length, 1, 'and nothing is queued twice');
  });

  t.test('two processes plan each schedule once', async (t) => {
    const db = await engine.openDb(t);
    const { clock, account, later } = await prepare(db);
    const workers = [startWorker(db, clock), startWorker(db, clock)] as const;
    for (let index = 0; index < 25; index += 1) {
      const { id: siteId } = await addSite(db, account.id, { hostname: `s${index}.example.com` });
      await workers[0].schedules.set({ accountId: account.id, siteId, frequency: 'DAILY' });
    }
    later(DAY_MS);
    const planned = (await Promise.all(workers.map((worker) => worker.sweep()))).flat();
    t.equal(planned.length, 25);
    t.equal(new Set(planned.map(({ key }) => key)).size, 25);
  });

  t.test('a schedule can be changed and turned off; the plan decides how frequent it may be', async (t) => {
    const db = await engine.openDb(t);
    const { clock, at, account, later } = await prepare(db);
    const { schedules, sweep } = startWorker(db, clock);
    t.match(await schedules.get(at), { frequency: null, nextRunAt: null, choices: ['WEEKLY', 'DAILY'] });
    await t.rejects(schedules.set({ ...at, frequency: 'HOURLY' }), { message: /plan/ });
    await createAccounts({ db, clock }).setPlan(account.id, 'SCALE');
    t.match(await schedules.set({ ...at, frequency: 'HOURLY' }), { frequency: 'HOURLY', effective: 'HOURLY' });
    await createAccounts({ db, clock }).setPlan(account.id, 'FREE');
    t.match(await schedules.get(at), { frequency: 'HOURLY', effective: 'WEEKLY' });
    later(HOUR_MS);
    t.equal((await sweep()).length, 1);
    const nextRunAt = nextScheduledTime(at.siteId, 'WEEKLY', clock.now()).toISOString();
    t.match(await schedules.get(at), { nextRunAt }, 'from then on it is as rare as the plan');
    t.equal((await schedules.nextRuns(at.accountId)).get(at.siteId), nextRunAt);
    t.match(await schedules.set({ ...at, frequency: null }), { frequency: null, nextRunAt: null });
    t.equal((await schedules.nextRuns(at.accountId)).size, 0);
    const stranger = await addAccount(db);
    for (const call of [
      () => schedules.get({ ...at, accountId: stranger.id }),
      () => schedules.set({ ...at, accountId: stranger.id, frequency: 'WEEKLY' }),
    ]) {
      await t.rejects(call(), { code: 'site_not_found' });
    }
  });

  t.test('a site that is not verified is not run', async (t) => {
    const db = await engine.openDb(t);
    const { clock, account, later } = await prepare(db);
    const { id: siteId } = await addSite(db, account.id, { hostname: 'new.example.com', isVerified: false });
    const worker = startWorker(db, clock);
    await worker.schedules.set({ accountId: account.id, siteId, frequency: 'WEEKLY' });
    later(7 * DAY_MS);
    t.same(await worker.sweep(), []);
    await createSites({ db, clock, vetSite: () => true }).markVerified(siteId, 'operator');
    later(7 * DAY_MS);
    t.equal((await worker.sweep()).length, 1, 'from the next time after it was verified on, it is');
  });

  t.test('of many workers that are offered a run, one performs it', async (t) => {
    const db = await engine.openDb(t);
    const { clock, once, runs } = await prepare(db);
    const work = await once();
    const workers = Array.from({ length: 8 }, () => startWorker(db, clock));
    const performed = Promise.all(workers.map((worker) => worker.perform(work?.key ?? '')));
    await Promise.race(workers.map(({ held }) => held.begun(1)));
    for (const { held } of workers) if (held.started.length > 0) held.last.finish();
    await performed;
    t.equal(workers.flatMap(({ held }) => held.started).length, 1);
    t.equal((await runs()).length, 1);
  });

  t.test('the run of a killed worker is taken up again twice at most', async (t) => {
    const db = await engine.openDb(t);
    const { clock, once, later, rows, runs } = await prepare(db);
    let work = [await once()].flatMap((queued) => queued ?? []);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const killed = startWorker(db, clock);
      void killed.perform(keyOf(t, work));
      await killed.held.begun(1);
      const other = startWorker(db, clock);
      later(LEASE_MS - 1);
      t.same(await other.sweep(), [], 'as long as the lease lasts it is left alone');
      later(1);
      work = [...(await other.sweep())];
      t.same(other.heard, attempt < ATTEMPTS_MAX ? [] : ['SCHEDULED given up']);
    }
    t.same(work, []);
    t.same(await rows(), []);
    t.same(await runs(), []);
  });

  t.test('a worker that wakes after another took its run writes nothing', async (t) => {
    const db = await engine.openDb(t);
    const { clock, once, later, runs, rows } = await prepare(db);
    const key = (await once())?.key ?? '';
    const [asleep, other] = [startWorker(db, clock), startWorker(db, clock)] as const;
    const first = asleep.perform(key);
    await asleep.held.begun(1);
    later(LEASE_MS);
    const second = other.perform(keyOf(t, await other.sweep()));
    await other.held.begun(1);
    asleep.held.last.finish();
    await first;
    t.same(await runs(), [], 'while the other has it in hand');
    other.held.last.finish();
    await second;
    t.match(await runs(), [{ number: 1 }], 'the number of the run that was not stored is not lost');
    t.same(await rows(), []);
    t.same([...asleep.heard, ...other.heard], []);
  });

  t.test('a run that fails is tried again after a pause, and given up at last', async (t) => {
    const db = await engine.openDb(t);
    const { clock, once, later, rows } = await prepare(db);
    const key = (await once())?.key ?? '';
    const worker = startWorker(db, clock);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const performed = worker.perform(key);
      await worker.held.begun(attempt);
      worker.held.last.fail(new Error('a fault'));
      await performed;
      await worker.perform(key);
      t.equal(worker.held.started.length, attempt, 'not before the pause is over');
      later(15_000);
    }
    t.same(worker.heard, ['SCHEDULED retried', 'SCHEDULED retried', 'SCHEDULED given up']);
    t.equal(worker.offered.length, 2, 'each retry is offered');
    t.same(await rows(), []);
  });

  t.test('without a free slot nothing was tried', async (t) => {
    const db = await engine.openDb(t);
    const { clock, once, later, rows } = await prepare(db);
    const slots = createSlots(1, { waitingMax: 0 });
    let free: () => void = () => undefined;
    void slots.run(() => new Promise<void>((resolve) => (free = resolve)));
    const key = (await once())?.key ?? '';
    const worker = startWorker(db, clock, slots);
    for (let attempt = 0; attempt < ATTEMPTS_MAX + 1; attempt += 1) {
      await worker.perform(key);
      later(5000);
    }
    t.match(await rows(), [{ attempts: 0, lease: null }]);
    free();
    const performed = worker.perform(key);
    await worker.held.begun(1);
    worker.held.last.finish();
    await performed;
    t.same(await rows(), []);
  });

  t.test('a database that is away while a run is stored: the run is done again once it is back', async (t) => {
    const db = await engine.openDb(t);
    const { clock, once, later, runs, rows } = await prepare(db);
    let isDown = false;
    const worker = startWorker(
      failWhen(
        db,
        () => isDown,
        () => new NotConnected('away'),
      ),
      clock,
    );
    const key = (await once())?.key ?? '';
    const performed = worker.perform(key);
    await worker.held.begun(1);
    isDown = true;
    worker.held.last.finish();
    await performed;
    await t.rejects(worker.sweep());
    isDown = false;
    later(LEASE_MS);
    const again = worker.perform(keyOf(t, await worker.sweep()));
    await worker.held.begun(2);
    worker.held.last.finish();
    await again;
    t.equal((await runs()).length, 1);
    t.same(await rows(), []);
  });

  t.test('what nobody heard of is offered again after a while', async (t) => {
    const db = await engine.openDb(t);
    const { clock, once, later } = await prepare(db);
    const worker = startWorker(db, clock);
    const work = await once();
    t.same(await worker.sweep(), []);
    later(OFFER_AGAIN_MS + 1);
    t.same(await worker.sweep(), [work]);
    t.same(await worker.sweep(), [], 'not with every sweep');
  });

  t.test('the accounts take turns: the second of one comes after the first of another', async (t) => {
    const db = await engine.openDb(t);
    const { clock, account } = await prepare(db);
    const other = await addAccount(db);
    const queueSites = async (accountId: string, count: number): Promise<Work[]> => {
      const queued: Work[] = [];
      for (let index = 0; index < count; index += 1) {
        const { id: siteId } = await addSite(db, accountId, { hostname: `s${index}.example.com` });
        const now = clock.now();
        const request = { accountId, siteId, trigger: 'SCHEDULED', runAfter: now, now } as const;
        const work = await db.transaction(() => queueOnce(request));
        if (work) queued.push(work);
      }
      return queued;
    };
    const many = await queueSites(account.id, 20);
    const few = await queueSites(other.id, 2);
    t.same(
      many.map(({ priority }) => priority),
      Array.from({ length: 20 }, (_, index) => index),
    );
    t.same(
      few.map(({ priority }) => priority),
      [0, 1],
    );
  });

  t.test('schedules that are due at once take their places after what their account has in the queue', async (t) => {
    const db = await engine.openDb(t);
    const { clock, account, once, later } = await prepare(db);
    const worker = startWorker(db, clock);
    const other = await addAccount(db);
    for (const [accountId, count] of [
      [account.id, 3],
      [other.id, 2],
    ] as const) {
      for (let index = 0; index < count; index += 1) {
        const { id: siteId } = await addSite(db, accountId, { hostname: `s${index}.example.com` });
        await worker.schedules.set({ accountId, siteId, frequency: 'DAILY' });
      }
    }
    await once('MANUAL');
    later(DAY_MS);
    const planned = await worker.schedules.planDue();
    t.same(planned.map(({ priority }) => priority).sort(), [0, 1, 1, 2, 3]);
  });

  t.test('others get a turn while thousands of schedules are planned', async (t) => {
    const db = await engine.openDb(t);
    const { clock, account, later } = await prepare(db);
    const { schedules } = startWorker(db, clock);
    for (let index = 0; index < PLANNED_AT_ONCE + 1; index += 1) {
      const { id: siteId } = await addSite(db, account.id, { hostname: `s${index}.example.com` });
      await schedules.set({ accountId: account.id, siteId, frequency: 'DAILY' });
    }
    later(DAY_MS);
    let hadTurn = false;
    setImmediate(() => (hadTurn = true));
    t.equal((await schedules.planDue()).length, PLANNED_AT_ONCE + 1);
    t.ok(hadTurn);
  });

  t.test('a run moves up a place with every minute that others go first: nobody starves', async (t) => {
    const db = await engine.openDb(t);
    const { clock, account, once, later } = await prepare(db);
    for (let index = 0; index < 2; index += 1) {
      const { id: siteId } = await addSite(db, account.id, { hostname: `s${index}.example.com` });
      const now = clock.now();
      const request = { accountId: account.id, siteId, trigger: 'SCHEDULED', runAfter: now, now } as const;
      await db.transaction(() => queueOnce(request));
    }
    await once();
    const worker = startWorker(db, clock);
    const places: number[][] = [];
    for (let minute = 0; minute < 3; minute += 1) {
      later(OFFER_AGAIN_MS + 1);
      places.push((await worker.sweep()).map(({ priority }) => priority).sort());
    }
    t.same(places, [
      [0, 0, 1],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  t.test('a higher plan brings the next time forward where a more frequent schedule was chosen before', async (t) => {
    const db = await engine.openDb(t);
    const { clock, at, account, later } = await prepare(db);
    const { schedules, sweep } = startWorker(db, clock);
    const accounts = createAccounts({ db, clock });
    await accounts.setPlan(account.id, 'SCALE');
    await schedules.set({ ...at, frequency: 'HOURLY' });
    await accounts.setPlan(account.id, 'FREE');
    later(HOUR_MS);
    await sweep();
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
      const { clock, at, later, runs } = await prepare(db);
      const { schedules, sweep } = startWorker(db, clock);
      const right = clock.now();
      const { nextRunAt } = await schedules.set({ ...at, frequency: 'WEEKLY' });
      t.same(await sweep(), []);
      t.match(await schedules.get(at), { nextRunAt });
      later(400 * DAY_MS);
      await schedules.set({ ...at, frequency: 'WEEKLY' });
      clock.set(right.toISOString());
      t.same(await sweep(), [], 'nothing is run for it');
      t.match(await schedules.get(at), { nextRunAt });
      t.same(await runs(), []);
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
    await worker.perform((await once())?.key ?? '');
    t.same(await rows(), []);
    t.equal(worker.held.started.length, 0);
  });

  t.test('a scan whose result the database does not take counts as a try: it does not go on for ever', async (t) => {
    const db = await engine.openDb(t);
    const { clock, once, later, rows } = await prepare(db);
    const key = (await once())?.key ?? '';
    let tries = 0;
    const performRun = async () => {
      tries += 1;
      throw new ServiceError('overloaded', { cause: new Error('canceling statement due to statement timeout') });
    };
    const heard: string[] = [];
    const queue = createRunQueue({
      ...{ db, clock, performRun, offerWork: () => undefined, planDue: async () => [] },
      observer: { retried: () => heard.push('retried'), givenUp: () => heard.push('given up') },
    });
    for (let sweeps = 0; sweeps < 6; sweeps += 1) {
      await queue.perform(key);
      later(15_000);
    }
    t.equal(tries, ATTEMPTS_MAX);
    t.same(heard, ['retried', 'retried', 'given up']);
    t.same(await rows(), []);
  });

  t.test(
    'calls of a deploy hook close together make one run, put off to the last of them within ten minutes',
    async (t) => {
      const db = await engine.openDb(t);
      const { clock, after, later, rows } = await prepare(db);
      const start = clock.now();
      const inSeconds = (seconds: number) => new Date(start.getTime() + seconds * 1000);
      t.match(await after(inSeconds(10)), { runAfter: inSeconds(10), isNew: true });
      later(5000);
      t.match(await after(inSeconds(15)), {
        runAfter: inSeconds(15),
        isNew: false,
        work: { notBefore: inSeconds(15) },
      });
      t.match(await after(inSeconds(6)), { runAfter: inSeconds(15), isNew: false }, 'never earlier than was promised');
      t.match(await after(inSeconds(600)), { runAfter: inSeconds(600), isNew: false });
      t.match(await after(inSeconds(601)), { isNew: true, work: null }, 'nobody puts it off for ever: another follows');
      t.match(await rows(), [{ run_after: inSeconds(600).toISOString(), again_after: inSeconds(601).toISOString() }]);
      t.equal((await rows()).length, 1);
    },
  );

  t.test('a deployment while its run is in hand is followed by another run', async (t) => {
    const db = await engine.openDb(t);
    const { clock, after, later, runs, rows } = await prepare(db);
    const worker = startWorker(db, clock);
    const key = (await after(clock.now())).work?.key ?? '';
    const first = worker.perform(key);
    await worker.held.begun(1);
    const second = new Date(clock.now().getTime() + 10_000);
    t.match(await after(second), { runAfter: second, isNew: true, work: null });
    t.match(await after(second), { isNew: false }, 'and several by one');
    worker.held.last.finish();
    await first;
    t.match(worker.offered, [{ key, notBefore: second }]);
    t.match(await rows(), [{ attempts: 0, lease: null, again_after: null }]);
    await worker.perform(key);
    t.equal(worker.held.started.length, 1, 'not before its time');
    later(10_000);
    const last = worker.perform(key);
    await worker.held.begun(2);
    worker.held.last.finish();
    await last;
    t.match(await runs(), [{ number: 1, trigger: 'POST_DEPLOY' }, { number: 2 }]);
    t.same(await rows(), []);
  });

  t.test('of 30 calls at once one makes the run', async (t) => {
    const db = await engine.openDb(t);
    const { clock, after, rows } = await prepare(db);
    const results = await Promise.all(Array.from({ length: 30 }, () => after(clock.now())));
    t.equal(results.filter(({ isNew }) => isNew).length, 1);
    t.equal((await rows()).length, 1);
  });

  t.test('a site that is removed takes its schedule and its queued runs with it', async (t) => {
    const db = await engine.openDb(t);
    const { clock, at, once, rows, runs } = await prepare(db);
    const worker = startWorker(db, clock);
    await worker.schedules.set({ ...at, frequency: 'DAILY' });
    const performed = worker.perform((await once())?.key ?? '');
    await worker.held.begun(1);
    await createSites({ db, clock, vetSite: () => true }).removeOwn(at);
    worker.held.last.finish();
    await performed;
    t.same(await rows(), []);
    t.same(await runs(), []);
    t.same(worker.heard, []);
    t.equal((await worker.schedules.nextRuns(at.accountId)).size, 0);
  });

  t.test('a key that names nothing does nothing', async (t) => {
    const db = await engine.openDb(t);
    const { clock, site } = await prepare(db);
    const worker = startWorker(db, clock);
    for (const key of ['', 'SCHEDULED', `SCHEDULED ${site.id}`, 'SCHEDULED site_x', '__proto__ x'])
      await worker.perform(key);
    t.equal(worker.held.started.length, 0);
  });
});
