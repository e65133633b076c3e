import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { RunResponse } from '../../src/app/runs/run.js';
import { defineQuery } from '../../src/store/query.js';
import { schemaStatus } from '../../src/store/open.js';
import { History, readStored } from '../security/races/history.js';
import { findStoreFaults } from '../security/races/invariants.js';
import { addAccount, addKey, addSite } from '../support/accounts.js';
import { onEachDatabase } from '../support/databases.js';
import { createRandom } from '../support/random.js';
import { startRunFinisher } from '../support/runs.js';
import { rowsOf } from '../support/tables.js';

/** `make torture` asks for more. */
const KILLS = Number(process.env.TEST_KILLS ?? 8);
/** Maximum number of acknowledged runs between two kills. */
const RUNS_BETWEEN_MAX = 12;
const LINE_DELAY_MICROSECONDS_MAX = 3000;

/** Kills the process at a random time after it acknowledged `runCount` runs. Returns the lines that it printed. */
async function killAfter(child: ChildProcess, runCount: number, random: () => number): Promise<string[]> {
  let written = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const isWaiting = written.split('\n').length <= runCount;
    written += chunk.toString();
    if (!isWaiting || written.split('\n').length <= runCount) return;
    const untilNs = process.hrtime.bigint() + BigInt(Math.floor(random() * LINE_DELAY_MICROSECONDS_MAX)) * 1000n;
    while (process.hrtime.bigint() < untilNs);
    child.kill('SIGKILL');
  });
  await once(child, 'close');
  return written.split('\n').slice(0, -1);
}

onEachDatabase(async (t, engine) => {
  t.test(`kill -9 under load, ${KILLS} times`, { timeout: KILLS * 10_000 }, async (t) => {
    const db = await engine.openDb(t);
    const { id: accountId } = await addAccount(db, 'SCALE');
    const key = await addKey(db, accountId);
    const sites = [await addSite(db, accountId), await addSite(db, accountId, { hostname: 'blog.example.com' })];
    const siteIds = sites.map(({ id }) => id);
    const start = (): ChildProcess => startRunFinisher(db.url, accountId, siteIds, key);
    const random = createRandom(20_260_315);
    const acknowledged: string[] = [];
    // The next process starts while the previous one still runs, so that sometimes two write at once.
    let next = start();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = next;
      if (kill < KILLS - 1) next = start();
      acknowledged.push(...(await killAfter(child, 1 + Math.floor(random() * RUNS_BETWEEN_MAX), random)));
    }
    // PostgreSQL may still be rolling back a killed client's transaction.
    await db.transaction(async (tx) => {
      await tx.run(lockAccounts({}));
    });
    const stored = await readStored(db);
    const { runs } = stored;
    t.ok(acknowledged.length >= KILLS, `${acknowledged.length} runs were acknowledged, ${runs.length} stored`);
    t.equal(new Set(acknowledged).size, acknowledged.length, 'no number was acknowledged twice');
    const ids = new Set(runs.map(({ site_id, number }) => `${site_id} ${number}`));
    const lost = acknowledged.filter((run) => !ids.has(run));
    t.same(lost, [], 'no acknowledged run was lost');
    t.same([...findStoreFaults(new History(), stored)], [], 'no gap, no duplicate');
    const references = new Set(runs.map(({ text }) => (JSON.parse(text) as RunResponse).run.reference));
    t.equal(references.size, runs.length, 'every reference once');
    t.match(await rowsOf(db, 'accounts'), [{ reference_counter: runs.length }]);
    const requests = stored.usage.reduce((sum, { used }) => sum + used, 0);
    // Each run takes two requests.
    t.ok(requests >= 2 * acknowledged.length, 'every acknowledged request was counted');
    t.equal(await schemaStatus(db), 'current');
  });
});

const lockAccounts = defineQuery((sql) => sql('accounts').select('id').forUpdate());
