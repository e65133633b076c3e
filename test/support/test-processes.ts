import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Parser } from 'tap-parser';

/** The options of Node for a test file. */
export const TEST_OPTIONS = ['--enable-source-maps', ...['light-tap', 'whole-lists'].map(importing)];
/** The variable with the files for {@link RUNNER}. As arguments they would become part of the names of test folders. */
export const FILES_VARIABLE = 'TEST_FILES';
const RUNNER = fileURLToPath(new URL('run-files.js', import.meta.url));
/**
 * A process that reports nothing for so long has hung, and is killed with all that it started. On an idle machine no test needs a tenth
 * of it from one assertion to the next.
 */
const SILENCE_MS = 15 * 60_000;
/** The time that a process has to clean up after SIGTERM. */
const GRACE_MS = 10_000;

/** The running processes of tests, each the leader of a process group. */
export class TestProcesses {
  readonly #running = new Set<ChildProcess>();
  #isEnding = false;

  /**
   * Runs test files one after another in one process.
   * @param programs the compiled files by their names in the report
   * @param follow receives the parser of the report before the first line
   * @returns how the process ended; `exit` says it in words
   */
  async run(
    programs: Readonly<Record<string, string>>,
    environment: NodeJS.ProcessEnv,
    follow: (parser: Parser) => void,
  ): Promise<{ readonly isOk: boolean; readonly exit: string }> {
    if (this.#isEnding) return { isOk: false, exit: 'was not started' };
    const parser = new Parser();
    follow(parser);
    const child = spawn(process.execPath, [...TEST_OPTIONS, RUNNER], {
      ...{ env: { ...environment, [FILES_VARIABLE]: JSON.stringify(programs) }, detached: true },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#running.add(child);
    const limit = { isReached: false };
    const timeout = setTimeout(() => {
      limit.isReached = true;
      signalGroup(child, 'SIGKILL');
    }, SILENCE_MS);
    child.stdout.on('data', () => timeout.refresh());
    child.stdout.pipe(parser);
    const [[code, signal]] = (await Promise.all([once(child, 'close'), once(parser, 'complete')])) as [
      [number | null, string | null],
      unknown,
    ];
    clearTimeout(timeout);
    this.#running.delete(child);
    const exit = signal === null ? `ended with exit code ${code}` : `was killed by ${signal}`;
    return {
      isOk: parser.ok && code === 0,
      exit: limit.isReached ? `was killed: it reported nothing for ${SILENCE_MS / 60_000} minutes` : exit,
    };
  }

  /** Ends all processes: by SIGTERM, and after a while by SIGKILL. */
  async end(): Promise<void> {
    this.#isEnding = true;
    const ended = [...this.#running].map((child) => once(child, 'close'));
    this.#signal('SIGTERM');
    const timeout = setTimeout(() => this.#signal('SIGKILL'), GRACE_MS);
    await Promise.all(ended);
    clearTimeout(timeout);
  }

  #signal(signal: NodeJS.Signals): void {
    for (const child of this.#running) signalGroup(child, signal);
  }
}

/** Signals a process and all that it started; the process leads a group. */
export function signalGroup({ pid }: Pick<ChildProcess, 'pid'>, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has already ended.
  }
}

/** @param name of a module of this folder */
function importing(name: string): string {
  return `--import=${new URL(`${name}.js`, import.meta.url).href}`;
}
