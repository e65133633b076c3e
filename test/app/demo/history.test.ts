import t from 'tap';
import { type HistoryContext, makeHistory } from '../../../src/app/demo/history.js';
import { ServiceError } from '../../../src/platform/errors.js';

const AT = { siteId: 'site_a', accountId: 'acc_a' };
const KEY = 'ars_a';

/** Services that make a run at once, and say what they were asked for. */
function prepare(latest: number, more: Partial<HistoryContext> = {}) {
  const made: string[] = [];
  const shown: number[] = [];
  const stop = new AbortController();
  let count = latest;
  const run = (what: string): void => {
    count += 1;
    made.push(what);
  };
  let looks = 0;
  const deps = {
    sites: { getOwn: async () => ({ latestNumber: count }) },
    manualRuns: {
      start: async () => run('by hand'),
      // The first look comes too early.
      find: async () => ((looks += 1) % 2 === 1 ? { state: 'running' } : null),
    },
    deployHooks: {
      create: async () => ({ token: 'token' }),
      call: async (token: string, waitS: number) => run(`${token} ${waitS}`),
      status: async () => ({ state: 'idle' }),
    },
    access: { admit: async (header: string) => (made.push(header), { accountId: AT.accountId }) },
    runs: { start: async ({ trigger }: { trigger: string }) => run(trigger) },
    triggers: ['MANUAL', 'POST_DEPLOY', 'API', 'MANUAL'],
    showAt: (number: number) => shown.push(number),
    startTimer: (action: () => void) => (queueMicrotask(action), () => undefined),
    key: KEY,
    signal: stop.signal,
    ...more,
  } as unknown as HistoryContext;
  return { made, shown, stop, make: () => makeHistory(AT, deps) };
}

t.test('runs are made one after another, each with the site as of its number', async (t) => {
  const { made, shown, make } = prepare(0);
  await make();
  t.same(made, ['by hand', 'token 0', `Bearer ${KEY}`, 'API', 'by hand']);
  t.same(shown, [1, 2, 3, 4, 5]);
});

t.test('an interrupted start continues, a complete one makes no run', async (t) => {
  const half = prepare(2, { key: null });
  await half.make();
  t.same(half.made, ['by hand', 'by hand'], 'without a key a person takes its place');
  const whole = prepare(4);
  await whole.make();
  t.same([whole.made, whole.shown], [[], [5]]);
});

t.test('it stops when aborted, when a run fails, and when one is refused', async (t) => {
  const stopped = prepare(0, { showAt: () => stopped.stop.abort() });
  await stopped.make();
  t.same(stopped.made, ['by hand']);
  const nothing = prepare(0, { manualRuns: { start: async () => undefined, find: async () => null } as never });
  await nothing.make();
  t.same(nothing.made, []);
  const start = () => Promise.reject(new ServiceError('daily_runs_exceeded'));
  await t.rejects(prepare(0, { manualRuns: { start } as never }).make(), { code: 'daily_runs_exceeded' });
});
