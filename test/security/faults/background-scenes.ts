import { createDeliveryHandler } from '../../../src/app/alerts/deliver.js';
import { webhooksOf } from '../../support/webhooks.js';
import { createLogger } from '../../../src/platform/logging.js';
import type { StartTimer } from '../../../src/platform/timer.js';
import { addJob } from '../../../src/queue/jobs.js';
import { addAccount, addSite } from '../../support/accounts.js';
import { NO_METRICS } from '../../support/alerts.js';
import { runQueue, TestWorker } from '../../support/queue.js';
import type { Act, Scene } from './sweep.js';
import { ask, askNumber, type FaultWorld } from './world.js';

const AT_ONCE: StartTimer = (action) => {
  setImmediate(action);
  return () => undefined;
};
/** Longer than every lease and pause. */
const LATER_MS = 3_600_000;
const ROUNDS_MAX = 5;

/** Performs what is due until nothing of it is left to do, as workers do in the course of time. */
async function workOff({ clock }: FaultWorld, worker: TestWorker, isDone: () => Promise<boolean>) {
  for (let rounds = 0; rounds < ROUNDS_MAX && !(await isDone()); rounds += 1) {
    clock.time = new Date(clock.time.getTime() + LATER_MS);
    await worker.performDue();
  }
}

const queuedRun: Scene = {
  name: 'scheduled run',
  async prepare(world): Promise<Act> {
    const { db, watch, clock, performRun } = world;
    const { id: accountId } = await addAccount(watch);
    const { id: siteId } = await addSite(watch, accountId);
    const now = clock.now();
    const due = { account_id: accountId, site_id: siteId, run_after: now.toISOString() };
    const job = { queue: 'runs', kind: 'SCHEDULED', key: siteId, ...due } as const;
    await watch.transaction((tx) => addJob(tx, job, now));
    const observer = { retried: () => undefined, abandoned: () => undefined };
    const worker = new TestWorker([runQueue({ db, clock, performRun, observer })], { db, clock });
    const waiting = () => askNumber(world, `SELECT count(*) AS n FROM jobs WHERE site_id = '${siteId}'`);
    return {
      run: async () => {
        await worker.performDue().catch(() => 0);
        return 'done';
      },
      async check() {
        await workOff(world, worker, async () => (await waiting()) === 0);
        const stored = await askNumber(world, `SELECT count(*) AS n FROM runs WHERE site_id = '${siteId}'`);
        return stored === 1 && (await waiting()) === 0 ? [] : [`${stored} runs stored, ${await waiting()} waiting`];
      },
    };
  },
};

const delivery: Scene = {
  name: 'webhook delivery',
  async prepare(world): Promise<Act> {
    const { db, watch, clock } = world;
    const { id: accountId } = await addAccount(watch);
    const webhooks = webhooksOf({
      ...{ db: watch, clock, hasMail: false, vetWebhook: async () => null },
    });
    const { webhook } = await webhooks.add({ accountId, url: 'https://hooks.example.com/in' });
    await webhooks.sendTest({ accountId, webhookId: webhook.id });
    const [row] = await ask<{ id: string }>(world, `SELECT id FROM deliveries WHERE account_id = '${accountId}'`);
    const key = row?.id ?? '';
    let posts = 0;
    const handler = createDeliveryHandler({
      ...{ db, clock, sendMail: null, publicUrl: 'https://readiness.test' },
      ...{ userAgent: 'test', startTimer: AT_ONCE },
      ...{ logger: createLogger('silent'), metrics: NO_METRICS },
      post: async () => {
        posts += 1;
        return { status: 204, retryAfter: null };
      },
    });
    const queues = [{ name: 'deliveries', concurrency: 1, handlers: { WEBHOOK: handler } }] as const;
    const worker = new TestWorker(queues, { db, clock });
    const isDelivered = async () =>
      (await askNumber(world, `SELECT count(*) AS n FROM deliveries WHERE id = '${key}' AND state = 'delivered'`)) ===
      1;
    return {
      run: async () => {
        await worker.performDue().catch(() => 0);
        return 'done';
      },
      async check() {
        await workOff(world, worker, isDelivered);
        return (await isDelivered()) && posts === 1
          ? []
          : [`sent ${posts} times, and ${(await isDelivered()) ? '' : 'not '}noted`];
      },
    };
  },
};

export const BACKGROUND_SCENES: readonly Scene[] = [queuedRun, delivery];
