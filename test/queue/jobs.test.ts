import { siteRemoval } from '../support/removal.js';
import { selectQueueDepth } from '../../src/app/data/backlog.js';
import {
  addJob,
  addJobs,
  claimDue,
  finishJob,
  type Job,
  LEASE_MS,
  LeaseLost,
  type NewJob,
  OLDEST_MAX,
  renewClaim,
  retryJob,
} from '../../src/queue/jobs.js';
import type { Database, Tx } from '../../src/store/database.js';
import { table } from '../../src/store/table.js';
import { ParentMissing } from '../../src/store/errors.js';
import { addAccount, addSite, TestClock } from '../support/accounts.js';
import { onEachDatabase } from '../support/databases.js';
import { claimAll, jobsOf } from '../support/queue.js';

const jobTable = table<Pick<Job, 'kind' | 'key' | 'again_after'>>('jobs', ['kind', 'key']);

function prepare(db: Database) {
  const clock = new TestClock();
  const job = (key: string, rest: Partial<NewJob> = {}): NewJob => ({
    ...{ queue: 'runs', kind: 'SCHEDULED', key, accountId: 'acc_a', siteId: null, runAfter: clock.now(), ...rest },
  });
  const claim = (limit = 100) => claimAll(db, 'runs', clock.now(), limit);
  return {
    ...{ clock, job, claim },
    add: (key: string, rest: Partial<NewJob> = {}) => db.transaction((tx) => addJob(tx, job(key, rest), clock.now())),
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
    t.match(claimed[0], { attempts: 1, account_id: 'acc_a', site_id: null });
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

  t.test('jobs of an account, or of one kind of it, can be left for later', async (t) => {
    const db = await engine.openDb(t);
    const { add, clock } = prepare(db);
    await add('first');
    await add('by hand', { kind: 'MANUAL' });
    await add('other', { accountId: 'acc_b' });
    await add('upkeep', { accountId: null });
    const claim = async (...kinds: readonly string[]) => {
      const except = kinds.map((kind) => ({ account_id: 'acc_a', kind }));
      return (await claimDue(db, 'runs', clock.now(), except))?.key;
    };
    const [one, two] = [await claim('SCHEDULED', 'MANUAL'), await claim('SCHEDULED', 'MANUAL')];
    t.same([one, two].sort(), ['other', 'upkeep']);
    t.equal(await claim('SCHEDULED', 'MANUAL'), undefined);
    t.equal(await claim('SCHEDULED'), 'by hand', 'another kind of the account');
    t.equal(await claim('SCHEDULED'), undefined);
    t.equal(await claim(), 'first');
  });

  t.test('a job is claimed however many excluded ones are due before it', async (t) => {
    const db = await engine.openDb(t);
    const { add, job, clock, later } = prepare(db);
    const statements = t.capture(db, 'run', db.run);
    await add('first of the crowd');
    await claimDue(db, 'runs', clock.now(), [{ account_id: 'acc_a', kind: 'SCHEDULED' }]);
    const walks = statements().filter(({ args: [query] }) => query.statement.sqlFor(engine.name).includes('RECURSIVE'));
    t.equal(walks.length, 0, 'a short queue needs no walk through all accounts');
    const crowd = Array.from({ length: OLDEST_MAX + 1 }, (_, index) => job(`crowd ${index}`));
    await db.transaction((tx) => addJobs(tx, crowd, clock.now()));
    later(1);
    await add('by hand', { kind: 'MANUAL' });
    await add('other', { accountId: 'acc_b' });
    await add('later', { accountId: 'acc_c', runAfter: new Date(clock.now().getTime() + 1) });
    await add('message', { accountId: 'acc_d', queue: 'deliveries', kind: 'WEBHOOK' });
    const claim = async () => claimDue(db, 'runs', clock.now(), [{ account_id: 'acc_a', kind: 'SCHEDULED' }]);
    t.same([(await claim())?.key, (await claim())?.key].sort(), ['by hand', 'other']);
    t.equal(await claim(), null);
    t.match(await claimDue(db, 'runs', clock.now()), { kind: 'SCHEDULED', attempts: 1 });
  });

  t.test('many are added at once, and those that are there are left alone', async (t) => {
    const db = await engine.openDb(t);
    const { add, job, clock } = prepare(db);
    await add('there');
    const jobs = [...['x', 'y', 'there'].map((key) => job(key)), job('other', { accountId: 'acc_b' })];
    t.equal(await db.transaction((tx) => addJobs(tx, jobs, clock.now())), 3);
    t.equal(await db.transaction((tx) => addJobs(tx, [], clock.now())), 0);
    t.same((await jobsOf(db)).map(({ key }) => key).sort(), ['other', 'there', 'x', 'y']);
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
    for (const end of [
      (tx: Tx) => finishJob(tx, job!, clock.now()),
      (tx: Tx) => retryJob(tx, job!, { runAfter: clock.now() }),
    ]) {
      await t.rejects(db.transaction(end), LeaseLost);
    }
    t.match(await find('a'), { lease: second?.lease, progress: '{"done":1}' });
    await db.transaction((tx) => finishJob(tx, second!, clock.now()));
    t.same(await jobsOf(db), []);
  });

  t.test('a job that is put back waits until its time, with its attempts or without', async (t) => {
    const db = await engine.openDb(t);
    const { add, claim, later, clock, find } = prepare(db);
    await add('a');
    await add('b');
    const [job] = await claim(1);
    const start = clock.now().getTime();
    await db.transaction((tx) => retryJob(tx, job!, { runAfter: new Date(start + 5000) }));
    t.match(await find('a'), { attempts: 1, lease: null, progress: null });
    later(5000);
    const again = (await claim()).find(({ key }) => key === 'a');
    t.match(again, { key: 'a', attempts: 2 });
    await db.transaction((tx) =>
      retryJob(tx, again!, { runAfter: clock.now(), attempts: 0, progress: { failed: 'x' } }),
    );
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
    await db.run(jobTable.update(name, { again_after }));
    later(1000);
    await db.transaction((tx) => finishJob(tx, job!, clock.now()));
    const waiting = { attempts: 0, lease: null, again_after: null, requested_at: clock.now().toISOString() };
    t.match(await find('a'), { run_after: again_after, ...waiting });
    later(9000);
    const [second] = await claim();
    const afterThat = inMs(65_000);
    await db.run(jobTable.update(name, { again_after: afterThat }));
    await db.transaction((tx) => retryJob(tx, second!, { runAfter: clock.now() }));
    t.match(await find('a'), { run_after: afterThat, attempts: 1 }, 'a retry waits as long');
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
    await db.transaction((tx) => retryJob(tx, job!, { runAfter: clock.now() }));
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
