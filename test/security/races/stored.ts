import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { usedRuns } from '../../support/daily-runs.js';
import { readStoredRuns } from '../../support/stored-runs.js';

export type Stored = Awaited<ReturnType<typeof readStored>>;

const selectSites = defineQuery<{ id: string; account_id: string; hostname: string; run_counter: number }>((sql) =>
  sql('sites').select('id', 'account_id', 'hostname', 'run_counter'),
);
const selectUsage = defineQuery<{ key_id: string; month: string; used: number }>((sql) =>
  sql('key_usage').select('key_id', 'month', 'used').where('used', '>', 0),
);
/** But for upkeep, whose jobs stand in the queue for ever. */
const countQueued = defineQuery<{ count: number }>((sql) =>
  sql('jobs').whereNot({ queue: 'upkeep' }).count({ count: '*' }),
);

/** Reads what the database holds in the end. */
export async function readStored(db: Database) {
  const sites = await db.run(selectSites({}));
  const budgets = await Promise.all(
    sites.map(async (site) => (await usedRuns(db, site)).map((budget) => ({ site_id: site.id, ...budget }))),
  );
  const [queued] = await db.run(countQueued({}));
  return {
    runs: await readStoredRuns(db),
    ...{ sites, budgets: budgets.flat(), usage: await db.run(selectUsage({})), queued: queued?.count ?? 0 },
  };
}
