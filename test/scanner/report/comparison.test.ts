import t from 'tap';
import { type Comparison, compareFindings } from '../../../src/scanner/report/comparison.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import { finding } from '../../support/findings.js';

const KINDS = ['newFailures', 'fixed', 'nowJudged', 'changed', 'unchanged'] as const;

const LETTERS: Readonly<Record<string, Result>> = { P: 'PASS', F: 'FAIL', U: 'UNDETERMINED', N: 'NOT_APPLICABLE' };

function kindsOf(comparison: Comparison, checkId: string): string[] {
  const kinds: string[] = KINDS.filter((kind) => comparison[kind].some((change) => change.checkId === checkId));
  return comparison.notComparable.includes(checkId) ? [...kinds, 'notComparable'] : kinds;
}

/** Where C-MD-01 is found after runs with these letters, the oldest first, and one that comes to the last of them. */
function kindAfter(letters: string): string[] {
  const runs = Array.from(letters, (letter) => [finding({ checkId: 'C-MD-01', result: LETTERS[letter] ?? 'PASS' })]);
  const [now = [], before = [], ...older] = runs.reverse();
  return kindsOf(compareFindings([before, ...older], now), 'C-MD-01');
}

t.test('what earlier runs know of a check decides what its result means', async (t) => {
  const cases: readonly (readonly [kind: string, histories: string])[] = [
    ['unchanged', 'PP FF UU NN PUP FUF PUUP NUN PUU FUU'],
    ['newFailures', 'PF PUF PNF PUNUF FPF FNF FUNF FNUF'],
    ['fixed', 'FP FUP FNP PFUUP FNUP NFP'],
    ['nowJudged', 'UF NF UUF NUF UNF'],
    ['changed', 'PU FU NU PN FN NP UP UN NUP PNP FPN'],
  ];
  for (const [kind, histories] of cases) {
    for (const letters of histories.split(' ')) t.same(kindAfter(letters), [kind], letters);
  }
});

t.test('a change says how its check was last determined', async (t) => {
  const runs = ['PASS', 'UNDETERMINED'].map(
    (result) => [finding({ checkId: 'C-MD-01', result: result as Result })] as const,
  );
  const { newFailures } = compareFindings([runs[1]!, runs[0]!], [finding({ checkId: 'C-MD-01', result: 'FAIL' })]);
  t.match(newFailures, [{ before: 'PASS', now: 'FAIL' }]);
});

t.test('a change tells both results, and the title of the later run', async (t) => {
  const { newFailures } = compareFindings(
    [[finding({ checkId: 'C-MD-01', result: 'PASS', title: 'an earlier title' })]],
    [finding({ checkId: 'C-MD-01', result: 'FAIL' })],
  );
  const change = { checkId: 'C-MD-01', title: 'title of C-MD-01', errorType: 'MISSING' };
  t.same(newFailures, [{ ...change, before: 'PASS', now: 'FAIL' }]);
  const { fixed } = compareFindings(
    [[finding({ checkId: 'C-MD-01', result: 'FAIL' })]],
    [finding({ checkId: 'C-MD-01', result: 'PASS' })],
  );
  t.same(fixed, [{ ...change, before: 'FAIL', now: 'PASS' }], 'with the error that is gone');
  const [bare] = compareFindings(
    [[{ checkId: 'C-MD-01', result: 'PASS' }]],
    [{ checkId: 'C-MD-01', result: 'FAIL' }],
  ).newFailures;
  t.equal(bare?.title, null);
});

t.test('what only one of the two runs has is not compared, whatever its result', async (t) => {
  const comparison = compareFindings(
    [[finding({ checkId: 'C-OLD-01', result: 'PASS' }), finding({ checkId: 'C-MD-01', result: 'PASS' })]],
    [finding({ checkId: 'C-MD-01', result: 'PASS' }), finding({ checkId: 'C-NEW-01', result: 'FAIL' })],
  );
  t.same(comparison.notComparable, ['C-NEW-01', 'C-OLD-01']);
  t.same(kindsOf(comparison, 'C-NEW-01'), ['notComparable']);
});

t.test('the lists keep the order of the later run', async (t) => {
  const ids = ['C-MD-01', 'C-BOT-01', 'C-LLMS-01'];
  const { newFailures } = compareFindings(
    [[...ids].reverse().map((checkId) => finding({ checkId, result: 'PASS' }))],
    ids.map((checkId) => finding({ checkId, result: 'FAIL' })),
  );
  t.same(
    newFailures.map(({ checkId }) => checkId),
    ids,
  );
});
