import { createRunPerformer, type RunPerformerContext } from '../../src/app/runs/run-performer.js';
import { createRuns } from '../../src/app/runs/runs.js';
import type { Trigger } from '../../src/app/runs/run.js';
import { Slots } from '../../src/platform/slots.js';
import type { StartTimer } from '../../src/platform/timer.js';
import type { Database } from '../../src/store/database.js';
import { addAccount, addSite, RELEASE, scanReport, TestClock } from './accounts.js';

export interface RunSceneOptions extends Partial<RunPerformerContext> {
  readonly clock?: TestClock;
  readonly plan?: string;
  readonly startTimer?: StartTimer;
}

/** Starts runs and performs them, as one of the processes on a database does. */
export function createRunServices({ db, startTimer, ...options }: RunSceneOptions & { readonly db: Database }) {
  const { clock = new TestClock(), scan = async () => scanReport(), slots = new Slots(50) } = options;
  const performRun = createRunPerformer({ release: RELEASE, ...options, db, clock, scan, slots });
  const runs = createRuns({ db, clock, performRun, ...(startTimer && { startTimer }) });
  return { db, clock, performRun, runs };
}

/** A verified site of its own account, and the services over it. */
export async function openRuns(db: Database, { plan, ...options }: RunSceneOptions = {}) {
  const account = await addAccount(db, plan);
  const site = await addSite(db, account.id);
  const at = { accountId: account.id, siteId: site.id };
  const services = createRunServices({ db, ...options });
  return {
    ...services,
    account,
    site,
    at,
    start: (trigger: Trigger = 'API') => services.runs.start({ ...at, trigger }),
  };
}
