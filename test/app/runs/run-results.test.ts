import tap from 'tap';
import { readTrends } from '../../../src/app/runs/overview.js';
import { proveRun } from '../../../src/app/runs/run-chain.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { type CheckResult, formatResults, parseResults, resultTexts } from '../../../src/app/runs/run-results.js';
import { RUN_FORMATS, type RunFormat, RunTexts } from '../../../src/app/runs/run-texts.js';
import { History } from '../../../src/app/runs/history.js';
import { findOwnSite } from '../../../src/app/sites/own-site.js';
import { Slots } from '../../../src/platform/slots.js';
import { ERROR_TYPES, type ErrorType, type Result, RESULTS } from '../../../src/scanner/verdict/vocabulary.js';
import { addAccount, addSite, RELEASE, scanReport, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { finding } from '../../support/findings.js';

const results = Object.keys(RESULTS) as Result[];
const FINDINGS = [
  ...results.map((result, index) => finding({ checkId: `C-SITE-0${index}`, result, scored: index % 2 === 0 })),
  ...(Object.keys(ERROR_TYPES) as ErrorType[]).map((errorType, index) =>
    finding({ checkId: `C-LLMS-${index}`, result: 'FAIL', errorType }),
  ),
];

tap.test('the results of a run come back from either form', async (t) => {
  for (const format of RUN_FORMATS) {
    const expected = FINDINGS.map(({ checkId, scored, result, errorType }): CheckResult => ({
      ...{ checkId, scored, result, errorType },
    }));
    t.same(parseResults(formatResults({ findings: FINDINGS }, format)), expected, `form ${format}`);
    t.same(parseResults(formatResults({ findings: [] }, format)), [], `form ${format}`);
  }
});

tap.test('what is looked for stands in the results just where the check came out so', async (t) => {
  for (const format of RUN_FORMATS) {
    const text = formatResults({ findings: FINDINGS }, format);
    for (const check of FINDINGS) {
      for (const result of results)
        t.equal(
          text.includes(resultTexts(check, result)[format]),
          check.result === result,
          `${check.checkId} ${result}`,
        );
    }
  }
});

onEachDatabase(async (t, engine) => {
  t.test('a site whose runs are stored in both forms is one row of runs', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const { id: accountId } = await addAccount(db);
    const { id: siteId } = await addSite(db, accountId);
    const store = (runFormat: RunFormat, result: Result) => {
      const findings = [finding({ checkId: 'C-LLMS-01', result })];
      const scan = async () => ({ ...scanReport(result === 'PASS' ? 100 : 0), findings });
      const performRun = createRunPerformer({ db, clock, scan, slots: new Slots(1), release: RELEASE, runFormat });
      return performRun({ accountId, siteId, origin: 'https://shop.example.com', trigger: 'API' });
    };
    await store(1, 'PASS');
    await store(2, 'FAIL');
    await store(1, 'UNDETERMINED');
    await store(2, 'UNDETERMINED');
    await store(1, 'FAIL');
    await store(2, 'FAIL');
    const site = await findOwnSite(db, { accountId, siteId });
    const gravest: CheckResult = { checkId: 'C-LLMS-01', scored: true, result: 'FAIL', errorType: 'MISSING' };
    const trends = await readTrends(db, [{ site, latestNumber: 6, etag: siteId, gravest }]);
    t.match(trends.get(siteId)?.failingSince, { number: 2, isOpen: false });
    const texts = new RunTexts(db);
    for (const number of [1, 2, 6]) {
      t.match(
        await db.transaction(() => proveRun(siteId, number, texts)),
        { run: { state: 'proven' } },
        `run ${number}`,
      );
    }
    const history = new History({ db, clock });
    for (const number of [1, 2]) {
      t.match(await history.run(site, number), { response: { run: { number }, findings: [{ checkId: 'C-LLMS-01' }] } });
    }
  });
});
