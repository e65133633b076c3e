import fc from 'fast-check';
import t from 'tap';
import { newId } from '../../../src/platform/ids.js';
import { FREQUENCIES, type Frequency, nextScheduledTime } from '../../../src/app/automation/schedules.js';

const frequency = fc.constantFrom(...(Object.keys(FREQUENCIES) as Frequency[]));
const siteId = fc.string({ minLength: 1 });
const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });

t.test('the next time is at most a period away, the same until it comes, a period before the next', async () => {
  fc.assert(
    fc.property(siteId, frequency, time, fc.double({ min: 0, max: 1, noNaN: true }), (id, frequency, after, share) => {
      const next = nextScheduledTime(id, frequency, after);
      const gapMs = next.getTime() - after.getTime();
      const between = new Date(after.getTime() + Math.floor((gapMs - 1) * share));
      return (
        gapMs > 0 &&
        gapMs <= FREQUENCIES[frequency].periodMs &&
        nextScheduledTime(id, frequency, between).getTime() === next.getTime() &&
        nextScheduledTime(id, frequency, next).getTime() - next.getTime() === FREQUENCIES[frequency].periodMs
      );
    }),
  );
});

t.test('sites are spread over the period, so that no minute is a peak', async (t) => {
  const sites = 6000;
  const perMinute = new Map<number, number>();
  for (let site = 0; site < sites; site += 1) {
    const next = nextScheduledTime(newId('site'), 'HOURLY', new Date('2026-03-15T00:00:00Z'));
    perMinute.set(next.getUTCMinutes(), (perMinute.get(next.getUTCMinutes()) ?? 0) + 1);
  }
  t.equal(perMinute.size, 60, 'every minute has its sites');
  // 100 are expected in each; 8 standard deviations from it.
  t.ok(Math.max(...perMinute.values()) < 180, 'and none has many more than another');
});
