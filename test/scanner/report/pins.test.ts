import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { madeOf, pinCharacter, type PinGroup, pinGroupsOf } from '../../../src/scanner/report/pins.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';

const findings = (results: readonly Result[]) =>
  results.map((result, index) => ({ checkId: CHECKS[index]?.id ?? '', result }));

const draw = (groups: readonly PinGroup[]): string =>
  madeOf(groups)
    .map(({ pins }) => pins.map((pin) => pinCharacter(pin)).join(''))
    .join('  ');

t.test('pins as characters', async (t) => {
  const all: readonly Result[] = CHECKS.map(() => 'PASS');
  const sizes = pinGroupsOf([]).map(({ pins }) => pins.length);
  const drawn = sizes.map((size) => '┃'.repeat(size)).join('  ');
  t.equal(draw(pinGroupsOf(findings(all))), drawn);
  const mixed: readonly Result[] = ['PASS', 'FAIL', 'UNDETERMINED', 'NOT_APPLICABLE', ...all.slice(5), 'FAIL'];
  t.equal(draw(pinGroupsOf(findings(mixed))), `┃╻┇·${drawn.slice(4, -1)}╷`);
  t.equal(draw(pinGroupsOf(findings(['PASS', 'FAIL']))), '┃╻', 'of checks that were not made there is none');
  t.equal(draw(pinGroupsOf([{ checkId: 'retired', result: 'FAIL' }])), '');
});
