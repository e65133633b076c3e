import t from 'tap';
import { differenceOf, isSure, isTelling } from '../../torture/timing-statistics.js';

/** Times that go up and down with what else the machine does, a pause now and then. */
function timesOf(baseUs: number, shiftUs: number): number[] {
  return Array.from({ length: 600 }, (_, turn) => {
    const load = 200 * Math.sin(turn / 40);
    const noise = ((turn * (shiftUs === 0 ? 7919 : 104_729)) % 31) - 15;
    return baseUs + load + noise + shiftUs + (turn % 97 === 0 ? 20_000 : 0);
  });
}

t.test('a difference of times is found though the load is larger than it, and none where there is none', async (t) => {
  const same = differenceOf(timesOf(1000, 0), timesOf(1000, 0.001));
  t.equal(isTelling(same), false, `a difference of ${same.difference}`);
  const apart = differenceOf(timesOf(1000, 0), timesOf(1000, 40));
  t.equal(isTelling(apart), true);
  t.ok(apart.interval[0] > 30 && apart.interval[1] < 50 && apart.t > 20, JSON.stringify(apart));
  const little = differenceOf(timesOf(1000, 0), timesOf(1000, 10));
  t.strictSame([isSure(little), isTelling(little)], [true, false], 'one that no network lets through is shown alone');
  const slow = differenceOf(timesOf(400_000, 0), timesOf(400_000, 4000));
  t.equal(isTelling(slow), false, 'as is one that is a hundredth of the whole');
});
