import { defineQuery } from '../../../src/store/query.js';
import { ask, askNumber, type FaultWorld } from './world.js';
import { usedRuns } from '../../support/daily-runs.js';

/** What must hold of the whole database, whatever has failed: one row for each thing that does not. */
const NEVER: Readonly<Record<string, string>> = {
  'a gap, a number twice, or a counter apart from its runs': `SELECT s.id FROM sites s LEFT JOIN runs r ON r.site_id = s.id
     WHERE s.is_deleting = 0 GROUP BY s.id, s.run_counter
     HAVING count(r.number) <> s.run_counter OR COALESCE(max(r.number), 0) <> s.run_counter`,
  'a reference lost or twice': `SELECT a.id FROM accounts a WHERE a.reference_counter <>
     (SELECT COALESCE(sum(run_counter), 0) FROM sites s WHERE s.account_id = a.id)
     AND NOT EXISTS (SELECT 1 FROM sites s WHERE s.account_id = a.id AND s.is_deleting = 1)
     AND EXISTS (SELECT 1 FROM sites s WHERE s.account_id = a.id)`,
  'a session without the link or password that opened it': `SELECT account_id FROM sessions n WHERE EXISTS
     (SELECT 1 FROM accounts a WHERE a.id = n.account_id AND a.password_hash IS NULL)`,
  'a claimed job without an attempt': `SELECT site_id FROM jobs WHERE lease IS NOT NULL AND attempts = 0`,
};

interface SiteWithRuns {
  readonly id: string;
  readonly account_id: string;
  readonly hostname: string;
  readonly runs: number;
}

const SITES_WITH_RUNS = `SELECT s.id, s.account_id, s.hostname, (SELECT count(*) FROM runs r
  WHERE r.site_id = s.id AND r.trigger = 'API') AS runs FROM sites s WHERE s.is_deleting = 0`;

const OPEN_TRANSACTIONS = `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database()
  AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`;

const nothing = defineQuery<{ n: number }>((sql) => sql.raw('SELECT 1 AS n'));

/** More than a process has connections. */
const STATEMENTS_AT_ONCE = 12;

/** What does not hold, in words. */
export async function findBroken(world: FaultWorld): Promise<string[]> {
  const broken: string[] = [];
  for (const [what, sql] of Object.entries(NEVER)) {
    const rows = await ask(world, sql);
    if (rows.length > 0) broken.push(`${what}: ${JSON.stringify(rows)}`);
  }
  const { db, watch } = world;
  for (const site of await ask<SiteWithRuns>(world, SITES_WITH_RUNS)) {
    const windows = (await usedRuns(watch, site)).filter(({ trigger }) => trigger === 'API');
    const used = windows.reduce((sum, window) => sum + window.used, 0);
    if (used !== Number(site.runs)) broken.push(`${site.id}: ${site.runs} runs stored, ${used} of the day used`);
  }
  if (db.dialect === 'postgres') {
    // The server takes a moment to see that a connection was cut.
    for (let tries = 0; (await askNumber(world, OPEN_TRANSACTIONS)) > 0; tries += 1) {
      if (tries > 200) return [...broken, 'a transaction was left open'];
    }
  }
  // Waits for a lock that was left; a pool without connections would not answer.
  await watch.transaction((tx) => tx.one(nothing({})));
  await Promise.all(Array.from({ length: STATEMENTS_AT_ONCE }, () => db.transaction((tx) => tx.one(nothing({})))));
  return broken;
}
