import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/servers.js';
import { PROJECT } from '../support/project.js';
import { quantileOf } from '../support/script.js';

export const MAIN = fileURLToPath(new URL('../../shipped/src/main.js', import.meta.url));
export const MIB = 2 ** 20;

const PROBE = ['--import', join(PROJECT, 'test/bench/probe.mjs')];

/** Returns the path of a script of this folder. */
export const scriptOf = (name: string): string => fileURLToPath(new URL(`${name}.js`, import.meta.url));

/** What a process has used since its start. */
export interface Usage {
  readonly cpuMs: number;
  readonly rss: number;
  readonly peakRss: number;
}

/** A Node process that reports what it uses. */
export class MeasuredProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];

  /** @param args arguments of `node` */
  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(process.execPath, [...PROBE, ...args], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on('line', (line) => this.#lines.push(line));
  }

  /** Sends a question, which the probe (`usage`) or the script answers with `{question, answer}`. */
  async ask<Answer = Usage>(question = 'usage'): Promise<Answer> {
    this.#child.send(question);
    const [reply] = (await once(this.#child, 'message')) as [{ readonly answer: Answer }];
    return reply.answer;
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

/** Runs a Node program to its end, whatever its exit code: a scanner reports by it what it found. */
export async function runProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd = PROJECT,
): Promise<Usage & { readonly wallMs: number; readonly lines: readonly string[] }> {
  const startedMs = performance.now();
  const options = { env: { PATH: process.env.PATH, ...environment }, maxBuffer: 64 * MIB, cwd };
  const [stdout, stderr] = await new Promise<[string, string]>((resolve) => {
    execFile(process.execPath, [...PROBE, ...args], options, (_error, ...written) => resolve(written));
  });
  const wallMs = performance.now() - startedMs;
  const usage = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as Usage;
  return { ...usage, wallMs, lines: stdout.split('\n').filter((line) => line !== '') };
}

export interface Server {
  readonly process: MeasuredProcess;
  readonly origin: string;
}

/** The flags and variables with which `agent-readiness-scan serve` limits its memory. */
const MEMORY = '. "$0" && printf "%s\n" "$service_flags" "$MALLOC_MMAP_THRESHOLD_" "$MALLOC_ARENA_MAX"';

/** Starts the built service, as it ships, over a database that has its schema. */
export async function startService(databaseUrl: string): Promise<Server> {
  const shell = ['-c', MEMORY, join(PROJECT, 'src/bin/service-memory.sh')];
  const printed = execFileSync('sh', shell, { encoding: 'utf8', env: {} });
  const [flags = '', threshold = '', arenas = ''] = printed.split('\n');
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const process = new MeasuredProcess([...flags.split(' '), MAIN, 'serve'], {
    ...{ MALLOC_MMAP_THRESHOLD_: threshold, MALLOC_ARENA_MAX: arenas, MONTHLY_QUOTA: '1000000000' },
    ...{ DATABASE_URL: databaseUrl, PORT: String(port), PUBLIC_URL: origin },
  });
  await process.lineMatching(/"listening"/);
  return { process, origin };
}

export function medianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}

/** Prints a Markdown table. Numbers have three significant digits. */
export function printTable(title: string, head: readonly string[], rows: readonly (readonly (string | number)[])[]) {
  const format = (cell: string | number): string =>
    typeof cell === 'string' ? cell : String(cell >= 1000 ? Math.round(cell) : Number(cell.toPrecision(3)));
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(format).join(' | ')} |`);
  console.log(`\n### ${title}\n\n${lines.join('\n')}`);
}
