/**
 * `make bench`: prints what scans, reads, both at once, pages, a million sites and a stored run cost, alongside their peers. `make bench
 * BENCH=scan` (or read, mixed, list, fleet, store) runs one.
 */
import { cpus, loadavg } from 'node:os';
import { benchFleet } from './fleet.js';
import { benchList } from './list.js';
import { benchMixed } from './mixed.js';
import { benchReads } from './read.js';
import { benchScans } from './scan.js';
import { benchStore } from './store.js';

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  ...{ scan: benchScans, read: benchReads, mixed: benchMixed, list: benchList, fleet: benchFleet, store: benchStore },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0)
  throw new Error(`There is no bench ${unknown.join(', ')}, but ${Object.keys(BENCHES).join(', ')}.`);
const [cpu] = cpus();
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(2) ?? '?'}.`,
);
for (const [name, bench] of Object.entries(BENCHES)) if (asked.length === 0 || asked.includes(name)) await bench();
