import fc from 'fast-check';
import t from 'tap';
import { type AlertState, observeRun } from '../../../src/app/alerts/changes.js';
import { netChangeOf } from '../../../src/app/alerts/net-change.js';
import { scoreOf } from '../../../src/scanner/report/score.js';
import type { Finding } from '../../../src/scanner/verdict/finding.js';
import { finding } from '../../support/findings.js';

const RESULTS = { P: 'PASS', F: 'FAIL', U: 'UNDETERMINED', N: 'NOT_APPLICABLE', G: 'FAIL' } as const;
const ACCEPTED = [{ checkId: 'a', errorType: 'MISSING' as const }];

/** Runs from their letters, one for each check (a, b, c, d); G fails by FORMAT, F by MISSING. */
function runsOf(letters: string, first = 1) {
  return letters.split(' ').flatMap((word, index) => {
    const findings = Array.from(word, (letter, at): Finding => {
      const checkId = 'abcd'[at] ?? '';
      const result = RESULTS[letter as keyof typeof RESULTS];
      return finding({ checkId, result, ...(letter === 'G' && { errorType: 'FORMAT' as const }) });
    });
    const score = scoreOf(findings);
    return word === '' || score === null ? [] : [{ run: { number: first + index, score }, findings }];
  });
}

function inShort(before: string, since: string, accepted: typeof ACCEPTED = []): string {
  const change = netChangeOf({ before: runsOf(before), since: runsOf(since, 100) }, accepted);
  if (change === null) return 'none';
  const { from, to, newFailures, fixed } = change;
  return [from === to ? to : `${from}>${to}`, newFailures && `+${newFailures}`, fixed && `-${fixed}`]
    .filter((part) => part !== 0)
    .join(' ');
}

t.test('what has changed by some runs is what alerts tell of, taken together', async (t) => {
  const cases: readonly (readonly [why: string, before: string, since: string, change: string])[] = [
    ['a fall', 'PPPP', 'PPPF', '100>75 +1'],
    ['further and further', 'PPPP', 'PPPF PPFF', '100>50 +2'],
    ['a rise', 'PPFF', 'PPFP PPPP', '50>100 -2'],
    ['down and up again', 'PPPP', 'PPPF PPPP', '100'],
    ['up and down again', 'PPPF', 'PPPP PPPF', '75'],
    ['down and half up', 'PPPP', 'PPFF PPPF', '100>75 +1'],
    ['up and half down', 'FFPP', 'PPPP PFPP', '50>75 -1'],
    ['one for another', 'PPPF', 'PPFP', '75 +1 -1'],
    ['not determined, for once', 'PPPP', 'PPPP PPPU', '100'],
    ['not determined twice in a row', 'PPPP', 'PPPU PPPU', '100>75'],
    ['not determined, and again after the beginning', 'PPPP PPPU', 'PPPU', '100>75'],
    ['not determined, and fine after the beginning', 'PPPP PPPU', 'PPPP', '100'],
    ['failing, then not determined', 'PPPP', 'PPPF PPPU', '100>75 +1'],
    ['judged for the first time', 'PPPU', 'PPPF', '75'],
    ['judged for the first time, then broken', 'PPPU', 'PPPP PPPF', '75 +1'],
    ['a check that was added', 'PPP', 'PPPF', '75'],
    ['a check that was added, and another that broke', 'PPP', 'PPPF PPFF', '75>50 +1'],
    ['a check that was added and passes', 'PPF', 'PPFP', '75'],
    ['nothing before', '', 'PPPF', 'none'],
  ];
  for (const [why, before, since, change] of cases) t.equal(inShort(before, since), change, why);
});

t.test('an accepted failure is neither a new one nor a fall', async (t) => {
  const cases: readonly (readonly [why: string, before: string, since: string, change: string])[] = [
    ['by itself', 'PPPP', 'FPPP', '75'],
    ['alongside another', 'PPPP', 'FPPF', '100>50 +1'],
    ['fixed', 'FPPP', 'PPPP', '75>100 -1'],
    ['in another way', 'FPPP', 'GPPP', '75 +1'],
    ['a fall after it starts from the score with it', 'PPPP', 'FPPP FPPF', '75>50 +1'],
    ['what is fixed in the meantime', 'PPPF', 'FPPP', '75 -1'],
  ];
  for (const [why, before, since, change] of cases) t.equal(inShort(before, since, ACCEPTED), change, why);
  t.equal(inShort('PPPP', 'FPPP'), '100>75 +1', 'where it is not accepted');
});

t.test('where alerts tell of nothing that got worse, nothing has', async () => {
  const row = fc.array(fc.constantFrom('P', 'F', 'U', 'N'), { minLength: 4, maxLength: 4 }).map((all) => all.join(''));
  const rows = fc.array(row, { minLength: 1, maxLength: 8 }).map((all) => all.join(' '));
  fc.assert(
    fc.property(rows, rows, fc.constantFrom(ACCEPTED, []), (before, since, accepted) => {
      const [earlier, later] = [runsOf(before), runsOf(since, 100)];
      const change = netChangeOf({ before: earlier, since: later }, accepted);
      if (change === null) return earlier.length === 0;
      let state = earlier.reduce<AlertState | null>((was, run) => observeRun(was, run, accepted).state, null);
      const told = later.flatMap((run) => {
        const observed = observeRun(state, run, accepted);
        state = observed.state;
        return observed.changes.map(({ kind }) => kind);
      });
      const countOf = (kind: string): number => told.filter((one) => one === kind).length;
      return (
        (change.to >= change.from || countOf('SCORE_FELL') > 0) &&
        change.newFailures <= countOf('CHECK_FAILING') &&
        change.fixed <= countOf('CHECK_FIXED')
      );
    }),
  );
});
