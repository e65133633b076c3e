import t from 'tap';
import { createContext } from '../../../src/scanner/probe/context.js';
import { COLLECTORS } from '../../../src/scanner/gatherers/collectors.js';
import { CrawlPace } from '../../../src/scanner/client/crawl-pace.js';
import { RunClock } from '../../../src/scanner/client/run-clock.js';
import { crawlDelayOf } from '../../../src/scanner/parsers/robots-match.js';
import { parseRobots } from '../../../src/scanner/parsers/robots.js';
import { FIXTURE_TARGET, visitSite } from '../../support/visit-site.js';

/** Lets everything go on that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

t.test(
  'a pace lets one request through at a time, with a pause of half a second at most, until it is over',
  async (t) => {
    const pauses = new Map<number, () => void>();
    const pause = (ms: number) => new Promise<void>((resolve) => pauses.set(ms, resolve));
    const pace = new CrawlPace(pause, new AbortController().signal);
    (await pace.acquire())();
    pace.begin(0);
    t.equal(pauses.size, 0, 'without a wish there is none');
    pace.begin(30);
    pace.begin(0.1);
    t.same([...pauses.keys()], [15_000]);
    const entered: number[] = [];
    const turns = [0, 1, 2, 3].map(async (index) => {
      const leave = await pace.acquire();
      entered.push(index);
      return leave;
    });
    await settle();
    t.same(entered, [0]);
    (await turns[0])?.();
    await settle();
    t.same([entered, [...pauses.keys()]], [[0], [15_000, 500]]);
    pauses.get(500)?.();
    await settle();
    t.same(entered, [0, 1]);
    pauses.get(15_000)?.();
    await settle();
    t.same(entered, [0, 1, 2, 3], 'then all that wait go on');
    await pace.acquire();
  },
);

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

t.test('the time of a run stands still while it waits for others, so long and no longer', async (t) => {
  // Its own timers let the process end.
  const alive = setInterval(() => undefined, 60_000);
  t.teardown(() => clearInterval(alive));
  const alone = new RunClock(1, 1);
  await aborted(alone.deadline);
  t.notOk(alone.isOutOfSlots, 'its site had all its time');
  const patient = new RunClock(1, 60_000);
  patient.setHeldUp(true);
  await aborted(new RunClock(1, 1).deadline);
  t.notOk(patient.deadline.aborted);
  patient.setHeldUp(false);
  await aborted(patient.deadline);
  t.notOk(patient.isOutOfSlots);
  const paced = new RunClock(1, 1, 60_000);
  paced.setPaced(true);
  paced.setPaced(true);
  paced.setHeldUp(true);
  paced.setPaced(false);
  await aborted(new RunClock(1, 1).deadline);
  t.notOk(paced.deadline.aborted, 'one of its requests still waits for its turn');
  paced.setHeldUp(false);
  paced.setPaced(false);
  await aborted(paced.deadline);
  t.notOk(paced.isOutOfSlots);
  const spent = new RunClock(1, 1, 1);
  spent.setPaced(true);
  await aborted(spent.deadline);
  t.equal(spent.measurePaceLeftMs(), 0);
  const starved = new RunClock(1, 1);
  starved.setHeldUp(true);
  await aborted(starved.deadline);
  t.ok(starved.isOutOfSlots);
  const stopped = new RunClock(60_000, 60_000);
  stopped.stop();
  stopped.setHeldUp(true);
  t.ok(stopped.deadline.aborted);
  t.notOk(stopped.isOutOfSlots);
});
