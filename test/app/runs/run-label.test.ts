import t from 'tap';
import { describeLabel, findCommitHash } from '../../../src/app/runs/run.js';
import { isLabel } from '../../../src/platform/label.js';

t.test('a label is printable ASCII, up to 100 characters', async (t) => {
  for (const text of ['v1', ' ', '~', 'x'.repeat(100)]) t.ok(isLabel(text), text);
  for (const text of ['', 'x'.repeat(101), 'é', 'a\nb', '\u007f']) t.notOk(isLabel(text), JSON.stringify(text));
});

t.test('messages hold the hash of a commit, and no other word', async (t) => {
  const hash = '4F2A1C9D'.padEnd(40, '0');
  t.equal(findCommitHash({ label: 'v1', commit: hash }), '4f2a1c9');
  t.equal(findCommitHash({ label: null, commit: '4f2a1c9' }), '4f2a1c9', 'the beginning of one');
  t.equal(findCommitHash({ label: hash, commit: null }), '4f2a1c9', 'as the header of the API gives it');
  t.equal(findCommitHash({ label: '20260315', commit: null }), null, 'a day is none');
  t.equal(findCommitHash({ label: 'v1', commit: 'click here' }), null);
  t.equal(findCommitHash({ label: null, commit: '4f2a1c' }), null, 'six digits are too few to tell');
});

t.test('pages show both parts, a hash cut short', async (t) => {
  t.equal(describeLabel({ label: 'v1', commit: 'a'.repeat(40) }), 'v1, aaaaaaa');
  t.equal(describeLabel({ label: 'a'.repeat(40), commit: 'a'.repeat(40) }), 'aaaaaaa', 'once');
  t.equal(describeLabel({ label: '202603151200', commit: 'r1234' }), '202603151200, r1234');
});
