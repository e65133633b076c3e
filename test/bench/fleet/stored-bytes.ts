import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { Slots } from '../../../src/platform/slots.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import { migrateDatabase } from '../../../src/store/migrate.js';
import { openDatabase } from '../../../src/store/open-database.js';
import { FIXTURE_SITES } from '../../fixtures/sites/index.js';
import { perfect } from '../../fixtures/sites/perfect.js';
import { addAccount, addSite, siteToScan } from '../../support/accounts.js';
import type { Engine } from '../../support/databases.js';
import { scanFixture } from '../../support/golden.js';
import { newDatabaseUrl, runInScope } from '../../support/script.js';
import type { Scope } from '../../support/service.js';
import { measureTables } from '../../support/table-bytes.js';
import { printTable } from '../support/table.js';

const RUNS = 10_000;
const SITES = 100;
const AT_ONCE = 20;

const clock = { now: () => new Date() };

/** How many bytes a stored run takes with its entries in indexes, and how fast runs are stored. */
export async function benchStoredBytes(engines: readonly Engine[]): Promise<void> {
  const healthy = [await scanFixture(perfect)];
  const mixed = await Promise.all(FIXTURE_SITES.map(({ site }) => scanFixture(site)));
  const rows = [];
  for (const engine of engines) {
    for (const [name, reports] of Object.entries({ 'a site without faults': healthy, 'all fixture sites': mixed })) {
      const { bytes, perSecond, evidence } = await runInScope((scope) => store({ scope, engine, reports }));
      rows.push([`${engine}, ${name}`, bytes, evidence, perSecond]);
    }
  }
  printTable(`${RUNS.toLocaleString('en')} runs`, ['stored', 'bytes a run', 'evidence a run', 'runs a second'], rows);
}

interface Storing {
  readonly scope: Scope;
  readonly engine: Engine;
  readonly reports: readonly ScanReport[];
}

async function store({ scope, engine, reports }: Storing) {
  const url = await newDatabaseUrl(scope, engine);
  await migrateDatabase(url);
  const db = await openDatabase(url);
  scope.teardown(() => db.close());
  const { id: accountId } = await addAccount(db, 'SCALE', clock);
  const siteIds: string[] = [];
  for (let at = 0; at < SITES; at += 1) {
    siteIds.push((await addSite(db, accountId, { hostname: `shop-${at}.example.com` })).id);
  }
  const before = await measureTables(db);
  let next = 0;
  const scan = async () => ({ ...(reports[next % reports.length] as ScanReport), startedAt: clock.now() });
  const performRun = createRunPerformer({
    ...{ db, clock, scan, slots: new Slots(AT_ONCE), release: '1.0.0+0123abc' },
  });
  const beganMs = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < RUNS) {
        next += 1;
        const siteId = siteIds[next % SITES] ?? '';
        await performRun({ site: siteToScan(siteId, accountId), trigger: 'SCHEDULED' });
      }
    }),
  );
  const perSecond = RUNS / ((performance.now() - beganMs) / 1000);
  let [bytes, evidence] = [0, 0];
  for (const [table, size] of await measureTables(db)) {
    const grown = (size - (before.get(table) ?? 0)) / RUNS;
    if (table === 'run_evidence') evidence += grown;
    else bytes += grown;
  }
  return { bytes, evidence, perSecond };
}
