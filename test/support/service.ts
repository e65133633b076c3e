import { join } from 'node:path';
import type { Role } from '../../src/cli/service.js';
import { runCommand, startBuilt } from './program.js';
import { freePort } from './servers.js';

/** A test or a script, at whose end its servers stop. */
export interface Scope {
  teardown(end: () => unknown): void;
  testdir(): string;
}

export type StartedService = Awaited<ReturnType<typeof startService>>;

interface ServiceOptions {
  /** Ports of loopback that it may scan. */
  readonly scanPorts?: readonly number[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly descriptorsMax?: number | undefined;
}

export type ServingProgram = Awaited<ReturnType<typeof serve>>;

/** Starts the built program over a migrated database. Resolves once it listens. */
export async function serve(
  environment: Readonly<Record<string, string>>,
  {
    role = 'all',
    port: wanted,
    descriptorsMax,
  }: Pick<ServiceOptions, 'descriptorsMax'> & { role?: Role; port?: number } = {},
) {
  const port = wanted ?? (await freePort());
  const program = startBuilt(['serve', '--role', role], { ...environment, PORT: String(port) }, { descriptorsMax });
  await program.lineMatching(/"listening"/);
  return { ...program, port, baseUrl: `http://localhost:${port}` };
}

/** Migrates and starts the built program; stops it after the test. */
export async function startService(t: Scope, options: ServiceOptions = {}) {
  const { scanPorts = [], environment: more = {}, descriptorsMax } = options;
  const databaseFile = join(t.testdir(), 'service.db');
  const port = await freePort();
  const environment: Record<string, string> = {
    // Commands print links with it.
    PORT: String(port),
    DATABASE_URL: `sqlite:${databaseFile}`,
    ...(scanPorts.length > 0 && { SCAN_ALLOW_CIDRS: '127.0.0.1/32', SCAN_ALLOW_PORTS: scanPorts.join(',') }),
    ...more,
  };
  const run = async (...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await runCommand(args, environment);
    if (exitCode !== 0) throw new Error(`agent-readiness ${args.join(' ')} ended with ${exitCode}: ${stderr}`);
    return stdout;
  };
  const command = async <T>(...args: string[]): Promise<T> => JSON.parse(await run(...args, '--json')) as T;
  await run('migrate');
  const { baseUrl, pid, stop } = await serve(environment, { port, descriptorsMax });
  t.teardown(() => stop('SIGKILL'));
  return {
    ...{ baseUrl, port, pid },
    databaseFile,
    /** Runs a command on the same database. Resolves with its JSON value. */
    command,
    /** Adds an account, as an operator does. */
    addAccount: (email: string, plan = 'MONITOR') =>
      command<{ id: string; signInUrl: string }>('account', 'create', '--email', email, '--plan', plan),
  };
}
