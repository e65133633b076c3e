import { medianOf, sendLoad } from '../support/load.js';
import { startService } from '../support/service.js';
import { printTable } from '../support/table.js';
import type { Seeded } from './seed.js';

const PROCESSES = [1, 2, 4];
/** The same load whatever the number of processes. */
const CONNECTIONS = 32;
const REQUESTS = 8000;
const ROUNDS = 3;

/** One key that everybody uses, asked of several processes over one database: each of its charges waits for the one before. */
export async function benchHotKey(title: string, url: string, seeded: Seeded): Promise<void> {
  const rows = [];
  for (const count of PROCESSES) rows.push([String(count), ...(await readsOf(url, seeded, count))]);
  printTable(
    `getRun with one key: ${title}, ${CONNECTIONS} connections`,
    ['processes', 'reads a second', 'CPU µs'],
    rows,
  );
}

/** @returns how many reads a second, and what one costs all of the processes together */
async function readsOf(url: string, { siteId, key }: Seeded, count: number): Promise<number[]> {
  const services = await Promise.all(Array.from({ length: count }, () => startService(url, { LOG_LEVEL: 'info' })));
  try {
    const cpuUs = async (): Promise<number> =>
      (await Promise.all(services.map(({ process }) => process.usage()))).reduce((sum, usage) => sum + usage.cpuUs, 0);
    const load = async (): Promise<number> => {
      const startedMs = performance.now();
      await Promise.all(
        services.map(({ origin }) =>
          sendLoad({
            ...{ origin, requestCount: REQUESTS / count, connections: CONNECTIONS / count },
            headers: { authorization: `Bearer ${key}` },
            path: (index) => `/api/v1/sites/${siteId}/runs/${((index * 7919) % 1000) + 1}`,
          }),
        ),
      );
      return (REQUESTS * 1000) / (performance.now() - startedMs);
    };
    await load();
    const [perSecond, costs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await cpuUs();
      perSecond.push(await load());
      costs.push(((await cpuUs()) - before) / REQUESTS);
    }
    return [medianOf(perSecond), medianOf(costs)];
  } finally {
    for (const { process } of services) await process.stop();
  }
}
