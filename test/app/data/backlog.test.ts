import { Registry } from 'prom-client';
import { createBacklogMetrics, readBacklog } from '../../../src/app/data/backlog.js';
import type { Database } from '../../../src/store/database.js';
import { NotConnected } from '../../../src/store/errors.js';
import { addJob, claimDue, retryJob } from '../../../src/queue/jobs.js';
import { addAccount, addSite, TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';

const MINUTE_MS = 60_000;

function timeOf(clock: TestClock, afterMs: number): Date {
  return new Date(clock.time.getTime() + afterMs);
}

/** A database that can be held up or be away. */
function hold(db: Database) {
  const state = { isDown: false, release: () => undefined as void, isHeld: false };
  const gated = failWhen(
    db,
    () => state.isDown,
    () => new NotConnected('away'),
  );
  const held: Database = {
    ...gated,
    async run(query) {
      if (state.isHeld) await new Promise<void>((resolve) => (state.release = resolve));
      return gated.run(query);
    },
  };
  return { held, state };
}

/** The values of the gauges, by series. */
async function seriesOf(db: Database, clock: TestClock): Promise<Record<string, string>> {
  const register = new Registry();
  createBacklogMetrics(register)(await readBacklog({ db, clock }));
  const lines = (await register.metrics()).matchAll(/^agent_readiness_(\S+) (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, series = '', value = '']) => [series, value]));
}

onEachDatabase(async (t, engine) => {
  t.test('queued runs are counted by trigger, with the wait of the oldest', async (t) => {
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
    t.match(await seriesOf(db, clock), {
      'queued_runs{trigger="MANUAL",state="waiting"}': '0',
      'queued_runs{trigger="MANUAL",state="running"}': '0',
      'queued_runs{trigger="SCHEDULED",state="waiting"}': '2',
      'queued_runs{trigger="SCHEDULED",state="running"}': '1',
      'queued_runs{trigger="POST_DEPLOY",state="waiting"}': '1',
      'queued_runs{trigger="POST_DEPLOY",state="running"}': '0',
      'queue_oldest_due_seconds{trigger="MANUAL"}': '0',
      'queue_oldest_due_seconds{trigger="SCHEDULED"}': '1200',
      'queue_oldest_due_seconds{trigger="POST_DEPLOY"}': '0',
    });
  });

  t.test('messages are counted by first and later attempts', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const expectDeliveries = async (waiting: string, retrying: string) =>
      t.match(await seriesOf(db, clock), {
        'deliveries{state="waiting"}': waiting,
        'deliveries{state="retrying"}': retrying,
      });
    await expectDeliveries('0', '0');
    const now = clock.now();
    for (const [kind, key] of [
      ['WEBHOOK', 'a'],
      ['MAIL', 'b'],
      ['WEBHOOK', 'c'],
    ] as const) {
      const due = { account_id: null, site_id: null, run_after: now.toISOString() };
      const job = { queue: 'deliveries', kind, key, ...due } as const;
      await db.transaction((tx) => addJob(tx, job, now));
    }
    const job = await claimDue(db, 'deliveries', now);
    await expectDeliveries('2', '0');
    await db.transaction((tx) => retryJob(tx, job!, now));
    await expectDeliveries('2', '1');
  });

  t.test('a database that is down or hangs does not delay callers', async (t) => {
    const clock = new TestClock();
    const { held, state } = hold(await engine.openDb(t));
    let giveUp = (): void => undefined;
    const startTimer = (action: () => void, delayMs: number) => {
      t.equal(delayMs, 2000);
      giveUp = action;
      return () => undefined;
    };
    const look = () => readBacklog({ db: held, clock }, startTimer);
    state.isDown = true;
    t.equal(await look(), null);
    state.isDown = false;
    clock.time = timeOf(clock, 5000);
    state.isHeld = true;
    const late = look();
    giveUp();
    t.equal(await late, null);
  });
});
