import type { Test } from 'tap';
import { systemClock as clock } from '../../src/platform/clock.js';
import type { Pause } from '../../src/platform/concurrency.js';
import { createLogger } from '../../src/platform/logging.js';
import { addJob, claimDue, finishJob, type Job, type NewJob, retryJob } from '../../src/queue/jobs.js';
import { type JobHandler, performJob, Worker, type WorkerQueue } from '../../src/queue/worker.js';
import { type Database, NotConnected } from '../../src/store/database.js';
import { recurringJob, upkeepQueue } from '../../src/wiring/recurring.js';
import { failWhen } from '../support/changed-database.js';
import { onEachDatabase } from '../support/databases.js';
import { HeldTimers, until } from '../support/held-timers.js';
import { jobsOf } from '../support/queue.js';
import { insertRow } from '../support/tables.js';

const logger = createLogger('silent');

/** A handler whose jobs end when the test says so. */
class HeldHandler implements JobHandler {
  readonly attemptsMax = 3;
  readonly begun: string[] = [];
  readonly failures: unknown[] = [];
  runningMax = 0;
  isHeld = true;
  #running = 0;
  #onBegin: () => void = () => undefined;
  #release = (): void => undefined;
  readonly #isReleased = new Promise<void>((resolve) => (this.#release = resolve));

  constructor(private readonly db: Database) {}

  async perform(job: Job): Promise<void> {
    this.#running += 1;
    this.runningMax = Math.max(this.runningMax, this.#running);
    this.begun.push(job.key);
    this.#onBegin();
    try {
      if (this.isHeld) await this.#isReleased;
      if (job.key === 'fails') throw new Error('a fault');
      await this.db.transaction((tx) => finishJob(tx, job, clock.now()));
    } finally {
      this.#running -= 1;
    }
  }

  async failed(job: Job, cause: unknown): Promise<void> {
    this.failures.push(cause);
    await this.db.transaction((tx) => finishJob(tx, job, clock.now()));
  }

  async hasBegun(count: number): Promise<void> {
    while (this.begun.length < count) await new Promise<void>((resolve) => (this.#onBegin = resolve));
  }

  release(): void {
    this.isHeld = false;
    this.#release();
  }
}

/** Opens workers with timers that the test fires. @param queuesOf by default one queue with four slots */
function openWorker(t: Test, db: Database, queuesOf = (handler: HeldHandler) => [runsQueue(4, handler)]) {
  const handler = new HeldHandler(db);
  const timers = new HeldTimers();
  const served: readonly WorkerQueue[] = queuesOf(handler);
  const workers = served.map((queue) => new Worker(queue, { db, clock, logger, startTimer: timers.start }));
  const worker = {
    isWorking: () => workers.every(({ isWorking }) => isWorking),
    start: () => workers.forEach((one) => one.start()),
    close: () => Promise.all(workers.map((one) => one.close())),
  };
  t.teardown(async () => {
    handler.release();
    await worker.close();
  });
  return {
    db,
    worker,
    handler,
    timers,
    add: (...keys: readonly string[]) => addAll(db, ...keys.map((key) => jobOf(key))),
  };
}

function runsQueue(concurrency: number, handler: JobHandler): WorkerQueue {
  return { name: 'runs', concurrency, handlers: { SCHEDULED: handler, MANUAL: handler } };
}

async function addAll(db: Database, ...jobs: readonly NewJob[]): Promise<void> {
  for (const job of jobs) await db.transaction((tx) => addJob(tx, job, clock.now()));
}

function jobOf(key: string, rest: Partial<NewJob> = {}): NewJob {
  const [account_id = key] = key.split(' ');
  const due = { site_id: null, run_after: clock.now().toISOString() };
  return { queue: 'runs', kind: 'SCHEDULED', key, account_id, ...due, ...rest };
}

/** A job that is added without an announcement. */
const POLLED = { queue: 'runs', kind: 'SCHEDULED', key: 'polled', account_id: 'polled' };

onEachDatabase(async (t, engine) => {
  t.test('a worker performs jobs present at its start, announced ones, and those that polling finds', async (t) => {
    const { db, worker, handler, timers, add } = openWorker(t, await engine.openDb(t));
    handler.isHeld = false;
    await add('at the start');
    t.equal(worker.isWorking(), false, 'it has not started');
    worker.start();
    await handler.hasBegun(1);
    t.equal(worker.isWorking(), true);
    await add('announced');
    await handler.hasBegun(2);
    const now = clock.now().toISOString();
    await insertRow(db, 'jobs', { ...POLLED, requested_at: now, run_after: now });
    timers.fire();
    await handler.hasBegun(3);
    t.same(handler.begun, ['at the start', 'announced', 'polled']);
  });

  t.test('an account with many jobs leaves slots to others, and no job is lost', async (t) => {
    const { worker, handler, add } = openWorker(t, await engine.openDb(t));
    await add(...Array.from({ length: 9 }, (_, index) => `crowd ${index}`));
    worker.start();
    await handler.hasBegun(3);
    await add('single');
    await handler.hasBegun(4);
    t.equal(handler.begun[3], 'single', 'though nine of the other account came before');
    handler.release();
    await handler.hasBegun(10);
  });

  t.test('accounts and kinds of jobs take turns, so many jobs of one do not delay the others', async (t) => {
    const db = await engine.openDb(t);
    const { worker, handler } = openWorker(t, db, (runs) => [runsQueue(1, runs)]);
    handler.isHeld = false;
    const minutesAgo = { 'crowd 1': 9, 'crowd 2': 8, 'crowd 3': 7, 'mob 1': 6, 'mob 2': 5, single: 0 };
    for (const [key, minutes] of Object.entries(minutesAgo)) {
      await addAll(db, jobOf(key, { run_after: new Date(Date.now() - minutes * 60_000).toISOString() }));
    }
    await addAll(db, jobOf('crowd by hand', { kind: 'MANUAL' }));
    worker.start();
    await handler.hasBegun(7);
    t.same(handler.begun.slice(0, 4), ['crowd by hand', 'crowd 1', 'mob 1', 'single']);
    t.same(handler.begun.slice(4), ['crowd 2', 'mob 2', 'crowd 3']);
  });

  t.test('each queue has its own concurrency and does not delay the others', async (t) => {
    const db = await engine.openDb(t);
    const deliveries = new HeldHandler(db);
    const { worker, handler, add } = openWorker(t, db, (runs) => [
      runsQueue(1, runs),
      { name: 'deliveries', concurrency: 1, handlers: { WEBHOOK: deliveries } },
    ]);
    await add('a', 'b');
    await addAll(db, jobOf('x', { queue: 'deliveries', kind: 'WEBHOOK' }));
    worker.start();
    await Promise.all([handler.hasBegun(1), deliveries.hasBegun(1)]);
    t.same([handler.begun.length, deliveries.begun], [1, ['x']]);
    deliveries.release();
  });

  t.test('a job of an unknown kind is skipped', async (t) => {
    const { db, worker, handler, add } = openWorker(t, await engine.openDb(t));
    await addAll(db, jobOf('new', { kind: 'OF_TOMORROW' }));
    await add('known');
    worker.start();
    await handler.hasBegun(1);
    await until(async () => (await jobsOf(db)).find(({ key }) => key === 'new')?.attempts === 1);
  });

  t.test('a worker does not count as working while the database is away, and polls again', async (t) => {
    const db = await engine.openDb(t);
    let isAway = true;
    const failing = failWhen(db, () => isAway, new NotConnected('away'));
    const { worker, timers } = openWorker(t, failing);
    worker.start();
    t.equal(worker.isWorking(), false);
    isAway = false;
    timers.fire();
    await until(() => worker.isWorking());
    isAway = true;
    timers.fire();
    await until(() => !worker.isWorking());
  });

  t.test('close waits for running jobs and claims no more', async (t) => {
    const { db, worker, handler, add } = openWorker(t, await engine.openDb(t), (runs) => [runsQueue(1, runs)]);
    await add('in hand', 'waiting');
    worker.start();
    await handler.hasBegun(1);
    let isClosed = false;
    const closing = worker.close().then(() => (isClosed = true));
    t.equal(worker.isWorking(), false);
    await add('announced');
    await new Promise((resolve) => setImmediate(resolve));
    t.equal(isClosed, false);
    handler.release();
    await closing;
    t.equal(handler.begun.length, 1);
    t.match(await jobsOf(db), Array(2).fill({ attempts: 0, lease: null }));
  });

  t.test('an endless stream of jobs delays neither start nor end', async (t) => {
    const db = await engine.openDb(t);
    let count = 0;
    const endless: JobHandler = {
      attemptsMax: 1,
      async perform(job) {
        const next = `${(count += 1)}`;
        await db.transaction(async (tx): Promise<void> => {
          await finishJob(tx, job, clock.now());
          await addJob(tx, jobOf(next), clock.now());
        });
      },
      failed: async (_job, cause) => void t.fail(String(cause)),
    };
    const { worker, add } = openWorker(t, db, () => [runsQueue(2, endless)]);
    await add('a', 'b');
    worker.start();
    await until(() => count > 20);
    await worker.close();
    const atTheEnd = count;
    await new Promise((resolve) => setImmediate(resolve));
    t.equal(count, atTheEnd);
    t.equal((await jobsOf(db)).length, 2, 'what comes next is left');
  });

  t.test('two workers perform hundreds of jobs, each once', async (t) => {
    const db = await engine.openDb(t);
    const [one, other] = [openWorker(t, db), openWorker(t, db)];
    one.handler.isHeld = other.handler.isHeld = false;
    const keys = Array.from({ length: 200 }, (_, index) => `site ${index}`);
    await one.add(...keys);
    for (const { worker } of [one, other]) worker.start();
    await until(async () => (await jobsOf(db)).length === 0);
    t.same([...one.handler.begun, ...other.handler.begun].sort(), keys.sort());
  });

  t.test('a recurring job is added once and repeated, in short steps', async (t) => {
    const db = await engine.openDb(t);
    let steps = 0;
    let isBroken = false;
    const work = async (pause: Pause): Promise<void> => {
      for (let step = 0; step < 3; step += 1) {
        if (isBroken) throw new Error('a fault');
        steps += 1;
        await pause();
      }
    };
    const deps = { db, clock, logger };
    const hurried = recurringJob(3_600_000, work, deps, -1);
    const queues = [upkeepQueue({ CLEANUP: hurried }, deps)];
    const workers = [openWorker(t, db, () => queues), openWorker(t, db, () => queues)];
    for (const { worker } of workers) worker.start();
    await until(() => steps > 0);
    await Promise.all(workers.map(({ worker }) => worker.close()));
    const job = async () => (await jobsOf(db, 'upkeep'))[0];
    t.match(await job(), { kind: 'CLEANUP', lease: null, attempts: 0 });
    t.ok(Date.parse((await job())?.run_after ?? '') <= Date.now(), 'what is not finished is due at once');

    const take = async () => (await claimDue(db, 'upkeep', new Date(Date.now() + 86_400_000)))!;
    const patient = recurringJob(3_600_000, work, deps);
    await performJob(await take(), patient, deps);
    t.ok(Date.parse((await job())?.run_after ?? '') > Date.now() + 3_500_000, 'what is finished waits its time');
    isBroken = true;
    await performJob(await take(), patient, deps);
    t.match(await job(), { lease: null, attempts: 0 });
    t.ok(Date.parse((await job())?.run_after ?? '') < Date.now() + 60_000, 'what failed is tried again soon');
  });

  t.test('progress is stored while a job runs', async (t) => {
    const db = await engine.openDb(t);
    await addAll(db, jobOf('a'));
    const timers = new HeldTimers();
    const job = await claimDue(db, 'runs', clock.now());
    const stored = async () => (await jobsOf(db))[0];
    const shows = (progress: string) => until(async () => (await stored())?.progress === progress);
    const handler: JobHandler = {
      attemptsMax: 1,
      async perform(_job, report) {
        report({ done: 1 });
        report({ done: 2 });
        timers.fire();
        await shows('{"done":2}');
        report({ done: 3 });
        timers.fire();
        await shows('{"done":3}');
        await db.transaction((tx) => retryJob(tx, job!, clock.now()));
      },
      failed: async () => undefined,
    };
    await performJob(job!, handler, { db, clock, logger, startTimer: timers.start });
    t.match(await stored(), { progress: null, lease: null });
    t.equal(timers.count, 0, 'and the claim is not renewed any more');
  });

  t.test('a job whose workers died too often fails without another attempt', async (t) => {
    const db = await engine.openDb(t);
    const handler = new HeldHandler(db);
    await addAll(db, jobOf('a'));
    const job = await claimDue(db, 'runs', clock.now());
    await performJob({ ...job!, attempts: 4 }, handler, { db, clock, logger });
    t.same(handler.begun, []);
    t.match(handler.failures, [{ message: 'its workers died or were too slow' }]);
    t.same(await jobsOf(db), []);
  });
});
