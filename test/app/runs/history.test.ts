import { siteRemoval } from '../../support/removal.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import type { Change, Comparison } from '../../../src/scanner/report/comparison.js';
import { History } from '../../../src/app/runs/history.js';
import { SINCE_RUNS_MAX } from '../../../src/app/runs/run-lines.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { addSite, scanReport } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { finding } from '../../support/findings.js';
import { MOVE_NOTE, NOTES } from '../../support/notes.js';
import { asOwner } from '../../support/as-owner.js';
import { openRuns } from '../../support/run-scene.js';
import type { ScanReport } from '../../../src/scanner/scan/scan.js';
import { findOwnSite } from '../../../src/app/sites/site.js';

interface Found extends Partial<Pick<ScanReport, 'score' | 'notes' | 'movedTo' | 'gains'>> {
  readonly siteId?: string;
}

/** A verified site of its own account, and runs that come to what a test says. */
async function prepare(db: Database) {
  let report = scanReport();
  const { account, site, at, runs, clock } = await openRuns(db, { scan: async () => report, slots: new Slots(1) });
  const finish = async (findings: readonly Finding[], { score = 50, siteId = site.id, ...rest }: Found = {}) => {
    report = { ...scanReport(score), findings, ...rest };
    await runs.start({ ...at, siteId, trigger: 'SCHEDULED' });
  };
  const finishMany = async (count: number) => {
    for (let index = 0; index < count; index += 1) await finish([MD('PASS')]);
  };
  const history = asOwner(db, new History({ db, clock }), 'latest', 'run', 'page', 'stored', 'compare');
  return { clock, account, site, at, runs, finish, finishMany, history };
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
  t.test('a site that is being removed is in no overview', async (t) => {
    const db = await engine.openDb(t);
    const { account, at, finishMany, history, clock } = await prepare(db);
    await finishMany(2);
    await siteRemoval({ db, clock }).removeOwn(await findOwnSite(db, at));
    t.same(await history.overview(account.id), []);
    await t.rejects(history.latest(at), { code: 'site_not_found' });
  });

  t.test('the overview compares every site with its earlier runs in three statements', async (t) => {
    const db = await engine.openDb(t);
    const { account, site, finish, history } = await prepare(db);
    const other = await addSite(db, account.id, { hostname: 'blog.example.com' });
    for (const result of ['FAIL', 'UNDETERMINED', 'PASS'] as const) await finish([MD(result)]);
    for (const result of ['PASS', 'UNDETERMINED', 'FAIL'] as const) await finish([MD(result)], { siteId: other.id });
    const statements = t.capture(db, 'run', db.run);
    const overviews = await history.overview(account.id);
    t.equal(statements().length, 3, 'the sites, their last runs and their accepted failures');
    const changes = new Map(overviews.map((overview) => [overview.site.id, overview.lastScored?.change]));
    t.match(changes.get(site.id), { newFailures: [], fixed: 1 });
    t.match(changes.get(other.id), { newFailures: ['C-MD-01'], fixed: 0 });
  });

  t.test('the page goes by number, the newest first, 50 a page', async (t) => {
    const { at, finishMany, history } = await prepare(await engine.openDb(t));
    t.same(await history.page(at), { lines: [], charted: [] });
    await finishMany(52);
    const cases: [before: number | undefined, newest: number, count: number][] = [
      [undefined, 52, 50],
      [3, 2, 2],
      [52, 51, 50],
      [2, 1, 1],
      [1, 1, 1],
      [2_147_483_648, 52, 50],
    ];
    for (const [before, newest, count] of cases) {
      const { lines, charted } = await history.page(at, before);
      t.same([lines[0]?.number, lines.length], [newest, count], `before ${before}`);
      t.equal(charted.length, 52, 'the chart shows all of them on each page');
    }
  });

  t.test('a line tells what changed since the last run with a score, and whether it got worse', async (t) => {
    const { at, finish, history } = await prepare(await engine.openDb(t));
    await finish([MD('PASS'), BOT('NOT_APPLICABLE')], { score: 100 });
    await finish([MD('UNDETERMINED'), BOT('UNDETERMINED')], { score: null });
    await finish([MD('PASS'), BOT('FAIL')], { score: 50 });
    await finish([MD('FAIL'), BOT('FAIL')], { score: 0 });
    await finish([MD('FAIL'), BOT('FAIL')], { score: 0 });
    const { lines } = await history.page(at);
    t.match(lines, [
      {
        number: 5,
        isWorse: false,
        change: { from: { score: 0 }, comparison: { newFailures: [], fixed: [], nowJudged: [] } },
      },
      {
        number: 4,
        isWorse: true,
        change: { from: { score: 50 }, comparison: { newFailures: [{ checkId: 'C-MD-01' }] } },
      },
      {
        number: 3,
        isWorse: false,
        change: { from: { score: 100 }, comparison: { newFailures: [], nowJudged: [{ checkId: 'C-BOT-01' }] } },
      },
      { number: 2, score: null, isWorse: false, change: null },
      { number: 1, change: null },
    ]);
  });

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

  t.test('the latest run, and an earlier one', async (t) => {
    const { at, finish, history, runs } = await prepare(await engine.openDb(t));
    t.equal(await history.latest(at), null, 'no run is not an empty run');
    await finish([MD('PASS')], { score: null });
    await finish([MD('FAIL')]);
    await finish([MD('FAIL')]);
    const latest = await history.latest(at);
    t.equal(latest?.isLatest, true);
    t.same(latest?.response, JSON.parse(Buffer.from((await runs.latest(at)).body).toString()));
    t.ok(Buffer.from((await runs.latest(at)).body).equals(await history.stored(at, 3)), 'the same bytes');
    t.match(await history.run(at, 1), { isLatest: false, response: { run: { number: 1, score: null } } });
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

  t.test('any two runs are compared, whichever is the earlier', async (t) => {
    const { at, finish, history } = await prepare(await engine.openDb(t));
    await finish([MD('FAIL'), BOT('PASS')]);
    await finish([MD('PASS'), BOT('PASS')]);
    await finish([MD('PASS'), BOT('FAIL'), finding({ checkId: 'C-NEW-01', result: 'FAIL' })]);
    const forth = await history.compare(at, { from: 1, to: 3 });
    t.match(forth, { from: { number: 1 }, to: { number: 3 } });
    t.match(forth?.comparison, { fixed: [{ checkId: 'C-MD-01' }], newFailures: [{ checkId: 'C-BOT-01' }] });
    t.same(forth?.comparison.notComparable, ['C-NEW-01']);
    const back = await history.compare(at, { from: 3, to: 1 });
    t.match(back?.comparison, { newFailures: [{ checkId: 'C-MD-01' }], fixed: [{ checkId: 'C-BOT-01' }] });
    t.equal((await history.compare(at, { from: 2, to: 2 }))?.comparison.unchanged.length, 2);
    t.match(await history.compare(at, { from: 2, to: 3 }), (await history.run(at, 3)).changes);
    t.equal((await history.run(at, 1)).changes, null, 'before the first there is none');
  });

  t.test('runs without a score, and checks that could not be determined, are looked through', async (t) => {
    const { at, finish, history } = await prepare(await engine.openDb(t));
    await finish([MD('PASS'), BOT('FAIL')]);
    await finish([MD('UNDETERMINED'), BOT('FAIL')]);
    await finish([MD('UNDETERMINED'), BOT('UNDETERMINED')], { score: null });
    await finish([MD('FAIL'), BOT('FAIL')]);
    const after = await history.run(at, 4);
    t.match(after.changes, { from: { number: 2 }, to: { number: 4 } });
    t.match(after.changes?.comparison, {
      newFailures: [{ checkId: 'C-MD-01', before: 'PASS' }],
      unchanged: [{ checkId: 'C-BOT-01' }],
    });
    t.same(Object.fromEntries(after.since), { 'C-MD-01': 4, 'C-BOT-01': 1 });
    t.equal((await history.run(at, 3)).changes, null, 'and such a run is compared with nothing');
    t.match(await history.compare(at, { from: 3, to: 4 }), after.changes, 'the last one with a score stands for it');
    t.equal(await history.compare(at, { from: 1, to: 3 }), null);
  });

  t.test('a run that the site does not have', async (t) => {
    const { at, finish, history } = await prepare(await engine.openDb(t));
    await finish([MD('PASS')]);
    for (const number of [0, -1, 2, 1.5, NaN, Infinity, 2_147_483_648]) {
      await t.rejects(history.run(at, number), { code: 'run_not_found' }, String(number));
      await t.rejects(history.stored(at, number), { code: 'run_not_found' }, String(number));
      await t.rejects(history.compare(at, { from: 1, to: number }), { code: 'run_not_found' }, String(number));
    }
  });
});
