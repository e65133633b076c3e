/** `make bench`: prints what scans and reads cost, compared with other programs. `make bench BENCH=scan` (or read) runs one. */
import { cpus, loadavg } from 'node:os';
import { benchReads } from './read.js';
import { benchScans } from './scan.js';

const BENCHES = { scan: benchScans, read: benchReads };

const [wanted = ''] = process.argv.slice(2);
const chosen = Object.entries(BENCHES).filter(([name]) => wanted === '' || name === wanted);
if (chosen.length === 0) throw new Error(`BENCH is one of ${Object.keys(BENCHES).join(', ')}.`);
const [cpu] = cpus();
const load = loadavg()[0]?.toFixed(2) ?? '?';
console.log(`Node ${process.version}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, load ${load}.`);
for (const [, bench] of chosen) await bench();
