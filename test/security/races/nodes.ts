import type { Test } from 'tap';
import type { Clock } from '../../../src/platform/clock.js';
import { callHook } from '../../../src/app/automation/deploy-hooks.js';
import { planSchedules } from '../../../src/app/automation/schedules.js';
import type { PerformRun } from '../../../src/app/runs/run-performer.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { scanReport } from '../../support/accounts.js';
import { runQueue, TestWorker } from '../../support/queue.js';
import { openServices } from '../../support/services.js';
import { startApi } from '../../support/start-api.js';

export interface NodeOptions {
  /** Of this process alone. */
  readonly db: Database;
  readonly clock: Clock;
  readonly quota: number;
  readonly random: () => number;
}

export type LocalNode = Awaited<ReturnType<typeof startNode>>;

/** Fewer than there are clients, so that some are refused. */
const SLOTS = 6;
const FAULT_SHARE = 0.08;

const UNHEARD = { retried: () => undefined, abandoned: () => undefined };

/** What a process of the service is, in this process: all that it knows of the others is in the database. */
export async function startNode(t: Test, { db, clock, quota, random }: NodeOptions) {
  const failedDeploys: string[] = [];
  let isFaulty = () => random() < FAULT_SHARE;
  const { access, runs, manualRuns, setSchedule, ...services } = openServices(db, {
    ...{ clock, slots: new Slots(SLOTS, { waitingMax: 2 }), monthlyQuotaOverride: quota },
    async scan() {
      for (let turns = random() * 12; turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
      if (isFaulty()) throw new Error('a fault of ours');
      return { ...scanReport(Math.floor(random() * 100)), startedAt: clock.now(), finishedAt: clock.now() };
    },
  });
  // A call while a run is under way is a run of its own, and joins that one where it fails or finds no slot: both wait then.
  const performRun: PerformRun = (run) =>
    services.performRun(run).catch((cause: unknown) => {
      if (run.trigger === 'POST_DEPLOY') failedDeploys.push(run.site.id);
      throw cause;
    });
  const worker = new TestWorker([runQueue({ db, clock, performRun, observer: UNHEARD })], { db, clock }).listen();
  const { port } = await startApi(t, { access, runs });
  return {
    ...{ port, setSchedule, manualRuns },
    /** The sites whose runs after a deployment failed, or found no slot. */
    failedDeploys,
    callHook: (token: string) => callHook({ db, clock }, token, 0),
    /** Whether scans fail: by the dice until something else is said. */
    failScans: (how: 'always' | 'never') => (isFaulty = () => how === 'always'),
    /** Plans the schedules, and performs the runs that are due. */
    async work() {
      await planSchedules({ db, clock });
      await worker.performDue();
    },
    async settle() {
      await worker.settle();
      await access.settle();
    },
  };
}
