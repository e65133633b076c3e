import { createSiteRemoval } from '../../src/app/data/removal.js';
import {
  addJob,
  addJobs,
  claimDue,
  finishJob,
  LEASE_MS,
  LeaseLost,
  type NewJob,
  retryJob,
  updateClaimed,
} from '../../src/queue/jobs.js';
import type { Database, Tx } from '../../src/store/database.js';
import { defineQuery, table } from '../../src/store/query.js';
import { addAccount, addSite, TestClock } from '../support/accounts.js';
import { onEachDatabase } from '../support/databases.js';
import { claimAll, jobsOf } from '../support/queue.js';

const jobTable = table('jobs');

/** Selects the lanes that a claim may visit. */
const selectDueLanes = defineQuery<{ lane: string }>((sql) => sql('jobs').distinct('lane').where({ is_due: 1 }));

function prepare(db: Database) {
  const clock = new TestClock();
  const inMs = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
  const job = (key: string, rest: Partial<NewJob> = {}): NewJob => ({
    ...{ queue: 'runs', kind: 'SCHEDULED', key, account_id: 'acc_a', site_id: null, run_after: inMs(0), ...rest },
  });
  const claim = (limit = 100) => claimAll(db, 'runs', clock.now(), limit);
  return {
    ...{ db, clock, inMs, job, claim },
    add: (key: string, rest: Partial<NewJob> = {}) => db.transaction((tx) => addJob(tx, job(key, rest), clock.now())),
    keys: async (limit?: number) => (await claim(limit)).map(({ key }) => key),
    find: async (key: string) => (await jobsOf(db)).find((stored) => stored.key === key),
    later: (ms: number) => void (clock.time = new Date(clock.time.getTime() + ms)),
  };
}

onEachDatabase(async (t, engine) => {
  t.test('due jobs of the queue are claimed, oldest first', async (t) => {
    const { db, add, keys, inMs, later } = prepare(await engine.openDb(t));
    await add('later', { run_after: inMs(1000) });
    await add('other', { queue: 'deliveries' });
    for (const ms of [3000, 1000, 2000]) await add(`due for ${ms}`, { run_after: inMs(-ms) });
    await db.run(jobTable.update({ kind: 'SCHEDULED', key: 'due for 1000' }, { run_after: inMs(2000) }));
    later(999);
    t.same(await keys(), ['due for 3000', 'due for 2000']);
    later(1);
    t.same(await keys(), ['later']);
    later(1000);
    t.same(await keys(), ['due for 1000'], 'it was postponed while it was due');
  });

  t.test('only lanes with due jobs are visited', async (t) => {
    const { db, add, inMs, job, clock, later } = prepare(await engine.openDb(t));
    const inAnHour = inMs(3_600_000);
    const waiting = Array.from({ length: 2000 }, (_, index) =>
      job(`waiting ${index}`, { account_id: `acc_m${index}`, run_after: inAnHour }),
    );
    const crowd = Array.from({ length: 1500 }, (_, index) => job(`crowd ${index}`, { account_id: 'acc_a' }));
    await db.transaction((tx) => addJobs(tx, [...waiting, ...crowd], clock.now()));
    later(1);
    await add('one', { account_id: 'acc_z' });
    const claim = async (lastLane: string) => (await claimDue(db, 'runs', clock.now(), { lastLane }))?.lane;
    const visited = async () => new Set((await db.run(selectDueLanes({}))).map(({ lane }) => lane));
    t.equal(await claim(''), 'acc_a SCHEDULED');
    t.same(await visited(), new Set(['acc_a SCHEDULED', 'acc_z SCHEDULED']));
    t.equal(await claim('acc_a SCHEDULED'), 'acc_z SCHEDULED', 'however many jobs of another account are due before');
    later(3_600_000);
    t.equal(await claim('acc_a SCHEDULED'), 'acc_m0 SCHEDULED');
    t.ok((await visited()).size <= 1000, 'a thousand become due at a time');
  });

  t.test('many jobs are added at once; existing ones are unchanged', async (t) => {
    const { db, add, job, clock } = prepare(await engine.openDb(t));
    await add('there');
    const jobs = [...['x', 'y', 'there'].map((key) => job(key)), job('other', { account_id: 'acc_b' })];
    t.equal(await db.transaction((tx) => addJobs(tx, jobs, clock.now())), 3);
    t.equal(await db.transaction((tx) => addJobs(tx, [], clock.now())), 0);
    t.same((await jobsOf(db)).map(({ key }) => key).sort(), ['other', 'there', 'x', 'y']);
  });

  t.test('a claim lasts while it is renewed; then another worker can claim the job', async (t) => {
    const { db, add, claim, later, clock, find, inMs } = prepare(await engine.openDb(t));
    await add('a');
    const [job] = await claim();
    later(LEASE_MS - 1);
    const renew = (progress: string) => updateClaimed(db, job!, { run_after: inMs(LEASE_MS), progress });
    await renew('{"done":1}');
    later(LEASE_MS - 1);
    t.same(await claim(), []);
    later(1);
    const [second] = await claim();
    t.match(second, { attempts: 2, progress: '{"done":1}' });
    await t.rejects(renew('{"done":2}'), LeaseLost);
    for (const end of [(tx: Tx) => finishJob(tx, job!, clock.now()), (tx: Tx) => retryJob(tx, job!, clock.now())]) {
      await t.rejects(db.transaction(end), LeaseLost);
    }
    t.match(await find('a'), { lease: second?.lease, progress: '{"done":1}' });
    await db.transaction((tx) => finishJob(tx, second!, clock.now()));
    t.same(await jobsOf(db), []);
  });

  t.test('a retried job waits until its time, and its attempts may count or not', async (t) => {
    const { db, add, claim, later, clock, find } = prepare(await engine.openDb(t));
    await add('a');
    await add('b');
    const [job] = await claim(1);
    const start = clock.now().getTime();
    await db.transaction((tx) => retryJob(tx, job!, new Date(start + 5000)));
    t.match(await find('a'), { attempts: 1, lease: null, progress: null });
    later(5000);
    const again = (await claim()).find(({ key }) => key === 'a');
    t.match(again, { key: 'a', attempts: 2 });
    await db.transaction((tx) => retryJob(tx, again!, clock.now(), { attempts: 0, progress: '{"failed":"x"}' }));
    t.match((await claim())[0], { attempts: 1, progress: '{"failed":"x"}' });
  });

  t.test('a job requested again while it runs returns to the queue', async (t) => {
    const { db, add, claim, later, clock, find, inMs } = prepare(await engine.openDb(t));
    await add('a');
    const [job] = await claim();
    const name = { kind: 'SCHEDULED', key: 'a' };
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
    await db.transaction((tx) => retryJob(tx, second!, clock.now()));
    t.match(await find('a'), { run_after: afterThat, attempts: 1 }, 'a retry waits as long');
  });

  t.test('a job is deleted with its site', async (t) => {
    const { db, add, clock } = prepare(await engine.openDb(t));
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    await add(siteId, { site_id: siteId, account_id: accountId });
    await createSiteRemoval({ db, clock }).remove(siteId);
    t.same(await jobsOf(db), []);
    await t.rejects(add('x', { site_id: 'site_gone' }), { code: /23503|FOREIGNKEY/ });
  });
});
