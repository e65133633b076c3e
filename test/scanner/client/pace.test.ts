import t from 'tap';
import { createContext } from '../../../src/scanner/probe/context.js';
import { COLLECTORS } from '../../../src/scanner/gatherers/collectors.js';
import { CrawlDelay, Deadline } from '../../../src/scanner/client/limits.js';
import { crawlDelayOf, parseRobots } from '../../../src/scanner/parsers/robots.js';
import { until } from '../../support/held-timers.js';
import { FIXTURE_TARGET, visitSite } from '../../support/visit-site.js';

/** Lets everything go on that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

t.test('a Crawl-delay lets one request through at a time, at most half a second apart, until it is over', async (t) => {
  const pauses = new Map<number, () => void>();
  const pause = (ms: number) => new Promise<void>((resolve) => pauses.set(ms, resolve));
  const delay = new CrawlDelay(pause, new AbortController().signal);
  const started: number[] = [];
  const answers: (() => void)[] = [];
  const send = (index: number) =>
    void delay.run(() => {
      started.push(index);
      return new Promise<void>((resolve) => answers.push(resolve));
    });
  [0, 1].forEach(send);
  t.same([started, pauses.size], [[0, 1], 0], 'without a wish there is none');
  delay.begin(0);
  delay.begin(30);
  delay.begin(0.1);
  t.same([...pauses.keys()], [15_000]);
  [2, 3, 4, 5].forEach(send);
  await settle();
  t.same(started, [0, 1, 2], 'however long the site takes');
  answers[2]?.();
  await settle();
  t.same([...started, ...pauses.keys()], [0, 1, 2, 15_000, 500]);
  pauses.get(500)?.();
  await settle();
  t.same(started, [0, 1, 2, 3]);
  pauses.get(15_000)?.();
  await settle();
  t.same(started, [0, 1, 2, 3, 4, 5], 'then all that wait go on');
  send(6);
  t.equal(started.length, 7);
});

t.test('the requests to a site with a Crawl-delay are in flight one by one, after the other waits', async (t) => {
  const pauses: (() => void)[] = [];
  const pause = (ms: number) => new Promise<void>((resolve) => void (ms <= 500 && pauses.push(resolve)));
  const answers: (() => void)[] = [];
  const routes = { '*': () => new Promise<string>((resolve) => answers.push(() => resolve('page'))) };
  const { visit, fetch } = visitSite(routes, { pause });
  visit.applyCrawlDelay(10);
  const all = Promise.all([fetch('/a'), fetch('/b'), fetch('/c')]);
  for (const count of [1, 2, 3]) {
    await until(() => answers.length >= count);
    await settle();
    t.equal(answers.length, count);
    answers[count - 1]?.();
    await until(() => pauses.length >= count);
    await settle();
    t.equal(answers.length, count);
    pauses[count - 1]?.();
  }
  for (const fetched of await all) t.match(fetched, { response: { status: 200 } });
});

t.test('the wish is that of our group in robots.txt', async (t) => {
  const delayOf = (text: string) => crawlDelayOf(parseRobots(text), 'AgentReadinessScan');
  t.equal(delayOf('User-agent: *\nCrawl-delay: 2.5\n'), 2.5);
  t.equal(delayOf('User-agent: *\nCrawl-delay: 9\nDisallow: /x\n\nUser-agent: agentreadinessscan\nDisallow:\n'), 0);
  t.equal(delayOf('User-agent: *\nCrawl-delay: soon\nCrawl-delay: -1\n'), 0);
  t.equal(delayOf('Crawl-delay: 5\n'), 0, 'outside of any group');
  const { visit, pauses } = visitSite({
    '/': '<!doctype html><title>Home</title>',
    '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 10\n', headers: { 'content-type': 'text/plain' } },
    '*': { status: 404 },
  });
  const deps = { target: FIXTURE_TARGET, visit, collectors: COLLECTORS, randomName: () => 'x', now: new Date(0) };
  await createContext(deps).evidence('robots');
  t.ok(pauses.includes(15_000), 'and the run keeps to it');
});

t.test('the time of a run stands still while it waits for our limits, so long and no longer', async (t) => {
  // Its own timers let the process end.
  const alive = setInterval(() => undefined, 60_000);
  t.teardown(() => clearInterval(alive));
  const alone = new Deadline(1, 1);
  await aborted(alone.signal);
  t.notOk(alone.isLimitedByUs, 'its site had all its time');
  const patient = new Deadline(1, 60_000);
  const resumes = [patient.pause(), patient.pause()];
  await aborted(new Deadline(1, 1).signal);
  t.notOk(patient.signal.aborted);
  t.ok(patient.pauseMsLeft < 60_000);
  resumes[0]?.();
  await aborted(new Deadline(1, 1).signal);
  t.notOk(patient.signal.aborted, 'one of its requests still waits');
  resumes[1]?.();
  await aborted(patient.signal);
  t.notOk(patient.isLimitedByUs);
  const starved = new Deadline(1, 1);
  starved.pause();
  await aborted(starved.signal);
  t.equal(Math.floor(starved.pauseMsLeft), 0);
  t.ok(starved.isLimitedByUs);
  const stopped = new Deadline(60_000, 60_000);
  stopped.end();
  stopped.pause();
  t.ok(stopped.signal.aborted);
  t.notOk(stopped.isLimitedByUs);
});
