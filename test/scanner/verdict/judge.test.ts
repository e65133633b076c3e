import t from 'tap';
import { type Check, defineCheck, judge } from '../../../src/scanner/verdict/check.js';
import { found, lacking, valueOf } from '../../../src/scanner/artifacts/evidence.js';
import { fail, pass } from '../../../src/scanner/verdict/verdict.js';
import { safeText } from '../../../src/scanner/artifacts/safe-text.js';
import { CHECK_TEXTS } from '../../support/findings.js';

const check: Check = defineCheck({
  ...CHECK_TEXTS,
  failures: {
    MISSING: { severity: 'MISSING', headline: 'It is not there', fix: 'put it there' },
  },
  needs: ['forwardSignals'],
  uses: ['llmsLinks'],
  judge: ({ forwardSignals, llmsLinks }) =>
    forwardSignals.seen.length > 0
      ? pass(safeText`${valueOf(llmsLinks)?.firstPartyCount ?? -1} links`)
      : fail('MISSING', safeText`none`),
});

const noLinks = lacking('UNDETERMINED', safeText`no links`);

t.test('a finding carries the check and its verdict, in the order of the contract', async (t) => {
  const { finding } = judge(check, { forwardSignals: found({ seen: [] }), llmsLinks: noLinks });
  t.same(Object.entries(finding), [
    ['checkId', 'C-TEST-01'],
    ['pillar', 'A'],
    ['scored', true],
    ['result', 'FAIL'],
    ['errorType', 'MISSING'],
    ['detail', 'none'],
    ['title', 'a title'],
    ['explanation', 'an explanation'],
    ['fix', 'put it there'],
  ]);
});

t.test('the fix is that of the error type; what did not fail has none', async (t) => {
  const given = { forwardSignals: found({ seen: [] }), llmsLinks: noLinks };
  t.equal(judge(check, given).finding.fix, 'put it there');
  t.equal(judge({ ...check, judge: () => pass() }, given).finding.fix, null);
  const undeclared = { ...check, judge: () => fail('FORMAT', safeText`odd`) };
  t.throws(() => judge(undeclared, given), /C-TEST-01 declares no failure FORMAT/);
});

t.test('evidence that is needed and lacking is the finding', async (t) => {
  for (const result of ['UNDETERMINED', 'NOT_APPLICABLE'] as const) {
    const { finding } = judge(check, { forwardSignals: lacking(result, safeText`because`), llmsLinks: noLinks });
    t.match(finding, { result, errorType: null, detail: 'because' });
  }
});

t.test('evidence that is only used is handed over as value or reason', async (t) => {
  const seen = found({ seen: ['WebMCP'] as const });
  t.match(judge(check, { forwardSignals: seen, llmsLinks: noLinks }).finding, { result: 'PASS', detail: '-1 links' });
  const links = found({ firstPartyCount: 4, checked: [] });
  t.match(judge(check, { forwardSignals: seen, llmsLinks: links }).finding, { result: 'PASS', detail: '4 links' });
});

t.test('evidence that nobody gathered is a fault of ours', async (t) => {
  t.throws(() => judge(check, { llmsLinks: noLinks }), /forwardSignals/);
});

t.test('the compiler refuses a check that is not whole', async (t) => {
  const SAID = { severity: 'MISSING', headline: 'It is not there' } as const;
  const MISSING = { ...SAID, fix: 'Put it there.' } as const;
  const REST = { ...CHECK_TEXTS, needs: ['home'] } as const;
  const absent = () => fail('MISSING', safeText`none`);
  const whole = defineCheck({ ...REST, failures: { MISSING }, judge: absent });
  t.same([whole.errorTypes, whole.uses, whole.notes], [['MISSING'], [], []]);
  // @ts-expect-error an error type that it does not declare
  defineCheck({ ...REST, failures: { MISSING }, judge: () => fail('FORMAT', safeText`odd`) });
  // @ts-expect-error a failure without a fix
  defineCheck({ ...REST, failures: { MISSING: SAID }, judge: absent });
  // @ts-expect-error evidence that it does not need
  defineCheck({ ...REST, failures: { MISSING }, judge: ({ robots }) => (robots ? pass() : absent()) });
});
