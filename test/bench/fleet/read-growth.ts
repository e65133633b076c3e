import { medianOf, sendLoad } from '../support/load.js';
import { newDatabaseUrl, runInScope } from '../../support/script.js';
import type { Engine } from '../../support/databases.js';
import type { Scope } from '../../support/service.js';
import { seedRuns } from '../read/seed.js';
import { startService } from '../support/service.js';
import { printTable } from '../support/table.js';

const RUN_COUNTS = [1000, 100_000];
const REQUESTS = 5000;
const ROUNDS = 5;

/** What a read costs with many stored runs, compared with few: in CPU of the service's process. */
export async function benchReadGrowth(engines: readonly Engine[]): Promise<void> {
  const rows = [];
  for (const engine of engines) {
    const costs = [];
    for (const runCount of RUN_COUNTS) costs.push(await runInScope((scope) => costOf(scope, engine, runCount)));
    const [few, many] = costs.map(({ spread }) => spread) as [number, number];
    const [fewHot, manyHot] = costs.map(({ hot }) => hot) as [number, number];
    rows.push([`${engine}, runs from everywhere`, few, many, `${(many / few).toFixed(2)}×`]);
    rows.push([`${engine}, the same hundred runs`, fewHot, manyHot, `${(manyHot / fewHot).toFixed(2)}×`]);
  }
  printTable('getRun, CPU µs', ['read', '1,000 runs', '100,000 runs', 'growth'], rows);
}

/** Of runs that no cache can foresee, and of a hundred that are held. */
async function costOf(scope: Scope, engine: Engine, runCount: number) {
  const url = await newDatabaseUrl(scope, engine);
  const { siteId, key } = await seedRuns(url, runCount);
  const { process, origin } = await startService(url, { LOG_LEVEL: 'info' });
  scope.teardown(() => process.stop());
  const read = async (requestCount: number, among: number): Promise<number> => {
    const before = await process.usage();
    await sendLoad({
      ...{ origin, requestCount, connections: 4, headers: { authorization: `Bearer ${key}` } },
      path: (index) => `/api/v1/sites/${siteId}/runs/${((index * 7919) % among) + 1}`,
    });
    return ((await process.usage()).cpuUs - before.cpuUs) / requestCount;
  };
  const [spread, hot]: [number[], number[]] = [[], []];
  await read(REQUESTS, runCount);
  for (let round = 0; round < ROUNDS; round += 1) {
    spread.push(await read(REQUESTS, runCount));
    hot.push(await read(REQUESTS, 100));
  }
  return { spread: medianOf(spread), hot: medianOf(hot) };
}
