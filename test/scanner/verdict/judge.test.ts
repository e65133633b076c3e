import t from 'tap';
import { type Check, defineCheck, judge } from '../../../src/scanner/verdict/check.js';
import { found, missing } from '../../../src/scanner/artifacts/evidence.js';
import { fail, pass } from '../../../src/scanner/verdict/verdict.js';
import { safeText } from '../../../src/scanner/artifacts/safe-text.js';
import { CHECK_TEXTS } from '../../support/reports.js';

const MISSING = { severity: 'MISSING', headline: 'It is not there', fix: 'put it there' } as const;
const noLinks = missing('UNDETERMINED', safeText`no links`);

t.test('a finding carries the check and its verdict, in the order of the contract', (t) => {
  const check: Check = defineCheck({
    ...CHECK_TEXTS,
    ...{ failures: { MISSING }, needs: ['unknownAddress'], uses: ['llmsLinks'] },
    judge: ({ unknownAddress, llmsLinks }) =>
      unknownAddress === null
        ? fail('MISSING', safeText`none`)
        : pass('ok' in llmsLinks ? null : llmsLinks.failed.detail),
  });
  const { finding } = judge(check, { unknownAddress: found(null), llmsLinks: noLinks });
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
  const passed = judge(check, { unknownAddress: found(404), llmsLinks: noLinks }).finding;
  t.match(passed, { result: 'PASS', errorType: null, detail: 'no links', fix: null });
  const undeclared = { ...check, judge: () => fail('FORMAT', safeText`odd`) };
  t.throws(() => judge(undeclared, { unknownAddress: found(404), llmsLinks: noLinks }), /declares no failure FORMAT/);
  t.throws(() => judge(check, { llmsLinks: noLinks }), /unknownAddress/, 'evidence that nobody gathered');
  t.end();
});

t.test('the compiler refuses a check that is not whole', async (t) => {
  const { severity, headline } = MISSING;
  const REST = { ...CHECK_TEXTS, needs: ['home'] } as const;
  const absent = () => fail('MISSING', safeText`none`);
  const whole = defineCheck({ ...REST, failures: { MISSING }, judge: absent });
  t.same([whole.errorTypes, whole.uses, whole.notes], [['MISSING'], [], []]);
  // @ts-expect-error an error type that it does not declare
  defineCheck({ ...REST, failures: { MISSING }, judge: () => fail('FORMAT', safeText`odd`) });
  // @ts-expect-error a failure without a fix
  defineCheck({ ...REST, failures: { MISSING: { severity, headline } }, judge: absent });
  // @ts-expect-error evidence that it does not need
  defineCheck({ ...REST, failures: { MISSING }, judge: ({ robots }) => (robots ? pass() : absent()) });
});
