import type { Finding } from '../../../src/scanner/verdict/finding.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import type { Comparison } from '../../../src/scanner/report/comparison.js';
import { History } from '../../../src/app/runs/history.js';
import { SINCE_RUNS_MAX } from '../../../src/app/runs/run-lines.js';
import type { Database } from '../../../src/store/database.js';
import { scanReport } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { finding, MOVE_NOTE, NOTES } from '../../support/reports.js';
import { findOwnSite } from '../../../src/app/sites/site.js';
import { openRuns } from '../../support/runs.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';

/** A verified site of its own account, and runs that come to what a test says. */
async function prepare(db: Database) {
  let report = scanReport();
  const { at, start, clock } = await openRuns(db, { scan: async () => report });
  const finish = async (findings: readonly Finding[], more: Partial<ScanReport> = {}) => {
    report = { ...scanReport(50), findings, ...more };
    await start('SCHEDULED');
  };
  const finishMany = async (count: number) => {
    for (let index = 0; index < count; index += 1) await finish([MD('PASS')]);
  };
  const history = new History({ db, clock });
  const readPage = async () => history.page(await findOwnSite(db, at));
  const readRun = async (number: number) => history.run(await findOwnSite(db, at), number);
  return { at, finish, finishMany, readPage, readRun };
}

const MD = (result: Result): Finding => finding({ checkId: 'C-MD-01', result });
const BOT = (result: Result): Finding => finding({ checkId: 'C-BOT-01', result });

/** Results are stored without the titles of their checks. */
function untitled(comparison: Comparison): unknown {
  return JSON.parse(JSON.stringify(comparison, (name, value: unknown) => (name === 'title' ? null : value)));
}

onEachDatabase(async (t, engine) => {
  t.test('every line says the same as the comparison of its run', async (t) => {
    const { finish, readPage, readRun } = await prepare(await engine.openDb(t));
    const results = ['PASS', 'PASS', 'PASS', 'UNDETERMINED', 'FAIL', 'FAIL', 'NOT_APPLICABLE', 'FAIL', 'PASS'] as const;
    for (const [index, result] of results.entries()) {
      await finish([MD(result), BOT(results[(index * 2) % results.length] ?? 'PASS')]);
    }
    for (const line of (await readPage()).lines) {
      const { changes } = await readRun(line.number);
      t.same(line.change?.comparison ?? null, changes && untitled(changes.comparison), `run ${line.number}`);
    }
  });

  t.test('advice is kept with a run, and is no part of it', async (t) => {
    const { finish, readRun } = await prepare(await engine.openDb(t));
    const gains = [{ checkId: 'C-MD-01', points: 6, isAtLeast: true }];
    const notes = [MOVE_NOTE, ...NOTES];
    await finish([MD('PASS')], { notes, movedTo: 'www.new.example' });
    await finish([MD('FAIL')], { gains });
    const { response, ...first } = await readRun(1);
    t.match(first, { gains: [], movedTo: 'www.new.example' });
    t.same(first.notes, notes);
    t.match(await readRun(2), { notes: [], movedTo: null, gains });
    t.notMatch(JSON.stringify(response), /served-text|new\.example/, 'the contract knows nothing of it');
  });

  t.test('since which run each check has been found as it is, among the last runs', async (t) => {
    const { finish, finishMany, readRun } = await prepare(await engine.openDb(t));
    await finish([MD('FAIL'), BOT('PASS')]);
    await finish([MD('PASS')]);
    await finish([MD('FAIL'), BOT('PASS')]);
    await finish([MD('FAIL'), BOT('PASS')]);
    const sinceAt = async (number: number) => Object.fromEntries((await readRun(number)).since);
    t.same(await sinceAt(1), { 'C-MD-01': 1, 'C-BOT-01': 1 });
    t.same(await sinceAt(2), { 'C-MD-01': 2 });
    t.same(await sinceAt(4), { 'C-MD-01': 3, 'C-BOT-01': 3 }, 'a run without the check ends the row');
    await finishMany(SINCE_RUNS_MAX);
    t.same(await sinceAt(4 + SINCE_RUNS_MAX - 1), { 'C-MD-01': 5 });
    t.same(await sinceAt(4 + SINCE_RUNS_MAX), {}, 'the row may be longer');
  });
});
