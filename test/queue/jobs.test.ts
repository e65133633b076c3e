import { siteRemoval } from '../support/removal.js';
import { LEASE_MS, LeaseLost, type NewJob } from '../../src/queue/job.js';
import { askAgain, postponeJob, selectQueueDepth } from '../../src/queue/job-statements.js';
import { addJob, addJobs, finishJob, renewClaim, retryJob } from '../../src/queue/jobs.js';
import type { Database } from '../../src/store/database.js';
import { ParentMissing } from '../../src/store/errors.js';
import { addAccount, addSite, TestClock } from '../support/accounts.js';
import { onEachDatabase } from '../support/databases.js';
import { claimAll, jobsOf } from '../support/queue.js';

const MINUTE_MS = 60_000;

function prepare(db: Database) {
  const clock = new TestClock();
  const job = (key: string, rest: Partial<NewJob> = {}): NewJob => ({
    ...{ queue: 'runs', kind: 'SCHEDULED', key, accountId: 'acc_a', siteId: null, runAfter: clock.now(), ...rest },
  });
  const claim = (limit = 100) => claimAll(db, 'runs', clock.now(), limit);
  return {
    ...{ clock, job, claim },
    add: (key: string, rest: Partial<NewJob> = {}) => db.transaction(() => addJob(job(key, rest), clock.now())),
    keys: async (limit?: number) => (await claim(limit)).map(({ key }) => key),
    find: async (key: string) => (await jobsOf(db)).find((stored) => stored.key === key),
    later: (ms: number) => void (clock.time = new Date(clock.time.getTime() + ms)),
  };
}

onEachDatabase(async (t, engine) => {
  t.test('a job is there once, and claimed once', async (t) => {
    const db = await engine.openDb(t);
    const { add, claim } = prepare(db);
    t.equal(await add('a'), true);
    t.equal(await add('a'), false);
    t.equal(await add('a', { kind: 'MANUAL' }), true, 'the same key of another kind is another job');
    const claimed = (await Promise.all([claim(), claim()])).flat();
    t.equal(claimed.length, 2);
    t.match(claimed[0], { attempts: 1, accountId: 'acc_a', siteId: null });
    t.same(await claim(), []);
  });

  t.test('a job that is not due is not claimed, nor one of another queue', async (t) => {
    const { add, keys, clock, later } = prepare(await engine.openDb(t));
    await add('later', { runAfter: new Date(clock.now().getTime() + 1000) });
    await add('other', { queue: 'deliveries' });
    later(999);
    t.same(await keys(), []);
    later(1);
    t.same(await keys(), ['later']);
  });

  t.test('no more are claimed than asked for, the longest due first', async (t) => {
    const { add, keys, clock } = prepare(await engine.openDb(t));
    for (const [index, ms] of [3000, 1000, 2000].entries()) {
      await add(`due for ${ms}`, { runAfter: new Date(clock.now().getTime() - ms), accountId: `acc_${index}` });
    }
    t.same(await keys(2), ['due for 3000', 'due for 2000']);
    t.same(await keys(2), ['due for 1000']);
  });

  t.test('the jobs of an account stand a minute apart, so that others go between them', async (t) => {
    const { add, keys, later } = prepare(await engine.openDb(t));
    for (let index = 0; index < 4; index += 1) await add(`many ${index}`);
    await add('by hand', { kind: 'MANUAL' });
    later(1);
    await add('few', { accountId: 'acc_b' });
    later(2 * MINUTE_MS);
    await add('late', { accountId: 'acc_c' });
    const order: string[] = [];
    for (let key = await keys(1); key.length > 0; key = await keys(1)) order.push(...key);
    t.same(order.slice(0, 2).sort(), ['by hand', 'many 0'], 'another kind has turns of its own');
    t.same(order.slice(2), ['few', 'many 1', 'many 2', 'late', 'many 3'], 'and none waits for ever');
  });

  t.test('many are added at once, a minute apart, and those that are there are left alone', async (t) => {
    const db = await engine.openDb(t);
    const { add, job, clock } = prepare(db);
    await add('there');
    const jobs = [...['x', 'y', 'there'].map((key) => job(key)), job('other', { accountId: 'acc_b' })];
    await db.transaction(() => addJobs(jobs, clock.now()));
    await db.transaction(() => addJobs([], clock.now()));
    const places = (await jobsOf(db)).map(({ key, turn }) => [key, (Number(turn) - clock.now().getTime()) / MINUTE_MS]);
    t.same(Object.fromEntries(places), { there: 0, other: 0, x: 1, y: 2 });
  });

  t.test('a claim holds as long as it is renewed; then another worker has the job', async (t) => {
    const db = await engine.openDb(t);
    const { add, claim, later, clock, find } = prepare(db);
    await add('a');
    const [job] = await claim();
    later(LEASE_MS - 1);
    t.equal(await renewClaim(db, job!, { done: 1 }, clock.now()), true);
    later(LEASE_MS - 1);
    t.same(await claim(), []);
    later(1);
    const [second] = await claim();
    t.match(second, { attempts: 2, progress: '{"done":1}' });
    t.equal(await renewClaim(db, job!, { done: 2 }, clock.now()), false);
    for (const end of [() => finishJob(job!, clock.now()), () => retryJob(job!, { runAfter: clock.now() })]) {
      await t.rejects(db.transaction(end), LeaseLost);
    }
    t.match(await find('a'), { lease: second?.lease, progress: '{"done":1}' });
    await db.transaction(() => finishJob(second!, clock.now()));
    t.same(await jobsOf(db), []);
  });

  t.test('a job that is put back waits until its time, with its attempts or without', async (t) => {
    const db = await engine.openDb(t);
    const { add, claim, later, clock, find } = prepare(db);
    await add('a');
    await add('b');
    const [job] = await claim(1);
    const start = clock.now().getTime();
    await db.transaction(() => retryJob(job!, { runAfter: new Date(start + 5000) }));
    t.match(await find('a'), { attempts: 1, lease: null, progress: null });
    t.equal(Number((await find('a'))?.turn), start + 2 * MINUTE_MS, 'behind what its account has in the queue');
    later(5000);
    const [, again] = await claim();
    t.match(again, { key: 'a', attempts: 2 });
    await db.transaction(() => retryJob(again!, { runAfter: clock.now(), attempts: 0, progress: { failed: 'x' } }));
    t.match((await claim())[0], { attempts: 1, progress: '{"failed":"x"}' });
  });

  t.test('a job that was asked for again while it was done waits once more', async (t) => {
    const db = await engine.openDb(t);
    const { add, claim, later, clock, find } = prepare(db);
    await add('a');
    const [job] = await claim();
    const name = { kind: 'SCHEDULED', key: 'a' };
    const inMs = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
    const again_after = inMs(10_000);
    await db.run(askAgain({ ...name, again_after }));
    later(1000);
    await db.transaction(() => finishJob(job!, clock.now()));
    const waiting = { attempts: 0, lease: null, again_after: null, requested_at: clock.now().toISOString() };
    t.match(await find('a'), { run_after: again_after, ...waiting });
    later(9000);
    const [second] = await claim();
    const afterThat = inMs(65_000);
    await db.run(postponeJob({ ...name, run_after: afterThat, due_ms: 0 }));
    t.not((await find('a'))?.run_after, afterThat, 'one that is claimed is not moved');
    await db.run(askAgain({ ...name, again_after: afterThat }));
    await db.transaction(() => retryJob(second!, { runAfter: clock.now() }));
    t.match(await find('a'), { run_after: afterThat, attempts: 1 }, 'a retry waits as long');
    const moved = inMs(90_000);
    await db.run(postponeJob({ ...name, run_after: moved, due_ms: Date.parse(moved) }));
    t.match(await find('a'), { run_after: moved });
    t.ok(Number((await find('a'))?.turn) >= Date.parse(moved), 'a turn is never before its time');
  });

  t.test('a job goes with its site', async (t) => {
    const db = await engine.openDb(t);
    const { add, clock } = prepare(db);
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    await add(siteId, { siteId, accountId });
    await siteRemoval({ db, clock }).remove(siteId);
    t.same(await jobsOf(db), []);
    await t.rejects(add('x', { siteId: 'site_gone' }), ParentMissing);
  });

  t.test('what waits, is tried again and is being done is told by kind', async (t) => {
    const db = await engine.openDb(t);
    const { add, claim, later, clock } = prepare(db);
    await add('a');
    const [job] = await claim();
    await db.transaction(() => retryJob(job!, { runAfter: clock.now() }));
    await add('b');
    await add('c', { runAfter: new Date(clock.now().getTime() + 3_600_000) });
    const due = clock.now().toISOString();
    await add('d', { kind: 'MANUAL', runAfter: new Date(clock.now().getTime() - 1) });
    later(1000);
    t.match(await claim(1), [{ kind: 'MANUAL' }]);
    const depth = await db.run(selectQueueDepth({ now: clock.now().toISOString() }));
    t.same(
      [...depth].sort((a, b) => (a.kind < b.kind ? -1 : 1)),
      [
        { kind: 'MANUAL', waiting: 0, retrying: 0, running: 1, oldest_due: null },
        { kind: 'SCHEDULED', waiting: 2, retrying: 1, running: 0, oldest_due: due },
      ],
    );
  });
});
