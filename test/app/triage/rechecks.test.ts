import { createSiteRemoval } from '../../../src/app/data/removal.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import { OutOfSlots } from '../../../src/scanner/artifacts/resource.js';
import type { Database } from '../../../src/store/database.js';
import { addSite, scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { finding } from '../../support/reports.js';
import { finishRun, openRuns } from '../../support/runs.js';
import { HeldScan } from '../../support/held-scan.js';
import { findOwnSite, type SiteOfAccount } from '../../../src/app/sites/site.js';
import { createRechecks } from '../../support/queue.js';
import { rowsOf } from '../../support/tables.js';

const FAILS = finding({ checkId: 'a', result: 'FAIL' });
const OPEN = finding({ checkId: 'b', result: 'UNDETERMINED' });
const FOUND = [FAILS, OPEN, finding({ checkId: 'c', result: 'PASS' })];
const FIXED = finding({ checkId: 'a', result: 'PASS' });

/** Creates a site with a run; its rechecks find what `find` was given last. */
async function prepare(db: Database, given: { scan?: Scanner; slots?: Slots } = {}) {
  const { clock, at } = await openRuns(db);
  await finishRun({ db, clock }, at, FOUND);
  let scans = 0;
  const failures: unknown[] = [];
  let found: readonly Finding[] | Error = [FIXED];
  const scan: Scanner = async () => {
    scans += 1;
    if (found instanceof Error) throw found;
    return { ...scanReport(null), findings: found };
  };
  const onFailure = (error: unknown) => failures.push(error);
  const rechecks = createRechecks({ db, clock, onFailure, scan, ...given });
  const { settle, performDue } = rechecks;
  const startAt = async (asked: SiteOfAccount, checkId: string) =>
    rechecks.start(await findOwnSite(db, asked), checkId);
  const start = (checkId = 'a') => startAt(at, checkId);
  return {
    ...{ db, clock, at, startAt, failures, start, countScans: () => scans },
    find: (next: readonly Finding[] | Error) => (found = next),
    /** Starts the recheck and waits for its end. */
    make: async (checkId?: string) => {
      await start(checkId);
      await settle();
    },
    settle,
    performDue,
    later: (ms: number) => (clock.time = new Date(clock.time.getTime() + ms)),
    list: async () => rechecks.list(await findOwnSite(db, at)),
  };
}

onEitherDatabase(async (t, engine) => {
  t.test('concurrent requests for the same check share one recheck', async (t) => {
    const held = new HeldScan();
    const { start, list, settle, db, later } = await prepare(await engine.openDb(t), { scan: held.scan });
    await Promise.allSettled(Array.from({ length: 8 }, () => start()));
    await held.begun(1);
    t.match(await list(), [{ checkId: 'a', finishedAt: null, result: null }]);
    later(60_000);
    await start();
    t.equal(held.started.length, 1);
    t.match(await rowsOf(db, 'rate_windows'), [{ scope: 'rechecks', used: 1 }]);
    held.last.finish({ ...scanReport(), findings: [FIXED] });
    await settle();
    t.match(await list(), [{ result: 'PASS' }]);
  });

  t.test('a site has 60 rechecks a day, even after it was removed and added again', async (t) => {
    const prepared = await prepare(await engine.openDb(t));
    const { make, start, clock, db, at } = prepared;
    clock.set('2026-03-16T00:00:00.000Z');
    for (let count = 0; count < 60; count += 1) await make();
    const message = /^You rechecked this site 60 times today\. /;
    await t.rejects(start(), { name: 'RateLimitError', retryAfterS: 24 * 3600, message });
    const removal = createSiteRemoval({ db, clock });
    await removal.removeOwn(await findOwnSite(db, at));
    const again = { ...at, siteId: (await addSite(db, at.accountId)).id };
    await finishRun({ db, clock }, again, FOUND);
    await t.rejects(prepared.startAt(again, 'a'), { name: 'RateLimitError', message });
    clock.set('2026-03-17T00:00:00.000Z');
    await t.resolves(prepared.startAt(again, 'a'));
    await prepared.settle();
  });

  t.test('a recheck is refunded after an internal error, or if the scan ran out of budget', async (t) => {
    const { make, list, find, db } = await prepare(await engine.openDb(t));
    find(new ServiceError('overloaded', { cause: new OutOfSlots() }));
    await make();
    t.match(await rowsOf(db, 'rate_windows'), [{ scope: 'rechecks', used: 0 }]);
    find([]);
    await make();
    t.match(await list(), [{ result: null }]);
  });

  t.test('a recheck waits for a slot for up to two minutes, then ends and is refunded', async (t) => {
    const slots = new Slots(1, { waitingMax: 0 });
    const free = slots.tryAcquire('a run');
    const { make, performDue, list, later, db, countScans, failures } = await prepare(await engine.openDb(t), {
      slots,
    });
    await make();
    for (let waitedS = 5; waitedS < 120; waitedS += 5) {
      later(5000);
      t.equal(await performDue(), 1);
    }
    t.match(await list(), [{ checkId: 'a', finishedAt: null }]);
    free?.();
    later(4999);
    t.equal(await performDue(), 0);
    later(1);
    await performDue();
    t.match(await list(), [{ finishedAt: /^2026/, result: 'PASS' }]);
    t.equal(countScans(), 1);
    t.same(failures, []);
    t.match(await rowsOf(db, 'rate_windows'), [{ scope: 'rechecks', used: 1 }]);

    await slots.close();
    await make('b');
    t.match(await list(), [{ checkId: 'a' }, { checkId: 'b', finishedAt: null }], 'while the process stops');
    later(120_000);
    await performDue();
    t.match(await list(), [{ checkId: 'a' }, { checkId: 'b', finishedAt: /^2026/, result: null }]);
    t.match(failures, [{ code: 'overloaded' }]);
    t.match(await rowsOf(db, 'rate_windows'), [{ scope: 'rechecks', used: 1 }]);
  });
});
