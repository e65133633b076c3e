import { readFileSync } from 'node:fs';
import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import {
  explainUnready,
  formatReleased,
  judgeCases,
  type JudgedCase,
  listUnrevised,
  type Released,
  RELEASED_PATH,
} from '../../support/released.js';

const released = JSON.parse(readFileSync(RELEASED_PATH, 'utf8')) as Released;

t.test('a check that judges otherwise than the last release did has another revision', async (t) => {
  const judged = await judgeCases();
  t.same(listUnrevised(released, CHECKS, judged), []);
  const compared = judged.filter(({ name, input }) => released.cases[name]?.input === input);
  t.ok(compared.length > Object.keys(released.cases).length / 2, 'most cases of then are cases of now');
});

const caseOf = (name: string, first: string, second: string, input = 'a'): JudgedCase => ({
  ...{ name, input },
  verdicts: new Map([
    ['C-A-01', first],
    ['C-A-02', second],
  ]),
});

const revised = (first: number, second: number) => [
  { id: 'C-A-01', revision: first },
  { id: 'C-A-02', revision: second },
];

t.test('what has to be revised is named, with its cases and its file', async (t) => {
  const cases = ['one', 'two', 'three', 'four'].map((name) => caseOf(name, 'PASS', 'PASS'));
  const kept = JSON.parse(formatReleased('0.1.0', revised(1, 4), cases)) as Released;
  t.same(listUnrevised(kept, revised(1, 4), cases), []);
  const moved = [...cases.map(({ name }) => caseOf(name, 'PASS', 'FAIL FORMAT')), caseOf('new', 'FAIL FORMAT', 'PASS')];
  t.same(listUnrevised(kept, revised(1, 4), moved), [
    'C-A-02 judges one (PASS, now FAIL FORMAT); two (PASS, now FAIL FORMAT); three (PASS, now FAIL FORMAT); and 1 more ' +
      'differently than 0.1.0: set "revision" in src/scanner/checks/c-a-02.ts to 5.',
  ]);
  t.same(listUnrevised(kept, revised(1, 5), moved), [], 'a raised revision may move verdicts');
  t.same(listUnrevised(kept, [...revised(1, 4), { id: 'C-A-03', revision: 1 }], cases), [], 'a new check has no past');
  t.same(listUnrevised(kept, revised(1, 6), cases), ['C-A-02 had revision 4 in 0.1.0: the next one is 5, not 6.']);
  t.same(listUnrevised(kept, revised(0, 4), cases), ['C-A-01 had revision 1 in 0.1.0: the next one is 2, not 0.']);
  t.same(
    listUnrevised(kept, revised(1, 4), [caseOf('one', 'FAIL FORMAT', 'PASS', 'b')]),
    [],
    'an edited case is another',
  );
});

t.test('the verdicts of a release are kept once, when it is made', async (t) => {
  const newest = { version: '0.2.0', commit: null, isDone: true };
  t.equal(explainUnready({ newest, version: '0.2.0', last: '0.1.0' }), null);
  t.match(explainUnready({ newest, version: '0.2.0', last: '0.2.0+1234567' }), /kept already/);
  t.match(explainUnready({ newest, version: '0.3.0', last: '0.2.0' }), /"## 0\.3\.0 \(its day\)"/);
  t.match(explainUnready({ newest: { ...newest, isDone: false }, version: '0.2.0', last: '0.1.0' }), /No release/);
});
