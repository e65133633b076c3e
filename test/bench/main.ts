/**
 * `make bench`: prints what scans, reads, both at once, the list of sites and a million sites cost, alongside their peers. `make bench BENCH=scan` (or read, mixed, list, fleet)
 * runs one; BENCH_RUNS says how many stored runs the reads are taken from, such as `1000,1000000`.
 */
import { benchFleet } from './fleet/fleet-bench.js';
import { benchList } from './list/list-bench.js';
import { benchMixed } from './mixed/mixed-bench.js';
import { benchReads } from './read/read-bench.js';
import { benchScans } from './scan/scan-bench.js';
import { printMachine } from './support/table.js';

const RUN_COUNTS = (process.env.BENCH_RUNS ?? '1000,10000,100000').split(',').map(Number);

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  scan: benchScans,
  read: () => benchReads(RUN_COUNTS),
  mixed: benchMixed,
  list: benchList,
  fleet: benchFleet,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.\n`);
  process.exit(2);
}
printMachine();
for (const [name, bench] of Object.entries(BENCHES)) if (asked.length === 0 || asked.includes(name)) await bench();
