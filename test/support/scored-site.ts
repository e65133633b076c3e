import type { RunPerformerContext } from '../../src/app/runs/run-performer.js';
import type { Database } from '../../src/store/database.js';
import { scanReport, TestClock } from './accounts.js';
import { openRuns } from './run-scene.js';

/** A site, and runs of it that come to the scores that the test says. */
export async function addScoredSite(
  db: Database,
  more: (clock: TestClock) => Pick<RunPerformerContext, 'beforeCommit'> = () => ({}),
) {
  const clock = new TestClock();
  let score: number | null = null;
  const { at, start } = await openRuns(db, { clock, scan: async () => scanReport(score), ...more(clock) });
  return {
    ...{ at, clock },
    finishRun: async (next: number | null) => {
      score = next;
      await start('MANUAL');
    },
  };
}
