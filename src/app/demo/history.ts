import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import type { App } from '../app.js';
import type { Trigger } from '../runs/run.js';
import type { SiteOfAccount } from '../sites/site.js';

type Starts = Exclude<Trigger, 'SCHEDULED'>;

/** What starts each run of the demonstration's second site, from the first on: within the budgets of a day. */
export const HISTORY: readonly Starts[] = [
  ...(['MANUAL', 'POST_DEPLOY', 'POST_DEPLOY', 'MANUAL', 'POST_DEPLOY', 'MANUAL', 'POST_DEPLOY'] as const),
  ...(['API', 'POST_DEPLOY', 'MANUAL', 'API', 'MANUAL', 'MANUAL', 'POST_DEPLOY'] as const),
];

const LOOK_EVERY_MS = 100;

export interface HistoryDeps extends Pick<App, 'sites' | 'access' | 'runs' | 'manualRuns' | 'deployHooks'> {
  /** By default {@link HISTORY}. */
  readonly triggers?: readonly Starts[];
  /** Has the site be as it is at the time of its run `number`, from now on. */
  readonly showAt: (number: number) => void;
  /** Of the account; without one a person takes its place. */
  readonly key: string | null;
  /** Ends it: no further run is started, and none is waited for. */
  readonly signal: AbortSignal;
  readonly startTimer?: StartTimer;
}

/**
 * Makes the runs that the site does not have yet, one after another, as a person, a deployment and a program make theirs. Its last run says
 * how far it is, so that a start that was broken off resumes. It ends where a run comes to nothing.
 */
export async function makeHistory(at: SiteOfAccount, deps: HistoryDeps): Promise<void> {
  const { sites, triggers = HISTORY, showAt, signal } = deps;
  let hook: string | null = null;
  const hookToken = async (): Promise<string> => (hook ??= (await deps.deployHooks.create(at)).token);
  for (let before = -1; !signal.aborted;) {
    const { latestNumber } = await sites.getOwn(at);
    showAt(latestNumber + 1);
    const trigger = triggers[latestNumber];
    if (trigger === undefined || latestNumber === before) return;
    before = latestNumber;
    if (trigger === 'POST_DEPLOY') await deploy(await hookToken(), `shop 1.${latestNumber}`, deps);
    else if (trigger === 'API' && deps.key !== null) await call(at, deps.key, deps);
    else await runByHand(at, deps);
  }
}

async function runByHand(at: SiteOfAccount, { manualRuns, ...deps }: HistoryDeps): Promise<void> {
  await manualRuns.start(at);
  await until(async () => (await manualRuns.find(at.siteId))?.state !== 'running', deps);
}

async function deploy(token: string, label: string, { deployHooks, ...deps }: HistoryDeps): Promise<void> {
  // A start that was broken off may have left its run waiting: one more would be of the same state of the site.
  if ((await deployHooks.status(token)).state === 'idle') await deployHooks.call(token, 0, { label, commit: null });
  await until(async () => (await deployHooks.status(token)).state === 'idle', deps);
}

/** As createRun does: the key, its quota, the budget of the day. */
async function call(at: SiteOfAccount, key: string, { access, runs }: HistoryDeps): Promise<void> {
  const { accountId } = await access.admit(`Bearer ${key}`);
  await runs.start({ accountId, siteId: at.siteId, trigger: 'API' });
}

async function until(
  isSo: () => Promise<boolean>,
  { signal, startTimer = startNodeTimer }: Pick<HistoryDeps, 'signal' | 'startTimer'>,
): Promise<void> {
  while (!signal.aborted && !(await isSo())) await new Promise<void>((resolve) => startTimer(resolve, LOOK_EVERY_MS));
}
