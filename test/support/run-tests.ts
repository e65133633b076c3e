/**
 * Runs the compiled test files: `run-tests.js [--wide | --changed] [FILE or FOLDER …]`. By default every file except `*.wide.test.ts`, which
 * `--wide` runs; `--changed` runs those that import what differs from the branch main. `tap run` starts a process for each file, which costs 350 times a second of loading; here the small files of a folder share one,
 * and all processes share one PostgreSQL server (TEST_DATABASE_URL names another). A lowest `t.test` counts as one test. The run fails
 * if a file has no assertion, or if a secret was left behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Parser } from 'tap-parser';
import { changedTests } from './changed-tests.js';
import { startPostgres } from './postgres.js';
import { judgeLedger, LEDGER_VARIABLE } from './secrets.js';
import { Tally } from './tally.js';

const ROOT = join(import.meta.dirname, '../..');
/** Other make targets run these, because they need packages of their own. */
const EXCLUDED = ['test/config/', 'test/clients/'];
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 2 ** 31;
/** Most files in one process: a leak of one affects few others. */
const FILES_PER_PROCESS = 30;
/** Files that listen to their whole process, or that take long: one process each. */
const SEPARATE = ['test/e2e/', 'test/store/', 'test/net/body.test.ts'];
/** Durations of the last run. The longest files start first, so that no core waits at the end. */
const DURATIONS = join('dist', 'test-durations.json');
/** A process that reports nothing for so long has hung. */
const SILENCE_MS = 15 * 60_000;

const isWide = process.argv.includes('--wide');
const isChanged = process.argv.includes('--changed');
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const durationsMs = readDurations();
const waiting = groupFiles(await chooseFiles());
const startedMs = Date.now();
const folder = databaseFolder();
const temporary = mkdtempSync(join(folder, 'agent-readiness-test-'));
const ledger = join(temporary, 'secrets');
const running = new Set<ChildProcess>();
const tally = new Tally();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
process.once('exit', () => {
  running.forEach(kill);
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
});

const givenUrl = process.env.TEST_DATABASE_URL;
const postgres = givenUrl ? null : await startPostgres({ room: folder });
const environment = {
  ...process.env,
  TEST_DATABASE_URL: givenUrl ?? postgres?.url,
  TMPDIR: temporary,
  [LEDGER_VARIABLE]: ledger,
};
const jobs = Number(process.env.TEST_JOBS ?? availableParallelism() + 1);
await Promise.all(Array.from({ length: jobs }, runWaiting));
await postgres?.stop();
const { text, faults } = judgeLedger(ledger, { isWhole: names.length === 0 && !isWide && !isChanged });
process.stdout.write(`\n${text}\n`);
if (faults !== '') tally.fail('the search for secrets', faults);
writeFileSync(DURATIONS, JSON.stringify({ ...durationsMs, ...tally.durationsMs }));
process.stdout.write(tally.report((Date.now() - startedMs) / 1000));
process.exitCode = tally.failed > 0 ? 1 : 0;

/** Returns the source paths of the test files to run. */
async function chooseFiles(): Promise<string[]> {
  const all = globSync('test/**/*.test.js', { cwd: ROOT, exclude: ['**/node_modules'] }).map((path) =>
    path.replace(/js$/, 'ts'),
  );
  const suite = all.filter((path) => path.endsWith('.wide.test.ts') === isWide);
  const own = suite.filter((path) => !EXCLUDED.some((start) => path.startsWith(start)));
  if (isChanged) return changedTests(own);
  if (names.length === 0) return own;
  return names.flatMap((name) => {
    const found = all.includes(name) ? [name] : suite.filter((path) => path.startsWith(`${name.replace(/\/$/, '')}/`));
    if (found.length > 0) return found;
    process.stderr.write(`There is no test file or folder ${name}.\n`);
    process.exit(2);
  });
}

/** Returns the files of each process, the longest first. */
function groupFiles(files: readonly string[]): string[][] {
  const groups = [...Map.groupBy(files.toSorted(), groupOf).values()].flatMap((alike) =>
    Array.from({ length: Math.ceil(alike.length / FILES_PER_PROCESS) }, () => alike.splice(0, FILES_PER_PROCESS)),
  );
  const weigh = (paths: readonly string[]): number =>
    paths.reduce((sum, path) => sum + (durationsMs[path] ?? statSync(path).size), 0);
  return groups.sort((a, b) => weigh(b) - weigh(a));
}

/** Files of one group share processes. */
function groupOf(path: string): string {
  if (SEPARATE.some((start) => path.startsWith(start))) return path;
  return path.split('/', path.startsWith('test/security/') ? 3 : 2).join('/');
}

/** Returns the folder for databases: in memory if there is room. */
function databaseFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > MEMORY_BYTES_MIN ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

function readDurations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(DURATIONS, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

async function runWaiting(): Promise<void> {
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    const parser = new Parser();
    const end = tally.begin(group, parser);
    const programs = Object.fromEntries(group.map((file) => [file, join(ROOT, file.replace(/ts$/, 'js'))]));
    const child = spawn(process.execPath, ['--enable-source-maps', join(import.meta.dirname, 'test-process.js')], {
      env: { ...environment, TEST_FILES: JSON.stringify(programs) },
      // It leads a process group, so that all that it started can be killed.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.add(child);
    const silence = setTimeout(() => kill(child), SILENCE_MS);
    child.stdout.on('data', () => silence.refresh()).pipe(parser);
    const [[code, signal]] = (await Promise.all([once(child, 'close'), once(parser, 'complete')])) as [
      unknown[],
      unknown,
    ];
    clearTimeout(silence);
    running.delete(child);
    end(parser.ok && code === 0, signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`);
  }
}

function kill({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
