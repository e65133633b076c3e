import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { readStoredRuns, type StoredRunRow } from '../../support/stored-runs.js';

/** What the database holds in the end. */
export interface Stored {
  readonly runs: readonly StoredRunRow[];
  readonly sites: readonly { readonly id: string; readonly account_id: string; readonly run_counter: number }[];
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
  const [runs, sites, accounts, usage, budgets, queued] = await Promise.all([
    readStoredRuns(db),
    db.run(selectSites({})),
    db.run(selectAccounts({})),
    db.run(selectUsage({})),
    db.run(selectBudgets({})),
    db.run(countQueued({})),
  ]);
  return {
    runs,
    ...{ sites, accounts, usage, budgets, queued: queued[0]?.count ?? 0 },
  };
}

const selectSites = defineQuery<Stored['sites'][number]>((sql) =>
  sql('sites').select('id', 'account_id', 'run_counter'),
);
const selectAccounts = defineQuery<Stored['accounts'][number]>((sql) =>
  sql('accounts').select('id', 'reference_counter'),
);
const selectUsage = defineQuery<Stored['usage'][number]>((sql) =>
  sql('key_usage').select('key_id', 'month', 'used').where('used', '>', 0),
);
const selectBudgets = defineQuery<Stored['budgets'][number]>((sql) =>
  sql('run_budgets as b')
    .join('sites as s', (on) => on.on('s.account_id', 'b.account_id').andOn('s.hostname', 'b.host'))
    .select('s.id as site_id', 'b.day', 'b.trigger', 'b.used'),
);
/** But for upkeep, whose jobs stand in the queue for ever. */
const countQueued = defineQuery<{ count: number }>((sql) =>
  sql('jobs').whereNot({ queue: 'upkeep' }).count({ count: '*' }),
);
