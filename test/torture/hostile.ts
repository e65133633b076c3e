/**
 * `make torture TORTURE=hostile`: every kind of hostile site, served by another process, is scanned by this one with the product's own limits and
 * deadline: one after the other, then six at once (those that spend a whole deadline, twenty), then each of those that took most
 * memory six times at once. Prints the kinds that cost most, and ends with 1 when a run does not complete within its deadline and a second, in any
 * second of a group the event loop's p99 delay reaches a second of this process's own doing, memory grows by more than it may, a connection is left
 * open, or a run does not yield what it must. Takes about ten minutes on an idle machine. HOSTILE_KINDS names the kinds that are tried, by parts of
 * their names (`markup|page`), HOSTILE_PHASES what is done with them (`alone six twenty worst`).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { SCAN_LIMITS } from '../../src/scanner/artifacts/scanner.js';
import { ClientSockets } from '../security/hostile/client-sockets.js';
import type { HostileKind } from '../security/hostile/kind.js';
import { ALL_KINDS, GOOD_KIND } from '../security/hostile/kinds.js';
import { ProcessWatch, rssMib, type Second, type Stretch } from '../security/hostile/process-watch.js';
import { RemoteHosts } from '../security/hostile/remote-hosts.js';
import { missesOf, scanHostile } from '../security/hostile/scan-hostile.js';
import { familyName } from '../security/hostile/wire-kind.js';

const ONLY = (process.env.HOSTILE_KINDS ?? '').split('|');
const PHASES = (process.env.HOSTILE_PHASES ?? 'alone six twenty worst').split(' ');
const WALL_MS_MAX = SCAN_LIMITS.runMs + 1000;
/** Scans have a thread of their own, in which one parse at a time runs. */
const P99_MS_MAX = 1_000;
/** How many are scanned at once, and how many of those that mostly wait. */
const AT_ONCE = 6;
const SLOW_AT_ONCE = 20;
/** What memory may grow by with so many. */
const GROWTH_MIB_MAX = { [AT_ONCE]: 300, [SLOW_AT_ONCE]: 500 };
/** How many of those that took most memory are scanned six times at once. */
const WORST_COUNT = 3;
/** A run that takes longer mostly waits. */
const SLOW_MS = 8000;
/** How long a run is alone before the next one begins, at least; and at most, while it keeps the processor busy. */
const ALONE_MS = 500;
const ALONE_MS_MAX = 20_000;
const BUSY_SHARE = 0.1;

type AtOnce = keyof typeof GROWTH_MIB_MAX;

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
const worstGrowthMib = { [AT_ONCE]: 0, [SLOW_AT_ONCE]: 0 };
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

/** One after the other; a run that does nothing but wait goes on alongside the next ones. */
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

async function runTogether(what: string, kinds: readonly HostileKind[], atOnce: AtOnce): Promise<void> {
  for (let at = 0; at < kinds.length; at += atOnce) {
    const group = kinds.slice(at, at + atOnce);
    const watch = new ProcessWatch();
    const runs = await Promise.all(group.map(run));
    console.log(`\n${[...new Set(group.map(({ name }) => name))].join(' | ').slice(0, 400)}`);
    const longestMs = Math.max(...runs.map(({ wallMs }) => wallMs));
    judge(`${what}, group ${at / atOnce + 1} (${(longestMs / 1000).toFixed(1)} s)`, watch.end(), atOnce);
  }
}

function describe({ p99Ms, maxMs, ownP99Ms, ownMaxMs, peakRssMib }: Omit<Stretch, 'seconds'>): string {
  const ms = (p99: number, max: number): string =>
    `p99${p99.toFixed(0).padStart(5)} / max${max.toFixed(0).padStart(5)} ms`;
  return `${ms(p99Ms, maxMs)}  own ${ms(ownP99Ms, ownMaxMs)}  peak${peakRssMib.toFixed(0).padStart(5)} MiB`;
}

function describeSecond(second: Second, at: number): string {
  const held = `heap ${second.heapMib.toFixed(0)}, buffers ${second.buffersMib.toFixed(0)} at its end`;
  return `${String(at + 1).padStart(5)} s  ${describe(second)} (${held})`;
}

function judge(what: string, stretch: Stretch, atOnce: AtOnce): void {
  const { peakRssMib, seconds } = stretch;
  const growthMib = peakRssMib - warmMib;
  worstGrowthMib[atOnce] = Math.max(worstGrowthMib[atOnce], growthMib);
  console.log(seconds.map(describeSecond).join('\n'));
  const growth = `memory grew by ${growthMib.toFixed(0)} MiB (by ${(peakRssMib - coldMib).toFixed(0)} since the start)`;
  console.log(`${what}: ${describe(stretch)}, ${growth}`);
  if (growthMib > GROWTH_MIB_MAX[atOnce]) failures.push(`${what}: ${growth}`);
  for (const [at, { ownP99Ms }] of seconds.entries())
    if (ownP99Ms >= P99_MS_MAX)
      failures.push(`${what}, second ${at + 1}: p99 delay ${ownP99Ms.toFixed(0)} ms of its own`);
}

const kinds = ALL_KINDS.filter(({ name }) => ONLY.some((part) => name.includes(part)));
const families = new Set(kinds.map(({ name }) => familyName(name)));
console.log(`${families.size} kinds, ${kinds.length} sites`);

const coldMib = rssMib();
// What a process takes that has made an ordinary scan is not growth.
await run(GOOD_KIND);
const warmMib = rssMib();
console.log(
  `${coldMib.toFixed(0)} MiB at the start, ${warmMib.toFixed(0)} after an ordinary scan, which growth is counted from`,
);

let byGrowth = kinds;
let isSlow: ((kind: HostileKind) => boolean) | null = null;
if (PHASES.includes('alone')) {
  const watch = new ProcessWatch();
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
  // Those that mostly wait go on alongside.
  judge('one after the other', watch.end(), SLOW_AT_ONCE);
  byGrowth = alone.toSorted((a, b) => b.growthMib - a.growthMib).map(({ kind }) => kind);
  const slow = new Set(runs.filter(({ wallMs }) => wallMs > SLOW_MS).map(({ kind }) => kind));
  isSlow = (kind) => slow.has(kind);
}
// As long as it is not known which are slow, all are tried both ways.
if (PHASES.includes('six'))
  await runTogether(
    'six at once',
    byGrowth.filter((kind) => isSlow?.(kind) !== true),
    AT_ONCE,
  );
if (PHASES.includes('twenty'))
  await runTogether(
    'twenty at once',
    byGrowth.filter((kind) => isSlow?.(kind) !== false),
    SLOW_AT_ONCE,
  );
if (PHASES.includes('worst'))
  for (const kind of byGrowth.slice(0, WORST_COUNT))
    await runTogether(`six times ${kind.name}`, Array<HostileKind>(AT_ONCE).fill(kind), AT_ONCE);

hosts.end();
console.log(
  `\nMemory grew by at most ${worstGrowthMib[AT_ONCE].toFixed(0)} MiB with six at once, ${worstGrowthMib[SLOW_AT_ONCE].toFixed(0)} with up to twenty; ` +
    `now ${rssMib().toFixed(0)} MiB.`,
);
const leftOpen = await sockets.countLeftOpen(10_000);
if (leftOpen > 0) failures.push(`${leftOpen} connections were left open`);
for (const failure of failures) console.log(`NOT OK  ${failure}`);
console.log(`${failures.length} failures`);
process.exitCode = failures.length > 0 ? 1 : 0;
