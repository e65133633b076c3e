/**
 * Runs the compiled test files: `run-tests.js [--wide | --changed] [FILE or FOLDER …]`. By default every file except `*.wide.test.ts`, which
 * `--wide` runs; `--changed` runs those that import what differs from the branch main. `tap run` starts a process for each of 350 files, and
 * loading costs each a second. Here the files of a folder share one, and all processes share one PostgreSQL server (TEST_DATABASE_URL
 * names another). The run fails if a file has no assertion, or if a secret was left behind. The last line counts assertions.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Parser, type Result } from 'tap-parser';
import { changedTests } from './changed-tests.js';
import { startPostgres } from '../support/postgres.js';
import { judgeLedger, LEDGER_VARIABLE } from '../support/secrets.js';

const ROOT = join(import.meta.dirname, '../..');
/** Other make targets run these, because they need packages of their own. */
const EXCLUDED = ['test/config/', 'test/clients/'];
/** The folder for databases, if it has room: it is in memory. */
const MEMORY = '/dev/shm';
const MEMORY_BYTES_MIN = 2 ** 31;
/** Most files in one process: a leak of one affects few others. */
const FILES_PER_PROCESS = 30;
/** Files that listen to their whole process, or that take long: one process each. */
const SEPARATE = ['test/e2e/', 'test/store/', 'test/net/body.test.ts'];
/** A process that reports nothing for so long has hung. */
const SILENCE_MS = 15 * 60_000;
const SLOWEST = 5;

const isWide = process.argv.includes('--wide');
const isChanged = process.argv.includes('--changed');
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const waiting = groupFiles(await chooseFiles());
const memory = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
const folder = memory.bavail * memory.bsize > MEMORY_BYTES_MIN ? MEMORY : tmpdir();
const temporary = mkdtempSync(join(folder, 'agent-readiness-test-'));
const ledger = join(temporary, 'secrets');
const running = new Set<ChildProcess>();
const skipped: string[] = [];
const failed: string[] = [];
/** Seconds by file. */
const durations = new Map<string, number>();
let passedCount = 0;
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
console.log(`\n${text}`);
if (faults !== '') fail('the search for secrets', faults);
report();
process.exitCode = failed.length > 0 ? 1 : 0;

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
    if (found.length === 0) throw new Error(`There is no test file or folder ${name}.`);
    return found;
  });
}

/** Returns the files of each process. The largest start first, so that no core waits at the end. */
function groupFiles(files: readonly string[]): string[][] {
  const groupOf = (path: string): string => {
    if (SEPARATE.some((start) => path.startsWith(start))) return path;
    return path.split('/', path.startsWith('test/security/') ? 3 : 2).join('/');
  };
  const groups = [...Map.groupBy(files.toSorted(), groupOf).values()].flatMap((alike) =>
    Array.from({ length: Math.ceil(alike.length / FILES_PER_PROCESS) }, () => alike.splice(0, FILES_PER_PROCESS)),
  );
  const weigh = (paths: readonly string[]): number => paths.reduce((sum, path) => sum + statSync(path).size, 0);
  return groups.sort((a, b) => weigh(b) - weigh(a));
}

async function runWaiting(): Promise<void> {
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    const programs = Object.fromEntries(group.map((file) => [file, join(ROOT, file.replace(/ts$/, 'js'))]));
    const child = spawn(process.execPath, ['--enable-source-maps', join(import.meta.dirname, 'test-process.js')], {
      env: { ...environment, TEST_FILES: JSON.stringify(programs) },
      // It leads a process group, so that all that it started can be killed.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.add(child);
    const silence = setTimeout(() => kill(child), SILENCE_MS);
    const parser = new Parser();
    const notRun = new Set(group);
    follow(parser, notRun);
    const failedBefore = failed.length;
    child.stdout.on('data', () => silence.refresh()).pipe(parser);
    await Promise.all([once(child, 'close'), once(parser, 'complete')]);
    clearTimeout(silence);
    running.delete(child);
    const end = `The process ended with ${child.signalCode ?? child.exitCode}.`;
    if (notRun.size > 0) fail([...notRun].join(', '), end);
    else if (child.exitCode !== 0 && failed.length === failedBefore) fail(group.join(', '), end);
  }
}

/** Follows the report of a process, and prints failures as they come. Deletes a file from the set once it has run. */
function follow(parser: Parser, notRun: Set<string>): void {
  let assertions = 0;
  // Assertions of all tests, and tests that failed in another way.
  parser.on('result', ({ ok, skip, fullname, closingTestPoint, diag }: Result) => {
    if (!closingTestPoint) assertions += 1;
    if (skip && !closingTestPoint) skipped.push(`${fullname} (${String(skip)})`);
    if (ok) passedCount += 1;
    else fail(fullname, describe(diag, fullname.split(' > ', 1).join()));
  });
  parser.on('assert', ({ name, time, ok, closingTestPoint }: Result) => {
    if (!closingTestPoint || !notRun.delete(name)) return;
    if (assertions === 0) fail(name, 'It ran no assertion.');
    const seconds = Math.round((time ?? 0) / 100) / 10;
    console.log(`${ok && assertions > 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
    durations.set(name, seconds);
    assertions = 0;
  });
}

/** Returns what differs, where, and the command that runs the file alone. */
function describe(diagnostics: Result['diag'], file: string): string {
  const { diff = '', stack, at, source: _, ...rest } = (diagnostics ?? {}) as Record<string, unknown>;
  const parts = [diff, stack ?? JSON.stringify({ at }), JSON.stringify(rest, null, 2), `make test FILES=${file}`];
  return parts.map((part) => String(part).trimEnd()).join('\n');
}

function fail(name: string, details: string): void {
  failed.push(name);
  console.log(`\nFAILED  ${name}\n${details.replace(/^/gm, '    ')}\n`);
}

function report(): void {
  const slowest = [...durations].sort(([, a], [, b]) => b - a).slice(0, SLOWEST);
  const times = slowest.map(([file, seconds]) => `${file} ${seconds} s`);
  console.log('');
  for (const name of skipped) console.log(`SKIPPED ${name}`);
  for (const name of failed) console.log(`FAILED  ${name}`);
  console.log(`Slowest: ${times.join(', ')}; all ${process.uptime().toFixed(0)} s`);
  console.log(`${passedCount} passed, ${failed.length} failed`);
}

function kill({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
