import fc from 'fast-check';
import t from 'tap';
import { type AlertChange, type AlertState, type ObservedRun, observeRun } from '../../../src/app/alerts/changes.js';
import type { SampledPages } from '../../../src/scanner/artifacts/chosen-pages.js';
import type { RunResponse } from '../../../src/app/runs/run.js';
import { scoreOf } from '../../../src/scanner/report/score.js';
import { RESULTS, type Result } from '../../../src/scanner/verdict/vocabulary.js';
import { finding } from '../../support/findings.js';

/** What each check came to in one run, by id. */
type Results = Readonly<Record<string, Result>>;

function runOf(number: number, results: Results, score?: number | null): RunResponse {
  const findings = Object.entries(results).map(([checkId, result]) => finding({ checkId, result }));
  const times = { startedAt: '2026-03-15T11:59:00.000Z', finishedAt: '2026-03-15T12:00:00.000Z' };
  return {
    site: { id: 'site_aaaaaaaaaaaaaaaaaaaa', hostname: 'shop.example.com' },
    run: {
      ...{ number, reference: 'CR-000001', trigger: 'SCHEDULED', ...times },
      score: score === undefined ? scoreOf(findings) : score,
    },
    findings,
  };
}

/** The changes of each run in turn. */
function observeAll(runs: readonly ObservedRun[]): { states: AlertState[]; changes: (readonly AlertChange[])[] } {
  const states: AlertState[] = [];
  const changes = runs.map((run) => {
    const observed = observeRun(states.at(-1) ?? null, run);
    states.push(observed.state);
    return observed.changes;
  });
  return { states, changes };
}

/** The changes in short: `+C` newly failing, `-C` fixed, `100>50` the score, `down`, `up`. */
function inShort(change: AlertChange): string {
  switch (change.kind) {
    case 'SCORE_FELL':
      return `${change.from}>${change.to}`;
    case 'CHECK_FAILING':
      return `+${change.checkId}`;
    case 'CHECK_FIXED':
      return `-${change.checkId}`;
    case 'SITE_UNREACHABLE':
      return 'down';
    case 'SITE_REACHABLE':
      return 'up';
  }
}

const LETTERS: Readonly<Record<string, Result>> = {
  P: 'PASS',
  F: 'FAIL',
  U: 'UNDETERMINED',
  N: 'NOT_APPLICABLE',
};

t.test('what the runs of a site find makes these alerts', async (t) => {
  // A letter for each check (a, b, c) and run; the score is always 50, unless the run reaches nothing.
  const cases: readonly (readonly [runs: string, alerts: string])[] = [
    ['PP PP PP', ' | | '],
    ['FF FF', ' | '],
    ['PP FP FP PP', ' |+a| |-a'],
    ['PP FP PF', ' |+a|-a +b'],
    ['FP UP FP', ' | | '],
    ['PP UP FP', ' | |+a'],
    ['PP UP PP', ' | | '],
    ['FP UP PP', ' | |-a'],
    ['FP NP FP', ' | |+a'],
    ['FP NP PP', ' | |-a'],
    ['PP NP FP', ' | |+a'],
    ['NP FP', ' | '],
    ['NP UP FP FP PP FP', ' | | | |-a|+a'],
    ['PP NP PP', ' | | '],
    ['UP FP PP', ' | |-a'],
    ['PP UU PP', ' | | '],
    ['PP UU UU UU UU PP', ' | |down| | |up'],
    ['PP UU UU PP UU UU PP', ' | |down|up| |down|up'],
    ['UU UU PP', ' |down|up'],
    ['UU PF FF', ' | |+a'],
    ['PF UU UU FP', ' | |down|up +a -b'],
    ['PP UN UN', ' | |down'],
    ['PP NN NN', ' | | '],
    ['PP UU UU NN', ' | |down|up'],
  ];
  for (const [runs, alerts] of cases) {
    const { changes } = observeAll(
      runs.split(' ').map((letters, index) => {
        const results = Array.from(letters, (letter, at) => ['abc'[at] ?? '', LETTERS[letter] ?? 'PASS'] as const);
        return runOf(index + 1, Object.fromEntries(results), /[PF]/.test(letters) ? 50 : null);
      }),
    );
    t.equal(changes.map((list) => list.map(inShort).join(' ')).join('|'), alerts.replaceAll(' |', '|').trim(), runs);
  }
});

t.test('what the score does makes these alerts', async (t) => {
  // As above, with the score that the results make.
  const cases: readonly (readonly [why: string, runs: string, alerts: string])[] = [
    ['a fall', 'PPPP PPPF PPFF PPPP', '|100>75 +d|75>50 +c|-c -d'],
    ['against the last score that there was', 'PPPP UUUU PPPF', '||100>75 +d'],
    ['fewer checks that apply', 'PPPF PPNF', '|75>67'],
    ['what applies no more leaves the score', 'PPPP PPPN PPPP', '||'],
    ['one check not determined, for once', 'PPPP PPPU PPPP PPUP PPPP', '||||'],
    ['not determined twice in a row', 'PPPP PPPU PPPU PPPU', '||100>75|'],
    ['with a run between that reaches nothing', 'PPPP PPPU UUUU PPPU', '|||100>75'],
    ['another one each time', 'PPPP PPPU PPUP PPPP', '||100>75|'],
    ['a further one', 'PPPP PPPU PPUU PPUU', '||100>50|'],
    ['not determined first, failing then', 'PPPP PPPU PPPF', '||100>75 +d'],
    ['not determined alongside a failing one', 'PPPP PPUF PPPF PPUF', '|100>50 +d||'],
    ['never determined', 'PPPU PPPU PPFU', '||75>50 +c'],
    ['in doubt while others take turns', 'PPPF PUFP PPFP', '|+c -d|'],
  ];
  for (const [why, runs, alerts] of cases) {
    const { changes } = observeAll(
      runs.split(' ').map((letters, index) => {
        const results = Array.from(letters, (letter, at) => ['abcd'[at] ?? '', LETTERS[letter] ?? 'PASS'] as const);
        return runOf(index + 1, Object.fromEntries(results));
      }),
    );
    t.equal(changes.map((list) => list.map(inShort).join(' ')).join('|'), alerts, why);
  }
});

t.test('an accepted failure makes no alert until it is fixed, or fails in another way', async (t) => {
  // F: MISSING, which is accepted of check a from the run on whose letters begin with `!`; G: FORMAT, which is not.
  const cases: readonly (readonly [why: string, runs: string, alerts: string])[] = [
    ['neither new nor by its score', 'PPPP !FPPP !FPPP', '||'],
    ['fixed, and back again', 'PPPP !FPPP !PPPP !FPPP', '||-a|'],
    ['not determined between', 'FPPP !FPPP !UPPP !FPPP', '|||'],
    ['in another way', 'FPPP !FPPP !GPPP !GPPP', '||+a|'],
    ['in another way, after a run that could not tell', 'FPPP !FPPP !UPPP !GPPP', '|||+a'],
    ['in another way that was not accepted before either', 'PPPP !GPPP', '|100>75 +a'],
    ['accepted no longer', 'FPPP !FPPP FPPP', '||'],
    ['accepted too late', 'PPPP FPPP !FPPP', '|100>75 +a|'],
    ['another check is none the quieter', 'PPPP !FPPF !FPPF', '|100>50 +d|'],
    ['a later fall starts from the score with it', 'PPPP !FPPP !FPFP', '||75>50 +c'],
    ['alongside one not determined, for once', 'PPPP !FPPU !FPPP', '||'],
    ['alongside one not determined, twice', 'PPPP !FPPU !FPPU', '||75>50'],
  ];
  for (const [why, runs, alerts] of cases) {
    let state: AlertState | null = null;
    const told = runs.split(' ').map((letters, index) => {
      const accepted = letters.startsWith('!') ? [{ checkId: 'a', errorType: 'MISSING' as const }] : [];
      const findings = Array.from(letters.replace('!', ''), (letter, at) => {
        const checkId = 'abcd'[at] ?? '';
        if (letter === 'G') return finding({ checkId, result: 'FAIL', errorType: 'FORMAT' });
        return finding({ checkId, result: LETTERS[letter] ?? 'PASS' });
      });
      const run = { number: index + 1, score: scoreOf(findings) };
      const observed = observeRun(state, { run, findings }, accepted);
      state = JSON.parse(JSON.stringify(observed.state)) as AlertState;
      return observed.changes.map(inShort).join(' ');
    });
    t.equal(told.join('|'), alerts, why);
  }
});

t.test(
  'a check that the registry retired, added or scores now is not a change, nor what the score makes of it',
  async (t) => {
    const unscored = runOf(5, { a: 'PASS', b: 'PASS', c: 'FAIL' }, 100);
    const runs = [
      runOf(1, { a: 'PASS', old: 'FAIL' }),
      runOf(2, { a: 'PASS', b: 'FAIL', added: 'FAIL' }),
      runOf(3, { a: 'PASS', b: 'PASS', __proto__x: 'FAIL' }),
      runOf(4, { a: 'PASS', b: 'PASS', c: 'PASS', __proto__x: 'FAIL' }),
      { ...unscored, findings: unscored.findings.map((one) => ({ ...one, scored: one.checkId !== 'c' })) },
      runOf(6, { a: 'PASS', b: 'PASS', c: 'FAIL' }),
      runOf(7, { a: 'FAIL', b: 'PASS', c: 'FAIL' }),
    ];
    t.same(
      observeAll(runs).changes.map((list) => list.map(inShort)),
      [[], [], ['-b'], [], ['+c'], [], ['67>33', '+a']],
    );
  },
);

t.test('a change says what failed, in our own words', async (t) => {
  const { changes } = observeAll([runOf(1, { 'C-LLMS-01': 'PASS' }), runOf(2, { 'C-LLMS-01': 'FAIL' })]);
  t.same(changes[1], [
    { kind: 'SCORE_FELL', from: 100, to: 0 },
    {
      ...{ kind: 'CHECK_FAILING', checkId: 'C-LLMS-01', title: 'title of C-LLMS-01' },
      ...{ headline: 'There is no llms.txt', errorType: 'MISSING' },
    },
  ]);
});

t.test('what only a page shows that was not read before makes no alert, and hides none', async (t) => {
  const run = (number: number, results: Results, read: readonly string[], found: SampledPages['found'] = {}) => ({
    ...runOf(number, results),
    pages: { chosen: [], read, usual: [], found },
  });
  const fine = { a: 'PASS', b: 'PASS', c: 'PASS', d: 'PASS' } as const;
  const runs = [
    run(1, fine, ['u']),
    run(2, { ...fine, a: 'FAIL' }, ['x'], { a: ['x'] }),
    run(3, { ...fine, a: 'FAIL', b: 'FAIL' }, ['x'], { a: ['x'] }),
    run(4, { ...fine, a: 'FAIL', b: 'FAIL', c: 'FAIL', d: 'FAIL' }, ['x', 'y'], { a: ['x'], c: ['y'] }),
    run(5, { ...fine, a: 'PASS', c: 'FAIL', d: 'PASS' }, ['y'], { c: ['y'] }),
    run(6, fine, ['y']),
    run(7, { ...fine, c: 'FAIL' }, ['u'], { c: ['u'] }),
    run(8, fine, ['u']),
    run(9, { ...fine, c: 'FAIL' }, ['u'], { c: ['u'] }),
  ];
  t.same(
    observeAll(runs).changes.map((list) => list.map(inShort).join(' ')),
    ['', '', '75>50 +b', '50>0 +d', '-b -d', '-c', '', '-c', '100>75 +c'],
  );
  const accepted = [{ checkId: 'a', errorType: 'FORMAT' as const }];
  const other = {
    ...run(1, { a: 'FAIL' }, ['u']),
    findings: [finding({ checkId: 'a', result: 'FAIL', errorType: 'FORMAT' })],
  };
  const { state } = observeRun(null, other, accepted);
  const isTold = (next: ObservedRun): boolean => observeRun(state, next, accepted).changes.length > 0;
  t.equal(isTold(run(2, { a: 'FAIL' }, ['x'], { a: ['x'] })), false, 'nor where another failure of it was accepted');
  t.equal(isTold(run(2, { a: 'FAIL' }, ['u'], { a: ['u'] })), true);
});

const CHECKS = ['a', 'b', 'c', 'd'];
const history = fc
  .array(fc.array(fc.constantFrom(...(Object.keys(RESULTS) as Result[])), { minLength: 4, maxLength: 4 }), {
    minLength: 1,
    maxLength: 20,
  })
  .map((rows) =>
    rows.map((row, index) => runOf(index + 1, Object.fromEntries(CHECKS.map((id, at) => [id, row[at] ?? 'PASS'])))),
  );

t.test('the state is what JSON keeps of it', async () => {
  fc.assert(
    fc.property(history, (runs) => {
      const stored = runs.reduce<AlertState | null>(
        (state, run) => JSON.parse(JSON.stringify(observeRun(state, run).state)) as AlertState,
        null,
      );
      return JSON.stringify(stored) === JSON.stringify(observeAll(runs).states.at(-1));
    }),
  );
});

t.test('a run that is observed twice changes nothing the second time', async () => {
  fc.assert(
    fc.property(history, (runs) => {
      const { states } = observeAll(runs);
      return runs.every((run, index) => {
        const again = observeRun(states[index] ?? null, run);
        return again.changes.length === 0 && again.state === states[index];
      });
    }),
  );
});

t.test(
  'failing and fixed take turns but for what did not apply between, and so do unreachable and reachable',
  async () => {
    fc.assert(
      fc.property(history, (runs) => {
        const all = observeAll(runs).changes.flat();
        const takesTurns = (...pair: readonly string[]) => {
          const row = all.map(inShort).filter((short) => pair.includes(short));
          return row.every((short, index) => short !== row[index - 1]);
        };
        const applies = (id: string) =>
          runs.every(({ findings }) =>
            findings.every(({ checkId, result }) => checkId !== id || result !== 'NOT_APPLICABLE'),
          );
        return takesTurns('down', 'up') && CHECKS.every((id) => !applies(id) || takesTurns(`+${id}`, `-${id}`));
      }),
    );
  },
);

t.test('the changes applied in turn, to how each check was first judged, give the state', async () => {
  fc.assert(
    fc.property(history, (runs) => {
      const { states, changes } = observeAll(runs);
      const isFailing = new Map<string, boolean>();
      runs.forEach((run, index) => {
        for (const { checkId, result } of run.findings) {
          const isJudged = run.run.score !== null && (result === 'PASS' || result === 'FAIL');
          if (isJudged && !isFailing.has(checkId)) isFailing.set(checkId, result === 'FAIL');
        }
        for (const change of changes[index] ?? []) {
          if (change.kind === 'CHECK_FAILING') isFailing.set(change.checkId, true);
          if (change.kind === 'CHECK_FIXED') isFailing.set(change.checkId, false);
        }
      });
      const known = Object.entries(states.at(-1)?.checks ?? {}).filter(([, { judged }]) => judged !== null);
      return (
        known.length === isFailing.size && known.every(([id, { judged }]) => isFailing.get(id) === (judged === 'FAIL'))
      );
    }),
  );
});

t.test('a run like the one before, or one that reaches nothing for the first time, makes no alert', async () => {
  fc.assert(
    fc.property(history, (runs) => {
      const { states } = observeAll(runs);
      const last = runs.at(-1);
      const state = states.at(-1);
      if (!last || !state || last.run.score === null) return true;
      const again = { ...last, run: { ...last.run, number: last.run.number + 1 } };
      const nothing = runOf(last.run.number + 2, Object.fromEntries(CHECKS.map((id) => [id, 'UNDETERMINED'])));
      const next = observeRun(state, again);
      const isNothing = next.changes.length === 0 || state.isFallInDoubt;
      return isNothing && observeRun(next.state, nothing).changes.length === 0;
    }),
  );
});

t.test('a score that falls only by what could not be determined makes no alert the first time', async () => {
  const faults = fc.uniqueArray(fc.constantFrom(...CHECKS), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(history, faults, (runs, undetermined) => {
      const state = observeAll(runs).states.at(-1);
      if (!state || state.unreachableRuns > 0 || state.isFallInDoubt) return true;
      const results = {
        ...Object.fromEntries(Object.entries(state.checks).map(([id, { last }]) => [id, last])),
        ...Object.fromEntries(undetermined.map((id) => [id, 'UNDETERMINED' as const])),
      };
      return observeRun(state, runOf(state.run + 1, results)).changes.length === 0;
    }),
  );
});

t.test('a score that fell has a check that got worse, or was in doubt before', async () => {
  const worse = ['PASS FAIL', 'PASS NOT_APPLICABLE', 'NOT_APPLICABLE FAIL'];
  fc.assert(
    fc.property(history, (runs) => {
      const { states, changes } = observeAll(runs);
      return changes.every((list, index) => {
        const [before, after] = [states[index - 1], states[index]];
        const isWorse = CHECKS.some((id) => worse.includes(`${before?.checks[id]?.last} ${after?.checks[id]?.last}`));
        return !list.some(({ kind }) => kind === 'SCORE_FELL') || isWorse || before?.isFallInDoubt === true;
      });
    }),
  );
});

t.test(
  'a lower score is told of by the second run that shows it, unless a check failed that was not judged before',
  async () => {
    fc.assert(
      fc.property(history, (runs) => {
        const { states, changes } = observeAll(runs);
        return runs.every(({ run, findings }, index) => {
          const before = states[index - 1];
          if (!before?.isFallInDoubt || run.score === null || before.score === null) return true;
          const isJudged = ({ checkId }: { checkId: string }) => (before.checks[checkId]?.judged ?? null) !== null;
          if (!findings.filter(({ result }) => result === 'FAIL').every(isJudged)) return true;
          return run.score < before.score === changes[index]?.some(({ kind }) => kind === 'SCORE_FELL');
        });
      }),
    );
  },
);
