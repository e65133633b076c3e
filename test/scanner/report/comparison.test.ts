import t from 'tap';
import {
  compareEach,
  changedFailures,
  compareFindings as compareRuns,
} from '../../../src/scanner/report/comparison.js';
import type { ComparedRun, Comparison } from '../../../src/scanner/report/comparison.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import { finding } from '../../support/reports.js';

type Findings = ComparedRun['findings'];

function compareFindings([before, ...older]: readonly [Findings, ...Findings[]], now: Findings): Comparison {
  return compareRuns([{ findings: before }, ...older.map((findings) => ({ findings }))], { findings: now });
}

const KINDS = ['newFailures', 'fixed', 'nowJudged', 'changed', 'unchanged'] as const;

const LETTERS: Readonly<Record<string, Result>> = { P: 'PASS', F: 'FAIL', U: 'UNDETERMINED', N: 'NOT_APPLICABLE' };

function resultOf(letter: string): Result {
  const result = LETTERS[letter];
  if (!result) throw new Error(`"${letter}" is none of ${Object.keys(LETTERS).join()}.`);
  return result;
}

function kindsOf(comparison: Comparison, checkId: string): string[] {
  const kinds: string[] = KINDS.filter((kind) => comparison[kind].some((change) => change.checkId === checkId));
  return comparison.notComparable.includes(checkId) ? [...kinds, 'notComparable'] : kinds;
}

/** Where C-MD-01 is found after runs with these letters, the oldest first, and one that comes to the last of them. */
function kindAfter(letters: string): string[] {
  const runs = Array.from(letters, (letter) => [finding({ checkId: 'C-MD-01', result: resultOf(letter) })]);
  const [now = [], before = [], ...older] = runs.reverse();
  return kindsOf(compareFindings([before, ...older], now), 'C-MD-01');
}

t.test('a result is classified by the earlier results of its check', async (t) => {
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

t.test('a change has both results, the later title and the error type of the failure', async (t) => {
  const at = (result: Result, title = 'title of C-MD-01'): Findings => [finding({ checkId: 'C-MD-01', result, title })];
  const change = { checkId: 'C-MD-01', title: 'title of C-MD-01', errorType: 'MISSING' };
  const broken = [{ ...change, before: 'PASS', now: 'FAIL' }];
  t.same(compareFindings([at('PASS', 'an earlier title')], at('FAIL')).newFailures, broken);
  t.same(compareFindings([at('UNDETERMINED'), at('PASS')], at('FAIL')).newFailures, broken, 'the last determined one');
  t.same(compareFindings([at('FAIL')], at('PASS')).fixed, [{ ...change, before: 'FAIL', now: 'PASS' }]);
  const ended = compareFindings([at('PASS'), at('FAIL')], at('NOT_APPLICABLE')).changed;
  t.same(ended, [{ ...change, errorType: null, before: 'PASS', now: 'NOT_APPLICABLE' }], 'neither run fails');
  const bare = (result: Result): Findings => [{ checkId: 'C-MD-01', result }];
  t.equal(compareFindings([bare('PASS')], bare('FAIL')).newFailures[0]?.title, null);
});

t.test('checks that only one run has are not compared; the others keep the order of the later run', async (t) => {
  const all = (result: Result, ...ids: string[]): Findings => ids.map((checkId) => finding({ checkId, result }));
  const before = all('PASS', 'C-OLD-01', 'C-LLMS-01', 'C-BOT-01', 'C-MD-01');
  const comparison = compareFindings([before], all('FAIL', 'C-MD-01', 'C-BOT-01', 'C-NEW-01', 'C-LLMS-01'));
  t.same(comparison.notComparable, ['C-NEW-01', 'C-OLD-01']);
  t.same(kindsOf(comparison, 'C-NEW-01'), ['notComparable']);
  t.equal(comparison.newFailures.map(({ checkId }) => checkId).join(' '), 'C-MD-01 C-BOT-01 C-LLMS-01');
});

/** A run in which C-SD-02 came to this, and the chosen pages that it read. */
function runWith(result: Result, ...read: readonly string[]): ComparedRun {
  return {
    findings: [finding({ checkId: 'C-SD-02', result }), finding({ checkId: 'C-BOT-01', result })],
    pages: { chosen: read.map((path) => ({ path, isRead: true })) },
  };
}

t.test('a failure with a chosen page that was not read before is newly checked', async (t) => {
  const never: ComparedRun = { findings: runWith('PASS').findings };
  // By kind, the runs with the oldest first: the result, and the chosen pages that were read.
  const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    nowJudged: {
      'with a page not read': 'P/b F/a',
      'with one of two that was': 'P/b F/a/b',
      'with the first choice': '- F/a',
      'what could not be determined with it counts for nothing': 'P/b U/a F/a',
      'after a failure it begins again': 'P/a F/b P/b F/a',
    },
    newFailures: {
      'with one that was': 'P/a F/a',
      'with fewer pages': 'P/a/b F/a',
      'where no page is chosen any more': 'P/a F',
      'with one read two runs ago': 'P/a P/b F/a',
      'with nothing determined in between': 'P/a U/b F/a',
      'it failed, and did not apply for a while': 'F/a N/b F/a',
    },
    unchanged: { 'where it failed before anyway': 'F/b F/a' },
    fixed: { fixed: 'F/a P/b/a', 'where no page was chosen': 'F P/b' },
    changed: { 'no longer read': 'F/a P/b' },
  };
  for (const [kind, histories] of Object.entries(cases)) {
    for (const [about, history] of Object.entries(histories)) {
      const oldestFirst = history.split(' ').map((run) => {
        const [letter = '', ...names] = run.split('/');
        return letter === '-' ? never : runWith(resultOf(letter), ...names.map((name) => `/${name}`));
      });
      const [now, before, ...older] = oldestFirst.toReversed();
      t.same(kindsOf(compareRuns([before!, ...older], now!), 'C-SD-02'), [kind], about);
      t.same(kindsOf(compareEach(oldestFirst).at(-1)!, 'C-SD-02'), [kind], about);
    }
  }
});

t.test('chosen pages do not matter to checks that read no pages', async (t) => {
  t.same(kindsOf(compareRuns([runWith('PASS')], runWith('FAIL', '/a')), 'C-BOT-01'), ['newFailures']);
  t.same(kindsOf(compareRuns([runWith('FAIL', '/a')], runWith('PASS', '/b')), 'C-BOT-01'), ['fixed']);
});

t.test('a comparison knows whether other chosen pages were read', async (t) => {
  const choosing = (...paths: readonly string[]) => runWith('PASS', ...paths);
  const never: ComparedRun = { findings: [], pages: null };
  const hasOther = (before: ComparedRun, now: ComparedRun): boolean => compareRuns([before], now).hasOtherPages;
  t.equal(hasOther(never, choosing('/a')), true);
  t.equal(hasOther(choosing('/a'), choosing()), true);
  t.equal(hasOther(choosing('/a', '/b'), choosing('/b', '/a')), false, 'in whichever order');
  t.equal(hasOther(never, choosing()), false);
  const unread: ComparedRun = { findings: [], pages: { chosen: [{ path: '/a', isRead: false }] } };
  t.equal(hasOther(never, unread), false, 'one that is not read is not looked at');
  t.equal(compareEach([never, choosing('/a'), choosing('/a')])[2]?.hasOtherPages, false);
});

t.test('another error type is unchanged, with the earlier one', async (t) => {
  const failing = (errorType: 'MISSING' | 'FORMAT') => [finding({ checkId: 'C-SD-01', result: 'FAIL', errorType })];
  const [missing, invalid] = [failing('MISSING'), failing('FORMAT')];
  const comparison = compareFindings([missing], invalid);
  t.match(comparison.unchanged, [{ errorType: 'FORMAT', errorBefore: 'MISSING' }]);
  t.equal(changedFailures(comparison).length, 1);
  const open = [finding({ checkId: 'C-SD-01', result: 'UNDETERMINED' })];
  t.equal(changedFailures(compareFindings([open, missing], invalid)).length, 1, 'with nothing determined in between');
  t.same(changedFailures(compareFindings([missing], missing)), []);
});
