import type { Steps } from '../../queue/steps.js';
import type { Database } from '../../store/database.js';
import type { MarkedSite } from '../kept.js';
import { deleteRunsOfRange } from './run-statements.js';

/** About 1 MB: a few milliseconds. */
const RUNS_AT_ONCE = 100;

/** Erases the runs of a marked site. */
export async function* eraseRuns(db: Database, { id, run_counter }: MarkedSite): Steps {
  for (let after = 0; after < run_counter; after += RUNS_AT_ONCE) {
    await db.run(deleteRunsOfRange({ site_id: id, after, upto: after + RUNS_AT_ONCE }));
    yield;
  }
}
