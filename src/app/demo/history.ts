import { type StartTimer, startNodeTimer } from '../../platform/timer.js';
import type { App } from '../app.js';
import type { Trigger } from '../runs/run.js';
import type { SiteOfAccount } from '../sites/site.js';

type Starts = Exclude<Trigger, 'SCHEDULED'>;

/** What starts each run of the demo's second site, within the daily limits. */
export const HISTORY: readonly Starts[] = [
  ...(['MANUAL', 'POST_DEPLOY', 'POST_DEPLOY', 'MANUAL', 'POST_DEPLOY', 'MANUAL', 'POST_DEPLOY'] as const),
  ...(['API', 'POST_DEPLOY', 'MANUAL', 'API', 'MANUAL', 'MANUAL', 'POST_DEPLOY'] as const),
];

const POLL_EVERY_MS = 100;

export interface HistoryContext extends Pick<App, 'sites' | 'access' | 'runs' | 'manualRuns' | 'deployHooks'> {
  /** Replaced by tests. */
  readonly triggers?: readonly Starts[];
  /** Serves the site as it is at its run `number`. */
  readonly showAt: (number: number) => void;
  /** The account's API key; null: runs that it would start are manual. */
  readonly key: string | null;
  /** Once aborted, no run is started or waited for. */
  readonly signal: AbortSignal;
  readonly startTimer?: StartTimer;
}

/**
 * Starts the missing runs one after another, as a person, a deployment and a program would. Continues after the site's last run. Stops if a
 * run fails.
 */
export async function makeHistory(at: SiteOfAccount, context: HistoryContext): Promise<void> {
  const { sites, triggers = HISTORY, showAt, signal } = context;
  let hook: string | null = null;
  const hookToken = async (): Promise<string> => (hook ??= (await context.deployHooks.create(at)).token);
  for (let before = -1; !signal.aborted;) {
    const { latestNumber } = await sites.getOwn(at);
    showAt(latestNumber + 1);
    const trigger = triggers[latestNumber];
    if (trigger === undefined || latestNumber === before) return;
    before = latestNumber;
    if (trigger === 'POST_DEPLOY') await deploy(await hookToken(), `shop 1.${latestNumber}`, context);
    else if (trigger === 'API' && context.key !== null) await call(at, context.key, context);
    else await runManually(at, context);
  }
}

async function runManually(at: SiteOfAccount, { manualRuns, ...context }: HistoryContext): Promise<void> {
  await manualRuns.start(at);
  await until(async () => (await manualRuns.find(at.siteId))?.state !== 'running', context);
}

async function deploy(token: string, label: string, { deployHooks, ...context }: HistoryContext): Promise<void> {
  // An interrupted start may have left its run waiting.
  if ((await deployHooks.status(token)).state === 'idle') await deployHooks.call(token, 0, { label, commit: null });
  await until(async () => (await deployHooks.status(token)).state === 'idle', context);
}

/** Consumes the quota and the daily limit, as createRun does. */
async function call(at: SiteOfAccount, key: string, { access, runs }: HistoryContext): Promise<void> {
  const { accountId } = await access.admit(`Bearer ${key}`);
  await runs.start({ accountId, siteId: at.siteId, trigger: 'API' });
}

async function until(
  isReached: () => Promise<boolean>,
  { signal, startTimer = startNodeTimer }: Pick<HistoryContext, 'signal' | 'startTimer'>,
): Promise<void> {
  while (!signal.aborted && !(await isReached()))
    await new Promise<void>((resolve) => startTimer(resolve, POLL_EVERY_MS));
}
