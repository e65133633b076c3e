import { FETCH_FAILURES } from '../../../src/net/failure.js';
import { REFUSED_TARGET } from '../../../src/net/url-gate.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { OutOfSlots } from '../../../src/scanner/artifacts/resource.js';
import type { ScanProgress } from '../../../src/scanner/report/progress.js';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import { AddressPace, ANONYMOUS_PACE } from '../../../src/scanner/client/limiter.js';
import { ABANDONED_MS } from '../../../src/app/free-scan/free-scan-store.js';
import type { FreeScansContext } from '../../../src/app/free-scan/free-scans.js';
import { Slots } from '../../../src/platform/slots.js';
import { type Database, NotConnected } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { scanReport, TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEitherDatabase } from '../../support/databases.js';
import { HeldScan } from '../../support/held-scan.js';
import { HeldTimers, until } from '../../support/held-timers.js';
import { rowsOf } from '../../support/tables.js';
import type { Context } from '../../../src/app/context.js';
import { openServices } from '../../support/services.js';
import { finding } from '../../support/reports.js';

const HOME = '192.0.2.7';
const HOUR_MS = 3_600_000;

function prepare(db: Database, given: Partial<Context> & Pick<FreeScansContext, 'pace'> = {}) {
  const clock = new TestClock();
  const held = new HeldScan();
  /** The sites of all scans that began. */
  const scanned: string[] = [];
  const scanFree: Scanner = (target, onProgress) => {
    scanned.push(target.origin.hostname);
    return held.scan(target, onProgress);
  };
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const timers = new HeldTimers();
  const context = {
    ...{ clock, slots: new Slots(40), scanConcurrency: 40, scanFree, onFailure },
    startTimer: timers.start,
  };
  /** Ends the running scans now. */
  const endAll = (score: number | null = 75) => {
    const [startedAt, finishedAt] = [clock.now(), clock.now()];
    for (const scan of held.started.splice(0)) scan.finish({ ...scanReport(score), startedAt, finishedAt });
  };
  const { freeScans } = openServices(db, { ...context, ...given });
  const start = (site = 'example.com', clientAddress = HOME) => freeScans.start({ site, clientAddress });
  /** Starts a scan, and waits until it runs. */
  const begin = async (site?: string, clientAddress?: string) => {
    const ticket = await start(site, clientAddress);
    await until(() => !ticket.isFresh || held.started.length > 0);
    return ticket;
  };
  /** Starts a scan that ends at once. */
  const scanNow = async (site?: string, clientAddress?: string) => {
    const { done } = await begin(site, clientAddress);
    endAll();
    return done;
  };
  const later = (ms: number) => (clock.time = new Date(clock.time.getTime() + ms));
  return { db, freeScans, clock, held, scanned, endAll, failures, timers, start, begin, scanNow, later };
}

const used = defineQuery<{ scope: string; used: number }>((sql) =>
  sql('rate_windows').select('scope').sum({ used: 'used' }).groupBy('scope'),
);
/** Returns the used units of each limit. */
async function spent(db: Database): Promise<Record<string, number>> {
  const rows = await db.run(used({}));
  return Object.fromEntries(rows.filter((row) => row.used > 0).map((row) => [row.scope, row.used]));
}
/** What a scan says if the name of the site does not exist. */
const UNKNOWN = finding({
  checkId: 'C-LLMS-01',
  result: 'UNDETERMINED',
  detail: `The home page cannot be read: ${FETCH_FAILURES.name_not_found}.`,
});

/** Units of one scan with the requests of `scanReport`. */
const ONE_SCAN = {
  ...{ 'free-scan': 1, 'free-scan-network': 1, 'host-scans': 1, 'host-scans-network': 1 },
  ...{ 'anonymous-requests': 30, 'anonymous-requests-network': 30 },
};

onEitherDatabase(async (t, engine) => {
  t.test('a refused target is described by its name only, and counts unless it is an address', async (t) => {
    const { db, start } = prepare(await engine.openDb(t), { vetSite: async () => false });
    for (const [site, message] of [
      ['localhost', /public/],
      ['http://10.0.0.1', REFUSED_TARGET],
      ['https://intranet.example.com', REFUSED_TARGET],
    ] as const) {
      await t.rejects(start(site), { name: 'InputError', message }, site);
    }
    t.same(await spent(db), { 'free-scan': 2 });
    t.same(await rowsOf(db, 'free_scans'), []);
  });

  t.test('a name that does not exist costs no free scan, but is limited', async (t) => {
    const { db, start, freeScans } = prepare(await engine.openDb(t), {
      scanFree: async () => ({ ...scanReport(null), siteRequestCount: 0, findings: [UNKNOWN] }),
    });
    for (const site of ['exmaple.com', 'exampel.com']) await (await start(site)).done;
    await freeScans.verify({ site: 'exmple.com', checkIds: [UNKNOWN.checkId], clientAddress: HOME });
    t.same(await spent(db), { 'unknown-hosts': 3, 'unknown-hosts-network': 3 });
    for (let count = 4; count <= 30; count += 1) await (await start(`exmaple${count}.com`)).done;
    await t.rejects(start('exmaple.net'), { name: 'RateLimitError', message: / 30 names that do not exist/ });
  });

  t.test('a result is shared for a minute, and for an hour with callers over a limit', async (t) => {
    const { db, start, scanNow, later, held, scanned, endAll, freeScans } = prepare(await engine.openDb(t));
    const first = await scanNow();
    later(59_999);
    for (const site of ['example.com', 'http://example.com/other']) {
      const ticket = await start(site, '192.0.2.99');
      t.equal(ticket.isFresh, false);
      t.same(await ticket.done, first);
    }
    t.same(await spent(db), ONE_SCAN);
    later(1);
    const cached = () => freeScans.start({ site: 'example.com', clientAddress: HOME, acceptsCached: true });
    t.same(await (await cached()).done, first);
    for (let count = 2; count <= 10; count += 1) {
      t.not((await scanNow('example.com', count % 2 ? HOME : '192.0.2.8')).finishedAt, first.finishedAt);
      t.equal(scanned.length, count);
      later(60_000);
    }
    t.equal((await start('example.com', '192.0.2.8')).isFresh, false, 'the limit of the host');
    t.equal(scanned.length, 10);
    const message = /^example\.com .* 10 .* 50 minutes/;
    const check = { site: 'example.com', checkIds: ['C-LLMS-01'], clientAddress: '192.0.2.8' };
    await t.rejects(freeScans.verify(check), { name: 'RateLimitError', retryAfterS: 3000, message });
    later(HOUR_MS - 60_001);
    t.equal((await cached()).isFresh, false);
    later(1);
    const again = await cached();
    t.equal(again.isFresh, true, 'an hour after the last scan');
    await held.begun(1);
    endAll();
    await again.done;
  });

  t.test('30 concurrent callers share one scan and its progress, and one is charged', async (t) => {
    const { db, held, scanned, endAll, freeScans } = prepare(await engine.openDb(t));
    const heard: number[] = [];
    const tickets = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        freeScans.start({
          site: 'example.com',
          clientAddress: `192.0.2.${index}`,
          ...(index % 20 === 0 && { onProgress: ({ done }: ScanProgress) => void heard.push(done) }),
        }),
      ),
    );
    t.ok(tickets.every(({ isFresh }) => isFresh));
    await held.begun(1);
    held.last.progress(1);
    held.last.progress(2);
    t.same(heard, [1, 1, 2, 2], 'two callers follow the scan');
    t.match(await freeScans.find('example.com'), {
      state: 'running',
      progress: { done: 2, total: 20, requestCount: 4 },
    });
    endAll();
    const results = new Set(await Promise.all(tickets.map(({ done }) => done)));
    t.equal(results.size, 1);
    t.equal(scanned.length, 1);
    t.same(await spent(db), ONE_SCAN);
  });

  t.test('free scans use at most a quarter of the slots, but at least one', async (t) => {
    for (const [scanConcurrency, expected] of [
      [8, 2],
      [1, 1],
    ] as const) {
      const { start, held, endAll, timers } = prepare(await engine.openDb(t), { scanConcurrency });
      const tickets = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => start(`${name}.example.com`)));
      const refusals: unknown[] = [];
      for (const { done } of tickets) done.catch((error: unknown) => refusals.push(error));
      // As many more wait; the rest are refused at once.
      await until(() => refusals.length === tickets.length - expected * 2 && held.started.length === expected);
      timers.fire();
      await until(() => refusals.length === tickets.length - expected);
      for (const refusal of refusals) t.match(refusal, { code: 'overloaded' });
      endAll();
      const settled = await Promise.allSettled(tickets.map(({ done }) => done));
      t.equal(settled.filter(({ status }) => status === 'fulfilled').length, expected);
    }
  });

  t.test('a scan that fails costs only the requests it sent, is logged, and can start again', async (t) => {
    const fault = new Error('a fault of ours');
    const outOfSlots = new ServiceError('overloaded', { cause: new OutOfSlots(12) });
    const sent = { 'anonymous-requests': 12, 'anonymous-requests-network': 12 };
    for (const [cause, code, cost] of [
      [fault, 'internal_error', {}] as const,
      [outOfSlots, 'overloaded', sent] as const,
    ]) {
      const { db, begin, held, freeScans, failures, scanNow, later } = prepare(await engine.openDb(t));
      const ticket = await begin();
      held.started.pop()?.fail(cause);
      await t.rejects(ticket.done, { code });
      t.same(failures, [cause]);
      t.match(await freeScans.find('example.com'), { state: 'failed', message: /not counted/ });
      t.same(await spent(db), cost);
      later(60_000);
      t.equal(await freeScans.find('example.com'), null);
      t.equal((await scanNow()).score, 75);
      t.match(await freeScans.find('example.com'), { state: 'done' });
    }
  });

  t.test('scans at a delayed address leave slots to others, and all have their turn', async (t) => {
    const shared = '203.0.113.9';
    const pace = new AddressPace();
    const { start, scanned, endAll, freeScans } = prepare(await engine.openDb(t), {
      ...{ scanConcurrency: 20, pace },
      // A site may be served from its second address.
      addressesOf: async ({ hostname }) => (hostname.startsWith('slow') ? ['2001:db8::1', shared] : [hostname]),
    });
    for (let taken = 0; taken < ANONYMOUS_PACE.burst; taken += 1) pace.reserve(shared);
    const slow = await Promise.all(
      Array.from({ length: 12 }, (_, index) => start(`slow${index}.site-${index}.com`, `192.0.${index}.7`)),
    );
    await until(() => scanned.length === 2);
    const other = await start('example.com');
    await until(() => scanned.length === 3);
    t.equal(scanned[2], 'example.com');
    for (let begun = 3; begun < 13; begun += 2) {
      endAll();
      await until(() => scanned.length === begun + 2);
    }
    endAll();
    for (const { done } of [...slow, other]) t.match(await done, { score: 75 });
    await freeScans.close();
  });

  t.test('one network has one slot for trials, so that others have the next', async (t) => {
    const tried: string[] = [];
    const { freeScans } = prepare(await engine.openDb(t), {
      tryFile: ({ origin }) => (tried.push(origin.hostname), new Promise<never>(() => undefined)),
    });
    const file = { path: '/llms.txt', type: 'text/plain', body: Buffer.from('# A') };
    const tryFile = (site: string, clientAddress: string) => freeScans.tryFile({ site, clientAddress, file });
    void tryFile('a.example', HOME);
    await until(() => tried.length > 0);
    const waiting = tryFile('b.example', HOME);
    void tryFile('other.example', '198.51.100.1');
    await until(() => tried.length > 1);
    t.same(tried, ['a.example', 'other.example']);
    void freeScans.close();
    await t.rejects(waiting, { code: 'overloaded' }, 'shutdown refuses waiting trials');
  });

  t.test('if the database fails during a scan, the caller gets an error and a refund', async (t) => {
    const db = await engine.openDb(t);
    let isDown = false;
    const failing = failWhen(db, () => isDown, new ServiceError('overloaded', { cause: new NotConnected() }));
    const { start, begin, endAll, timers, freeScans } = prepare(failing);
    const ticket = await begin();
    isDown = true;
    endAll();
    await t.rejects(ticket.done, { code: 'overloaded' });
    await t.rejects(start(), { code: 'overloaded' });
    isDown = false;
    await timers.settle();
    t.same(await spent(db), {});
    t.match(await freeScans.find('example.com'), { state: 'failed' });
  });

  t.test('a failed vetting is not counted', async (t) => {
    const db = await engine.openDb(t);
    const { start } = prepare(db, { vetSite: () => Promise.reject(new Error('a fault of ours')) });
    await t.rejects(start(), { message: 'a fault of ours' });
    t.same(await spent(db), {});
  });

  t.test('another process says that a host is being scanned, and shares the result', async (t) => {
    const db = await engine.openDb(t);
    const [one, two] = [prepare(db), prepare(db)];
    const ticket = await one.start();
    await one.held.begun(1);
    t.match(await two.freeScans.find('example.com'), { state: 'running', progress: { total: 0 } });
    one.endAll();
    const scan = await ticket.done;
    t.same(await (await two.start()).done, scan);
    t.same(two.scanned, []);
    t.equal((await spent(db))['free-scan'], 1);
  });

  t.test('a process that loses the start to another leaves its scan alone', async (t) => {
    const db = await engine.openDb(t);
    const other = prepare(db);
    // The other process starts after this one has read the database.
    const late = prepare(db, { vetSite: async () => other.scanned.length > 0 || (await other.start()) !== null });
    const ticket = await late.start('example.com', '192.0.2.8');
    await other.held.begun(1);
    await t.rejects(ticket.done, { code: 'overloaded' });
    t.same(late.scanned, []);
    other.endAll(60);
    t.equal((await (await other.start()).done).score, 60);
    t.same(await spent(db), ONE_SCAN);
  });

  t.test('the scan of a killed process is no longer shown once it must have ended', async (t) => {
    const db = await engine.openDb(t);
    await prepare(db).start();
    const { later, freeScans, scanNow } = prepare(db);
    t.match(await freeScans.find('example.com'), { state: 'running' });
    later(ABANDONED_MS);
    t.equal(await freeScans.find('example.com'), null);
    t.equal((await scanNow()).score, 75);
  });

  t.test('shutdown waits for running scans and accepts no new ones', async (t) => {
    const { start, begin, endAll, freeScans } = prepare(await engine.openDb(t));
    const ticket = await begin();
    let isSettled = false;
    const settled = freeScans.close().then(() => (isSettled = true));
    await t.rejects((await start('late.example.com')).done, { code: 'overloaded' });
    t.notOk(isSettled);
    endAll();
    await t.resolves(ticket.done);
    await settled;
  });
});
