import { createSiteRemoval } from '../../../src/app/data/removal.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { LEASE_MS } from '../../../src/queue/jobs.js';
import { deliveries, openAlertScene, openWatchedSite } from '../../support/alerts.js';
import { changeDatabase, failWhen, watchStatements } from '../../support/changed-database.js';
import { onEachDatabase, onPostgres } from '../../support/databases.js';
import { untilBlocked } from '../../support/raw-connection.js';

onEachDatabase(async (t, engine) => {
  t.test('a message whose worker dies after the answer is sent again under the same id', async (t) => {
    const { db, scene, receiver, log, breakSite } = await openWatchedSite(t, await engine.openDb(t));
    await breakSite();
    // The note is never made: the receiver's answer comes, and the process is gone.
    let isKilled = false;
    receiver.answer = (response) => {
      isKilled = true;
      response.writeHead(200).end();
    };
    const dying = await openAlertScene(
      t,
      changeDatabase(db, {
        transaction: (work) => (isKilled ? Promise.reject(new Error('killed')) : db.transaction(work)),
      }),
      { ports: [receiver.port] },
    );
    await dying.worker.performDue();
    t.equal(dying.crashes.length, 1);
    t.match(await log(), [{ state: 'waiting', attempts: 1 }]);

    scene.pass(LEASE_MS - 1);
    t.same(await scene.worker.claim(), [], 'not before the lease ends');
    scene.pass(1);
    await scene.deliverDue();
    const ids = receiver.messages.map(({ headers }) => headers['webhook-id']);
    t.equal(ids.length, 2);
    t.equal(new Set(ids).size, 1);
    t.match(await log(), [{ state: 'delivered', attempts: 2 }]);
  });

  t.test('messages that turn a webhook off at the same time do not wait for each other', async (t) => {
    const db = await engine.openDb(t);
    let tries = 0;
    const counted = changeDatabase(db, {
      transaction: (work, durability) => db.transaction((tx) => ((tries += 1), work(tx)), durability),
    });
    const { scene, receiver, ref, log } = await openWatchedSite(t, counted);
    for (let count = 0; count < 6; count += 1) await scene.webhooks.sendTest(ref);
    const answers: (() => void)[] = [];
    receiver.answer = (response) => {
      answers.push(() => response.writeHead(410).end());
      if (answers.length === 6) for (const answer of answers) answer();
    };
    tries = 0;
    await scene.worker.performDue();
    t.equal(tries, 6, 'each is stored at the first try');
    t.same(scene.causes, ['gone']);
    t.match(await log(), Array(6).fill({ state: 'failed', answerStatus: 410 }));
  });

  t.test('a short outage of the database after the answer does not send a message again', async (t) => {
    const cases = [
      { triesInVain: 3, pauses: 3, crashes: 0, noted: { state: 'delivered', attempts: 1 } },
      { triesInVain: 99, pauses: 5, crashes: 1, noted: { state: 'waiting', attempts: 1 } },
    ];
    for (const { triesInVain, pauses, crashes, noted } of cases) {
      const { db, receiver, log, breakSite } = await openWatchedSite(t, await engine.openDb(t));
      await breakSite();
      let isDown = false;
      const failing = failWhen(db, () => isDown, new ServiceError('overloaded'));
      const pausesMs: number[] = [];
      const worker = await openAlertScene(t, failing, {
        ports: [receiver.port],
        startTimer: (action, delayMs) => {
          isDown = pausesMs.push(delayMs) < triesInVain;
          setImmediate(action);
          return () => undefined;
        },
      });
      receiver.answer = (response) => {
        isDown = true;
        response.writeHead(200).end();
      };
      await worker.worker.performDue();
      t.equal(receiver.messages.length, 1);
      t.equal(pausesMs.length, pauses);
      t.ok(pausesMs.reduce((sum, ms) => sum + ms, 0) <= 30_000, 'well within the lease');
      t.equal(worker.crashes.length, crashes);
      t.match(await log(), [noted]);
    }
  });

  t.test('a message that arrives while its webhook is turned off counts as delivered', async (t) => {
    const { db, scene, ref, log } = await openWatchedSite(t, await engine.openDb(t));
    await scene.webhooks.sendTest(ref);
    const id = (await log())[0]?.id;
    const sending = await openAlertScene(t, db, {
      post: async ({ headers }) => {
        if (headers['webhook-id'] !== id) return { status: 410, retryAfter: null };
        await scene.webhooks.sendTest(ref);
        await sending.worker.performDue();
        return { status: 204, retryAfter: null };
      },
    });
    await sending.worker.performDue();
    t.same(sending.causes, ['gone']);
    const [arrived, refused] = (await log()).toSorted((a, b) => (a.answerStatus ?? 0) - (b.answerStatus ?? 0));
    t.match(arrived, { id, state: 'delivered', answerStatus: 204, problem: null });
    t.match(refused, { state: 'failed', answerStatus: 410 });
  });

  t.test('a worker that resumes after its lease has ended writes nothing', async (t) => {
    const { db, scene, receiver, log, webhook, breakSite, account } = await openWatchedSite(t, await engine.openDb(t));
    await breakSite();
    let wake: () => void = () => undefined;
    const asleep = await openAlertScene(t, db, {
      post: () => new Promise((resolve) => (wake = () => resolve({ status: 410, retryAfter: null }))),
    });
    const sleeping = asleep.worker.performDue();
    while ((await log())[0]?.attempts === 0) await new Promise(setImmediate);
    scene.pass(LEASE_MS);
    await scene.deliverDue();
    wake();
    await sleeping;
    t.equal(receiver.messages.length, 1);
    t.match(await log(), [{ state: 'delivered', answerStatus: 204, attempts: 2 }]);
    t.equal((await scene.webhooks.get({ accountId: account.id, webhookId: webhook.id })).disabledAt, null);
  });

  t.test('a fault of ours costs an attempt, and the message is tried again', async (t) => {
    const { db, scene, log, receiver, breakSite } = await openWatchedSite(t, await engine.openDb(t));
    await breakSite();
    const faulty = await openAlertScene(t, db, { post: () => Promise.reject(new Error('a fault of ours')) });
    await faulty.deliverDue();
    t.match(faulty.crashes, [{ message: 'a fault of ours' }]);
    t.match(await log(), [{ state: 'waiting', attempts: 1 }]);
    scene.pass(5249);
    await scene.deliverDue();
    t.equal(receiver.messages.length, 0);
    scene.pass(1);
    await scene.deliverDue();
    t.match(await log(), [{ state: 'delivered', attempts: 2 }]);
  });

  t.test('removing a webhook or site deletes the message that is being sent', async (t) => {
    for (const what of ['webhook', 'site'] as const) {
      const { db, scene, site, ref, receiver, breakSite } = await openWatchedSite(t, await engine.openDb(t));
      await breakSite();
      const removing = await openAlertScene(t, db, {
        post: async () => {
          if (what === 'webhook') await scene.webhooks.remove(ref);
          else await createSiteRemoval({ db, clock: scene.clock }).remove(site.id);
          return { status: 410, retryAfter: null };
        },
      });
      await removing.worker.performDue();
      t.same(removing.crashes, []);
      t.same(await db.run(deliveries({})), []);
      await scene.deliverDue();
      t.equal(receiver.messages.length, 0);
    }
  });
});

onPostgres(async (t, engine) => {
  t.test('a webhook is not removed while a test message is queued', async (t) => {
    const { db, scene, ref } = await openWatchedSite(t, await engine.openDb(t));
    let removing: Promise<void> | null = null;
    let left = 0;
    const watched = watchStatements(db, async ({ statement }) => {
      if (removing !== null || !statement.sqlFor('postgres').startsWith('insert into "deliveries"')) return;
      removing = scene.webhooks.remove(ref);
      await untilBlocked(db.url, removing);
      left = (await scene.webhooks.list(ref.accountId)).length;
    });
    const { webhooks } = await openAlertScene(t, watched);
    await webhooks.sendTest(ref);
    t.equal(left, 1);
    await removing;
    t.same(await scene.webhooks.list(ref.accountId), []);
    t.same(await db.run(deliveries({})), []);
    await t.rejects(webhooks.sendTest(ref), { code: 'not_found' });
  });
});
