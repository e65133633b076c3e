import type { Finding } from '../../../src/scanner/verdict/finding.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import type { Change, Comparison } from '../../../src/scanner/report/comparison.js';
import { History } from '../../../src/app/runs/history.js';
import { SINCE_RUNS_MAX } from '../../../src/app/runs/run-lines.js';
import type { Database } from '../../../src/store/database.js';
import { scanReport } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { finding } from '../../support/findings.js';
import { MOVE_NOTE, NOTES } from '../../support/notes.js';
import { asOwner } from '../../support/as-owner.js';
import { openRuns } from '../../support/run-scene.js';
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
  const history = asOwner(db, new History({ db, clock }), 'run', 'page');
  return { at, finish, finishMany, history };
}

const MD = (result: Result): Finding => finding({ checkId: 'C-MD-01', result });
const BOT = (result: Result): Finding => finding({ checkId: 'C-BOT-01', result });

/** Results are stored without the titles of their checks. */
function untitled({ hasOtherPages, ...comparison }: Comparison): unknown {
  const lists = Object.fromEntries(
    Object.entries(comparison).map(([kind, changes]) => [
      kind,
      (changes as readonly (Change | string)[]).map((change) =>
        typeof change === 'string' ? change : { ...change, title: null },
      ),
    ]),
  );
  return { ...lists, hasOtherPages };
}

onEachDatabase(async (t, engine) => {
  t.test('every line says the same as the comparison of its run', async (t) => {
    const { at, finish, history } = await prepare(await engine.openDb(t));
    const results = ['PASS', 'PASS', 'PASS', 'UNDETERMINED', 'FAIL', 'FAIL', 'NOT_APPLICABLE', 'FAIL', 'PASS'] as const;
    for (const [index, result] of results.entries()) {
      await finish([MD(result), BOT(results[(index * 2) % results.length] ?? 'PASS')]);
    }
    for (const line of (await history.page(at)).lines) {
      const { changes } = await history.run(at, line.number);
      t.same(line.change?.comparison ?? null, changes && untitled(changes.comparison), `run ${line.number}`);
    }
  });

  t.test('advice is kept with a run, and is no part of it', async (t) => {
    const { at, finish, history } = await prepare(await engine.openDb(t));
    const gains = [{ checkId: 'C-MD-01', points: 6, isAtLeast: true }];
    const notes = [MOVE_NOTE, ...NOTES];
    await finish([MD('PASS')], { notes, movedTo: 'www.new.example' });
    await finish([MD('FAIL')], { gains });
    const { response, ...first } = await history.run(at, 1);
    t.match(first, { gains: [], movedTo: 'www.new.example' });
    t.same(first.notes, notes);
    t.match(await history.run(at, 2), { notes: [], movedTo: null, gains });
    t.notMatch(JSON.stringify(response), /served-text|new\.example/, 'the contract knows nothing of it');
  });

  t.test('since which run each check has been found as it is, among the last runs', async (t) => {
    const { at, finish, finishMany, history } = await prepare(await engine.openDb(t));
    await finish([MD('FAIL'), BOT('PASS')]);
    await finish([MD('PASS')]);
    await finish([MD('FAIL'), BOT('PASS')]);
    await finish([MD('FAIL'), BOT('PASS')]);
    const sinceAt = async (number: number) => Object.fromEntries((await history.run(at, number)).since);
    t.same(await sinceAt(1), { 'C-MD-01': 1, 'C-BOT-01': 1 });
    t.same(await sinceAt(2), { 'C-MD-01': 2 });
    t.same(await sinceAt(4), { 'C-MD-01': 3, 'C-BOT-01': 3 }, 'a run without the check ends the row');
    await finishMany(SINCE_RUNS_MAX);
    t.same(await sinceAt(4 + SINCE_RUNS_MAX - 1), { 'C-MD-01': 5 });
    t.same(await sinceAt(4 + SINCE_RUNS_MAX), {}, 'the row may be longer');
  });
});
