import t from 'tap';
import { type Comparison, compareFindings } from '../../../src/scanner/findings/comparison.js';
import { type Result, RESULTS } from '../../../src/scanner/findings/vocabulary.js';
import { finding } from '../../support/findings.js';

const KINDS = ['newFailures', 'fixed', 'changed', 'unchanged'] as const;

function kindsOf(comparison: Comparison, checkId: string): string[] {
  const kinds: string[] = KINDS.filter((kind) => comparison[kind].some((change) => change.checkId === checkId));
  return comparison.notComparable.includes(checkId) ? [...kinds, 'notComparable'] : kinds;
}

t.test('every pair of results is in exactly one list', async (t) => {
  const expected: Partial<Record<`${Result} ${Result}`, string>> = {
    'PASS FAIL': 'newFailures',
    'UNDETERMINED FAIL': 'newFailures',
    'NOT_APPLICABLE FAIL': 'newFailures',
    'FAIL PASS': 'fixed',
  };
  for (const before of Object.keys(RESULTS) as Result[]) {
    for (const now of Object.keys(RESULTS) as Result[]) {
      const kinds = kindsOf(
        compareFindings(
          [finding({ checkId: 'C-MD-01', result: before })],
          [finding({ checkId: 'C-MD-01', result: now })],
        ),
        'C-MD-01',
      );
      t.same(kinds, [expected[`${before} ${now}`] ?? (before === now ? 'unchanged' : 'changed')], `${before} ${now}`);
    }
  }
});

t.test('a change tells both results, and the title of the later run', async (t) => {
  const { newFailures } = compareFindings(
    [finding({ checkId: 'C-MD-01', result: 'PASS', title: 'an earlier title' })],
    [finding({ checkId: 'C-MD-01', result: 'FAIL' })],
  );
  const change = { checkId: 'C-MD-01', title: 'title of C-MD-01', errorType: 'MISSING' };
  t.same(newFailures, [{ ...change, before: 'PASS', now: 'FAIL' }]);
  const { fixed } = compareFindings(
    [finding({ checkId: 'C-MD-01', result: 'FAIL' })],
    [finding({ checkId: 'C-MD-01', result: 'PASS' })],
  );
  t.same(fixed, [{ ...change, before: 'FAIL', now: 'PASS' }], 'with the error that is gone');
  const [bare] = compareFindings(
    [{ checkId: 'C-MD-01', result: 'PASS' }],
    [{ checkId: 'C-MD-01', result: 'FAIL' }],
  ).newFailures;
  t.equal(bare?.title, null);
});

t.test('what only one of the two runs has is not compared, whatever its result', async (t) => {
  const comparison = compareFindings(
    [finding({ checkId: 'C-OLD-01', result: 'PASS' }), finding({ checkId: 'C-MD-01', result: 'PASS' })],
    [finding({ checkId: 'C-MD-01', result: 'PASS' }), finding({ checkId: 'C-NEW-01', result: 'FAIL' })],
  );
  t.same(comparison.notComparable, ['C-NEW-01', 'C-OLD-01']);
  t.same(kindsOf(comparison, 'C-NEW-01'), ['notComparable']);
});

t.test('the lists keep the order of the later run', async (t) => {
  const ids = ['C-MD-01', 'C-BOT-01', 'C-LLMS-01'];
  const { newFailures } = compareFindings(
    [...ids].reverse().map((checkId) => finding({ checkId, result: 'PASS' })),
    ids.map((checkId) => finding({ checkId, result: 'FAIL' })),
  );
  t.same(
    newFailures.map(({ checkId }) => checkId),
    ids,
  );
});
