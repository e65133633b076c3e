/**
 * `make rolling`: while processes are upgraded one after the other, the last released version and this one serve on one database. That
 * version is checked out, built and started here; its packages come from npm's cache, or else from the registry.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onPostgres } from '../support/databases.js';
import { startFixtureServer } from '../support/fixture-server.js';
import { send } from '../support/http-client.js';
import { freePort, runCommand, startBuilt } from '../support/program.js';
import { PROJECT, readProject } from '../support/project.js';

const ROUNDS = 2;
/** For each site, as many as its day has. */
const RUNS_PER_SITE = 2 * ROUNDS;
const SITES = 3;

const [, version = '', commit = ''] =
  /^## (\S+) \([\d-]+, commit ([0-9a-f]{7,40})\)$/m.exec(readProject('CHANGELOG.md')) ?? [];

function run(command: string, args: readonly string[], cwd = PROJECT): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], maxBuffer: 2 ** 28 });
}

/** Why the test cannot be made here; false when it can. */
function findObstacle(): string | false {
  if (commit === '') return 'CHANGELOG.md names no version by its commit';
  try {
    run('git', ['cat-file', '-e', `${commit}^{commit}`]);
    return false;
  } catch {
    return `the history has no commit ${commit}`;
  }
}

/** Checks the version out and builds it. @returns its main.js */
function buildOld(folder: string): string {
  const archive = join(folder, 'old.tar');
  const old = join(folder, 'old');
  mkdirSync(old);
  run('git', ['archive', `--output=${archive}`, commit]);
  run('tar', ['xf', archive, '-C', old]);
  // Its compiler is ours; its packages are its own.
  const packages = join(old, 'node_modules');
  symlinkSync(join(PROJECT, 'node_modules'), packages);
  run(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/build/build.ts', '--tests'], old);
  unlinkSync(packages);
  run('sh', ['src/bin/install.sh', old, '--omit=dev', '--omit=optional', '--prefer-offline'], old);
  return join(old, 'dist', readFileSync(join(old, 'dist/current-tests'), 'utf8').trim(), 'src/main.js');
}

const skip = findObstacle();

onPostgres(async (t, engine) => {
  t.test(`version ${version} and this one store and read the same runs of one database`, { skip }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-readiness-rolling-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const oldMain = buildOld(folder);
    const site = await startFixtureServer({ routes: { '/': '<!doctype html><title>Home</title><p>Hello</p>' } });
    const others = await Promise.all(
      Array.from({ length: SITES - 1 }, () =>
        startFixtureServer({ routes: { '/': '<!doctype html><title>Other</title><p>Hello</p>' } }),
      ),
    );
    const servers = [site, ...others];
    for (const server of servers) t.teardown(() => server.close());
    const environment = {
      DATABASE_URL: await engine.newUrl(t),
      SCAN_ALLOW_CIDRS: '127.0.0.1/32',
      SCAN_ALLOW_PORTS: servers.map(({ port }) => port).join(','),
    };
    const command = async <T>(...args: string[]): Promise<T> => {
      const { exitCode, stdout, stderr } = await runCommand([...args, '--json'], environment);
      if (exitCode !== 0) throw new Error(stderr);
      return JSON.parse(stdout) as T;
    };
    const start = async (main?: string) => {
      const port = await freePort();
      const program = startBuilt(['serve'], { ...environment, PORT: String(port) }, main === undefined ? {} : { main });
      t.teardown(() => program.stop('SIGKILL'));
      await program.lineMatching(/"listening"/);
      return {
        stop: () => program.stop('SIGTERM'),
        ask: (path: string, key: string, method = 'GET') =>
          send(port, `/api/v1/sites/${path}`, { method, headers: { authorization: `Bearer ${key}` } }),
      };
    };

    await command('migrate');
    const [before, after] = await Promise.all([start(oldMain), start()]);
    const account = await command<{ id: string }>('account', 'create', '--email', 'a@example.com', '--plan', 'MONITOR');
    const { id: keyId, key } = await command<{ id: string; key: string }>(
      'key',
      'create',
      '--account',
      account.id,
      '--name',
      'x',
    );
    const siteIds: string[] = [];
    for (const { origin } of servers) {
      const { id } = await command<{ id: string }>('site', 'add', '--account', account.id, origin);
      await command('site', 'verify', id, '--force');
      siteIds.push(id);
    }

    const remaining: number[] = [];
    for (const siteId of siteIds) {
      const bodies = new Map<number, string>();
      for (let round = 0; round < ROUNDS; round += 1) {
        const made = await Promise.all([before, after].map(({ ask }) => ask(`${siteId}/runs`, key, 'POST')));
        for (const { status, text, headers } of made) {
          t.equal(status, 201, text.slice(0, 200));
          bodies.set((JSON.parse(text) as { run: { number: number } }).run.number, text);
          remaining.push(Number(headers['x-ratelimit-remaining']));
        }
      }
      const numbers = Array.from({ length: RUNS_PER_SITE }, (_, index) => index + 1);
      t.same([...bodies.keys()].sort(), numbers, 'numbers without a gap');
      for (const [number, body] of bodies) {
        const read = await Promise.all([before, after].map(({ ask }) => ask(`${siteId}/runs/${number}`, key)));
        for (const { text } of read) t.equal(text, body, `run ${number}, byte for byte`);
        t.equal(read[0]?.headers.etag, read[1]?.headers.etag);
        remaining.push(...read.map(({ headers }) => Number(headers['x-ratelimit-remaining'])));
      }
    }
    const least = Math.min(...remaining);
    t.same(
      remaining.sort((a, b) => b - a),
      Array.from({ length: remaining.length }, (_, index) => least + remaining.length - 1 - index),
      'each request is counted once, by whichever process',
    );
    await command('key', 'revoke', keyId);
    for (const { ask } of [before, after]) t.equal((await ask(`${siteIds[0]}/runs/latest`, key)).status, 401);
    t.same(await Promise.all([before.stop(), after.stop()]), [0, 0]);
  });
});
