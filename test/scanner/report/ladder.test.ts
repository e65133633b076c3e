import t from 'tap';
import { ladderOf, type Gain } from '../../../src/scanner/report/gain.js';
import { finding } from '../../support/findings.js';

const BLOCKED = finding({ checkId: 'C-BOT-01', result: 'FAIL', errorType: 'BLOCKED' });
const CONTRADICTED = finding({ checkId: 'C-BOT-02', result: 'FAIL', errorType: 'POLICY_INCONSISTENT' });
const MISSING = finding({ checkId: 'C-SD-01', result: 'FAIL', errorType: 'NO_JSONLD' });
const UNSCORED = finding({ checkId: 'C-FWD-01', result: 'FAIL', scored: false });
const PROFILES = finding({ checkId: 'C-SD-04', result: 'NOT_APPLICABLE' });
const PASSED = ['C-LLMS-01', 'C-LLMS-02', 'C-LLMS-03'].map((checkId) => finding({ checkId, result: 'PASS' }));
const FINDINGS = [...PASSED, BLOCKED, CONTRADICTED, MISSING, PROFILES, UNSCORED];

const gain = (checkId: string, more: Partial<Gain> = {}): Gain => ({
  ...{ checkId, points: 17, isAtLeast: false },
  ...more,
});
const GAINS = [
  gain('C-BOT-01'),
  gain('C-BOT-02'),
  gain('C-SD-01', { isAtLeast: true }),
  gain('C-FWD-01', { points: 0 }),
];

t.test('gains add up in the order of the fixes', async (t) => {
  const ladder = ladderOf(FINDINGS, GAINS, [BLOCKED, CONTRADICTED, UNSCORED]);
  t.same(
    [...(ladder?.rungs ?? [])],
    [
      ['C-BOT-01', { from: 50, to: 67, isAtLeast: false }],
      ['C-BOT-02', { from: 67, to: 83, isAtLeast: false }],
      ['C-FWD-01', { from: 83, to: 83, isAtLeast: false }],
    ],
  );
  t.match(ladder, { to: 83, isAtLeast: false });
});

t.test('where further checks become applicable, the score is at least so much', async (t) => {
  const ladder = ladderOf(FINDINGS, GAINS, [BLOCKED, MISSING]);
  t.same(ladder?.rungs.get('C-SD-01'), { from: 67, to: 83, isAtLeast: true });
  t.match(ladder, { to: 83, isAtLeast: true });
});

t.test('a failure that is left out leaves the ladder, and the score stays', async (t) => {
  t.match(ladderOf(FINDINGS, GAINS, [MISSING]), { to: 67, isAtLeast: true });
  t.match(ladderOf(FINDINGS, GAINS, []), { to: 50, isAtLeast: false });
});

t.test('there is no ladder without a score', async (t) => {
  t.equal(ladderOf([finding({ checkId: 'C-MD-01', result: 'UNDETERMINED' })], [], []), null);
});
