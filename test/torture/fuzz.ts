/**
 * `tsx test/torture/fuzz.ts`: requests generated from the description document, over raw sockets, against the API over SQLite with a scan that
 * reports at once. Each answer must be HTTP, be one that the document declares, and be the very one that a book kept beside the service expects;
 * at the end the database must have counted each request that was answered as counted. FUZZ_CASES (10,000) requests at least; FUZZ_SEED
 * plays the requests of an earlier run again. Ends with 1 when anything was wrong, after the first failures in their smallest form.
 */
import fc from 'fast-check';
import { ask, type Tally } from './fuzz-oracle.js';
import { fuzzRequest } from './fuzz-requests.js';
import { render, setScene } from './fuzz-scene.js';
import { play, sequence } from './fuzz-sequences.js';
import { startWorld, type World } from './fuzz-world.js';

const CASES = Number(process.env.FUZZ_CASES ?? 10_000);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const FAILURES_MAX = 8;
/** In each round, so that single requests and sequences take turns, and each round has a day of its own. */
const REQUESTS_A_ROUND = 200;
const SEQUENCES_A_ROUND = 12;

const failures: string[] = [];
process.on('unhandledRejection', (error) => failures.push(`unhandled rejection: ${String(error)}`));
process.on('uncaughtException', (error) => failures.push(`uncaught exception: ${error.stack ?? error.message}`));

/** Tries one property; a failure is kept in its smallest form. */
async function check<T>(
  about: string,
  arbitrary: fc.Arbitrary<T>,
  faultsOf: (value: T) => Promise<string[]>,
  options: { readonly seed: number; readonly numRuns: number },
): Promise<void> {
  const property = fc.asyncProperty(arbitrary, async (value) => {
    const faults = await faultsOf(value);
    if (faults.length === 0) return;
    await world.correctBook();
    throw new Error(faults.join('\n    '));
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, options);
  if (!failed) return;
  const words = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  failures.push(`${about}, round seed ${options.seed}\n  ${excerpt(JSON.stringify(counterexample))}\n    ${words}`);
}

function excerpt(text: string): string {
  return text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length} characters)` : text;
}

function totalOf(tally: Tally): number {
  return [...tally.values()].flatMap((statuses) => [...statuses.values()]).reduce((sum, count) => sum + count, 0);
}

function print(tally: Tally): void {
  for (const [operation, statuses] of [...tally].sort()) {
    const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
    console.log(`  ${operation.padEnd(14)}${counts.join('  ')}`);
  }
}

/** @returns how many requests the database counted, where it agrees with the book */
async function compareUsage({ book, usedInDatabase }: World): Promise<number> {
  const stored = await usedInDatabase();
  let sum = 0;
  for (const { id, usedByMonth } of book.keys.values()) {
    for (const [month, used] of usedByMonth) {
      const count = stored.get(`${id} ${month}`) ?? 0;
      if (count !== used)
        failures.push(`quota: ${id} in ${month}: the database counts ${count}, the answers say ${used}`);
      sum += count;
    }
  }
  return sum - book.usedUnasked;
}

const world = await startWorld();
const scene = await setScene(world);
const tally: Tally = new Map();
console.log(`fuzz: seed ${SEED}, at least ${CASES} requests`);
const startedMs = performance.now();
for (let round = 0; totalOf(tally) < CASES && failures.length < FAILURES_MAX; round += 1) {
  const seed = SEED + round;
  const send = (request: Parameters<typeof render>[0]) => ask(world, render(request, scene), tally);
  await check('request', fuzzRequest, send, { seed, numRuns: REQUESTS_A_ROUND });
  const steps = (value: Parameters<typeof play>[2]) => play(world, scene, value, tally);
  await check('sequence', sequence, steps, { seed, numRuns: SEQUENCES_A_ROUND });
  world.moveDays(1);
}
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
const counted = await compareUsage(world);
failures.push(...world.logFaults.map((line) => `log: ${line}`));
await world.stop();

console.log(`${totalOf(tally)} requests in ${seconds} s; answers by operation:`);
print(tally);
console.log(`quota: ${counted} requests counted in the database, ${world.book.keys.size} keys`);
for (const failure of failures.slice(0, FAILURES_MAX)) console.log(`NOT OK  ${failure}`);
console.log(
  failures.length === 0
    ? 'fuzz: nothing wrong'
    : `fuzz: ${failures.length} failures; FUZZ_SEED=${SEED} plays them again`,
);
if (failures.length > 0) process.exitCode = 1;
