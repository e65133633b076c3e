import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { readStoredRuns, type StoredRunRow } from '../../support/stored-runs.js';
import { usedRuns } from '../../support/daily-runs.js';

/** What the database holds in the end. */
export interface Stored {
  readonly runs: readonly StoredRunRow[];
  readonly sites: readonly {
    readonly id: string;
    readonly account_id: string;
    readonly hostname: string;
    readonly run_counter: number;
  }[];
  readonly accounts: readonly { readonly id: string; readonly reference_counter: number }[];
  readonly usage: readonly { readonly key_id: string; readonly month: string; readonly used: number }[];
  readonly budgets: readonly {
    readonly site_id: string;
    readonly day: string;
    readonly trigger: string;
    readonly used: number;
  }[];
  readonly queued: number;
}

export async function readStored(db: Database): Promise<Stored> {
  const [runs, sites, accounts, usage, queued] = await Promise.all([
    readStoredRuns(db),
    db.run(selectSites({})),
    db.run(selectAccounts({})),
    db.run(selectUsage({})),
    db.run(countQueued({})),
  ]);
  const budgets = await Promise.all(
    sites.map(async (site) => (await usedRuns(db, site)).map((budget) => ({ site_id: site.id, ...budget }))),
  );
  return {
    runs,
    ...{ sites, accounts, usage, budgets: budgets.flat(), queued: queued[0]?.count ?? 0 },
  };
}

const selectSites = defineQuery<Stored['sites'][number]>((sql) =>
  sql('sites').select('id', 'account_id', 'hostname', 'run_counter'),
);
const selectAccounts = defineQuery<Stored['accounts'][number]>((sql) =>
  sql('accounts').select('id', 'reference_counter'),
);
const selectUsage = defineQuery<Stored['usage'][number]>((sql) =>
  sql('key_usage').select('key_id', 'month', 'used').where('used', '>', 0),
);
/** But for upkeep, whose jobs stand in the queue for ever. */
const countQueued = defineQuery<{ count: number }>((sql) =>
  sql('jobs').whereNot({ queue: 'upkeep' }).count({ count: '*' }),
);
