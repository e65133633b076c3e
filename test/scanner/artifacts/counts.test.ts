import t from 'tap';
import { countOf, formatCount } from '../../../src/scanner/artifacts/counts.js';

t.test('a count in words', async (t) => {
  t.same(
    [0, 1, 2, 1234].map((count) => countOf(count, 'day')),
    ['0 days', '1 day', '2 days', '1,234 days'],
  );
  t.equal(formatCount(1_234_567), '1,234,567');
});
