import t from 'tap';
import { decideOwnership, type ProofResult } from '../../../src/app/sites/ownership-recheck.js';
import type { MissingProof } from '../../../src/app/sites/site.js';
import { timeAfter } from '../../../src/platform/clock.js';

const DAY_MS = 86_400_000;
const FIRST_DAY = new Date('2026-04-14T12:00:00.000Z');

function repeat(look: ProofResult, days: number): ProofResult[] {
  return Array<ProofResult>(days).fill(look);
}

/** Decides one look a day, until the ownership ends. */
function follow(looks: readonly ProofResult[]) {
  let state: MissingProof | null = null;
  const notices: string[] = [];
  for (const [index, look] of looks.entries()) {
    const { missing, lost, notice } = decideOwnership(look, state, timeAfter(FIRST_DAY, index * DAY_MS));
    if (notice) notices.push(`day ${index + 1}: ${notice.problem}, ${notice.daysLeft} left`);
    if (lost) return { lost: `day ${index + 1}: ${lost}`, days: null, notices };
    state = missing;
  }
  return { lost: null, days: state?.days ?? 0, notices };
}

t.test('when the ownership ends, and when its owner is told', async (t) => {
  const absent = 'day 1: absent, 1 left';
  const gone = 'day 1: gone, 2 left';
  const unread = 'day 1: unread, 29 left';
  const later = ['day 23: unread, 7 left', 'day 28: unread, 2 left'];
  const rows: [looks: readonly ProofResult[], lost: string | null, days: number | null, notices: readonly string[]][] =
    [
      [['found'], null, 0, []],
      [['absent'], null, 1, [absent]],
      [['absent', 'absent'], 'day 2: absent', null, [absent]],
      [['gone', 'gone'], null, 2, [gone]],
      [['gone', 'gone', 'gone'], 'day 3: gone', null, [gone]],
      [repeat('unread', 29), null, 29, [unread, ...later]],
      [repeat('unread', 30), 'day 30: unread', null, [unread, ...later]],
      // The last look decides which of the three ends applies.
      [['unread', 'absent'], 'day 2: absent', null, [unread]],
      [['absent', 'unread'], null, 2, [absent]],
      [['absent', 'unread', 'absent'], 'day 3: absent', null, [absent]],
      [['gone', 'absent'], 'day 2: absent', null, [gone]],
      [['absent', 'gone'], null, 2, [absent]],
      [['unread', 'unread', 'gone'], 'day 3: gone', null, [unread]],
      [[...repeat('unread', 10), 'absent'], 'day 11: absent', null, [unread]],
      // A day without any answer does not count.
      [repeat('unanswered', 60), null, 0, []],
      [['absent', ...repeat('unanswered', 40)], null, 1, [absent]],
      [['unanswered', 'absent', 'unanswered', 'absent'], 'day 4: absent', null, ['day 2: absent, 1 left']],
      [[...repeat('unread', 29), 'unanswered', 'unread'], 'day 31: unread', null, [unread, ...later]],
      // A proof that is found starts the count again.
      [['absent', 'found', 'absent'], null, 1, [absent, 'day 3: absent, 1 left']],
      [
        [...repeat('unread', 29), 'found', ...repeat('unread', 2)],
        null,
        2,
        [unread, ...later, 'day 31: unread, 29 left'],
      ],
    ];
  for (const [looks, lost, days, notices] of rows) t.same(follow(looks), { lost, days, notices }, looks.join(' '));
});

t.test('when the proof is looked for again, and since when it is missing', async (t) => {
  const before = { since: '2026-04-10T12:00:00.000Z', days: 1 };
  const tomorrow = '2026-04-15T12:00:00.000Z';
  const rows: [look: ProofResult, before: MissingProof | null, dueAt: string | null, missing: MissingProof | null][] = [
    ['found', null, '2026-05-14T12:00:00.000Z', null],
    ['found', before, '2026-05-14T12:00:00.000Z', null],
    ['unanswered', null, tomorrow, null],
    ['unanswered', before, tomorrow, before],
    ['unread', null, tomorrow, { since: FIRST_DAY.toISOString(), days: 1 }],
    ['unread', before, tomorrow, { since: before.since, days: 2 }],
    ['absent', before, null, null],
  ];
  for (const [look, state, dueAt, missing] of rows)
    t.match(decideOwnership(look, state, FIRST_DAY), { dueAt, missing }, `${look} after ${state?.days ?? 0} days`);
});
