/**
 * `make test`: runs the compiled test files, neighbours in one process, one process more at a time than there are processors, over one
 * PostgreSQL (unless TEST_DATABASE_URL names one). Each failure is shown as it happens, each file's verdict as it ends, every skipped
 * test by name; the last line is `N passed, N failed`. A test is a lowest `t.test`; a file that ran no assertion counts as failed, since
 * an empty file would pass unseen. What all the files left behind must hold no secret. An interrupt ends all that was started, and leaves
 * nothing.
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
import { startPostgres } from './postgres.js';
import { judgeLedger, LEDGER_VARIABLE } from './secrets.js';
import { Tally } from './tally.js';
import { TestProcesses } from './test-processes.js';

/** This file lies in the compiled tests. */
const TESTS = join(import.meta.dirname, '..');
/** What takes packages of its own is run by other targets: see the Makefile. */
const ELSEWHERE = ['test/config/', 'test/clients/', 'test/rolling/'];
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 ** 31;
/** So many small files share a process, at most: what they import is loaded once, and what one of them leaves behind meets few others. */
const NEIGHBOURS_MAX = 8;
/** What would notice others in its process, or be noticed by them: those that take long by themselves, and that listen to the process. */
const ALONE = ['test/e2e/', 'test/security/', 'test/store/', 'test/net/body.test.ts'];
/** How long each file took the last time: the longest go first, so that none is left over at the end. */
const DURATIONS = join('dist', 'test-durations.json');

const asked = process.argv.slice(2);
const durationsMs = readDurations();
const groups = groupFiles(findFiles());
const startedMs = Date.now();
const room = findRoom();
const temporary = mkdtempSync(join(room, 'agent-readiness-test-'));
const processes = new TestProcesses();
const tally = new Tally();
process.once('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void processes.end().then(() => process.exit(130)));
}

const given = process.env.TEST_DATABASE_URL;
const postgres = given
  ? null
  : await startPostgres({ endsOnSignal: false, room }).catch((error: unknown) => refuse((error as Error).message));
const ledger = join(temporary, 'secrets-searched');
try {
  await runFiles({ TEST_DATABASE_URL: given ?? postgres?.url, TMPDIR: temporary, [LEDGER_VARIABLE]: ledger });
} finally {
  await postgres?.stop();
}
const { text, faults } = judgeLedger(ledger, { isWhole: asked.length === 0 });
process.stdout.write(`\n${text}\n`);
if (faults !== '') tally.fail('the search for secrets', faults);
writeFileSync(DURATIONS, JSON.stringify({ ...durationsMs, ...tally.durationsMs }));
process.stdout.write(tally.report((Date.now() - startedMs) / 1000));
process.exitCode = tally.failed > 0 ? 1 : 0;

/** The test files, by the paths of their sources. */
function findFiles(): string[] {
  const all = globSync('test/**/*.test.js', { cwd: join(TESTS, '..'), exclude: ['**/node_modules'] }).map((path) =>
    path.replace(/js$/, 'ts'),
  );
  const chosen = asked.flatMap((name) => {
    const found = all.filter((path) => path === name || path.startsWith(`${name.replace(/\/$/, '')}/`));
    if (found.length === 0) refuse(`There is no test file or folder of tests ${name}.`);
    return found;
  });
  return asked.length > 0 ? chosen : all.filter((path) => !ELSEWHERE.some((folder) => path.startsWith(folder)));
}

/** The files of each process, the same ones each time; the longest go first. */
function groupFiles(files: readonly string[]): string[][] {
  const isAlone = (path: string): boolean => ALONE.some((start) => path.startsWith(start));
  const roomOf = (path: string): string => path.split('/', 2).join('/');
  const sharing = Map.groupBy(files.filter((path) => !isAlone(path)).sort(), roomOf);
  const groups = files.filter(isAlone).map((path) => [path]);
  for (const neighbours of sharing.values()) {
    while (neighbours.length > 0) groups.push(neighbours.splice(0, NEIGHBOURS_MAX));
  }
  const weigh = (paths: readonly string[]): number =>
    paths.reduce(
      (total, path) => total + (durationsMs[path] ?? (path.startsWith('test/e2e/') ? 1_000_000 : statSync(path).size)),
      0,
    );
  return groups.sort((a, b) => weigh(b) - weigh(a));
}

/** Where the databases lie: in memory, where there is enough of it. Nothing that the tests leave there is missed. */
function findRoom(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    accessSync(MEMORY, constants.W_OK);
    return bavail * bsize > ROOM_BYTES ? MEMORY : tmpdir();
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

async function runFiles(more: NodeJS.ProcessEnv): Promise<void> {
  const environment = { ...process.env, ...more };
  const waiting = [...groups];
  const work = async (): Promise<void> => {
    for (let files = waiting.shift(); files !== undefined; files = waiting.shift()) {
      const programs = files.map((file) => [file, join(TESTS, '..', file.replace(/ts$/, 'js'))] as const);
      const seen = tally.begin(files);
      const left = seen.end(await processes.run(Object.fromEntries(programs), environment, seen.follow));
      if (left.length > 0) waiting.unshift([...left]);
    }
  };
  await Promise.all(Array.from({ length: Number(process.env.TEST_JOBS ?? availableParallelism() + 1) }, work));
}
