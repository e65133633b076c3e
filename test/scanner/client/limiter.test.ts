import t from 'tap';
import { Deadline } from '../../../src/scanner/client/limits.js';
import { Limiter } from '../../../src/scanner/client/limiter.js';
import type { Priority } from '../../../src/scanner/client/visit.js';

const ADDRESS = '192.0.2.1';
const HOUR_MS = 3_600_000;

/** Lets everything go on that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A scan that counts its requests in flight, and ends them when told to. */
function openScan(limiter: Limiter) {
  const clock: string[] = [];
  const deadline = new (class extends Deadline {
    override pause() {
      clock.push('stops');
      return () => void clock.push('goes on');
    }
  })(HOUR_MS, HOUR_MS);
  const inFlight: (() => void)[] = [];
  const order: Priority[] = [];
  const ask = (count: number, { isExternal = false, priority = 'core' as Priority } = {}) => {
    for (let index = 0; index < count; index += 1) {
      void limiter.acquire(deadline, { address: ADDRESS, isExternal, priority }).then((release) => {
        if (release) order.push(priority);
        if (release) inFlight.push(release);
      });
    }
    return settle();
  };
  const end = (count = 1) => {
    for (const release of inFlight.splice(0, count)) release();
    return settle();
  };
  return { deadline, clock, order, ask, end, count: () => inFlight.length };
}

t.test('twenty scans of one address have one request each in flight, and none alone more than eight', async (t) => {
  const limiter = new Limiter();
  const first = openScan(limiter);
  await first.ask(30);
  t.equal(first.count(), 8);
  const others = Array.from({ length: 19 }, () => openScan(limiter));
  for (const other of others) await other.ask(30);
  for (const { count } of others) t.equal(count(), 1, 'each newcomer gets one slot');
  await first.end(8);
  t.equal(first.count(), 1, 'and the first keeps one only');
});

t.test('a free slot goes to the scan with the fewest requests in flight', async (t) => {
  const limiter = new Limiter(8, 2);
  const [crowd, second] = [openScan(limiter), openScan(limiter)];
  await crowd.ask(30);
  await second.ask(30);
  await crowd.end(4);
  t.same([crowd.count(), second.count()], [4, 4]);
});

t.test('the slots of a scan are taken by priority', async (t) => {
  const scan = openScan(new Limiter(1, 1));
  const priorities: readonly Priority[] = ['core', 'sameAs', 'llmsLinks', 'sitemapEntries', 'core'];
  for (const priority of priorities) await scan.ask(1, { priority });
  for (let count = 1; count < priorities.length; count += 1) await scan.end();
  t.same(scan.order, ['core', 'core', 'sitemapEntries', 'llmsLinks', 'sameAs']);
});

t.test('external sites are asked one request at a time, and leave their own scans six slots', async (t) => {
  const limiter = new Limiter(8, 2);
  const attackers = Array.from({ length: 4 }, () => openScan(limiter));
  for (const { ask, count } of attackers) {
    await ask(10, { isExternal: true });
    t.equal(count(), 1);
  }
  const victim = openScan(limiter);
  await victim.ask(30);
  t.equal(victim.count(), 6);
  t.same(attackers[0]?.clock, [], 'its own turn is not a wait for others');
});

t.test('the clock stops while others have the slots, not while the scan has them itself', async (t) => {
  const limiter = new Limiter(8, 2);
  const [one, two] = [openScan(limiter), openScan(limiter)];
  await one.ask(30);
  t.same(one.clock, []);
  await two.ask(2);
  t.same(two.clock, ['stops']);
  await one.end(2);
  t.same([one.count(), two.count(), two.clock], [6, 2, ['stops', 'goes on']]);
  const alone = openScan(new Limiter(2, 1));
  await alone.ask(1, { isExternal: true });
  await alone.ask(9);
  t.same(alone.clock, []);
});

t.test('the clock goes on as soon as a scan waits only for its own requests', async (t) => {
  const limiter = new Limiter(2, 1);
  const [one, two] = [openScan(limiter), openScan(limiter)];
  await two.ask(1);
  await one.ask(3);
  t.same(one.clock, ['stops'], 'once, for all that wait');
  await two.end();
  t.same([one.count(), one.clock], [2, ['stops', 'goes on']]);
});

t.test('the clock stops when others take the slots of requests that waited for their own scan', async (t) => {
  const limiter = new Limiter(2, 1);
  const [one, two] = [openScan(limiter), openScan(limiter)];
  await one.ask(3);
  await two.ask(1);
  t.same(one.clock, [], 'it has all that a scan may have');
  await one.end();
  t.same([one.count(), one.clock], [1, ['stops']]);
  await two.end();
  t.same([one.count(), one.clock], [2, ['stops', 'goes on']]);
});

t.test('after 429 a scan has two requests in flight there; another keeps its own limit', async (t) => {
  const limiter = new Limiter();
  const [slow, other] = [openScan(limiter), openScan(limiter)];
  limiter.slowDown(slow.deadline, ADDRESS);
  await slow.ask(9);
  await other.ask(9);
  t.same([slow.count(), other.count()], [2, 6]);
});

t.test('the requests that wait end with the scan, and leave the slots to others', async (t) => {
  const limiter = new Limiter(1, 1);
  const [ending, other] = [openScan(limiter), openScan(limiter)];
  await ending.ask(1);
  const waiting = limiter.acquire(ending.deadline, { address: ADDRESS, isExternal: false, priority: 'core' });
  await other.ask(2);
  ending.deadline.end();
  t.equal(await waiting, null);
  t.equal(await limiter.acquire(ending.deadline, { address: ADDRESS, isExternal: false, priority: 'core' }), null);
  t.equal(other.count(), 1);
  await ending.end();
  await other.end();
  t.equal(other.count(), 1, 'its second request has begun');
});
