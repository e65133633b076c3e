/**
 * Runs the compiled test files: `run-tests.js [--wide | --changed] [FILE or FOLDER …]`. By default every file except `*.wide.test.ts`,
 * which `--wide` runs. Small files of a folder share a process, and all processes share one PostgreSQL server (TEST_DATABASE_URL names
 * another). A lowest `t.test` counts as one test, and a file without an assertion fails. The run
 * also fails if a secret was left behind.
 */
import {
  accessSync,
  constants,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedTests } from './changed-tests.js';
import { startPostgres } from './postgres.js';
import { judgeLedger, LEDGER_VARIABLE } from './secrets.js';
import { Tally } from './tally.js';
import { TestProcesses } from './test-processes.js';

/** The folder of the compiled tests. */
const TESTS = join(import.meta.dirname, '..');
/** Other make targets run these, because they need packages of their own. */
const EXCLUDED = ['test/config/', 'test/clients/'];
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 2 ** 31;
/** Most files in one process. They load their imports once, and a leak of one file affects few others. */
const FILES_PER_PROCESS = 30;
/** Files that listen to their whole process, or that take long: one process each. */
const SEPARATE = ['test/e2e/', 'test/security/', 'test/store/', 'test/net/body.test.ts'];
/** Durations of the last run. The longest files start first, so that no core waits at the end. */
const DURATIONS = join('dist', 'test-durations.json');

const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isWhole = names.length === 0 && options.length === 0;
const durationsMs = readDurations();
const files = await chooseFiles();
const groups = groupFiles(files);
const startedMs = Date.now();
const folder = databaseFolder();
const temporary = mkdtempSync(join(folder, 'agent-readiness-test-'));
const processes = new TestProcesses();
const tally = new Tally();
process.once('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void processes.end().then(() => process.exit(130)));
}

const givenUrl = process.env.TEST_DATABASE_URL;
const postgres = givenUrl
  ? null
  : await startPostgres({ endsOnSignal: false, room: folder }).catch((error: unknown) =>
      refuse((error as Error).message),
    );
const secretsLedger = join(temporary, 'secrets');
try {
  await runFiles({
    TEST_DATABASE_URL: givenUrl ?? postgres?.url,
    TMPDIR: temporary,
    [LEDGER_VARIABLE]: secretsLedger,
  });
} finally {
  await postgres?.stop();
}
const { text, faults } = judgeLedger(secretsLedger, { isWhole });
process.stdout.write(`\n${text}\n`);
if (faults !== '') tally.fail('the search for secrets', faults);
writeFileSync(DURATIONS, JSON.stringify({ ...durationsMs, ...tally.durationsMs }));
process.stdout.write(tally.report((Date.now() - startedMs) / 1000));
process.exitCode = tally.failed > 0 ? 1 : 0;

/** Returns the source paths of the test files to run. */
async function chooseFiles(): Promise<string[]> {
  const all = globSync('test/**/*.test.js', { cwd: join(TESTS, '..'), exclude: ['**/node_modules'] }).map((path) =>
    path.replace(/js$/, 'ts'),
  );
  const isWide = options.includes('--wide');
  const wideOrNot = all.filter((path) => path.endsWith('.wide.test.ts') === isWide);
  const suite = wideOrNot.filter((path) => !EXCLUDED.some((start) => path.startsWith(start)));
  if (options.includes('--changed')) return changedTests(suite);
  if (names.length === 0) return suite;
  return names.flatMap((name) => {
    const found = all.includes(name)
      ? [name]
      : wideOrNot.filter((path) => path.startsWith(`${name.replace(/\/$/, '')}/`));
    if (found.length === 0) refuse(`There is no test file or folder ${name}.`);
    return found;
  });
}

/** Returns the files of each process, the longest first. */
function groupFiles(files: readonly string[]): string[][] {
  const isSeparate = (path: string): boolean => SEPARATE.some((start) => path.startsWith(start));
  const folderOf = (path: string): string => path.split('/', 2).join('/');
  const sharing = Map.groupBy(files.filter((path) => !isSeparate(path)).sort(), folderOf);
  const groups = files.filter(isSeparate).map((path) => [path]);
  for (const neighbours of sharing.values()) {
    while (neighbours.length > 0) groups.push(neighbours.splice(0, FILES_PER_PROCESS));
  }
  const weigh = (paths: readonly string[]): number =>
    paths.reduce(
      (total, path) => total + (durationsMs[path] ?? (path.startsWith('test/e2e/') ? 1_000_000 : statSync(path).size)),
      0,
    );
  return groups.sort((a, b) => weigh(b) - weigh(a));
}

/** Returns the folder for databases: in memory if there is room. */
function databaseFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    accessSync(MEMORY, constants.W_OK);
    return bavail * bsize > MEMORY_BYTES_MIN ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

function readDurations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(DURATIONS, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

async function runFiles(variables: NodeJS.ProcessEnv): Promise<void> {
  const environment = { ...process.env, ...variables };
  const waiting = [...groups];
  const work = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const programs = group.map((file) => [file, join(TESTS, '..', file.replace(/ts$/, 'js'))] as const);
      const report = tally.begin(group);
      const notRun = report.end(await processes.run(Object.fromEntries(programs), environment, report.follow));
      if (notRun.length > 0) waiting.unshift([...notRun]);
    }
  };
  await Promise.all(Array.from({ length: Number(process.env.TEST_JOBS ?? availableParallelism() + 1) }, work));
}
