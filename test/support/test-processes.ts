import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Parser } from 'tap-parser';

/** How Node runs a test file. */
export const TEST_OPTIONS = ['--enable-source-maps', ...['light-tap', 'whole-lists'].map(importing)];
/** Names the variable with the files that {@link RUNNER} runs: arguments would become part of the folders that tests get. */
export const FILES_VARIABLE = 'TEST_FILES';
const RUNNER = fileURLToPath(new URL('run-files.js', import.meta.url));
/** No process comes near it; one that hangs is ended. */
const TIMEOUT_MS = 600_000;
/** How long what was told to end may take to clean up after itself. */
const PATIENCE_MS = 10_000;

/** The processes of tests that run now, each with all that it started: a process group each. */
export class TestProcesses {
  readonly #running = new Set<ChildProcess>();
  #isEnding = false;

  /**
   * Runs test files one after another in one process, and answers how that ended.
   * @param programs the compiled files by the names that the report gives them
   * @param follow is handed the parser of the report before the first line
   */
  async run(
    programs: Readonly<Record<string, string>>,
    environment: NodeJS.ProcessEnv,
    follow: (parser: Parser) => void,
  ): Promise<{ readonly isOk: boolean; readonly exit: string }> {
    if (this.#isEnding) return { isOk: false, exit: 'never began' };
    const parser = new Parser();
    follow(parser);
    const child = spawn(process.execPath, [...TEST_OPTIONS, RUNNER], {
      ...{ env: { ...environment, [FILES_VARIABLE]: JSON.stringify(programs) }, detached: true },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#running.add(child);
    const timeout = setTimeout(() => signalGroup(child, 'SIGKILL'), TIMEOUT_MS);
    child.stdout.pipe(parser);
    const [[code, signal]] = (await Promise.all([once(child, 'close'), once(parser, 'complete')])) as [
      [number | null, string | null],
      unknown,
    ];
    clearTimeout(timeout);
    this.#running.delete(child);
    return { isOk: parser.ok && code === 0, exit: signal ?? `exit code ${code}` };
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

/** @param name of a module of this folder */
function importing(name: string): string {
  return `--import=${new URL(`${name}.js`, import.meta.url).href}`;
}
