import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { unpackRun } from '../../src/app/runs/run-bodies.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import type { RunResponse } from '../../src/app/runs/run.js';
import { freePort } from '../support/servers.js';
import { runBuilt, runCommand, type RunningProgram, startBuilt } from '../support/program.js';

const port = await freePortOfTwo();
const base = `http://127.0.0.1:${port}`;
const databaseFile = join(t.testdir(), 'demo.db');
const environment = { PORT: String(port), DATABASE_URL: `sqlite:${databaseFile}`, LOG_LEVEL: 'info' };

/** Returns a free port whose next one is free too, below those that systems hand out, which other tests get. */
async function freePortOfTwo(): Promise<number> {
  const port = 20_000 + 2 * randomInt(6000);
  const areFree = await Promise.all([freePort(port), freePort(port + 1)]).then(
    () => true,
    () => false,
  );
  return areFree ? port : freePortOfTwo();
}

/** Makes sure that the port is taken, by us or by somebody else. */
async function takePort(t: Test, port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening').catch(() => undefined);
}

/** An environment with an empty database. */
async function migrate(t: Test, more: Record<string, string> = {}): Promise<Record<string, string>> {
  const database = { DATABASE_URL: `sqlite:${join(t.testdir(), 'empty.db')}`, ...more };
  t.equal((await runCommand(['migrate'], { ...environment, ...database })).exitCode, 0);
  return database;
}

async function startDemo(t: Test, more: Record<string, string> = {}): Promise<RunningProgram> {
  const program = startBuilt(['serve', '--demo'], { ...environment, ...more });
  t.teardown(() => program.stop('SIGKILL'));
  await program.lineMatching(/Ctrl-C/);
  return program;
}

/** The path of the one-time link that a start printed. */
async function signInPath(program: RunningProgram): Promise<string> {
  const line = await program.lineMatching(/Dashboard/);
  return /http:\/\/localhost:\d+(\/sign-in\/[\w-]{43})$/.exec(line)?.[1] ?? '';
}

/** What comes of opening the link: where it leads, or else the status. */
async function openLink(path: string, method = 'GET'): Promise<string> {
  const response = await fetch(base + path, { method, headers: { accept: 'text/html' }, redirect: 'manual' });
  return response.headers.get('location') ?? String(response.status);
}

// Its runs would come in between; the last test has them.
await takePort(t, port + 1);

t.test('after an upgrade, an old schema is reported and not served, and removed variables are named', async (t) => {
  const program = startBuilt(['serve'], { ...environment, SIGNING_KEY: 'old' });
  await program.lineMatching(/"listening"/);
  await program.lineMatching(/"variables":\["SIGNING_KEY"\]/);
  t.match(program.stdout(), /run \\"agent-readiness-scan migrate\\"/);
  t.equal((await fetch(`${base}/readyz`)).status, 503);
  t.equal((await fetch(`${base}/healthz`)).status, 200);
  t.equal(await program.stop('SIGTERM'), 0);
});

let firstLink = '';
let firstKey = '';

t.test('the first start makes everything, and its curl line works', async (t) => {
  t.equal((await runBuilt(['migrate'], environment)).exitCode, 0);
  const program = await startDemo(t);
  const curl = await program.lineMatching(/curl/);
  const [, key = '', path = ''] = /Authorization: Bearer (ars_\w+)' http:\/\/localhost:\d+(\S+)$/.exec(curl) ?? [];
  firstKey = key;
  t.match(program.stdout(), 'score 100 of 100');
  t.match(program.stdout(), `port ${port + 1}, `);
  t.notMatch(program.stdout(), /"level":"(warn|error)"/);

  const headers = { authorization: `Bearer ${key}` };
  const created = await fetch(base + path, { method: 'POST', headers });
  t.equal(created.status, 201);
  const body = await created.text();
  const { site, run, findings } = JSON.parse(body) as RunResponse;
  t.equal(site.hostname, `localhost:${port}`);
  t.match(run, { number: 2, reference: 'CR-000002', score: 100, trigger: 'API' });

  // Our own site is as ready as it tells others to be: nothing that applies is short of a pass.
  t.equal(findings.length, CHECKS.length);
  for (const { checkId, result, detail } of findings) {
    t.ok(result === 'PASS' || result === 'NOT_APPLICABLE', `${checkId} ${result}: ${detail ?? ''}`);
  }
  t.same(
    findings.filter(({ result }) => result === 'NOT_APPLICABLE').map(({ checkId }) => checkId),
    ['C-SD-04', 'C-WK-02'],
    'it has no profiles elsewhere, and no A2A agent',
  );
  const file = new Database(databaseFile, { readonly: true });
  const stored = file.prepare<[], { body: Buffer }>('SELECT body FROM runs').all();
  t.same(
    stored.flatMap((row) => unpackRun(row.body).advice.notes),
    [],
    'and nothing to advise',
  );
  file.close();

  const byNumber = await fetch(`${base}${path}/2`, { headers });
  t.equal(await byNumber.text(), body, 'the same run by number, byte for byte');
  t.equal(byNumber.headers.get('etag'), created.headers.get('etag'));
  t.equal(await (await fetch(`${base}${path}/latest`, { headers })).text(), body, 'and as the latest');

  firstLink = await signInPath(program);
  t.equal(await openLink(firstLink, 'HEAD'), '200', 'a look does not use it');
  t.equal(await openLink(firstLink), '/sites', 'opened, it leads to the sites');
  t.equal(await openLink(firstLink), '404', 'once');
  t.equal(await openLink('/sign-in/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'), '404');

  t.notMatch(program.stdout().replace(/.*(API key|curl).*/g, ''), /ars_/, 'no key in the log');
  t.notMatch(program.stdout().replace(/.*Dashboard.*/g, ''), firstLink.slice(-43), 'no link in the log');
  t.equal(await program.stop('SIGTERM'), 0);
});

t.test('a busy port is named in one line, with the command that uses another', async (t) => {
  await takePort(t, port);
  const { exitCode, stdout, stderr } = await runBuilt(['serve', '--demo'], { ...environment, LOG_LEVEL: 'warn' });
  t.same({ exitCode, stdout }, { exitCode: 4, stdout: '' });
  t.match(stderr, new RegExp(`^[^\n]*port ${port} [^\n]* PORT=4000 make run\n$`));
});

t.test('a second start creates only a new link', async (t) => {
  const program = await startDemo(t);
  t.match(program.stdout(), 'number 2, CR-000002');
  t.match(program.stdout(), /API key +shown at the first start/);
  const path = /http:\/\/localhost:\d+(\/api\S+)$/.exec(await program.lineMatching(/curl.* <API_KEY>'/))?.[1] ?? '';
  const { status } = await fetch(`${base}${path}/latest`, { headers: { authorization: `Bearer ${firstKey}` } });
  t.equal(status, 200, 'the key of the first start still works');
  const link = await signInPath(program);
  t.not(link, firstLink);
  t.equal(await openLink(link), '/sites');
  t.equal(await program.stop('SIGINT'), 0);
});

t.test('if our own origin may not be scanned, the start says so and serves', async (t) => {
  const program = await startDemo(t, await migrate(t, { PUBLIC_URL: 'http://localhost:9' }));
  t.match(program.stdout(), ', PUBLIC_URL, ');
  t.notMatch(program.stdout(), 'curl');
  t.notMatch(program.stdout(), 'guard exception');
  t.equal((await fetch(`${base}/readyz`)).status, 200);
  t.equal(await program.stop('SIGTERM'), 0);
});

t.test('the second site gets its runs and a tag, also after an interrupted start', async (t) => {
  const port = await freePortOfTwo();
  const shop = await migrate(t, { PORT: String(port) });
  const first = await startDemo(t, shop);
  t.match(first.stdout(), new RegExp(`http://localhost:${port + 1}, .* 6 runs `));
  await first.lineMatching(/"trigger":"MANUAL","number":1,"score":33,/);
  t.equal(await first.stop('SIGTERM'), 0);

  const second = await startDemo(t, shop);
  await second.lineMatching(/"trigger":"POST_DEPLOY","number":6,"score":77,/);
  const opened = await fetch(`http://localhost:${port}${await signInPath(second)}`, { redirect: 'manual' });
  const cookie = opened.headers.getSetCookie().join().replace(/;.*/, '');
  const list = await fetch(`http://localhost:${port}/sites`, { headers: { cookie } });
  t.match(await list.text(), 'made-up shop');
  t.equal(await second.stop('SIGTERM'), 0);

  const third = await startDemo(t, shop);
  t.match(third.stdout(), 'a made-up shop with faults.');
  t.notMatch(third.stdout(), 'runs are made');
  t.equal(await third.stop('SIGTERM'), 0);
});
