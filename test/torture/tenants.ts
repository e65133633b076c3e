/**
 * `make torture TORTURE=tenants`: what tenants can do to each other, on the built program and PostgreSQL. One account has slow sites, a
 * thousand schedules and dead receivers; another starts runs and reads, alone and next to it. Free scans redirect to slow
 * pages of a verified site. Ends with 1 where one suffers from the other; about three minutes. Linux, whose loopback has more than one
 * address.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock as clock } from '../../src/platform/clock.js';
import type { RunResponse } from '../../src/app/runs/run.js';
import { setSchedule } from '../../src/app/automation/schedules.js';
import type { Database } from '../../src/store/database.js';
import { addAccount, addKey, addSite } from '../support/accounts.js';
import { readRequest } from '../support/fixture-server.js';
import { answerOf } from '../support/fixture-site.js';
import { perfect } from '../fixtures/sites/perfect.js';
import { makeSchedulesDue } from '../support/queue.js';
import { listen } from '../support/servers.js';
import { connectRaw } from '../support/raw-connection.js';
import { openNewDatabase, quantileOf, runInScope, Verdict } from '../support/script.js';
import { type Scope, serve } from '../support/service.js';

const SLOW_SITES = 45;
const SCHEDULED_SITES = 1000;
const RUNS = 30;
const READS = 300;
const SITE_MS = 20;
const verdict = new Verdict();

type Lab = Awaited<ReturnType<typeof openLab>>;

/** Opens one server for all sites: the address that is asked says which. */
async function openLab(scope: Scope) {
  /** Requests in flight by address. */
  const inFlight = new Map<string, number>();
  const respond = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const address = asked.socket.localAddress ?? '';
    inFlight.set(address, (inFlight.get(address) ?? 0) + 1);
    answer.once('close', () => inFlight.set(address, (inFlight.get(address) ?? 1) - 1));
    const [, , kind] = address.split('.');
    const path = asked.url ?? '/';
    if (kind === '1' || path.startsWith('/slow')) {
      // Drips for ever.
      answer.writeHead(200, { 'content-type': 'text/html' });
      const timer = setInterval(() => answer.write(' '), 1000);
      answer.once('close', () => clearInterval(timer));
      return;
    }
    await pause(SITE_MS);
    if (kind === '4') {
      answer.writeHead(302, { location: `${originOf('127.0.3.1')}/slow${path}` }).end();
      return;
    }
    const origin = perfect.origin ?? '';
    const { status, headers, body } = await answerOf(perfect, await readRequest(asked, origin));
    const here = body.toString().replaceAll(origin, `http://${asked.headers.host}`);
    answer.writeHead(status, headers.flat()).end(here);
  };
  const server = createServer((asked, answer) => void respond(asked, answer));
  const { port, close } = await listen(server, '0.0.0.0');
  scope.teardown(close);
  const originOf = (address: string): string => `http://${address}:${port}`;
  return { port, inFlight, originOf };
}

interface Tenant {
  readonly accountId: string;
  readonly key: string;
  readonly siteIds: readonly string[];
}

async function addTenant(db: Database, origins: readonly string[]): Promise<Tenant> {
  const { id: accountId } = await addAccount(db, 'SCALE', clock);
  const siteIds: string[] = [];
  for (const hostname of origins) siteIds.push((await addSite(db, accountId, { hostname })).id);
  return { accountId, key: await addKey(db, accountId, clock), siteIds };
}

interface Answered {
  readonly status: number;
  readonly ms: number;
  readonly run: RunResponse | null;
}

async function call(baseUrl: string, key: string, method: 'GET' | 'POST', path: string): Promise<Answered> {
  const startedMs = performance.now();
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(baseUrl + path, { method, headers });
  const body = (await answer.json()) as RunResponse;
  return { status: answer.status, ms: performance.now() - startedMs, run: answer.ok ? body : null };
}

const startRun = (baseUrl: string, { key }: Tenant, siteId: string): Promise<Answered> =>
  call(baseUrl, key, 'POST', `/api/v1/sites/${siteId}/runs`);

/** Runs and reads one after the other. */
async function use(baseUrl: string, tenant: Tenant, siteIds: readonly string[], runs: number) {
  const [started, read]: [Answered[], Answered[]] = [[], []];
  for (let index = 0; index < runs; index += 1) {
    const siteId = siteIds[index % siteIds.length] ?? '';
    started.push(await startRun(baseUrl, tenant, siteId));
    for (let count = 0; count < READS / runs; count += 1) {
      read.push(await call(baseUrl, tenant.key, 'GET', `/api/v1/sites/${siteId}/runs/latest`));
    }
  }
  return { started, read };
}

const p95Of = (answers: readonly Answered[]): number =>
  quantileOf(
    answers.map(({ ms }) => ms),
    0.95,
  );

function describe(answers: readonly Answered[]): string {
  const refused = answers.map(({ status }) => status).filter((status) => status >= 400);
  return `p95 ${p95Of(answers).toFixed(0)} ms, refused ${refused.length} of ${answers.length} ${[...new Set(refused)].join()}`;
}

async function openService(scope: Scope, lab: Lab) {
  const db = await openNewDatabase(scope, 'postgres');
  const { baseUrl, stop } = await serve({
    ...{ DATABASE_URL: db.url, SCAN_ALLOW_CIDRS: '127.0.0.0/8', LOG_LEVEL: 'info', MONTHLY_QUOTA: '1000000' },
    SCAN_ALLOW_PORTS: String(lab.port),
  });
  scope.teardown(() => stop('SIGKILL'));
  return { db, baseUrl };
}

/** Ten receivers that nobody answers at, with fifty messages each. */
async function addDeadReceivers(databaseUrl: string, accountId: string): Promise<void> {
  const raw = await connectRaw(databaseUrl);
  const now = new Date().toISOString();
  for (let hook = 0; hook < 10; hook += 1) {
    await raw.exec(`INSERT INTO webhooks (id, account_id, url, secret, created_at)
      VALUES ('wh_${hook}', '${accountId}', 'http://127.0.9.${hook + 1}:9/', 'whsec_c2VjcmV0', '${now}')`);
    await raw.exec(`INSERT INTO deliveries (id, account_id, webhook_id, event, body, created_at, state)
      SELECT 'msg_${hook}_' || i, '${accountId}', 'wh_${hook}', 'test', '{}', '${now}', 'waiting' FROM generate_series(1, 50) AS i`);
    await raw.exec(`INSERT INTO jobs (queue, kind, key, account_id, requested_at, run_after)
      SELECT 'deliveries', 'WEBHOOK', 'msg_${hook}_' || i, '${accountId}', '${now}', '${now}' FROM generate_series(1, 50) AS i`);
  }
  await raw.close();
}

async function tryTenants(scope: Scope, lab: Lab): Promise<void> {
  const { db, baseUrl } = await openService(scope, lab);
  const sites = (count: number, kind: number) =>
    Array.from({ length: count }, (_, index) =>
      lab.originOf(`127.${Math.floor(index / 200) + 1}.${kind}.${(index % 200) + 1}`),
    );
  const b = await addTenant(db, sites(24, 2));
  const alone = await use(baseUrl, b, b.siteIds.slice(0, 12), RUNS);
  console.log(`createRun alone: ${describe(alone.started)}\nreads alone: ${describe(alone.read)}`);

  const a = await addTenant(db, sites(SLOW_SITES + SCHEDULED_SITES, 1));
  for (const siteId of a.siteIds.slice(SLOW_SITES)) {
    await setSchedule({ db, clock }, { accountId: a.accountId, siteId }, 'HOURLY');
  }
  await makeSchedulesDue(db);
  await addDeadReceivers(db.url, a.accountId);
  let isOver = false;
  const attack = async (siteId: string): Promise<void> => {
    while (!isOver) {
      // The service is killed at the end.
      const answer = await startRun(baseUrl, a, siteId).catch(() => null);
      if (answer?.status !== 503) return;
      await pause(200);
    }
  };
  for (const siteId of a.siteIds.slice(0, SLOW_SITES)) void attack(siteId);
  await pause(5000);
  const loaded = await use(baseUrl, b, b.siteIds.slice(12), RUNS);
  console.log(`createRun alongside: ${describe(loaded.started)}\nreads alongside: ${describe(loaded.read)}`);
  isOver = true;
  for (const [what, before, after] of [
    ['createRun', alone.started, loaded.started],
    ['reads', alone.read, loaded.read],
  ] as const) {
    verdict.expect(p95Of(after) <= 1.5 * p95Of(before) + 1000, `${what}: p95 stays within 1.5 × alone + 1 s`);
    verdict.expect(
      after.every(({ status }) => status < 400),
      `${what}: none is refused`,
    );
  }
}

async function scanFree(baseUrl: string, site: string): Promise<void> {
  const body = new URLSearchParams({ site });
  await fetch(`${baseUrl}/scan`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
  });
}

async function trySpoiling(scope: Scope, lab: Lab): Promise<void> {
  const { db, baseUrl } = await openService(scope, lab);
  const victim = await addTenant(db, [lab.originOf('127.0.3.1')]);
  const [siteId = ''] = victim.siteIds;
  const alone = await startRun(baseUrl, victim, siteId);
  for (let index = 1; index <= 4; index += 1) await scanFree(baseUrl, lab.originOf(`127.0.4.${index}`));
  await pause(2000);
  const slow = lab.inFlight.get('127.0.3.1') ?? 0;
  const attacked = await startRun(baseUrl, victim, siteId);
  const unknown = ({ run }: Answered) => run?.findings.filter(({ result }) => result === 'UNDETERMINED').length;
  for (const [when, one] of Object.entries({ alone, attacked })) {
    console.log(
      `${when}: ${one.status}, ${one.ms.toFixed(0)} ms, score ${one.run?.run.score}, ${unknown(one)} undetermined`,
    );
  }
  verdict.expect(slow > 0, `the attack holds ${slow} requests to the victim`);
  verdict.expect(
    JSON.stringify(alone.run?.findings) === JSON.stringify(attacked.run?.findings) && alone.run !== null,
    'the findings are the same',
  );
}

await runInScope(async (scope) => {
  const lab = await openLab(scope);
  for (const work of [tryTenants, trySpoiling]) await runInScope((inner) => work(inner, lab));
});
process.exitCode = verdict.exitCode;
