import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createRunPerformer, type RunPerformerContext } from '../../src/app/runs/run-performer.js';
import type { Trigger } from '../../src/app/runs/run.js';
import { Runs } from '../../src/app/runs/runs.js';
import type { SiteOfAccount } from '../../src/app/sites/site.js';
import type { Clock, StartTimer } from '../../src/platform/clock.js';
import { Slots } from '../../src/platform/slots.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import type { Database } from '../../src/store/database.js';
import { addAccount, addSite, RELEASE, scanReport, siteToScan, TestClock } from './accounts.js';
import { openServices } from './services.js';

export interface RunSceneOptions extends Partial<RunPerformerContext> {
  readonly clock?: TestClock;
  readonly plan?: string;
  readonly startTimer?: StartTimer;
}

/** Creates the services of a process that performs runs. */
export function createRunServices({ db, startTimer, ...options }: RunSceneOptions & { readonly db: Database }) {
  const { clock = new TestClock(), scan = async () => scanReport(), slots = new Slots(50) } = options;
  const performRun = createRunPerformer({ release: RELEASE, ...options, db, clock, scan, slots });
  const runs = new Runs({ db, clock, performRun, ...(startTimer && { startTimer }) });
  return { db, clock, performRun, runs };
}

/** Adds an account with a verified site, and opens the services of runs. */
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

export async function finishRun(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  { accountId, siteId }: SiteOfAccount,
  findings: readonly Finding[],
): Promise<void> {
  const scan = () => Promise.resolve({ ...scanReport(scoreOf(findings)), findings });
  const { performRun } = openServices(db, { clock, scan });
  await performRun({ site: siteToScan(siteId, accountId), trigger: 'SCHEDULED' });
}

const PROGRAM = fileURLToPath(new URL('finish-runs.js', import.meta.url));

/** Starts `finish-runs.ts` in a process of its own. */
export function startRunFinisher(
  url: string,
  accountId: string,
  siteIds: readonly string[],
  key: string,
): ChildProcess {
  return spawn(process.execPath, [PROGRAM, url, accountId, siteIds.join(','), key], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
