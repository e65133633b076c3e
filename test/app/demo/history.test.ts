import t from 'tap';
import { type HistoryDeps, makeHistory } from '../../../src/app/demo/history.js';
import { ServiceError } from '../../../src/platform/errors.js';

const AT = { siteId: 'site_a', accountId: 'acc_a' };
const KEY = 'ars_a';

/** Services that make a run at once, and say what they were asked for. */
function prepare(latest: number, more: Partial<HistoryDeps> = {}) {
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
  } as unknown as HistoryDeps;
  return { made, shown, stop, make: () => makeHistory(AT, deps) };
}

t.test('the runs are made one after another, each while the site is as it is at its time', async (t) => {
  const { made, shown, make } = prepare(0);
  await make();
  t.same(made, ['by hand', 'token 0', `Bearer ${KEY}`, 'API', 'by hand']);
  t.same(shown, [1, 2, 3, 4, 5]);
});

t.test('a start that was broken off goes on, and one that was not makes none', async (t) => {
  const half = prepare(2, { key: null });
  await half.make();
  t.same(half.made, ['by hand', 'by hand'], 'without a key a person takes its place');
  const whole = prepare(4);
  await whole.make();
  t.same([whole.made, whole.shown], [[], [5]]);
});

t.test('it ends with the process, where a run comes to nothing, and where one is refused', async (t) => {
  const stopped = prepare(0, { showAt: () => stopped.stop.abort() });
  await stopped.make();
  t.same(stopped.made, ['by hand']);
  const nothing = prepare(0, { manualRuns: { start: async () => undefined, find: async () => null } as never });
  await nothing.make();
  t.same(nothing.made, []);
  const start = () => Promise.reject(new ServiceError('daily_runs_exceeded'));
  await t.rejects(prepare(0, { manualRuns: { start } as never }).make(), { code: 'daily_runs_exceeded' });
});
