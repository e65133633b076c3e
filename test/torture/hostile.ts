/**
 * `make torture TORTURE=hostile`: every kind of hostile site, served by another process, is scanned by this one with the product's own limits and
 * deadline: one after the other, then six at once (those that spend a whole deadline, twenty), then each of those that took most
 * memory six times at once. Prints the kinds that cost most, and ends with 1 when a run does not complete within its deadline and a second, the event loop's p99 delay reaches 100 ms of this process's own doing, memory grows by 300 MiB, a
 * connection is left open, or a run does not yield what it must. Takes about ten minutes on an idle machine. HOSTILE_KINDS names the kinds that are tried,
 * by a part of their names.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { SCAN_LIMITS } from '../../src/scanner/evidence/scanner.js';
import { ClientSockets } from '../security/hostile/client-sockets.js';
import type { HostileKind } from '../security/hostile/kind.js';
import { ALL_KINDS } from '../security/hostile/kinds.js';
import { ProcessWatch, rssMib, type Second, type Stretch } from '../security/hostile/process-watch.js';
import { RemoteHosts } from '../security/hostile/remote-hosts.js';
import { missesOf, scanHostile } from '../security/hostile/scan-hostile.js';
import { familyName } from '../security/hostile/wire-kind.js';

const ONLY = process.env.HOSTILE_KINDS ?? '';
const WALL_MS_MAX = SCAN_LIMITS.runMs + 1000;
const P99_MS_MAX = 100;
const GROWTH_MIB_MAX = 300;
/** How many are scanned at once, and how many of those that mostly wait. */
const AT_ONCE = 6;
const SLOW_AT_ONCE = 20;
/** How many of those that took most memory are scanned six times at once. */
const WORST_COUNT = 3;
/** A run that takes longer mostly waits. */
const SLOW_MS = 8000;
/** How long a run is alone before the next one begins, at least; and at most, while it keeps the processor busy. */
const ALONE_MS = 500;
const ALONE_MS_MAX = 20_000;
const BUSY_SHARE = 0.1;

interface Run {
  readonly kind: HostileKind;
  readonly wallMs: number;
  readonly requestCount: number;
  readonly faults: readonly string[];
}

interface Alone extends Stretch {
  readonly kind: HostileKind;
  readonly growthMib: number;
}

const hosts = new RemoteHosts();
const sockets = new ClientSockets();
const failures: string[] = [];
process.on('unhandledRejection', (reason) => failures.push(`unhandled rejection: ${String(reason)}`));

async function run(kind: HostileKind): Promise<Run> {
  const host = await hosts.start(kind.name);
  const { report, wallMs, requestCount } = await scanHostile(host);
  await host.stop();
  const faults = missesOf(kind, report);
  if (wallMs > WALL_MS_MAX) faults.push(`it took ${Math.round(wallMs)} ms`);
  failures.push(...faults.map((fault) => `${kind.name}: ${fault}`));
  return { kind, wallMs, requestCount, faults };
}

/** One after the other; a run that does nothing but wait goes on beside the next ones. */
async function runInTurn(kinds: readonly HostileKind[]): Promise<{ runs: Run[]; alone: Alone[] }> {
  const going = new Set<Promise<Run>>();
  const done: Promise<Run>[] = [];
  const alone: Alone[] = [];
  for (const kind of kinds) {
    while (going.size >= SLOW_AT_ONCE) await Promise.race(going);
    const before = rssMib();
    const watch = new ProcessWatch();
    const one = run(kind);
    going.add(one);
    done.push(one);
    const isOver = one.then(() => going.delete(one));
    await Promise.race([isOver, whenIdle()]);
    const stretch = watch.end();
    alone.push({ kind, ...stretch, growthMib: stretch.peakRssMib - before });
  }
  return { runs: await Promise.all(done), alone };
}

async function whenIdle(): Promise<void> {
  const startedMs = performance.now();
  let share = 1;
  while (
    performance.now() - startedMs < ALONE_MS ||
    (share > BUSY_SHARE && performance.now() - startedMs < ALONE_MS_MAX)
  ) {
    const before = process.cpuUsage();
    await pause(ALONE_MS / 3);
    const { user, system } = process.cpuUsage(before);
    share = (user + system) / 1000 / (ALONE_MS / 3);
  }
}

async function runTogether(kinds: readonly HostileKind[], atOnce: number): Promise<void> {
  for (let at = 0; at < kinds.length; at += atOnce) {
    const group = kinds.slice(at, at + atOnce);
    const watch = new ProcessWatch();
    const before = rssMib();
    const runs = await Promise.all(group.map(run));
    const stretch = watch.end();
    console.log(
      `${describe(stretch)}  from ${before.toFixed(0)} MiB  ${(Math.max(...runs.map(({ wallMs }) => wallMs)) / 1000).toFixed(1)} s  ${group
        .map(({ name }) => name)
        .join(' | ')
        .slice(0, 200)}`,
    );
  }
}

function describe({ p99Ms, ownP99Ms, maxMs, maxCpuMs, peakRssMib }: Stretch): string {
  const ms = (value: number): string => value.toFixed(0).padStart(5);
  return `p99${ms(p99Ms)} ms (own${ms(ownP99Ms)})  max${ms(maxMs)} ms (own${ms(maxCpuMs)})  peak${ms(peakRssMib)} MiB`;
}

function describeSecond({ minMs, p99Ms, maxMs, ...memory }: Second, at: number): string {
  const delays = [minMs, p99Ms, maxMs].map((ms) => ms.toFixed(0).padStart(4)).join(' /');
  const { rssMib, heapMib, buffersMib } = memory;
  return (
    `${String(at + 1).padStart(5)} s  own delay min / p99 / max${delays} ms  ` +
    `RSS ${rssMib.toFixed(0)} MiB (heap ${heapMib.toFixed(0)}, buffers ${buffersMib.toFixed(0)})`
  );
}

function judge(what: string, stretch: Stretch, baseMib: number): void {
  const growthMib = stretch.peakRssMib - baseMib;
  console.log(`\n${what}, by second:\n${stretch.seconds.map(describeSecond).join('\n')}`);
  console.log(`\n${what}: ${describe(stretch)}, growth ${growthMib.toFixed(0)} MiB, now ${rssMib().toFixed(0)} MiB\n`);
  if (stretch.ownP99Ms >= P99_MS_MAX) failures.push(`${what}: p99 delay ${stretch.ownP99Ms.toFixed(0)} ms of its own`);
  if (growthMib >= GROWTH_MIB_MAX) failures.push(`${what}: memory grew by ${growthMib.toFixed(0)} MiB`);
}

const kinds = ALL_KINDS.filter(({ name }) => name.includes(ONLY));
const families = new Set(kinds.map(({ name }) => familyName(name)));
console.log(`${families.size} kinds, ${kinds.length} sites`);

// What a process takes that has scanned before is not growth.
await Promise.all(kinds.slice(0, 2).map(run));
const baseMib = rssMib();

const inTurn = new ProcessWatch();
const { runs, alone } = await runInTurn(kinds);
const most = (value: (one: Alone) => number): Alone[] => alone.toSorted((a, b) => value(b) - value(a)).slice(0, 12);
console.log('\nThe longest delays of the event loop:');
for (const site of most(({ maxMs }) => maxMs)) console.log(`${describe(site)}  ${site.kind.name}`);
console.log('\nThe most memory:');
for (const { growthMib, kind } of most((site) => site.growthMib))
  console.log(`${growthMib.toFixed(0).padStart(5)} MiB  ${kind.name}`);
console.log('\nThe longest runs:');
for (const { kind, wallMs, requestCount } of runs.toSorted((a, b) => b.wallMs - a.wallMs).slice(0, 8))
  console.log(`${wallMs.toFixed(0).padStart(6)} ms  ${requestCount} requests  ${kind.name}`);
judge('one after the other', inTurn.end(), baseMib);

const isSlow = new Set(runs.filter(({ wallMs }) => wallMs > SLOW_MS).map(({ kind }) => kind));
const byGrowth = alone.toSorted((a, b) => b.growthMib - a.growthMib).map(({ kind }) => kind);
const together = new ProcessWatch();
await runTogether(
  byGrowth.filter((kind) => !isSlow.has(kind)),
  AT_ONCE,
);
judge('six at once', together.end(), baseMib);
const crowd = new ProcessWatch();
await runTogether(
  byGrowth.filter((kind) => isSlow.has(kind)),
  SLOW_AT_ONCE,
);
judge('twenty at once', crowd.end(), baseMib);
for (const kind of byGrowth.slice(0, WORST_COUNT)) {
  const same = new ProcessWatch();
  await runTogether(Array<HostileKind>(AT_ONCE).fill(kind), AT_ONCE);
  judge(`six times ${kind.name}`, same.end(), baseMib);
}

hosts.end();
console.log(
  `${runs.length} runs one after the other, the longest ${(Math.max(...runs.map(({ wallMs }) => wallMs)) / 1000).toFixed(1)} s`,
);
const leftOpen = await sockets.countLeftOpen(10_000);
if (leftOpen > 0) failures.push(`${leftOpen} connections were left open`);
for (const failure of failures) console.log(`NOT OK  ${failure}`);
console.log(`${failures.length} failures`);
process.exitCode = failures.length > 0 ? 1 : 0;
