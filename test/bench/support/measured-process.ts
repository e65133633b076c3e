import { join } from 'node:path';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PROJECT } from '../../support/project.js';

const PROBE = join(PROJECT, 'test/bench/support/probe.mjs');

/** What a process has used since its start. */
export interface Usage {
  readonly cpuUs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly peakRssBytes: number;
}

/** A Node process of its own, so that what measures is not counted with what is measured. */
export class MeasuredProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];

  /** @param args what follows `node` */
  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(process.execPath, ['--expose-gc', '--import', PROBE, ...args], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on('line', (line) => this.#lines.push(line));
  }

  /** Puts a question to the script itself, which answers `{question, answer}` as the probe does. */
  askScript(question: string): Promise<Record<string, unknown>> {
    return this.#ask(question) as Promise<Record<string, unknown>>;
  }

  usage(): Promise<Usage> {
    return this.#ask('usage') as Promise<Usage>;
  }

  async collectGarbage(): Promise<void> {
    await this.#ask('collect');
  }

  /** @returns the bytes that were allocated on the heap while `work` went on, by sampling */
  async allocationsOf(work: () => Promise<unknown>): Promise<number> {
    await this.#ask('startAllocations');
    await work();
    return (await this.#ask('stopAllocations')) as number;
  }

  /** Resolves with the first line of stdout that matches. */
  async lineMatching(pattern: RegExp): Promise<string> {
    for (;;) {
      const line = this.#lines.find((one) => pattern.test(one));
      if (line !== undefined) return line;
      if (this.#child.exitCode !== null) throw new Error(`ended with ${this.#child.exitCode} before ${pattern}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }

  async #ask(question: string): Promise<unknown> {
    const answered = new Promise((resolve) => {
      const hear = (message: unknown): void => {
        const reply = message as { question: string; answer: unknown };
        if (reply.question !== question) return;
        this.#child.off('message', hear);
        resolve(reply.answer);
      };
      this.#child.on('message', hear);
    });
    this.#child.send(question);
    return answered;
  }
}
