import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readConfig, readScanConfig } from '../../src/config.js';
import { runCommandLine } from '../../src/program.js';
import { MemoryOutput } from './memory-output.js';
import { BUILD, packageVersion, SHIPPED } from './project.js';
import { SEARCH, secretsOf } from './secrets.js';

const MAIN = fileURLToPath(new URL('src/main.js', SHIPPED));

export interface ProgramResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Commands that print a secret: a key, a one-time link, a proof of ownership. */
const SHOWING = /^(key create|account create|account sign-in-link|site add|site verify|serve --demo)\b/;

/** Searches output, log and database of a program for secrets. */
async function searchLeavings(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { stdout, stderr }: Pick<ProgramResult, 'stdout' | 'stderr'>,
): Promise<void> {
  SEARCH.program({ stdout, stderr, isShowing: SHOWING.test(args.join(' ')) });
  SEARCH.words('the output of a program', stdout + stderr, secretsOf(environment));
  const { DATABASE_URL = '' } = environment;
  if (DATABASE_URL.startsWith('sqlite:')) await SEARCH.database(DATABASE_URL);
}

/**
 * Runs a command to its end in this process, with what the program would answer in this environment: a twentieth of the cost of starting
 * it. What only a process shows is `runBuilt`'s, and so is `serve`.
 */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<ProgramResult> {
  const output = new MemoryOutput();
  const exitCode = await runCommandLine(args, {
    ...{ output, project: BUILD, version: packageVersion() },
    readConfig: () => readConfig(environment),
    readScanConfig: () => readScanConfig(environment),
  });
  const result = { exitCode, stdout: output.stdout, stderr: output.stderr };
  await searchLeavings(args, environment, result);
  return result;
}

/** Runs the built program to its end, without our environment except PATH. @param input its stdin */
export async function runBuilt(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input?: string,
): Promise<ProgramResult> {
  const result = await new Promise<ProgramResult>((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...environment }, timeout: 60_000 };
    const child = execFile(process.execPath, [MAIN, ...args], options, (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
    });
    if (input !== undefined) child.stdin?.end(input);
  });
  await searchLeavings(args, environment, result);
  return result;
}

/** Runs the built program to its end with a closed stdout, like `… | head -0`. */
export function runBuiltUnread(args: readonly string[]): Promise<Omit<ProgramResult, 'stdout'>> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH: process.env.PATH } });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('close', (exitCode) => resolve({ exitCode: exitCode ?? -1, stderr }));
  });
}

export type RunningProgram = ReturnType<typeof startBuilt>;

export interface StartOptions {
  /** By default the limit of this process. */
  readonly descriptorsMax?: number | undefined;
  /** By default main.js of this build. */
  readonly main?: string;
}

export function startBuilt(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  { descriptorsMax, main = MAIN }: StartOptions = {},
) {
  const program = [process.execPath, main, ...args];
  // The shell becomes the program, so that signals meet it.
  const limited = ['sh', '-c', `ulimit -n ${descriptorsMax} && exec "$@"`, 'sh', ...program];
  const [command = '', ...rest] = descriptorsMax === undefined ? program : limited;
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    process.stderr.write(chunk);
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).then(async (code) => {
    await searchLeavings(args, environment, { stdout: lines.join('\n'), stderr });
    return code;
  });
  return {
    pid: child.pid,
    /** Everything on stdout so far. */
    stdout: () => lines.join('\n'),
    /** Resolves with the first line of stdout that matches. Rejects if the program ends first. */
    lineMatching: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const seen = lines.find((line) => pattern.test(line));
        if (seen !== undefined) resolve(seen);
        reader.on('line', (line) => {
          if (pattern.test(line)) resolve(line);
        });
        void ended.then(() => reject(new Error(`ended before a line matched ${pattern}:\n${lines.join('\n')}`)));
      }),
    /** Sends the signal; resolves with the exit code. */
    stop(signal: NodeJS.Signals): Promise<number | null> {
      child.kill(signal);
      return ended;
    },
  };
}
