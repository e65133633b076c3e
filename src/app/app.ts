import { MailedLinks } from './accounts/mailed-links.js';
import { createStrengthTest } from './accounts/password-strength.js';
import { createSignIn } from './accounts/sign-in.js';
import { type AdminDeps, createAdmin, type Offered } from './admin.js';
import { createAlertsAtFinish } from './alerts/at-finish.js';
import { createWebhooks, type WebhooksDeps } from './alerts/webhooks.js';
import { type EventsAsked, readEvents } from './audit/audit.js';
import { DeployHooks } from './automation/deploy-hooks.js';
import { Badges } from './badges/badges.js';
import { RunEvidence } from './evidence/evidence.js';
import { FreeScans, type FreeScansDeps } from './free-scan/free-scans.js';
import { createAccess } from './keys/access.js';
import { createRateLimits } from './limits/rate-limits.js';
import { createRefunds } from './limits/refunds.js';
import { proofConsequences } from './proof-consequences.js';
import type { ObserveBrokenChain } from './runs/chain.js';
import { createFlipWatch } from './runs/flips.js';
import { History } from './runs/history.js';
import { ManualRuns, queueFirstRun } from './runs/manual-runs.js';
import { RunDays } from './runs/run-days.js';
import { createRunPerformer, type RunPerformerDeps } from './runs/run-performer.js';
import { createRuns } from './runs/runs.js';
import { createPreviewAtFinish, SharedReports } from './sharing/shared-reports.js';
import { SharedResults } from './sharing/shared-results.js';
import { ChosenPages } from './sites/chosen-pages.js';
import { AcceptedFailures } from './triage/accepted-failures.js';
import { Rechecks } from './triage/rechecks.js';

/** What the services of a serving process work with that is not of the application. */
export interface AppDeps
  extends
    Omit<AdminDeps, 'rateLimits' | 'onFirstProof'>,
    Pick<FreeScansDeps, 'scan' | 'slots' | 'scanConcurrency' | 'addressesOf' | 'peers'>,
    Pick<WebhooksDeps, 'vetWebhook' | 'hasMail'>,
    Required<Pick<RunPerformerDeps, 'release' | 'runFormat' | 'observer'>> {
  /** As `scan`, counted as a free one. */
  readonly scanFree: FreeScansDeps['scan'];
  /** Likewise. */
  readonly tryFree: FreeScansDeps['tryFile'];
  /** The origin of links. */
  readonly publicUrl: string;
  readonly onBrokenChain: ObserveBrokenChain;
  /** Hears why a scan failed after it was admitted: for the log. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Every service, made once, in the order of the features: each takes what it uses of those before it. Where one must act within another's
 * transaction, it is handed in as a function.
 */
export function createApp(given: AppDeps) {
  const { db, clock, hasMail } = given;
  const refunds = createRefunds(db);
  const rateLimits = createRateLimits({ db, clock, refunds });
  const deps = { ...given, refunds, rateLimits };
  const admin = createAdmin({ ...deps, onFirstProof: queueFirstRun });
  const access = createAccess(deps);
  const signIn = createSignIn({ ...deps, isHard: createStrengthTest() });
  const watchFlips = createFlipWatch((flips) => given.observer.flipped(flips));
  const atFinish = [createPreviewAtFinish(deps), createAlertsAtFinish(deps), watchFlips];
  const performRun = createRunPerformer({
    ...deps,
    *atFinish(run) {
      for (const act of atFinish) yield* act(run);
    },
  });
  const runs = createRuns({ ...deps, performRun });
  const rechecks = new Rechecks(deps);
  const freeScans = new FreeScans({ ...deps, scan: given.scanFree, tryFile: given.tryFree });
  return {
    ...admin,
    rateLimits,
    access,
    signIn,
    mailedLinks: new MailedLinks(deps),
    readEvents: (accountId: string, asked?: EventsAsked) => readEvents(db, accountId, asked),
    proofConsequences: proofConsequences(hasMail),
    evidence: new RunEvidence(db),
    performRun,
    runs,
    history: new History(deps),
    runDays: new RunDays(deps),
    manualRuns: new ManualRuns(deps),
    chosenPages: new ChosenPages(deps),
    badges: new Badges(deps),
    sharedReports: new SharedReports(deps),
    sharedResults: new SharedResults(deps),
    deployHooks: new DeployHooks(deps),
    acceptedFailures: new AcceptedFailures(deps),
    rechecks,
    webhooks: createWebhooks(deps),
    freeScans,
    /** Refuses new scans; resolves when those that run have ended. */
    async close(): Promise<void> {
      runs.close();
      await Promise.all([given.slots.close(), freeScans.settle()]);
      await rechecks.settle();
    },
    /** Writes what runs and requests still owe: once the last of them has ended. */
    async settle(): Promise<void> {
      await Promise.all([access.settle(), signIn.settle()]);
      await refunds.settle();
    },
  };
}

/** The services as pages, operations, tools, commands and workers use them, each of them by what it takes: `Pick<App, …>`. */
export type App = Offered<ReturnType<typeof createApp>>;
