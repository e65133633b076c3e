import { createRunPerformer, type RunPerformerContext } from '../../src/app/runs/run-performer.js';
import { createRuns } from '../../src/app/runs/runs.js';
import { Slots } from '../../src/platform/slots.js';
import type { Database } from '../../src/store/database.js';
import { addAccount, addSite, scanReport, TestClock } from './accounts.js';

/** A site, and runs of it that come to the scores that the test says. */
export async function addScoredSite(
  db: Database,
  more: (clock: TestClock) => Pick<RunPerformerContext, 'atFinish'> = () => ({}),
) {
  const clock = new TestClock();
  const account = await addAccount(db);
  const site = await addSite(db, account.id);
  const at = { accountId: account.id, siteId: site.id };
  let score: number | null = null;
  const scan = () => Promise.resolve(scanReport(score));
  const performRun = createRunPerformer({ db, clock, scan, slots: new Slots(1), ...more(clock) });
  const runs = createRuns({ db, clock, performRun });
  return {
    ...{ at, clock },
    finishRun: async (next: number | null) => {
      score = next;
      await runs.start({ ...at, trigger: 'MANUAL' });
    },
  };
}
