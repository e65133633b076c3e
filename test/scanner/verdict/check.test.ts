import t from 'tap';
import { safeText } from '../../../src/scanner/artifacts/safe-text.js';
import { defineCheck } from '../../../src/scanner/verdict/check.js';
import { fail, pass } from '../../../src/scanner/verdict/verdict.js';

const TEXTS = {
  id: 'C-TEST-01',
  revision: 1,
  pillar: 'A',
  scored: true,
  title: 'a title',
  shortName: 'Test',
  answer: 'It passes.',
  explanation: 'an explanation',
} as const;
const SAID = { severity: 'MISSING', headline: 'It is not there' } as const;
const REST = { ...TEXTS, judgedBy: [], needs: ['home'] } as const;
const MISSING = { ...SAID, fix: 'Put it there.' } as const;

t.test('the compiler refuses a check that is not whole', async (t) => {
  const judge = () => fail('MISSING', safeText`none`);
  const check = defineCheck({ ...REST, failures: { MISSING }, judge });
  t.same([check.errorTypes, check.uses, check.notes], [['MISSING'], [], []]);
  // @ts-expect-error an error type that it does not declare
  defineCheck({ ...REST, failures: { MISSING }, judge: () => fail('FORMAT', safeText`odd`) });
  // @ts-expect-error a failure without a fix
  defineCheck({ ...REST, failures: { MISSING: SAID }, judge });
  // @ts-expect-error evidence that it does not need
  defineCheck({ ...REST, failures: { MISSING }, judge: ({ robots }) => (robots ? pass() : judge()) });
});
