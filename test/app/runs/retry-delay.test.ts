import t from 'tap';
import { retryDelayMs } from '../../../src/app/runs/retry-delay.js';

t.test('the pause before another attempt grows with each, and differs from run to run', async (t) => {
  const keys = Array.from({ length: 100 }, (_, index) => `site_${index}`);
  for (const [attempt, leastMs] of [
    [1, 15_000],
    [2, 30_000],
    [3, 60_000],
  ] as const) {
    const delays = keys.map((key) => retryDelayMs(key, 15_000, attempt));
    t.ok(delays.every((ms) => ms >= leastMs && ms < 2 * leastMs));
    t.ok(new Set(delays).size > 90);
    t.ok(Math.max(...delays) - Math.min(...delays) > leastMs / 2, 'all over that time');
  }
  t.equal(retryDelayMs('a', 5000), retryDelayMs('a', 5000), 'a run keeps to its own');
});
