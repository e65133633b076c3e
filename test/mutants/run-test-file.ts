import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { signalGroup, TEST_OPTIONS } from '../support/test-processes.js';

export interface TestRun {
  readonly outcome: 'passed' | 'failed' | 'timed out';
  readonly ms: number;
}

export interface TestRunOptions {
  /** The compiled tree that the file stands in. */
  readonly tree: string;
  readonly databaseUrl: string;
  /** For what the tests leave behind when they are ended in the middle. */
  readonly temporary: string;
  readonly timeoutMs: number;
  /** A folder for what V8 tells of the code that ran. */
  readonly coverage?: string;
}

/** A mutant that allocates without end must not take the machine with it. */
const HEAP_MIB = 1024;
const HOUR_S = 3600;

const running = new Set<number>();
process.once('exit', () => running.forEach(endGroup));

/** Runs one test file up to its first failure, and ends whatever it started. */
export async function runTestFile(file: string, options: TestRunOptions): Promise<TestRun> {
  const startedMs = performance.now();
  const child = spawn(
    process.execPath,
    [...TEST_OPTIONS, `--max-old-space-size=${HEAP_MIB}`, join(options.tree, file)],
    {
      stdio: 'ignore',
      // A group of its own, so that its children can be ended with it.
      detached: true,
      env: {
        ...process.env,
        TAP_BAIL: '1',
        // Its own limit of 30 s would be a failure on a busy machine.
        TAP_TIMEOUT: String(HOUR_S),
        TEST_DATABASE_URL: options.databaseUrl,
        TMPDIR: options.temporary,
        TEST_PROGRAM: `${pathToFileURL(options.tree).href}/`,
        ...(options.coverage !== undefined && { NODE_V8_COVERAGE: options.coverage }),
      },
    },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} could not be started`);
  running.add(pid);
  const timer = setTimeout(endGroup, options.timeoutMs, pid);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  endGroup(pid);
  running.delete(pid);
  const ms = performance.now() - startedMs;
  return { outcome: code === 0 ? 'passed' : ms < options.timeoutMs ? 'failed' : 'timed out', ms };
}

function endGroup(pid: number): void {
  signalGroup({ pid }, 'SIGKILL');
}
