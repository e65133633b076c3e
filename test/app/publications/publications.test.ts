import { createSiteRemoval } from '../../../src/app/data/removal.js';
import {
  BADGE,
  findBadge,
  findReport,
  listPublished,
  type Publication,
  publish,
  withdrawReports,
} from '../../../src/app/publications/publications.js';

import { findOwnSite } from '../../../src/app/sites/site.js';
import type { Database } from '../../../src/store/database.js';
import { scanReport, TestClock } from '../../support/accounts.js';
import { onEitherDatabase, onPostgres } from '../../support/databases.js';
import { connectRaw, untilBlocked } from '../../support/raw-connection.js';
import { openRuns } from '../../support/runs.js';
import { updateRows } from '../../support/tables.js';

const REPORT: Publication = { kind: 'report', number: null };

/** A site, and what it publishes. */
async function prepare(db: Database) {
  const clock = new TestClock();
  let score: number | null = null;
  const { at, start } = await openRuns(db, { clock, scan: async () => scanReport(score) });
  return {
    ...{ at, clock },
    finishRun: async (next: number | null) => {
      score = next;
      await start('MANUAL');
    },
    list: async () => listPublished(db, at.siteId),
    find: (kind: Publication['kind'], token: string) =>
      kind === 'badge' ? findBadge(db, token) : findReport(db, token),
    publish: (what: Publication) => publish({ db, clock }, at, what),
  };
}

onEitherDatabase(async (t, engine) => {
  t.test('a badge and a report show the last run with a score; a report of one run stays with that run', async (t) => {
    const { find, publish, finishRun, list } = await prepare(await engine.openDb(t));
    t.same(await list(), { badge: null, reports: [] });
    const [badge, report] = [await publish(BADGE), await publish(REPORT)];
    t.match(await list(), { badge: { token: badge }, reports: [{ number: null, token: report }] });
    t.same(await find('badge', badge), { score: null, findings: [], answer: null });
    t.same(await find('report', report), { report: null, hostname: 'shop.example.com' });
    t.equal(await find('report', badge), null, 'it is nothing else');
    await finishRun(72);
    const first = await publish({ kind: 'report', number: 1 });
    for (const next of [null, 90]) {
      await finishRun(next);
      t.match(await find('badge', badge), { score: next ?? 72, findings: [{ checkId: 'C-LLMS-01' }] });
      t.match(await find('report', report), { report: { score: next ?? 72 } });
      t.match(await find('report', first), { report: { score: 72 } });
    }
    await t.rejects(publish({ kind: 'report', number: 0 }), { code: 'run_not_found' });
  });

  type Given = Awaited<ReturnType<typeof prepare>>;
  const ends: Readonly<Record<string, (db: Database, given: Given) => Promise<unknown>>> = {
    'the site was removed': async (db, { at, clock }) =>
      createSiteRemoval({ db, clock }).removeOwn(await findOwnSite(db, at)),
    'it is no longer verified': (db, { at }) => updateRows(db, 'sites', { id: at.siteId }, { verified_at: null }),
    'its ownership was lost': async (db, { at }) => {
      await updateRows(db, 'sites', { id: at.siteId }, { verified_at: null });
      await db.transaction((tx) => withdrawReports(tx, at.siteId));
    },
  };
  for (const [name, end] of Object.entries(ends)) {
    t.test(`nothing is shown once ${name}`, async (t) => {
      const db = await engine.openDb(t);
      const given = await prepare(db);
      await given.finishRun(50);
      const [badge, report] = [await given.publish(BADGE), await given.publish(REPORT)];
      const shown = async () => [await given.find('badge', badge), await given.find('report', report)];
      t.notOk((await shown()).includes(null));
      await end(db, given);
      if (name.includes('verified')) await t.rejects(given.publish(BADGE), { code: 'domain_not_verified' });
      t.same(await shown(), [null, null]);
    });
  }
});

onPostgres(async (t, engine) => {
  t.test('a report is not published while the ownership ends', async (t) => {
    const db = await engine.openDb(t);
    const { at, publish, list } = await prepare(db);
    const ending = await connectRaw(db.url);
    t.teardown(() => ending.close());
    await ending.exec(`BEGIN; UPDATE sites SET verified_at = NULL WHERE id = '${at.siteId}'`);
    const published = publish(REPORT);
    await untilBlocked(db.url, published);
    await ending.exec('DELETE FROM publications; COMMIT');
    await t.rejects(published, { code: 'domain_not_verified' });
    t.same(await list(), { badge: null, reports: [] });
  });
});
