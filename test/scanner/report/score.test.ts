import t from 'tap';
import { scoreOf } from '../../../src/scanner/report/score.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';

const scored = (...results: Result[]) => results.map((result) => ({ scored: true, result }));

t.test('passed over applicable, half up', async (t) => {
  t.equal(scoreOf(scored('PASS', 'FAIL')), 50);
  t.equal(scoreOf(scored('PASS', 'FAIL', 'FAIL')), 33);
  t.equal(scoreOf(scored('PASS', 'PASS', 'FAIL')), 67);
  t.equal(scoreOf(scored(...Array<Result>(7).fill('FAIL'), 'PASS')), 13, '12.5 rounds up');
});

t.test('NOT_APPLICABLE leaves the denominator, UNDETERMINED stays in it', async (t) => {
  t.equal(scoreOf(scored('PASS', 'NOT_APPLICABLE')), 100);
  t.equal(scoreOf(scored('PASS', 'UNDETERMINED')), 50);
});

t.test('a finding that is not scored counts for nothing', async (t) => {
  t.equal(scoreOf([...scored('PASS'), { scored: false, result: 'FAIL' }]), 100);
});

t.test('null, not zero, when nothing is PASS or FAIL', async (t) => {
  t.equal(scoreOf([]), null);
  t.equal(scoreOf(scored('UNDETERMINED', 'NOT_APPLICABLE')), null);
  t.equal(scoreOf(scored('FAIL')), 0);
});
