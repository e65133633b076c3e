import fc from 'fast-check';
import t from 'tap';
import { type AlertChange, type AlertState, observeRun } from '../../src/domain/alerts.js';
import type { RunResponse } from '../../src/domain/run.js';
import { scoreOf } from '../../src/domain/score.js';
import { RESULTS, type Result } from '../../src/domain/vocabulary.js';
import { finding } from '../support/findings.js';

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
function observeAll(runs: readonly RunResponse[]): { states: AlertState[]; changes: (readonly AlertChange[])[] } {
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
    ['FP NP FP', ' |-a|+a'],
    ['NP FP', ' |+a'],
    ['PP NP PP', ' | | '],
    ['UP FP PP', ' | |-a'],
    ['PP UU PP', ' | | '],
    ['PP UU UU UU UU PP', ' | |down| | |up'],
    ['PP UU UU PP UU UU PP', ' | |down|up| |down|up'],
    ['UU UU PP', ' |down|up'],
    ['UU PF FF', ' | |+a'],
    ['PF UU UU FP', ' | |down|up +a -b'],
    ['PP UN UN', ' | |down'],
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

t.test('the score falls against the last one that was determined', async (t) => {
  const scores = [90, 90, 80, null, 80, null, 70, 95, 94];
  const { changes } = observeAll(scores.map((score, index) => runOf(index + 1, { a: 'PASS' }, score)));
  t.same(
    changes.map((list) => list.map(inShort)),
    [[], [], ['90>80'], [], [], [], ['80>70'], [], ['95>94']],
  );
});

t.test('a check that the registry retired or added is no change, nor what the score makes of it', async (t) => {
  const runs = [
    runOf(1, { a: 'PASS', old: 'FAIL' }, 90),
    runOf(2, { a: 'PASS', added: 'FAIL' }, 50),
    runOf(3, { a: 'PASS', added: 'PASS', __proto__x: 'FAIL' }, 40),
    runOf(4, { a: 'FAIL', added: 'PASS', __proto__x: 'FAIL' }, 30),
  ];
  t.same(
    observeAll(runs).changes.map((list) => list.map(inShort)),
    [[], [], ['-added'], ['40>30', '+a']],
  );
});

t.test('a change says what failed, in our own words', async (t) => {
  const { changes } = observeAll([runOf(1, { a: 'PASS' }), runOf(2, { a: 'FAIL' })]);
  t.same(changes[1], [
    { kind: 'SCORE_FELL', from: 100, to: 0 },
    { kind: 'CHECK_FAILING', checkId: 'a', title: 'title of a', errorType: 'MISSING' },
  ]);
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

t.test('failing and fixed take turns, and so do unreachable and reachable', async () => {
  fc.assert(
    fc.property(history, (runs) => {
      const all = observeAll(runs).changes.flat();
      const turns = [...CHECKS.map((id) => [`+${id}`, `-${id}`]), ['down', 'up']].map((pair) =>
        all.map(inShort).filter((short) => pair.includes(short)),
      );
      return turns.every((row) => row.every((short, index) => short !== row[index - 1]));
    }),
  );
});

t.test('the changes applied in turn, to what the first determined results were, give the state', async () => {
  fc.assert(
    fc.property(history, (runs) => {
      const { states, changes } = observeAll(runs);
      const isFailing = new Map<string, boolean>();
      runs.forEach((run, index) => {
        for (const { checkId, result } of run.findings) {
          const isReached = run.run.score !== null || run.findings.some((one) => one.result === 'PASS');
          if (result !== 'UNDETERMINED' && isReached && !isFailing.has(checkId))
            isFailing.set(checkId, result === 'FAIL');
        }
        for (const change of changes[index] ?? []) {
          if (change.kind === 'CHECK_FAILING') isFailing.set(change.checkId, true);
          if (change.kind === 'CHECK_FIXED') isFailing.set(change.checkId, false);
        }
      });
      const known = Object.entries(states.at(-1)?.checks ?? {}).filter(([, what]) => what !== 'UNKNOWN');
      return known.length === isFailing.size && known.every(([id, what]) => isFailing.get(id) === (what === 'FAILING'));
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
      return next.changes.length === 0 && observeRun(next.state, nothing).changes.length === 0;
    }),
  );
});
