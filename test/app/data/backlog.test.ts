import { readBacklog } from '../../../src/app/data/backlog.js';
import { type Database, NotConnected } from '../../../src/store/database.js';
import { addJob, claimDue, retryJob } from '../../../src/queue/jobs.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { onEachDatabase, onSqlite } from '../../support/databases.js';

const MINUTE_MS = 60_000;

function timeOf(clock: TestClock, afterMs: number): Date {
  return new Date(clock.time.getTime() + afterMs);
}

/** Returns the waiting, retried and running jobs by kind. */
async function countsOf(db: Database, clock: TestClock): Promise<Record<string, readonly number[]>> {
  const { depths = [] } = (await readBacklog({ db, clock })) ?? {};
  return Object.fromEntries(
    depths.map(({ kind, waiting, retrying, running }) => [kind, [waiting, retrying, running].map(Number)]),
  );
}

onEachDatabase(async (t, engine) => {
  t.test('queued runs are counted by trigger, with the oldest due time', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const { id: accountId } = await addAccount(db);
    const now = clock.now();
    const queue = async (hostname: string, trigger: 'SCHEDULED' | 'POST_DEPLOY', afterMs: number) => {
      const { id: siteId } = await addSite(db, accountId, { hostname });
      const due = { account_id: accountId, site_id: siteId, run_after: timeOf(clock, afterMs).toISOString() };
      await db.transaction((tx) => addJob(tx, { queue: 'runs', kind: trigger, key: siteId, ...due }, now));
      return siteId;
    };
    await queue('a.example.com', 'SCHEDULED', -20 * MINUTE_MS);
    await queue('b.example.com', 'SCHEDULED', -MINUTE_MS);
    await queue('c.example.com', 'POST_DEPLOY', MINUTE_MS);
    await queue('d.example.com', 'SCHEDULED', -90 * MINUTE_MS);
    await claimDue(db, 'runs', timeOf(clock, -90 * MINUTE_MS));
    t.same(await countsOf(db, clock), { SCHEDULED: [2, 0, 1], POST_DEPLOY: [1, 0, 0] });
    const { depths = [] } = (await readBacklog({ db, clock })) ?? {};
    const oldest = Object.fromEntries(depths.map(({ kind, oldest_due }) => [kind, oldest_due]));
    t.same(oldest, { SCHEDULED: timeOf(clock, -20 * MINUTE_MS).toISOString(), POST_DEPLOY: null });
  });

  t.test('messages are counted by first attempt and retries', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    t.same(await countsOf(db, clock), {});
    const now = clock.now();
    for (const key of ['a', 'b', 'c']) {
      const due = { account_id: null, site_id: null, run_after: now.toISOString() };
      await db.transaction((tx) => addJob(tx, { queue: 'deliveries', kind: 'WEBHOOK', key, ...due }, now));
    }
    const job = await claimDue(db, 'deliveries', now);
    t.same(await countsOf(db, clock), { WEBHOOK: [2, 0, 1] });
    await db.transaction((tx) => retryJob(tx, job!, now));
    t.same(await countsOf(db, clock), { WEBHOOK: [2, 1, 0] });
  });
});

onSqlite(async (t, engine) => {
  t.test('a database that is down or hangs does not delay callers', async (t) => {
    const clock = new TestClock();
    const db = await engine.openDb(t);
    const down = { ...db, run: () => Promise.reject(new NotConnected('away')) };
    t.equal(await readBacklog({ db: down, clock }), null);
    const alive = setInterval(() => undefined, 1000);
    t.teardown(() => clearInterval(alive));
    const hanging = { ...db, run: () => new Promise<never>(() => undefined) };
    t.equal(await readBacklog({ db: hanging, clock }), null);
  });
});
