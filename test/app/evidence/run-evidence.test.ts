import { PLANS } from '../../../src/app/accounts/plan.js';
import { openServices } from '../../support/services.js';
import { EvidenceLimit, evidenceOfRun } from '../../../src/app/evidence/evidence.js';
import { cleanUp } from '../../../src/app/cleanups.js';
import { createRechecks } from '../../support/queue.js';
import type { StoredEvidence } from '../../../src/scanner/trace/stored-evidence.js';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, scanReport, TestClock } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { evidenceFor, finding } from '../../support/reports.js';
import { openRuns } from '../../support/runs.js';
import { rowsOf, updateRows } from '../../support/tables.js';
import { findOwnSite } from '../../../src/app/sites/site.js';

const FAILED = finding({ checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED' });

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
    ...{ clock, site },
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

const MB = 1_000_000;

/** Creates an account with two sites and `count` runs, one an hour at each in turn, with evidence of this size. */
async function addRuns(db: Database, plan: string, count: number, bytes: number) {
  const clock = new TestClock();
  const { id: accountId } = await addAccount(db, plan);
  const sites = [];
  for (const hostname of ['a.example.com', 'b.example.com']) sites.push(await addSite(db, accountId, { hostname }));
  const scan = async () => ({ ...scanReport(), evidence: evidenceFor('C-BOT-01') });
  const { performRun } = openServices(db, { clock, scan });
  for (let hour = 0; hour < count; hour += 1) {
    clock.set(new Date(Date.UTC(2026, 2, 16, hour)).toISOString());
    await performRun({ site: sites[hour % 2]!, trigger: 'SCHEDULED' });
  }
  await updateRows(db, 'run_evidence', { account_id: accountId }, { bytes });
  return accountId;
}

async function evidenceOf(db: Database, accountId: string) {
  const rows = (await rowsOf(db, 'run_evidence')) as Readonly<Record<'account_id' | 'stored_at', string>>[];
  const own = rows.filter(({ account_id }) => account_id === accountId);
  return own.sort((a, b) => a.stored_at.localeCompare(b.stored_at));
}

onEitherDatabase(async (t, { openDb }) => {
  t.test('a recheck has its own evidence until the next one', async (t) => {
    const { run, recheck, find, leave, clock, rows } = await prepare(await openDb(t));
    await run();
    leave(evidenceFor('C-BOT-01', 'as it is now'));
    await recheck();
    const { fromRun, fromRechecks } = await find();
    t.match(fromRun.get('C-BOT-01')?.exchanges[0], { excerpt: { text: /words of the site/ } });
    t.match(fromRechecks.get('C-BOT-01')?.exchanges[0], { excerpt: { text: 'as it is now' } });
    clock.time = new Date(clock.time.getTime() + 60_000);
    leave(null);
    await recheck();
    t.equal((await find()).fromRechecks.size, 0, 'it passed');
    t.equal((await find()).fromRun.size, 1);
    leave({ exchanges: [], findings: [] });
    await run();
    t.equal((await rows()).length, 1, 'a run without failures has none');
  });

  t.test('evidence is deleted when it expires', async (t) => {
    const { run, rows, clock, cleanUp } = await prepare(await openDb(t));
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
  });

  t.test('no evidence is shown or stored for an unverified site', async (t) => {
    const db = await openDb(t);
    const { run, recheck, rows, find, site, meanwhile } = await prepare(db);
    await run();
    meanwhile(() => updateRows(db, 'sites', { id: site.id }, { verified_at: null }));
    await recheck();
    t.equal((await rows()).length, 1, 'no row of the check');
    t.equal((await find()).fromRun.size, 0, 'and none is shown');
    await run();
    t.equal((await rows()).length, 1, 'no row of the run');
  });

  t.test('the oldest evidence of an account is deleted, even after an interruption; runs are not', async (t) => {
    const limits = Object.values(PLANS).map(({ evidenceBytesMax }) => evidenceBytesMax / MB);
    t.same(limits, [50, 1000, 20_000]);
    const db = await openDb(t);
    const over = await addRuns(db, 'FREE', 6, 12 * MB);
    const full = await addRuns(db, 'FREE', 5, 10 * MB);
    const other = await addRuns(db, 'MONITOR', 6, 12 * MB);
    const before = await evidenceOf(db, over);
    const limit = new EvidenceLimit(db);
    const stop = new Error('stopped');
    const pause = async (): Promise<void> => {
      if ((await evidenceOf(db, over)).length === 5) throw stop;
    };
    await t.rejects(limit.enforce(pause), stop);
    await limit.enforce();
    t.same(await evidenceOf(db, over), before.slice(2), 'of both sites, 48 of 50 MB are left');
    t.equal((await evidenceOf(db, full)).length, 5, 'what fits stays');
    t.equal((await evidenceOf(db, other)).length, 6, 'and what is of another account');
    t.equal((await rowsOf(db, 'runs')).length, 17);
  });
});
