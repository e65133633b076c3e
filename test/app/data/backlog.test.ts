import { createBacklog } from '../../../src/app/data/backlog.js';
import { FEATURES as features } from '../../../src/app/features.js';
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

/** A database that counts what it is asked, and can be held up or be away. */
function hold(db: Database) {
  const state = { questions: 0, isDown: false, release: () => undefined as void, isHeld: false };
  const gated = failWhen(
    db,
    () => state.isDown,
    () => new NotConnected('away'),
  );
  const held: Database = {
    ...gated,
    async run(query) {
      state.questions += 1;
      if (state.isHeld) await new Promise<void>((resolve) => (state.release = resolve));
      return gated.run(query);
    },
  };
  return { held, state };
}

onEachDatabase(async (t, engine) => {
  t.test('what waits is told by what started it, and since when the oldest is due', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const { id: accountId } = await addAccount(db);
    const now = clock.now();
    const queue = async (hostname: string, trigger: 'SCHEDULED' | 'POST_DEPLOY', afterMs: number) => {
      const { id: siteId } = await addSite(db, accountId, { hostname });
      const runAfter = timeOf(clock, afterMs);
      await db.transaction(() =>
        addJob({ queue: 'runs', kind: trigger, key: siteId, accountId, siteId, runAfter }, now),
      );
      return siteId;
    };
    await queue('a.example.com', 'SCHEDULED', -20 * MINUTE_MS);
    await queue('b.example.com', 'SCHEDULED', -MINUTE_MS);
    await queue('c.example.com', 'POST_DEPLOY', MINUTE_MS);
    await queue('d.example.com', 'SCHEDULED', -90 * MINUTE_MS);
    await claimDue(db, 'runs', timeOf(clock, -90 * MINUTE_MS));
    const { queued_runs, queue_oldest_due_seconds } = (await createBacklog({ db, clock, features })()) ?? {};
    t.same(
      [...(queued_runs ?? []), ...(queue_oldest_due_seconds ?? [])].map(
        ({ labels = {}, value }) => `${Object.values(labels).join(' ')} ${value}`,
      ),
      [
        'MANUAL waiting 0',
        'MANUAL running 0',
        'SCHEDULED waiting 2',
        'SCHEDULED running 1',
        'POST_DEPLOY waiting 1',
        'POST_DEPLOY running 0',
        'MANUAL 0',
        'SCHEDULED 1200',
        'POST_DEPLOY 0',
      ],
      'one that is not due yet is not late, and one in hand waits no more',
    );
  });

  t.test('messages wait for their first try or another; those at their end wait no more', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const deliveries = async () => (await createBacklog({ db, clock, features })())?.deliveries;
    const figures = (waiting: number, retrying: number) => [
      { labels: { state: 'waiting' }, value: waiting },
      { labels: { state: 'retrying' }, value: retrying },
    ];
    t.same(await deliveries(), figures(0, 0));
    const now = clock.now();
    for (const [kind, key] of [
      ['WEBHOOK', 'a'],
      ['MAIL', 'b'],
      ['WEBHOOK', 'c'],
    ] as const) {
      const job = { queue: 'deliveries', kind, key, accountId: null, siteId: null, runAfter: now } as const;
      await db.transaction(() => addJob(job, now));
    }
    const job = await claimDue(db, 'deliveries', now);
    t.same(await deliveries(), figures(2, 0));
    await db.transaction(() => retryJob(job!, { runAfter: now }));
    t.same(await deliveries(), figures(2, 1));
  });

  t.test('however many ask, the database is asked once in a few seconds', async (t) => {
    const clock = new TestClock();
    const { held, state } = hold(await engine.openDb(t));
    const look = createBacklog({ db: held, clock, features });
    await Promise.all([look(), look(), look()]);
    await look();
    const once = state.questions;
    clock.time = timeOf(clock, 5000);
    await look();
    t.equal(state.questions, 2 * once);
    clock.time = timeOf(clock, -3_600_000);
    await look();
    t.equal(state.questions, 3 * once, 'a clock that was set back does not make it wait for an hour');
  });

  t.test('nobody waits for a database that is away or hangs', async (t) => {
    const clock = new TestClock();
    const { held, state } = hold(await engine.openDb(t));
    let giveUp = (): void => undefined;
    const startTimer = (action: () => void, delayMs: number) => {
      t.equal(delayMs, 2000);
      giveUp = action;
      return () => undefined;
    };
    const look = createBacklog({ db: held, clock, features, startTimer });
    state.isDown = true;
    t.equal(await look(), null);
    state.isDown = false;
    clock.time = timeOf(clock, 5000);
    state.isHeld = true;
    const late = look();
    giveUp();
    t.equal(await late, null);
    const asked = state.questions;
    clock.time = timeOf(clock, 60_000);
    const later = look();
    t.equal(state.questions, asked, 'and it is not asked again while it hangs');
    giveUp();
    await later;
    t.end();
  });
});
