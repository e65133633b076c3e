import { createMailedLinks } from './accounts/mails.js';
import { createSignIn } from './accounts/sign-in.js';
import { createAdmin } from './admin.js';
import { createRunAlerts } from './alerts/deliveries.js';
import { readEvents } from './audit/audit.js';
import type { Context } from './context.js';
import { Exports } from './data/exports.js';
import { FreeScans } from './free-scan/free-scans.js';
import { createAccess } from './keys/access.js';
import { History } from './runs/history.js';
import { ManualRuns, queueFirstRun } from './runs/queued-runs.js';
import { createRunPerformer, type RunObserver } from './runs/run-performer.js';
import { Runs } from './runs/runs.js';

/**
 * Creates every service once, after the services that it uses. If an earlier service must call a later one in its transaction, it gets a
 * function.
 */
export function createApp(context: Context, observer: RunObserver) {
  const admin = createAdmin(context, queueFirstRun);
  const access = createAccess(context);
  const signIn = createSignIn(context);
  const performRun = createRunPerformer({ ...context, observer, beforeCommit: createRunAlerts(context) });
  const runs = new Runs({ ...context, performRun });
  const freeScans = new FreeScans({ ...context, scan: context.scanFree });
  return {
    ...admin,
    exports: new Exports(),
    access,
    signIn,
    mailedLinks: createMailedLinks(context),
    readEvents: (accountId: string, before?: string) => readEvents(context.db, accountId, before),
    performRun,
    runs,
    history: new History(context),
    manualRuns: new ManualRuns(context),
    vetWebhook: context.vetWebhook,
    freeScans,
    /** Refuses new scans. Resolves when the running scans have ended. */
    async close(): Promise<void> {
      runs.close();
      await Promise.all([context.slots.close(), freeScans.close()]);
    },
    /** Waits for background writes. Call this after the last run and the last request. */
    settle: () => Promise.all([access.settle(), signIn.settle()]),
  };
}

export type App = ReturnType<typeof createApp>;
