/**
 * `make fuzz`: requests over raw sockets against the whole service, on SQLite and then on PostgreSQL, with a scan that reports
 * at once. Those to the API are made from the description document, one by one, in sequences and in crowds that all ask at once:
 * each answer must be HTTP, be one that the document declares, and be the very one that a book kept alongside the service expects;
 * at the end the database must have counted what was answered as counted. Those to the other rooms must get an answer of the room's
 * own, with all the headers that it promises, that tells nothing from within. Then whatever could make two servers see
 * different requests in the same bytes, and requests cut at each byte.
 *
 * FUZZ_CASES (12,000) requests an engine at least; FUZZ_SEED plays the requests of an earlier run again; FUZZ_ENGINES names the engines.
 * Ends with 1 when anything was wrong, after the first failures in their smallest form.
 */
import { rssMib } from '../security/hostile/process-watch.js';
import type { Engine } from '../support/databases.js';
import { newDatabaseUrl, runInScope } from '../support/script.js';
import type { Scope } from '../support/service.js';
import { playCuts } from './fuzz-cuts.js';
import type { Tally } from './fuzz-oracle.js';
import { playRounds, totalOf, unreachedIn } from './fuzz-rounds.js';
import { playSmuggling } from './fuzz-smuggling.js';
import { startWorld } from './fuzz-world.js';

const CASES = Number(process.env.FUZZ_CASES ?? 12_000);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const ENGINES = (process.env.FUZZ_ENGINES ?? 'sqlite,postgres').split(',') as Engine[];
const FAILURES_SHOWN = 8;
/** Far more than a run takes, and far less than one that keeps each request. */
const GROWTH_MIB_MAX = 400;

const failures: string[] = [];
process.on('unhandledRejection', (error) => failures.push(`unhandled rejection: ${String(error)}`));
process.on('uncaughtException', (error) => failures.push(`uncaught exception: ${error.stack ?? error.message}`));

/** The statuses in columns, the operations and rooms in rows. */
function print(tally: Tally): void {
  const statuses = [...new Set([...tally.values()].flatMap((counts) => [...counts.keys()]))].sort();
  console.log(`  ${''.padEnd(14)}${statuses.map((status) => status.padStart(6)).join('')}`);
  for (const [about, counts] of [...tally].sort()) {
    const cells = statuses.map((status) => String(counts.get(status) ?? '.').padStart(6));
    console.log(`  ${about.padEnd(14)}${cells.join('')}`);
  }
}

async function fuzz(scope: Scope, engine: Engine): Promise<void> {
  const world = await startWorld(await newDatabaseUrl(scope, engine));
  const [startedMs, rssBefore] = [performance.now(), rssMib()];
  const { tally, failures: found, counted } = await playRounds(world, { seed: SEED, cases: CASES });
  failures.push(...found.map((failure) => `${engine}: ${failure}`));
  const smuggling = await playSmuggling(world);
  const cuts = await playCuts(world);
  const unreached = found.length === 0 ? unreachedIn(tally).map((answer) => `never answered: ${answer}`) : [];
  const growth = rssMib() - rssBefore;
  if (growth > GROWTH_MIB_MAX) failures.push(`${engine}: the process grew by ${growth.toFixed(0)} MiB`);
  for (const fault of [...smuggling.faults, ...cuts.faults, ...unreached, ...world.logFaults])
    failures.push(`${engine}: ${fault}`);
  await world.stop();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${engine}: ${totalOf(tally)} requests in ${seconds} s; answers by operation and room:`);
  print(tally);
  console.log(`  quota: ${counted} requests counted in the database, ${world.book.keys.size} keys`);
  console.log(
    `  smuggling: ${smuggling.connections} connections, no request got through; cut: ${cuts.connections} connections`,
  );
  console.log(`  memory of the process, fuzzer and all: ${rssBefore.toFixed(0)} MiB, then ${rssMib().toFixed(0)} MiB`);
}

console.log(`fuzz: seed ${SEED}, at least ${CASES} requests an engine`);
for (const engine of ENGINES) await runInScope((scope) => fuzz(scope, engine));
for (const failure of failures.slice(0, FAILURES_SHOWN)) console.log(`NOT OK  ${failure}`);
console.log(
  failures.length === 0
    ? 'fuzz: nothing wrong'
    : `fuzz: ${failures.length} failures; FUZZ_SEED=${SEED} plays them again`,
);
if (failures.length > 0) process.exitCode = 1;
