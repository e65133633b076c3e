import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/program.js';
import { PROJECT } from '../support/project.js';

export const MAIN = fileURLToPath(new URL('../../shipped/src/main.js', import.meta.url));
export const MIB = 2 ** 20;

const PROBE = ['--expose-gc', '--import', join(PROJECT, 'test/bench/probe.mjs')];

/** The path of a script of this folder. */
export const scriptOf = (name: string): string => fileURLToPath(new URL(`${name}.js`, import.meta.url));

/** What a process has used since its start, in milliseconds and bytes. */
export interface Usage {
  readonly cpuMs: number;
  readonly rss: number;
  readonly heapUsed: number;
  readonly peakRss: number;
}

/** A Node process of its own, so that what measures is not counted with what is measured. */
export class MeasuredProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];

  /** @param args what follows `node` */
  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(process.execPath, [...PROBE, ...args], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on('line', (line) => this.#lines.push(line));
  }

  usage(): Promise<Usage> {
    return this.ask('usage');
  }

  /** Puts a question to the process: the probe, or the script itself, answers `{question, answer}`. */
  ask<Answer>(question: string): Promise<Answer> {
    return new Promise((resolve) => {
      const hear = (message: unknown): void => {
        const reply = message as { question: string; answer: Answer };
        if (reply.question !== question) return;
        this.#child.off('message', hear);
        resolve(reply.answer);
      };
      this.#child.on('message', hear).send(question);
    });
  }

  /** Resolves with the first line of stdout that matches. */
  async lineMatching(pattern: RegExp): Promise<string> {
    for (;;) {
      const line = this.#lines.find((one) => pattern.test(one));
      if (line !== undefined) return line;
      if (this.#child.exitCode !== null) throw new Error(`ended with ${this.#child.exitCode} before ${pattern}`);
      await pause(5);
    }
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    if (this.#child.exitCode === null && this.#child.kill('SIGTERM')) await ended;
  }
}

/** Runs a Node program to its end. A scanner says by its exit code what it found, so that none counts as a failure. */
export async function runProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<Usage & { readonly wallMs: number; readonly lines: readonly string[] }> {
  const beganMs = performance.now();
  const options = { env: { PATH: process.env.PATH, ...environment }, maxBuffer: 64 * MIB, ...(cwd && { cwd }) };
  const [stdout, stderr] = await new Promise<[string, string]>((resolve) => {
    execFile(process.execPath, [...PROBE, ...args], options, (_error, ...written) => resolve(written));
  });
  const wallMs = performance.now() - beganMs;
  const usage = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as Usage;
  return { ...usage, wallMs, lines: stdout.split('\n').filter((line) => line !== '') };
}

/** What `agent-readiness-scan serve` gives Node and its allocator, to keep its memory small. */
const MEMORY = '. "$0" && printf "%s\n" "$service_flags" "$MALLOC_MMAP_THRESHOLD_" "$MALLOC_ARENA_MAX"';

export interface RunningService {
  readonly process: MeasuredProcess;
  readonly origin: string;
  /** From the start of its process to its first answer that it is ready. */
  readonly startMs: number;
}

/** Starts the built program over a database that has its schema, as it ships. */
export async function startService(
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const shell = ['-c', MEMORY, join(PROJECT, 'src/bin/service-memory.sh')];
  const [flags = '', threshold = '', arenas = ''] = execFileSync('sh', shell, { encoding: 'utf8', env: {} }).split(
    '\n',
  );
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const beganMs = performance.now();
  const service = new MeasuredProcess([...flags.split(' '), MAIN, 'serve'], {
    ...{ MALLOC_MMAP_THRESHOLD_: threshold, MALLOC_ARENA_MAX: arenas, LOG_LEVEL: 'warn', MONTHLY_QUOTA: '1000000000' },
    ...{ DATABASE_URL: databaseUrl, PORT: String(port), PUBLIC_URL: origin, ...environment },
  });
  const isReady = (): Promise<boolean> =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await pause(10);
  return { process: service, origin, startMs: performance.now() - beganMs };
}
