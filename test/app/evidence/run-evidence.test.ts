import { siteRemoval } from '../../support/removal.js';
import { evidenceOfRun } from '../../../src/app/evidence/evidence.js';
import { cleanUp } from '../../../src/app/cleanups.js';
import { createRechecks } from '../../support/rechecks.js';
import type { StoredEvidence } from '../../../src/scanner/trace/stored-evidence.js';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { evidenceFor } from '../../support/evidence.js';
import { finding } from '../../support/findings.js';
import { openRuns } from '../../support/run-scene.js';
import { rowsOf } from '../../support/tables.js';
import { findOwnSite } from '../../../src/app/sites/site.js';

const FAILED = finding({ checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED' });

const loseOwnership = defineQuery<never, { id: string }>((sql, { id }) =>
  sql('sites').where({ id }).update({ verified_at: null }),
);

async function prepare(db: Database) {
  let kept: StoredEvidence | null = evidenceFor('C-BOT-01');
  let whileScanning = async (): Promise<void> => undefined;
  const scan: Scanner = async () => {
    await whileScanning();
    return { ...scanReport(), findings: [FAILED], evidence: kept };
  };
  const { clock, site, at: asked, performRun } = await openRuns(db, { scan });
  const rechecks = createRechecks({ db, clock, scan });
  return {
    ...{ clock, site, asked },
    find: async (number = 1) => evidenceOfRun(db, await findOwnSite(db, asked), number),
    run: () => performRun({ site, trigger: 'SCHEDULED' }),
    async recheck() {
      await rechecks.start(await findOwnSite(db, asked), 'C-BOT-01');
      await rechecks.settle();
    },
    leave: (next: StoredEvidence | null) => void (kept = next),
    meanwhile: (action: () => Promise<void>) => void (whileScanning = action),
    rows: () => rowsOf(db, 'run_evidence'),
    cleanUp: (days: number) => cleanUp(db, clock.now(), days),
  };
}

onEitherDatabase(async (t, { openDb }) => {
  t.test('only the owner of a site can read the evidence of a run', async (t) => {
    const { run, find, rows } = await prepare(await openDb(t));
    await run();
    const { ofRun, ofRechecks } = await find();
    t.same([...ofRun.keys()], ['C-BOT-01']);
    t.match(ofRun.get('C-BOT-01'), { exchanges: { length: 4 }, omittedCount: 2 });
    t.match(ofRun.get('C-BOT-01')?.exchanges[0], { exchange: { durationMs: 41 }, excerpt: { marked: [6] } });
    t.equal(ofRechecks.size, 0);
    t.notMatch(JSON.stringify(await rows()), 'words of the site', 'compressed');
    t.equal((await find(2)).ofRun.size, 0);
  });

  t.test('a run without failures stores no evidence', async (t) => {
    const { run, leave, rows } = await prepare(await openDb(t));
    leave({ exchanges: [], findings: [] });
    await run();
    leave(null);
    await run();
    t.same(await rows(), []);
  });

  t.test('a recheck has its own evidence until the next one', async (t) => {
    const { run, recheck, find, leave, clock } = await prepare(await openDb(t));
    await run();
    leave(evidenceFor('C-BOT-01', 'as it is now'));
    await recheck();
    const { ofRun, ofRechecks } = await find();
    t.match(ofRun.get('C-BOT-01')?.exchanges[0], { excerpt: { text: /words of the site/ } });
    t.match(ofRechecks.get('C-BOT-01')?.exchanges[0], { excerpt: { text: 'as it is now' } });
    clock.time = new Date(clock.time.getTime() + 60_000);
    leave(null);
    await recheck();
    t.equal((await find()).ofRechecks.size, 0, 'it passed');
    t.equal((await find()).ofRun.size, 1);
  });

  t.test('evidence is deleted when it expires, and with the site', async (t) => {
    const db = await openDb(t);
    const { run, rows, clock, cleanUp, asked } = await prepare(db);
    await run();
    clock.time = new Date(clock.time.getTime() + 89 * 86_400_000);
    await run();
    await cleanUp(90);
    t.equal((await rows()).length, 2);
    clock.time = new Date(clock.time.getTime() + 86_400_000);
    await cleanUp(90);
    t.match(await rows(), [{ number: 2 }]);
    await cleanUp(0);
    t.same(await rows(), [], 'none is kept where none is to be');
    await run();
    await siteRemoval({ db, clock }).removeOwn(await findOwnSite(db, asked));
    t.same(await rows(), []);
  });

  t.test('no evidence is shown or stored for an unverified site', async (t) => {
    const db = await openDb(t);
    const { run, recheck, rows, find, site, meanwhile } = await prepare(db);
    await run();
    meanwhile(() => db.run(loseOwnership({ id: site.id })).then(() => undefined));
    await recheck();
    t.equal((await rows()).length, 1, 'no row of the check');
    t.equal((await find()).ofRun.size, 0, 'and none is shown');
    await run();
    t.equal((await rows()).length, 1, 'no row of the run');
  });
});
