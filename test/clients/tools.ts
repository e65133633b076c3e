import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { PROJECT } from '../support/project.js';

export interface Tools {
  /** Names the folder. */
  readonly heading: string;
  /** A command that succeeds if they are installed. */
  readonly needs: string;
  /** Entries of the folder that stay for the next time. */
  readonly kept?: readonly string[];
  /** Files of test/clients by their path in the folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export const PYTHON = {
  needs: "python3 -c 'import ensurepip, venv'",
  kept: ['venv'],
  env: { PIP_CONSTRAINT: 'constraints.txt' },
  files: { 'constraints.txt': 'python/constraints.txt' },
};

/** Messages of pip and npm if no registry can be reached. */
const UNREACHED =
  /name resolution|NameResolutionError|ENOTFOUND|EAI_AGAIN|no such host|Unknown host|Could not resolve host|Network is unreachable|Failed to establish a new connection|proxyconnect tcp|No plugin found for prefix/i;
const CACHE = join(PROJECT, 'dist/.clients');
/** The temporary folder of some systems is mounted noexec. */
const TEMPORARY = join(CACHE, 'tmp');

/** Prepares a folder with the files. Skips the test and returns undefined if the tools are not installed. */
export async function findTools(t: Test, tools: Tools): Promise<Place | undefined> {
  const env = { ...process.env, ...tools.env, TMPDIR: TEMPORARY };
  const isThere = await shell(tools.needs, { cwd: PROJECT, env }).then(
    () => true,
    () => false,
  );
  if (!isThere) return skip(t, `not here: ${tools.needs}`);
  const place = { cwd: emptyFolder(tools), env };
  for (const [target, source] of Object.entries(tools.files ?? {})) {
    mkdirSync(dirname(join(place.cwd, target)), { recursive: true });
    copyFileSync(join(PROJECT, 'test/clients', source), join(place.cwd, target));
  }
  return place;
}

/** Does what may fetch packages. Skips the test and returns undefined if no registry can be reached. */
export async function fetching<T>(t: Test, act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    const [unreached] = UNREACHED.exec((error as Error).message) ?? [];
    if (unreached === undefined) throw error;
    return skip(t, `no registry to be reached: ${unreached}`);
  }
}

/** Returns the output of the commands. Rejects with all output if one fails. */
export function shell(script: string, place: Place): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('sh', ['-euc', script], { ...place, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${script}\n${`${stdout}${stderr}`.slice(-8000)}`));
      else resolve(stdout);
    });
  });
}

function skip(t: Test, reason: string): undefined {
  t.pass('a client', { skip: reason });
}

function emptyFolder({ heading, kept = [] }: Tools): string {
  const folder = join(CACHE, heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
  for (const made of [TEMPORARY, folder]) mkdirSync(made, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return folder;
}
