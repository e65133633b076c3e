import { createApp } from '../../src/app/app.js';
import type { Passwords } from '../../src/app/accounts/passwords.js';
import type { Context } from '../../src/app/context.js';
import { createLogger } from '../../src/platform/logging.js';
import { Slots } from '../../src/platform/slots.js';
import type { StartTimer } from '../../src/platform/clock.js';
import type { Database } from '../../src/store/database.js';
import { cheapPasswords, RELEASE, scanReport, TestClock } from './accounts.js';

export const PUBLIC_URL = 'https://readiness.test';

const ignore = () => undefined;
const NO_OBSERVER = { finished: ignore, failed: ignore, retried: ignore, abandoned: ignore };
const refuse = () => Promise.reject(new Error('this test did not say what is found'));

export interface ServicesOptions<Time extends Context['clock']> extends Partial<Context> {
  readonly clock?: Time;
  /** By default with cheap hashes. */
  readonly passwords?: Passwords;
  readonly startTimer?: StartTimer;
}

/** Opens every service over a database, without a network: scans report at once, and every site is allowed. */
export function openServices<Time extends Context['clock'] = TestClock>(
  db: Database,
  options: ServicesOptions<Time> = {},
) {
  const context = {
    ...{ db, clock: new TestClock(), logger: createLogger('silent'), publicUrl: PUBLIC_URL, release: RELEASE },
    ...{ hasMail: true, monthlyQuotaOverride: null, sitesMaxOverride: null, onFailure: () => undefined },
    ...{ slots: new Slots(50), scanConcurrency: 50, scan: async () => scanReport(), scanFree: refuse, tryFile: refuse },
    vetSite: () => true,
    vetWebhook: async ({ protocol }: URL) => (protocol === 'https:' ? null : ('not_https' as const)),
    addressesOf: async ({ hostname }: URL) => [hostname],
    ...{ resolveTxt: async () => [], openVisit: refuse },
    passwords: cheapPasswords(),
    ...options,
  };
  return { ...createApp(context, NO_OBSERVER), ...context, clock: context.clock as Time };
}
