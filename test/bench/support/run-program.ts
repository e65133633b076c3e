import { join } from 'node:path';
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { PROJECT } from '../../support/project.js';

const EXIT_USAGE = join(PROJECT, 'test/bench/support/exit-usage.mjs');

export interface EndedProgram {
  readonly lines: readonly string[];
  readonly errors: string;
  readonly exitCode: number | null;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakRssMib: number;
}

/** Runs a Node program to its end. A scanner says by its exit code what it found, so that none counts as a failure. */
export async function runProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<EndedProgram> {
  const beganMs = performance.now();
  const child = spawn(process.execPath, ['--import', EXIT_USAGE, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  const [written, errors, usage] = [child.stdout, child.stderr, child.stdio[3]].map((stream) =>
    gather(stream as Readable),
  );
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const wallMs = performance.now() - beganMs;
  const { cpuMs, peakRssMib } = JSON.parse((await usage) || '{}') as Partial<EndedProgram>;
  const lines = ((await written) ?? '').split('\n').filter((line) => line !== '');
  return {
    lines,
    errors: (await errors) ?? '',
    exitCode,
    wallMs,
    cpuMs: cpuMs ?? Number.NaN,
    peakRssMib: peakRssMib ?? Number.NaN,
  };
}

async function gather(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
