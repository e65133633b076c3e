import tap from 'tap';
import { type CheckResult, formatResults, parseResults } from '../../../src/app/runs/run-rows.js';
import { History } from '../../../src/app/runs/history.js';
import { findOwnSite } from '../../../src/app/sites/own-site.js';
import { ERROR_TYPES, type ErrorType, type Result, RESULTS } from '../../../src/scanner/verdict/vocabulary.js';
import { scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { finding } from '../../support/findings.js';
import { ANSWER } from '../../support/notes.js';
import { openRuns } from '../../support/run-scene.js';

const results = Object.keys(RESULTS) as Result[];
const FINDINGS = [
  ...results.map((result, index) => finding({ checkId: `C-SITE-0${index}`, result, scored: index % 2 === 0 })),
  ...(Object.keys(ERROR_TYPES) as ErrorType[]).map((errorType, index) =>
    finding({ checkId: `C-LLMS-${index}`, result: 'FAIL', errorType }),
  ),
];

tap.test('the results of a run come back', async (t) => {
  const expected = FINDINGS.map(({ checkId, scored, result, errorType }): CheckResult => ({
    ...{ checkId, scored, result, errorType },
  }));
  t.same(parseResults(formatResults({ findings: FINDINGS })), expected);
  t.same(parseResults(formatResults({ findings: [] })), []);
});

onEitherDatabase(async (t, engine) => {
  t.test('a failure is followed back through the results of a row of runs', async (t) => {
    const db = await engine.openDb(t);
    let result: Result = 'PASS';
    const scan = async () => ({
      ...scanReport(result === 'PASS' ? 100 : 0),
      findings: [finding({ checkId: 'C-LLMS-01', result })],
      answer: ANSWER,
    });
    const { clock, at, start } = await openRuns(db, { scan });
    const store = (next: Result) => {
      result = next;
      return start('SCHEDULED');
    };
    const stored = [await store('PASS'), await store('FAIL')];
    await store('UNDETERMINED');
    await store('UNDETERMINED');
    await store('FAIL');
    await store('FAIL');
    const site = await findOwnSite(db, at);
    const history = new History({ db, clock });
    const [overview] = await history.overview(at.accountId);
    t.equal(overview?.judged?.since.get('C-LLMS-01'), 2);
    t.same(
      overview?.trend.map(({ score }) => score),
      [100, 0, 0, 0, 0, 0],
    );
    const [newest, ...earlier] = await history.summaries(site, 6);
    t.same(newest?.answer, ANSWER);
    t.ok(
      earlier.every(({ answer }) => answer === newest?.answer),
      'equal answers are unpacked once',
    );
    for (const { number, body } of stored) {
      t.same(await history.stored(site, number), body, 'the same bytes');
      t.match(await history.run(site, number), { response: { run: { number }, findings: [{ checkId: 'C-LLMS-01' }] } });
    }
  });
});
