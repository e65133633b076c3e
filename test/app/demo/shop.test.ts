import t from 'tap';
import { HISTORY, type HistoryContext, makeHistory, shopAnswer } from '../../../src/app/demo/shop.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { failureOf } from '../../../src/scanner/report/failures.js';
import { FIXTURE_ORIGIN, type FixtureRequest } from '../../support/fixture-site.js';
import { scanFixture } from '../../support/golden.js';

function scanAt(number: number) {
  const answer = ({ url: { pathname: path } }: FixtureRequest) => shopAnswer(number, path, FIXTURE_ORIGIN);
  return scanFixture({ routes: { '*': answer } });
}

t.test('the shop gets better run by run, was away once, and breaks again at the end', async (t) => {
  const scores: (number | null)[] = [];
  for (let number = 1; number <= HISTORY.length; number += 1) scores.push((await scanAt(number)).score);
  t.same(scores, [33, 63, 62, null, 85, 77]);
});

t.test('its last run has a failure of each severity, and the gravest is fixed from then on', async (t) => {
  const failuresAt = async (number: number) =>
    (await scanAt(number)).findings.flatMap((finding) => failureOf(finding)?.severity ?? []);
  const severities = await failuresAt(HISTORY.length);
  t.same(new Set(severities), new Set(['SHUT_OUT', 'BROKEN', 'MISSING', 'POLISH']));
  const left = severities.filter((severity) => severity !== 'SHUT_OUT');
  t.same(await failuresAt(HISTORY.length + 1), left, 'so that the first check after it proves a fix');
  t.same(await failuresAt(HISTORY.length + 20), left, 'and it stays so');
});

t.test('its runs stay within the daily limits', (t) => {
  const counts = Object.fromEntries([...Map.groupBy(HISTORY, (one) => one)].map(([one, all]) => [one, all.length]));
  t.same(counts, { MANUAL: 2, POST_DEPLOY: 3, API: 1 });
  t.end();
});

/** Services that make a run at once. */
function prepare(latest: number, more: Partial<HistoryContext> = {}) {
  const made: string[] = [];
  const shown: number[] = [];
  const stop = new AbortController();
  const context = {
    sites: { getOwn: async () => ({ latestNumber: latest + made.length }) },
    runs: { start: async ({ trigger }: { trigger: string }) => made.push(trigger) },
    setVersion: (number: number) => shown.push(number),
    signal: stop.signal,
    ...more,
  } as unknown as HistoryContext;
  return { made, shown, stop, make: () => makeHistory({ siteId: 'site_a', accountId: 'acc_a' }, context) };
}

t.test('runs are made one after another, each with the shop as of its number', async (t) => {
  const { made, shown, make } = prepare(0);
  await make();
  t.same(made, HISTORY);
  t.same(shown, [1, 2, 3, 4, 5, 6, 7]);
});

t.test('an interrupted start continues, a complete one makes no run', async (t) => {
  const half = prepare(4);
  await half.make();
  t.same(half.made, HISTORY.slice(4));
  const whole = prepare(6);
  await whole.make();
  t.same([whole.made, whole.shown], [[], [7]]);
});

t.test('it stops when aborted, and when a run fails', async (t) => {
  const stopped = prepare(0, { setVersion: () => stopped.stop.abort() });
  await stopped.make();
  t.same(stopped.made, []);
  const start = () => Promise.reject(new ServiceError('daily_runs_exceeded'));
  await t.rejects(prepare(0, { runs: { start } as never }).make(), { code: 'daily_runs_exceeded' });
});
