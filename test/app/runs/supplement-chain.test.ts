import { createHash } from 'node:crypto';
import { ChainSweep } from '../../../src/app/runs/chain-sweep.js';
import { History } from '../../../src/app/runs/history.js';
import { formatSupplement } from '../../../src/app/runs/run-chain.js';
import { createRunPerformer, type EndedRun } from '../../../src/app/runs/run-performer.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { type ChainReport, verifyChains } from '../../../src/app/runs/verify-chains.js';
import { newId } from '../../../src/platform/ids.js';
import { Slots } from '../../../src/platform/slots.js';
import { workOff } from '../../../src/queue/steps.js';
import type { Database } from '../../../src/store/database.js';
import { migrateDatabase } from '../../../src/store/migrate.js';
import { MIGRATIONS } from '../../../src/store/migrations/index.js';
import { openDatabase } from '../../../src/store/open-database.js';
import { addAccount, addSite, RELEASE, scanReport, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { dropGuards } from '../../support/drop-guards.js';
import { GAINS, LABEL, NOTES, PAGES } from '../../support/notes.js';
import { runCommand } from '../../support/program.js';
import { connectRaw } from '../../support/raw-connection.js';
import { storeAsBefore } from '../../support/raw-run.js';
import { asOwner } from '../../support/as-owner.js';

/** What stores runs of a site, with notes and gains, and looks at them. */
async function observeSite(db: Database, siteId: string, accountId: string) {
  const clock = new TestClock();
  const ended: EndedRun[] = [];
  const performRun = createRunPerformer({
    ...{ db, clock, slots: new Slots(1), release: RELEASE },
    scan: async () => ({ ...scanReport(), notes: NOTES, gains: GAINS, pages: PAGES }),
    observer: { finished: (run) => ended.push(run), failed: () => undefined, flipped: () => undefined },
  });
  const runs = createRuns({ db, clock, performRun });
  const raw = await connectRaw(db.url);
  return {
    ...{ ended, raw, history: asOwner(db, new History({ db, clock }), 'proof') },
    run: () => runs.start({ accountId, siteId, trigger: 'SCHEDULED', label: LABEL }),
    tamper: async (...statements: string[]) => {
      await dropGuards(db.url);
      for (const sql of statements) await raw.exec(sql);
    },
    verify: async (expected?: string) => {
      for await (const report of verifyChains(db, { siteId, expected })) return report;
      throw new Error('no report');
    },
    sweep: async () => {
      const broken: number[] = [];
      await workOff(new ChainSweep(db, (_, number) => broken.push(number)).begin(), Infinity);
      return broken;
    },
  };
}

async function prepare(db: Database, count: number) {
  const { id: accountId } = await addAccount(db);
  const { id: siteId } = await addSite(db, accountId);
  const site = await observeSite(db, siteId, accountId);
  for (let started = 0; started < count; started += 1) await site.run();
  return { ...site, accountId, siteId };
}

onEachDatabase(async (t, engine) => {
  t.test('what is kept alongside each run is linked to that of the one before by the documented bytes', async (t) => {
    const db = await engine.openDb(t);
    const { raw, ended, siteId, verify } = await prepare(db, 3);
    t.teardown(() => raw.close());
    let before = `first of ${siteId}`;
    for (const { supplementDigest, release, response } of ended) {
      t.equal(release, RELEASE);
      const { number, reference } = response.run;
      const place = `agent-readiness supplement chain 1\nfirst\n${siteId}\n${number}\n${reference}\n${before}\n`;
      const parts = `release ${RELEASE}\nnotes ${JSON.stringify(NOTES)}\ngains ${JSON.stringify(GAINS)}\nlabel ${JSON.stringify(LABEL)}\npages ${JSON.stringify(PAGES)}\n`;
      before = createHash('sha256')
        .update(place + parts)
        .digest('hex');
      t.equal(supplementDigest, before);
    }
    t.match(await verify(before), {
      ...{ supplementHead: before, verdict: 'proven', coveredFrom: 1, hasExpected: true },
      releases: [{ release: RELEASE, first: 1, last: 3, runs: 3 }],
    });
  });

  t.test('what somebody changes alongside a run is found, and named', async (t) => {
    const cases: readonly [what: string, ...sql: string[]][] = [
      ['a changed note', `UPDATE run_notes SET notes = '[]' WHERE number = 2`],
      ['notes that are gone', `DELETE FROM run_notes WHERE number = 2`],
      ['changed gains', `UPDATE run_gains SET gains = '[]' WHERE number = 2`],
      ['another label', `UPDATE run_labels SET label = 'v9' WHERE number = 2`],
      ['a label that is gone', `DELETE FROM run_labels WHERE number = 2`],
      ['other pages', `UPDATE run_pages SET pages = '{}' WHERE number = 2`],
      ['pages that are gone', `DELETE FROM run_pages WHERE number = 2`],
      ['another release', `UPDATE runs SET release = '1.0.0' WHERE number = 2`],
      ['no release', `UPDATE runs SET release = NULL WHERE number = 2`],
      ['a line feed', `UPDATE runs SET release = '1\n2' WHERE number = 2`],
      ['a changed link', `UPDATE supplement_chain SET digest = '${'0'.repeat(64)}' WHERE number = 2`],
      ['a missing link', `DELETE FROM supplement_chain WHERE number = 2`],
      ['a link without a digest', `UPDATE supplement_chain SET digest = NULL WHERE number = 2`],
    ];
    for (const [what, ...sql] of cases) {
      const db = await engine.openDb(t);
      const { raw, run, tamper, verify, ended, history, accountId, siteId } = await prepare(db, 3);
      await tamper(...sql);
      const broken = { verdict: 'broken', firstUnproven: 2, isSupplementBroken: true };
      t.match(await verify(), broken, what);
      t.match(await verify(ended[2]?.digest ?? ''), { hasExpected: true }, 'the runs themselves are as they were');
      t.match(await history.proof({ accountId, siteId }, 2), {
        run: { state: 'proven' },
        supplement: { state: 'broken' },
      });
      await run();
      t.match(await verify(), broken, `${what}, and a run more`);
      await tamper(`UPDATE runs SET release = 'x' WHERE number = 4`);
      await run();
      t.match(ended[4], { supplementDigest: /^[0-9a-f]{64}$/, chainBrokenAt: 4 }, 'the next run sees it');
      await raw.close();
    }
  });

  t.test('runs of before are not covered; those from then on are, whichever version stores them', async (t) => {
    const url = await engine.newUrl(t);
    const at = MIGRATIONS.findIndex(({ name }) => name.endsWith('-supplements'));
    await migrateDatabase(url, MIGRATIONS.slice(0, at));
    const db = await openDatabase(url);
    t.teardown(() => db.close());
    const [accountId, siteId, quiet] = [newId('acc'), newId('site'), newId('site')];
    const { raw, run, verify, sweep, tamper, ended, history } = await observeSite(db, siteId, accountId);
    t.teardown(() => raw.close());
    const created = new TestClock().now().toISOString();
    const account = { id: accountId, email: 'o@example.com', name: 'O', plan: 'SCALE', created_at: created };
    await raw.insert('accounts', account);
    const verified = { account_id: accountId, created_at: created, verified_at: created, verified_by: 'operator' };
    const shop = { id: siteId, origin: 'https://shop.example.com', hostname: 'shop.example.com' };
    const blog = { id: quiet, origin: 'https://blog.example.com', hostname: 'blog.example.com' };
    for (const site of [shop, blog]) await raw.insert('sites', { ...site, ...verified });
    for (const number of [1, 2]) await storeAsBefore(raw, siteId, number);
    await storeAsBefore(raw, quiet, 1);

    t.equal((await migrateDatabase(url))[0], MIGRATIONS[at]?.name);
    await sweep();
    t.match(await verify(), { verdict: 'proven', runs: 2, coveredFrom: null, supplementHead: null });
    t.match(await history.proof({ accountId, siteId }, 2), { supplement: { state: 'uncovered' } });
    const { stdout } = await runCommand(['verify'], { DATABASE_URL: url });
    t.match(stdout, /proven +- +not covered +-\n/);

    await run();
    t.match(await verify(), { verdict: 'proven', coveredFrom: 3, supplementHead: ended[0]?.supplementDigest });
    await storeAsBefore(raw, siteId, 4);
    await storeAsBefore(raw, quiet, 2);
    t.match(await verify(), { verdict: 'unlinked', firstUnproven: 4, coveredFrom: 3 });
    t.same(await sweep(), []);
    t.match(await verify(), {
      ...{ verdict: 'proven', runs: 4, coveredFrom: 3 },
      releases: [
        { release: null, first: 1, last: 4, runs: 3 },
        { release: RELEASE, first: 3, last: 3, runs: 1 },
      ],
    });
    for await (const report of verifyChains(db, { siteId: quiet })) {
      t.match(report, { verdict: 'proven', coveredFrom: 2, supplementHead: /^[0-9a-f]{64}$/ });
    }
    await storeAsBefore(raw, siteId, 5);
    await run();
    t.match(await verify(ended[1]?.supplementDigest ?? ''), { verdict: 'proven', runs: 6, hasExpected: true });
    await t.rejects(
      raw.insert('supplement_chain', { site_id: siteId, number: 6, epoch: 1, digest: null }),
      { message: /never change/ },
      'nobody takes a run out of the chain',
    );
    await tamper(`INSERT INTO run_notes (site_id, number, notes) VALUES ('${siteId}', 4, '[]')`);
    t.match(await verify(), { verdict: 'broken', firstUnproven: 4 } satisfies Partial<ChainReport>);
  });

  t.test('no two supplements are written alike', async (t) => {
    const none = { release: null, notes: null, gains: null, label: null, pages: null };
    const written = [
      none,
      { ...none, release: '' },
      { ...none, release: 'notes []' },
      { ...none, notes: '[]' },
      { ...none, gains: '[]' },
      { ...none, pages: '[]' },
      { ...none, notes: '[]', gains: '[]' },
    ].map((supplement) => formatSupplement(supplement)?.toString());
    t.equal(new Set(written).size, written.length);
    t.equal(formatSupplement({ ...none, release: '1\nnotes []' }), null);
  });
});
