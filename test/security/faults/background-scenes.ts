import { createDeliveryQueue } from '../../../src/app/alerts/delivery-queue.js';
import { createWebhooks } from '../../../src/app/alerts/create-webhooks.js';
import { queueOnce } from '../../../src/app/automation/queueing.js';
import { createRunQueue } from '../../../src/app/automation/run-queue.js';
import { createRateLimits } from '../../../src/app/limits/rate-limits.js';
import type { StartTimer } from '../../../src/platform/timer.js';
import type { WorkSource } from '../../../src/queue/work.js';
import { addAccount, addSite } from '../../support/accounts.js';
import type { Act, Scene } from './sweep.js';
import { ask, askNumber, type FaultWorld } from './world.js';

const AT_ONCE: StartTimer = (action) => {
  setImmediate(action);
  return () => undefined;
};
/** Longer than every lease and pause. */
const LATER_MS = 3_600_000;
const SWEEPS_MAX = 5;

/** Sweeps and performs until nothing of these is left to do, as workers do in the course of time. */
async function workOff(
  { clock }: FaultWorld,
  source: WorkSource,
  keys: ReadonlySet<string>,
  isDone: () => Promise<boolean>,
) {
  for (let sweeps = 0; sweeps < SWEEPS_MAX && !(await isDone()); sweeps += 1) {
    clock.time = new Date(clock.time.getTime() + LATER_MS);
    await source.sweep();
    for (const key of keys) await source.perform(key);
  }
}

const queuedRun: Scene = {
  name: 'scheduled run',
  async prepare(world): Promise<Act> {
    const { db, watch, clock, performRun } = world;
    const { id: accountId } = await addAccount(watch);
    const { id: siteId } = await addSite(watch, accountId);
    const now = clock.now();
    await watch.transaction(() => queueOnce({ siteId, accountId, trigger: 'SCHEDULED', runAfter: now, now }));
    const queue = createRunQueue({
      ...{ db, clock, performRun, offerWork: () => undefined, planDue: async () => [] },
      observer: { retried: () => undefined, givenUp: () => undefined },
    });
    const key = `SCHEDULED ${siteId}`;
    const waiting = () => askNumber(world, `SELECT count(*) AS n FROM queued_runs WHERE site_id = '${siteId}'`);
    return {
      run: async () => {
        await queue.perform(key);
        return 'done';
      },
      async check() {
        await workOff(world, queue, new Set([key]), async () => (await waiting()) === 0);
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
    const offerWork = (): void => undefined;
    const webhooks = createWebhooks({
      ...{ db: watch, clock, hasMail: false, offerWork, vetWebhook: async () => null },
      limits: createRateLimits({ db: watch, clock }),
    });
    const { webhook } = await webhooks.add({ accountId, url: 'https://hooks.example.com/in' });
    await webhooks.sendTest({ accountId, webhookId: webhook.id });
    const [row] = await ask<{ id: string }>(world, `SELECT id FROM deliveries WHERE account_id = '${accountId}'`);
    const key = row?.id ?? '';
    let posts = 0;
    const queue = createDeliveryQueue({
      ...{
        db,
        clock,
        offerWork,
        sendMail: null,
        publicUrl: 'https://readiness.test',
        userAgent: 'test',
        startTimer: AT_ONCE,
      },
      post: async () => {
        posts += 1;
        return { status: 204, retryAfter: null };
      },
    });
    const isDelivered = async () =>
      (await askNumber(world, `SELECT count(*) AS n FROM deliveries WHERE id = '${key}' AND state = 'delivered'`)) ===
      1;
    return {
      run: async () => {
        await queue.perform(key);
        return 'done';
      },
      async check() {
        await workOff(world, queue, new Set([key]), isDelivered);
        return (await isDelivered()) && posts === 1
          ? []
          : [`sent ${posts} times, and ${(await isDelivered()) ? '' : 'not '}noted`];
      },
    };
  },
};

export const BACKGROUND_SCENES: readonly Scene[] = [queuedRun, delivery];
