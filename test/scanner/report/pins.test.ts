import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { drawPins, pinGroupsOf } from '../../../src/scanner/report/pins.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';

const findings = (results: readonly Result[]) =>
  results.map((result, index) => ({ checkId: CHECKS[index]?.id ?? '', result }));

t.test('pins are drawn as characters, a failure below the line, what is not scored small', async (t) => {
  const all: readonly Result[] = CHECKS.map(() => 'PASS');
  t.equal(drawPins(pinGroupsOf(findings(all))), '┃┃┃┃┃┃  ┃┃┃  ┃┃┃┃  ┃┃┃┃  ┃');
  const mixed: readonly Result[] = ['PASS', 'FAIL', 'UNDETERMINED', 'NOT_APPLICABLE', ...all.slice(5), 'FAIL'];
  t.equal(drawPins(pinGroupsOf(findings(mixed))), '┃╻┇·┃┃  ┃┃┃  ┃┃┃┃  ┃┃┃┃  ╷');
  t.equal(drawPins(pinGroupsOf(findings(['PASS', 'FAIL']))), '┃╻', 'of checks that were not made there is none');
  t.equal(drawPins(pinGroupsOf([{ checkId: 'retired', result: 'FAIL' }])), '');
});
