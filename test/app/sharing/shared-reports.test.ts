import { createPreviewAtFinish, dropSharedReports, SharedReports } from '../../../src/app/sharing/shared-reports.js';
import { ReportPreviewHandler } from '../../../src/app/sharing/preview-handlers.js';
import { findOwnSite } from '../../../src/app/sites/own-site.js';
import type { SharedReport } from '../../../src/app/sharing/shared-report.js';
import type { Database } from '../../../src/store/database.js';
import { asOwner } from '../../support/as-owner.js';
import { onEachDatabase } from '../../support/databases.js';
import { defineQuery } from '../../../src/store/query.js';
import { jobsOf, TestWorker } from '../../support/queue.js';
import { siteRemoval } from '../../support/removal.js';
import { addScoredSite } from '../../support/scored-site.js';

/** A site, the service of its public reports, and the worker that draws them. */
async function prepare(db: Database) {
  const site = await addScoredSite(db, (clock) => ({ atFinish: createPreviewAtFinish({ clock }) }));
  const { clock } = site;
  const drawn: SharedReport[] = [];
  const painter = { isBroken: false, meanwhile: () => Promise.resolve() };
  const draw = async (report: SharedReport) => {
    if (painter.isBroken) throw new Error('no paint');
    await painter.meanwhile();
    drawn.push(report);
    return Buffer.from(`picture of ${report.score}`);
  };
  const failures: unknown[] = [];
  const onFailure = (cause: unknown) => void failures.push(cause);
  const handlers = { REPORT_PREVIEW: new ReportPreviewHandler({ db, clock, draw, onFailure }) };
  return {
    ...{ ...site, drawn, painter, failures },
    reports: asOwner(db, new SharedReports({ db, clock }), 'listOf'),
    worker: new TestWorker([{ name: 'previews', concurrency: 1, handlers }], { db, clock }),
  };
}

/** As a version does that keeps no reports. */
const loseVerification = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('sites').where({ id }).update({ verified_at: null }),
);

const textOf = (bytes: Uint8Array | undefined) => (bytes ? Buffer.from(bytes).toString() : null);

onEachDatabase(async (t, engine) => {
  t.test('a report is off at first, can be published, given a new address, and turned off', async (t) => {
    const { reports, at, finishRun } = await prepare(await engine.openDb(t));
    const latest = { ...at, number: null };
    t.same(await reports.listOf(at), []);
    const first = await reports.turnOn(latest);
    t.match(await reports.find(first), { report: null, hostname: 'shop.example.com', pictureTag: null });
    await finishRun(72);
    t.match(await reports.find(first), { report: { score: 72, findings: [{ checkId: 'C-LLMS-01' }] } });
    await finishRun(null);
    t.match(await reports.find(first), { report: { score: 72 } }, 'a run without a score says nothing of the site');
    const second = await reports.turnOn(latest);
    t.match(await reports.listOf(at), [{ number: null, token: second }]);
    t.equal(await reports.find(first), null, 'the address before stops working');
    await reports.turnOff(latest);
    await reports.turnOff(latest);
    for (const token of [second, 'A'.repeat(43), '', 'x']) t.equal(await reports.find(token), null);
  });

  t.test('a report of one run stays with that run', async (t) => {
    const { reports, at, finishRun, worker } = await prepare(await engine.openDb(t));
    await finishRun(40);
    const token = await reports.turnOn({ ...at, number: 1 });
    await worker.performAll();
    await finishRun(90);
    await worker.performAll();
    t.match(await reports.find(token), { report: { score: 40 } });
    t.equal(textOf((await reports.picture(token))?.png), 'picture of 40');
    for (const number of [0, 3]) {
      await t.rejects(reports.turnOn({ ...at, number }), { code: 'run_not_found' }, String(number));
    }
  });

  t.test('its preview is drawn when it is published, and again after each run', async (t) => {
    const db = await engine.openDb(t);
    const { reports, at, finishRun, worker, drawn } = await prepare(db);
    await finishRun(50);
    t.same(await jobsOf(db, 'previews'), [], 'nobody asked for one');
    const token = await reports.turnOn({ ...at, number: null });
    t.equal(await reports.picture(token), null, 'not on a visitor’s request');
    await worker.performAll();
    const first = await reports.picture(token);
    t.equal(textOf(first?.png), 'picture of 50');
    t.equal((await reports.find(token))?.pictureTag, first?.etag);
    await finishRun(60);
    await worker.performAll();
    t.equal(textOf((await reports.picture(token))?.png), 'picture of 60');
    t.same(
      drawn.map(({ score }) => score),
      [50, 60],
    );
  });

  t.test('a run that ends while the preview is drawn is drawn next', async (t) => {
    const { reports, at, finishRun, worker, painter } = await prepare(await engine.openDb(t));
    await finishRun(50);
    const token = await reports.turnOn({ ...at, number: null });
    painter.meanwhile = () => {
      painter.meanwhile = () => Promise.resolve();
      return finishRun(80);
    };
    await worker.performAll();
    t.equal(textOf((await reports.picture(token))?.png), 'picture of 80');
  });

  t.test('a preview that cannot be drawn is tried three times, and the report goes without', async (t) => {
    const db = await engine.openDb(t);
    const { reports, at, clock, finishRun, worker, painter, failures } = await prepare(db);
    await finishRun(50);
    const token = await reports.turnOn({ ...at, number: null });
    painter.isBroken = true;
    for (let minute = 0; minute < 5; minute += 1) {
      await worker.performAll();
      clock.time = new Date(clock.time.getTime() + 60_000);
    }
    t.equal(failures.length, 3);
    t.same(await jobsOf(db, 'previews'), []);
    t.match(await reports.find(token), { report: { score: 50 }, pictureTag: null });
  });

  const ends: Readonly<Record<string, (db: Database, given: Awaited<ReturnType<typeof prepare>>) => Promise<unknown>>> =
    {
      'the site was removed': async (db, { at, clock }) =>
        siteRemoval({ db, clock }).removeOwn(await findOwnSite(db, at)),
      'its ownership was lost': (db, { at }) => db.transaction(() => dropSharedReports(at.siteId)),
      'a version lost it that keeps no reports': (db, { at }) => db.run(loseVerification({ id: at.siteId })),
      'it was turned off': (_, { at, reports }) => reports.turnOff({ ...at, number: null }),
    };
  for (const [name, end] of Object.entries(ends)) {
    t.test(`nothing is left of a report once ${name}`, async (t) => {
      const db = await engine.openDb(t);
      const given = await prepare(db);
      const { reports, at, finishRun, worker } = given;
      await finishRun(50);
      const token = await reports.turnOn({ ...at, number: null });
      await worker.performAll();
      await end(db, given);
      t.equal(await reports.find(token), null);
      t.equal(await reports.picture(token), null);
      await worker.performAll();
    });
  }

  t.test('only its owner publishes a site, once it is verified', async (t) => {
    const db = await engine.openDb(t);
    const { reports, at } = await prepare(db);
    const foreign = { ...at, accountId: 'acc_aaaaaaaaaaaaaaaaaaaa', number: null };
    await t.rejects(reports.turnOn(foreign), { code: 'site_not_found' });
    await t.rejects(reports.turnOff(foreign), { code: 'site_not_found' });
    await db.run(loseVerification({ id: at.siteId }));
    await t.rejects(reports.turnOn({ ...at, number: null }), { code: 'domain_not_verified' });
    t.same(await reports.listOf(at), []);
  });
});
