import type { Site } from '../../src/app/sites/site.js';
import { Slots } from '../../src/platform/slots.js';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import { FIXTURE_SITES } from '../fixtures/sites/index.js';
import { perfect } from '../fixtures/sites/perfect.js';
import { addAccount, addSite } from '../support/accounts.js';
import type { Engine } from '../support/databases.js';
import { scanKeeping } from '../support/golden.js';
import { openNewDatabase, runInScope } from '../support/script.js';
import type { Scope } from '../support/service.js';
import { openServices } from '../support/services.js';
import { measureTables } from '../support/table-bytes.js';
import { clock } from './seed.js';
import { printTable } from './table.js';

const RUNS = Number(process.env.BENCH_STORED ?? 10_000);
const SITES = 100;
const AT_ONCE = 20;

/** How many bytes a stored run takes with its entries in indexes, and how fast runs are stored. */
export async function benchStore(): Promise<void> {
  const reports = {
    'a site without faults': [await scanKeeping(perfect)],
    'all fixture sites': await Promise.all(FIXTURE_SITES.map(({ site }) => scanKeeping(site))),
  };
  const rows = [];
  for (const engine of ['sqlite', 'postgres'] as const)
    for (const [name, all] of Object.entries(reports))
      rows.push([`${engine}, ${name}`, ...(await runInScope((scope) => storeRuns(scope, engine, all)))]);
  printTable(`${RUNS.toLocaleString('en')} runs`, ['stored', 'bytes a run', 'evidence a run', 'runs a second'], rows);
}

async function storeRuns(scope: Scope, engine: Engine, reports: readonly ScanReport[]): Promise<number[]> {
  const db = await openNewDatabase(scope, engine);
  const { id: accountId } = await addAccount(db, 'SCALE', clock);
  const sites: Site[] = [];
  for (let at = 0; at < SITES; at += 1)
    sites.push(await addSite(db, accountId, { hostname: `shop-${at}.example.com` }));
  const before = await measureTables(db);
  let next = 0;
  const scan = async () => ({ ...(reports[next % reports.length] as ScanReport), startedAt: clock.now() });
  const { performRun } = openServices(db, { clock, scan, slots: new Slots(AT_ONCE) });
  const storeOn = async (): Promise<void> => {
    while (next < RUNS) {
      next += 1;
      await performRun({ site: sites[next % SITES] as Site, trigger: 'SCHEDULED' });
    }
  };
  const beganMs = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, storeOn));
  const perSecond = RUNS / ((performance.now() - beganMs) / 1000);
  const grown = [...(await measureTables(db))].map(
    ([table, size]) => [table, size - (before.get(table) ?? 0)] as const,
  );
  const sum = (isEvidence: boolean): number =>
    grown.reduce((bytes, [table, more]) => bytes + ((table === 'run_evidence') === isEvidence ? more : 0), 0) / RUNS;
  return [sum(false), sum(true), perSecond];
}
