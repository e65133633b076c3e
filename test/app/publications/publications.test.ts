import {
  BADGE,
  findBadge,
  findReport,
  listPublished,
  type Publication,
  publish,
  withdraw,
  withdrawReports,
} from '../../../src/app/publications/publications.js';
import { excludeHost } from '../../../src/app/sites/excluded-hosts.js';
import { findOwnSite } from '../../../src/app/sites/site.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { onEitherDatabase, onPostgres } from '../../support/databases.js';
import { untilBlocked } from '../../support/lock-waits.js';
import { connectRaw } from '../../support/raw-connection.js';
import { siteRemoval } from '../../support/removal.js';
import { addScoredSite } from '../../support/scored-site.js';

const REPORT: Publication = { kind: 'report', number: null };

/** A site, and what it publishes. */
async function prepare(db: Database) {
  const site = await addScoredSite(db);
  const { at, clock } = site;
  return {
    ...site,
    list: async () => listPublished(db, at.siteId),
    report: (token: string) => findReport(db, token),
    find: (kind: Publication['kind'], token: string) =>
      kind === 'badge' ? findBadge(db, token) : findReport(db, token),
    publish: (what: Publication, by = at) => publish({ db, clock }, by, what),
    withdraw: (what: Publication, by = at) => withdraw({ db, clock }, by, what),
  };
}

/** What a site loses its verification by, if nothing else is done. */
const loseVerification = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('sites').where({ id }).update({ verified_at: null }),
);

onEitherDatabase(async (t, engine) => {
  for (const what of [BADGE, REPORT]) {
    const { kind } = what;
    t.test(`a ${kind} is off at first, and can be published, given a new address, and turned off`, async (t) => {
      const { list, find, publish, withdraw, finishRun } = await prepare(await engine.openDb(t));
      t.same(await list(), { badge: null, reports: [] });
      const [none, shown] =
        kind === 'badge'
          ? [
              { score: null, findings: [], answer: null },
              { score: 72, findings: [{ checkId: 'C-LLMS-01' }] },
            ]
          : [{ report: null, hostname: 'shop.example.com' }, { report: { score: 72 } }];
      const first = await publish(what);
      t.match(
        await list(),
        kind === 'badge' ? { badge: { token: first } } : { reports: [{ number: null, token: first }] },
      );
      t.match(await find(kind, first), none, 'no run yet');
      await finishRun(72);
      t.match(await find(kind, first), shown);
      await finishRun(null);
      t.match(await find(kind, first), shown, 'a run without a score says nothing of the site');
      const second = await publish(what);
      t.equal(await find(kind, first), null, 'the address before stops working');
      t.equal(await find(kind === 'badge' ? 'report' : 'badge', second), null, 'it is nothing else');
      await withdraw(what);
      await withdraw(what);
      for (const token of [second, 'A'.repeat(43), '', 'x']) t.equal(await find(kind, token), null);
    });
  }

  t.test('a report of one run stays with that run', async (t) => {
    const { report, publish, finishRun } = await prepare(await engine.openDb(t));
    await finishRun(40);
    const token = await publish({ kind: 'report', number: 1 });
    await finishRun(90);
    t.match(await report(token), { report: { score: 40 } });
    for (const number of [0, 3]) {
      await t.rejects(publish({ kind: 'report', number }), { code: 'run_not_found' }, String(number));
    }
  });

  type Given = Awaited<ReturnType<typeof prepare>>;
  const ends: Readonly<Record<string, (db: Database, given: Given) => Promise<unknown>>> = {
    'the site was removed': async (db, { at, clock }) =>
      siteRemoval({ db, clock }).removeOwn(await findOwnSite(db, at)),
    'its host was excluded': async (db, { at, clock }) =>
      excludeHost({ db, clock }, (await findOwnSite(db, at)).hostname),
    'it is no longer verified': (db, { at }) => db.run(loseVerification({ id: at.siteId })),
    'its ownership was lost': (db, { at }) =>
      db.transaction(async (tx) => {
        await tx.run(loseVerification({ id: at.siteId }));
        await withdrawReports(tx, at.siteId);
      }),
  };
  for (const [name, end] of Object.entries(ends)) {
    t.test(`nothing is shown once ${name}`, async (t) => {
      const db = await engine.openDb(t);
      const given = await prepare(db);
      await given.finishRun(50);
      const tokens = [await given.publish(BADGE), await given.publish(REPORT)] as const;
      for (const [index, kind] of (['badge', 'report'] as const).entries())
        t.ok(await given.find(kind, tokens[index]!));
      await end(db, given);
      for (const [index, kind] of (['badge', 'report'] as const).entries())
        t.equal(await given.find(kind, tokens[index]!), null, kind);
    });
  }

  t.test('only its owner publishes a site, once it is verified', async (t) => {
    const db = await engine.openDb(t);
    const { at, list, publish, withdraw } = await prepare(db);
    const foreign = { ...at, accountId: 'acc_aaaaaaaaaaaaaaaaaaaa' };
    for (const what of [BADGE, REPORT]) {
      await t.rejects(publish(what, foreign), { code: 'site_not_found' });
      await t.rejects(withdraw(what, foreign), { code: 'site_not_found' });
    }
    await db.run(loseVerification({ id: at.siteId }));
    for (const what of [BADGE, REPORT]) await t.rejects(publish(what), { code: 'domain_not_verified' });
    t.same(await list(), { badge: null, reports: [] });
  });
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
