import t from 'tap';
import {
  type ComparedRun,
  compareEach,
  type Comparison,
  compareFindings as compareRuns,
} from '../../../src/scanner/report/comparison.js';
import type { FoundOn, SampledPages } from '../../../src/scanner/artifacts/chosen-pages.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import { finding } from '../../support/findings.js';

type Findings = ComparedRun['findings'];

function compareFindings([before, ...older]: readonly [Findings, ...Findings[]], now: Findings): Comparison {
  return compareRuns([{ findings: before }, ...older.map((findings) => ({ findings }))], { findings: now });
}

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

/** A run in which C-SD-02 came to this, with the chosen pages that were read, how far the scanner went by itself, and where it failed. */
function runWith(
  result: Result,
  chosen: readonly string[] | null,
  ranked: number | null = 3,
  found?: FoundOn,
): ComparedRun {
  const pages: SampledPages | null = chosen && {
    chosen: chosen.map((path) => ({ path, came: 'read' })),
    ...{ ranked, found: found === undefined ? {} : { 'C-SD-02': found } },
  };
  return { findings: [finding({ checkId: 'C-SD-02', result })], pages };
}

t.test('what only pages show that were not looked at before is now judged, and no new failure', async (t) => {
  const cases: readonly (readonly [about: string, kind: string, before: ComparedRun, now: ComparedRun])[] = [
    ['on a newly chosen page', 'nowJudged', runWith('PASS', null), runWith('FAIL', ['/a'], 2, ['/a'])],
    ['on another chosen page', 'nowJudged', runWith('PASS', ['/a']), runWith('FAIL', ['/a', '/b'], 1, ['/b'])],
    [
      'on one that was chosen before, too',
      'newFailures',
      runWith('PASS', ['/a']),
      runWith('FAIL', ['/a', '/b'], 1, ['/a', '/b']),
    ],
    ['on the home page', 'newFailures', runWith('PASS', null), runWith('FAIL', ['/a'], 2)],
    [
      'on a page that the scanner took by itself',
      'newFailures',
      runWith('PASS', null),
      runWith('FAIL', ['/a'], 2, [1, '/a']),
    ],
    [
      'on a page that had its place taken',
      'nowJudged',
      runWith('PASS', ['/a', '/b'], 1),
      runWith('FAIL', [], null, [2]),
    ],
    ['on one that had not', 'newFailures', runWith('PASS', ['/a', '/b'], 1), runWith('FAIL', [], null, [1])],
    [
      'on all pages, where some of before are missing',
      'nowJudged',
      runWith('PASS', null),
      runWith('FAIL', ['/a'], 2, 'all'),
    ],
    [
      'on all pages, of which none is missing',
      'newFailures',
      runWith('PASS', ['/a'], 2),
      runWith('FAIL', ['/a', '/b'], 2, 'all'),
    ],
    ['where it failed before anyway', 'unchanged', runWith('FAIL', null), runWith('FAIL', ['/a'], 2, ['/a'])],
    [
      'where the page that failed is no longer read',
      'changed',
      runWith('FAIL', ['/a'], 2, ['/a']),
      runWith('PASS', ['/b'], 2),
    ],
    ['where it is read again', 'fixed', runWith('FAIL', ['/a'], 2, ['/a']), runWith('PASS', ['/a', '/b'], 1)],
    ['without any choice', 'newFailures', runWith('PASS', null), runWith('FAIL', null)],
  ];
  for (const [about, kind, before, now] of cases) {
    t.same(kindsOf(compareRuns([before], now), 'C-SD-02'), [kind], about);
    t.same(kindsOf(compareEach([before, now])[1]!, 'C-SD-02'), [kind], about);
  }
  const lookedThrough = compareRuns(
    [runWith('UNDETERMINED', ['/a']), runWith('PASS', null)],
    runWith('FAIL', ['/a'], 2, ['/a']),
  );
  t.same(kindsOf(lookedThrough, 'C-SD-02'), ['nowJudged'], 'what could not be determined on it counts for nothing');
});

t.test('it says whether other pages were looked at', async (t) => {
  const hasOther = (before: ComparedRun, now: ComparedRun): boolean => compareRuns([before], now).hasOtherPages;
  t.equal(hasOther(runWith('PASS', null), runWith('PASS', ['/a'])), true);
  t.equal(hasOther(runWith('PASS', ['/a']), runWith('PASS', [])), true);
  t.equal(hasOther(runWith('PASS', ['/a', '/b']), runWith('PASS', ['/b', '/a'])), false, 'in whichever order');
  t.equal(hasOther(runWith('PASS', null), runWith('PASS', [])), false);
  const unread: ComparedRun = {
    ...runWith('PASS', []),
    pages: { chosen: [{ path: '/a', came: 'status', status: 404 }], ranked: null, found: {} },
  };
  t.equal(hasOther(runWith('PASS', null), unread), false, 'one that is not read is not looked at');
  t.equal(
    compareEach([runWith('PASS', null), runWith('PASS', ['/a']), runWith('PASS', ['/a'])])[2]?.hasOtherPages,
    false,
  );
});
