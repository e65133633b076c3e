import t from 'tap';
import { createContext } from '../../../src/scanner/probe/context.js';
import { COLLECTORS } from '../../../src/scanner/gatherers/collectors.js';
import { Deadline } from '../../../src/scanner/client/limits.js';
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
  const answers: (() => void)[] = [];
  const routes = { '*': () => new Promise<string>((resolve) => answers.push(() => resolve('page'))) };
  const { visit, fetch } = visitSite(routes, { pause });
  const inFlight = async (count: number): Promise<void> => {
    await until(() => answers.length >= count);
    await settle();
    t.equal(answers.length, count);
  };
  const all = ['/a', '/b'].map((path) => fetch(path));
  await inFlight(2);
  for (const delayS of [0, 30, 0.1]) visit.applyCrawlDelay(delayS);
  t.same([...pauses.keys()], [15_000]);
  all.push(...['/c', '/d', '/e', '/f'].map((path) => fetch(path)));
  await inFlight(3);
  answers[2]?.();
  await until(() => pauses.has(500));
  await inFlight(3);
  pauses.get(500)?.();
  await inFlight(4);
  pauses.get(15_000)?.();
  await inFlight(6);
  for (const answer of answers) answer();
  for (const fetched of await Promise.all(all)) t.match(fetched, { response: { status: 200 } });
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
