import t from 'tap';
import { createContext } from '../../../src/scanner/probe/context.js';
import { COLLECTORS } from '../../../src/scanner/gatherers/collectors.js';
import { CrawlDelay } from '../../../src/scanner/client/admission.js';
import { Deadline } from '../../../src/scanner/client/deadline.js';
import { crawlDelayOf } from '../../../src/scanner/parsers/robots-match.js';
import { parseRobots } from '../../../src/scanner/parsers/robots.js';
import { FIXTURE_TARGET, visitSite } from '../../support/visit-site.js';

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

t.test('a Crawl-delay keeps requests apart by half a second at most, for the first third of the run', (t) => {
  let nowMs = 7000;
  const delay = new CrawlDelay(() => nowMs);
  const reserve = (times: number) => Array.from({ length: times }, () => delay.reserve());
  t.same(reserve(3), [0, 0, 0], 'without a wish there is none');
  delay.begin(0);
  delay.begin(30);
  delay.begin(0.1);
  t.same(reserve(3), [0, 500, 1000]);
  nowMs += 1200;
  t.same(reserve(2), [300, 800]);
  nowMs += 13_700;
  t.same(reserve(3), [0, 100, 100], 'then all that wait go on');
  nowMs += 200;
  t.same(reserve(3), [0, 0, 0]);
  t.end();
});

t.test('the wish is that of our group in robots.txt', async (t) => {
  const delayOf = (text: string) => crawlDelayOf(parseRobots(text), 'AgentReadinessScan');
  t.equal(delayOf('User-agent: *\nCrawl-delay: 2.5\n'), 2.5);
  t.equal(delayOf('User-agent: *\nCrawl-delay: 9\nDisallow: /x\n\nUser-agent: agentreadinessscan\nDisallow:\n'), 0);
  t.equal(delayOf('User-agent: *\nCrawl-delay: soon\nCrawl-delay: -1\n'), 0);
  t.equal(delayOf('Crawl-delay: 5\n'), 0, 'outside of any group');
  const { visit, fetch, pauses } = visitSite({
    '/': '<!doctype html><title>Home</title>',
    '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 10\n', headers: { 'content-type': 'text/plain' } },
    '*': { status: 404 },
  });
  const deps = { target: FIXTURE_TARGET, visit, collectors: COLLECTORS, randomName: () => 'x', now: new Date(0) };
  await createContext(deps).evidence('robots');
  await Promise.all([fetch('/a'), fetch('/b')]);
  t.ok(
    pauses.some((ms) => ms > 400 && ms <= 500),
    'and the run keeps to it',
  );
});

t.test('the time of a run stands still while it waits for our limits, so long and no longer', async (t) => {
  // Its own timers let the process end.
  const alive = setInterval(() => undefined, 60_000);
  t.teardown(() => clearInterval(alive));
  const alone = new Deadline(1, 1);
  await aborted(alone.signal);
  t.notOk(alone.isOurFault, 'its site had all its time');
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
  t.notOk(patient.isOurFault);
  const starved = new Deadline(1, 1);
  starved.pause();
  await aborted(starved.signal);
  t.equal(Math.floor(starved.pauseMsLeft), 0);
  t.ok(starved.isOurFault);
  const stopped = new Deadline(60_000, 60_000);
  stopped.end();
  stopped.pause();
  t.ok(stopped.signal.aborted);
  t.notOk(stopped.isOurFault);
});
