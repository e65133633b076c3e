import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT } from './project.js';
import type { ProgramResult } from './program.js';

/** npm stands next to the Node of the tests, or on the PATH. */
const PATH = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`;

/**
 * Makes the package of the present source, as `make package` does.
 * @param folder where it is laid, and next to it the tarball
 */
export function packScanner(folder: string): { readonly laid: string; readonly tarball: string } {
  const laid = join(folder, 'laid');
  const args = ['--disable-warning=ExperimentalWarning', 'src/build/package.ts', '--commit=abc1234', laid];
  execFileSync(process.execPath, args, { cwd: PROJECT });
  const name = npm(laid, ['pack', '--silent', '--pack-destination', '..']).trim();
  return { laid, tarball: join(folder, name) };
}

/** Installs the tarball into an empty folder, without a network. */
export function installOffline(folder: string, tarball: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  npm(folder, ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball]);
}

function npm(cwd: string, args: readonly string[]): string {
  const env = { PATH, HOME: cwd, npm_config_cache: join(cwd, '..', 'npm-cache') };
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8' });
}

/** Runs a program of the folder to its end, without our environment except PATH. */
export function runIn(
  cwd: string,
  [command, ...args]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd, env: { PATH, ...environment } }, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
