import t from 'tap';
import { describeLabel } from '../../../src/app/runs/run.js';
import { isLabel } from '../../../src/platform/label.js';

t.test('a label is printable ASCII, up to 100 characters', async (t) => {
  for (const text of ['v1', ' ', '~', 'x'.repeat(100)]) t.ok(isLabel(text), text);
  for (const text of ['', 'x'.repeat(101), 'é', 'a\nb', '\u007f']) t.notOk(isLabel(text), JSON.stringify(text));
});

t.test('pages show both parts, a hash cut short', async (t) => {
  t.equal(describeLabel({ label: 'v1', commit: 'a'.repeat(40) }), 'v1, aaaaaaa');
  t.equal(describeLabel({ label: 'a'.repeat(40), commit: 'a'.repeat(40) }), 'aaaaaaa', 'once');
  t.equal(describeLabel({ label: 'B'.repeat(40), commit: '4F2A1C9D' }), 'bbbbbbb, 4f2a1c9');
  t.equal(describeLabel({ label: '20260315', commit: '4f2a1c' }), '20260315, 4f2a1c', 'too short to be a hash');
  t.equal(describeLabel({ label: '202603151200', commit: 'r1234' }), '202603151200, r1234');
});
