import type { Test } from 'tap';
import type { Clock } from '../../../src/platform/clock.js';
import { createAccess } from '../../../src/app/keys/access.js';
import { callHook } from '../../../src/app/automation/deploy-hooks.js';
import { planSchedules, setSchedule } from '../../../src/app/automation/schedules.js';
import type { Frequency } from '../../../src/app/automation/schedule.js';
import type { SiteOfAccount } from '../../../src/app/sites/site.js';
import { ManualRuns } from '../../../src/app/runs/queued-runs.js';
import { createRunPerformer, type PerformRun } from '../../../src/app/runs/run-performer.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { scanReport } from '../../support/accounts.js';
import { runQueue, TestWorker } from '../../support/queue.js';
import { startApi } from '../../support/start-api.js';
import type { Node } from './clients.js';

export interface NodeOptions {
  /** Of this process alone. */
  readonly db: Database;
  readonly clock: Clock;
  readonly quota: number;
  readonly random: () => number;
}

/** What a process of the service is, in this process: all that it knows of the others is in the database. */
export interface LocalNode extends Node {
  readonly manualRuns: ManualRuns;
  callHook(token: string): Promise<unknown>;
  setSchedule(site: SiteOfAccount, frequency: Frequency): Promise<unknown>;
  /** The sites whose runs after a deployment failed, or found no slot. */
  readonly failedDeploys: readonly string[];
  /** Whether scans fail: by the dice until something else is said. */
  failScans(how: 'always' | 'never'): void;
  /** Plans the schedules, and performs the runs that are due. */
  work(): Promise<void>;
  settle(): Promise<void>;
}

/** Fewer than there are clients, so that some are refused. */
const SLOTS = 6;
const FAULT_SHARE = 0.08;

const UNHEARD = { retried: () => undefined, abandoned: () => undefined };

export async function startNode(t: Test, { db, clock, quota, random }: NodeOptions): Promise<LocalNode> {
  const failedDeploys: string[] = [];
  const slots = new Slots(SLOTS, { waitingMax: 2 });
  let isFaulty = () => random() < FAULT_SHARE;
  const scan = async () => {
    for (let turns = random() * 12; turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
    if (isFaulty()) throw new Error('a fault of ours');
    return { ...scanReport(Math.floor(random() * 100)), startedAt: clock.now(), finishedAt: clock.now() };
  };
  const perform = createRunPerformer({ db, clock, scan, slots });
  // A call while a run is under way is a run of its own, and joins that one where it fails or finds no slot: both wait then.
  const performRun: PerformRun = (run) =>
    perform(run).catch((cause: unknown) => {
      if (run.trigger === 'POST_DEPLOY') failedDeploys.push(run.site.id);
      throw cause;
    });
  const runs = createRuns({ db, clock, performRun });
  const access = createAccess({ db, clock, monthlyQuotaOverride: quota });
  const worker = new TestWorker([runQueue({ db, clock, performRun, observer: UNHEARD })], { db, clock }).listen();
  const { port } = await startApi(t, { access, runs });
  return {
    ...{ port, failedDeploys },
    callHook: (token) => callHook({ db, clock }, token, 0),
    setSchedule: (site, frequency) => setSchedule({ db, clock }, site, frequency),
    manualRuns: new ManualRuns({ db, clock }),
    failScans: (how) => (isFaulty = () => how === 'always'),
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
