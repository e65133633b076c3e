import t from 'tap';
import { formatMoment, formatRelative, formatUtc } from '../../../src/web/html/text.js';

t.test(
  'a time is told by its distance in the largest unit that fits, and by its date where it is long ago',
  async (t) => {
    const now = Date.parse('2026-11-21T14:37:20.000Z');
    const [minute, hour, day] = [60, 3_600, 86_400];
    for (const [seconds, past, future] of [
      [0, 'just now', 'just now'],
      [1, 'just now', 'in less than a minute'],
      [minute - 1, 'just now', 'in less than a minute'],
      [minute, '1 minute ago', 'in 1 minute'],
      [2 * minute - 1, '1 minute ago', 'in 1 minute'],
      [hour - 1, '59 minutes ago', 'in 59 minutes'],
      [hour, '1 hour ago', 'in 1 hour'],
      [day - 1, '23 hours ago', 'in 23 hours'],
      [day, '1 day ago', 'in 1 day'],
      [45 * day, '45 days ago', 'in 45 days'],
      [45 * day + 1, 'on 7 Oct', 'on 5 Jan 2027'],
    ] as const) {
      t.equal(formatRelative(new Date(now - seconds * 1000), new Date(now)), past, `${seconds} s ago`);
      t.equal(formatRelative(new Date(now + seconds * 1000), new Date(now)), future, `in ${seconds} s`);
    }
  },
);

t.test('a moment is told to the minute', async (t) => {
  t.equal(formatUtc('2026-11-21T14:37:20.123Z'), '2026-11-21 14:37 UTC');
  t.equal(formatMoment('2026-11-21T14:37:20.123Z', '2026-12-01'), '21 Nov, 14:37');
  t.equal(formatMoment('2025-11-21T14:37:20.123Z', '2026-12-01'), '21 Nov 2025, 14:37');
});
