import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Parser } from 'tap-parser';

/** How Node runs a test file. */
export const TEST_OPTIONS = ['--enable-source-maps', `--import=${new URL('whole-lists.js', import.meta.url).href}`];
/** No file comes near it; one that hangs is ended. */
const FILE_TIMEOUT_MS = 600_000;
/** How long what was told to end may take to clean up after itself. */
const PATIENCE_MS = 10_000;

/** The test files that run now, each with all that it started: a process group each. */
export class TestProcesses {
  readonly #running = new Set<ChildProcess>();
  #isEnding = false;

  /**
   * Runs a compiled test file to its end, and answers whether it passed.
   * @param follow is handed the parser of its report before the first line
   */
  async run(program: string, environment: NodeJS.ProcessEnv, follow: (parser: Parser) => void): Promise<boolean> {
    if (this.#isEnding) return false;
    const parser = new Parser();
    follow(parser);
    const child = spawn(process.execPath, [...TEST_OPTIONS, program], {
      ...{ env: environment, detached: true },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#running.add(child);
    const timeout = setTimeout(() => signalGroup(child, 'SIGKILL'), FILE_TIMEOUT_MS);
    child.stdout.pipe(parser);
    const [[code]] = (await Promise.all([once(child, 'close'), once(parser, 'complete')])) as [
      [number | null],
      unknown,
    ];
    clearTimeout(timeout);
    this.#running.delete(child);
    return parser.ok && code === 0;
  }

  /** Ends them: by a signal that lets them clean up, and after a while by one that does not ask. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const ended = [...this.#running].map((child) => once(child, 'close'));
    this.#signal('SIGTERM');
    const impatience = setTimeout(() => this.#signal('SIGKILL'), PATIENCE_MS);
    await Promise.all(ended);
    clearTimeout(impatience);
  }

  #signal(signal: NodeJS.Signals): void {
    for (const child of this.#running) signalGroup(child, signal);
  }
}

/** Signals a process that was started as a group of its own, and all that it started. */
export function signalGroup({ pid }: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It ended by itself.
  }
}
