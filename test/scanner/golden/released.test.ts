import { readFileSync } from 'node:fs';
import t from 'tap';
import { judgeCases, listUnrevised, type Released, RELEASED_PATH } from '../../support/released.js';

t.test('a check that judges otherwise than the last release has another revision', async (t) => {
  const last = JSON.parse(readFileSync(RELEASED_PATH, 'utf8')) as Released;
  const now = await judgeCases('now');
  t.same(listUnrevised(last, now), []);
  const compared = Object.entries(now.cases).filter(([name, { input }]) => last.cases[name]?.input === input);
  t.ok(compared.length > Object.keys(last.cases).length / 2, 'most cases of then are cases of now');
});

t.test('what has to be revised is named', async (t) => {
  const release = (second: number, verdicts: string, input = 'a'): Released => ({
    release: '0.1.0',
    revisions: { 'C-A-01': 1, 'C-A-02': second },
    cases: { one: { input, verdicts } },
  });
  const last = release(4, 'PASS,PASS');
  t.match(listUnrevised(last, release(4, 'PASS,FAIL FORMAT')), [/^C-A-02 judges 1 .* \(one\): .* 5\.$/]);
  t.match(listUnrevised(last, release(6, 'PASS,PASS')), [/^C-A-02 had revision 4 .* 5\.$/]);
  t.same(listUnrevised(last, release(5, 'PASS,FAIL FORMAT')), [], 'a raised revision may move verdicts');
  t.same(listUnrevised(last, release(4, 'FAIL FORMAT,PASS', 'b')), [], 'an edited case is another');
});
