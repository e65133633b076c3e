import t from 'tap';
import { Slots, type SlotsOptions } from '../../src/platform/slots.js';

/** Slots whose timers and work end when the test says so, and a log of what became of each owner's work. */
function open(concurrency: number, options: SlotsOptions = {}) {
  const timers = new Map<() => void, number>();
  const startTimer = (action: () => void, delayMs: number) => {
    timers.set(action, delayMs);
    return () => void timers.delete(action);
  };
  const slots = new Slots(concurrency, { startTimer, ...options });
  const log: string[] = [];
  const ends: ((fault?: Error) => void)[] = [];
  const begin = (...owners: readonly string[]): void => {
    for (const owner of owners) {
      const work = () => {
        log.push(`${owner} runs`);
        return new Promise<void>((resolve, reject) => ends.push((fault) => (fault ? reject(fault) : resolve())));
      };
      slots.run(owner, work).catch((error: unknown) => log.push(`${owner}: ${(error as { code?: string }).code}`));
    }
  };
  /** What has happened since the last look. */
  const news = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return log.splice(0);
  };
  return { slots, timers, ends, begin, news };
}

t.test('as many wait as run, and the rest are refused at once', async (t) => {
  const { slots, begin, news, ends, timers } = open(2);
  begin('a', 'b', 'c', 'd', 'e');
  t.same(await news(), ['a runs', 'b runs', 'e: overloaded']);
  t.same(slots.occupancy(), { running: 2, waiting: 2 });
  t.same([...timers.values()], [5000, 5000]);
  await t.rejects(
    slots.run('f', async () => undefined),
    { code: 'overloaded', retryAfterS: 5 },
  );
  ends[1]?.();
  t.same(await news(), ['c runs'], 'the one that has waited longest comes next');
  t.equal(timers.size, 1, 'and has no timer left');
  ends[0]?.(new Error('broken'));
  t.same((await news()).sort(), ['a: undefined', 'd runs'], 'a failure frees its slot too');
  t.same(slots.occupancy(), { running: 2, waiting: 0 });
});

t.test('work that waited too long is refused', async (t) => {
  const { begin, news, ends, timers } = open(1, { waitMs: 60_000 });
  begin('a', 'b');
  t.same([...timers.values()], [60_000]);
  for (const goOff of timers.keys()) goOff();
  t.same(await news(), ['a runs', 'b: overloaded']);
  begin('c');
  ends[0]?.();
  t.same(await news(), ['c runs']);
});

t.test('the owner with fewest slots comes next, and a crowd of one owner makes room for another', async (t) => {
  const { slots, begin, news, ends } = open(4);
  begin('a', 'a', 'a', 'a', 'a', 'a', 'a');
  t.same(slots.occupancy(), { running: 3, waiting: 4 }, 'one slot is left to others');
  begin('b');
  t.same(await news(), ['a runs', 'a runs', 'a runs', 'b runs']);
  begin('b');
  t.same(await news(), ['a: overloaded'], 'the last of the crowd gives way');
  begin('a');
  t.same(await news(), ['a: overloaded'], 'the crowd itself gets no more room');
  ends[0]?.();
  ends[3]?.();
  t.same(await news(), ['b runs'], 'b holds fewer, though it came later, and the last slot is for others');
});

t.test('a preferred owner comes before others with as few slots, and replaces one that waits', async (t) => {
  const isPreferred = (owner: string): boolean => owner.startsWith('known');
  const { begin, news, ends } = open(2, { waitingMax: 3, isPreferred });
  begin('a', 'b', 'c', 'd', 'e', 'f', 'known');
  t.same(await news(), ['a runs', 'b runs', 'f: overloaded', 'e: overloaded'], 'the newest stranger gives way');
  begin('known');
  t.same(await news(), ['known: overloaded'], 'it takes no second place from them');
  ends[0]?.();
  t.same(await news(), ['known runs']);
  ends[1]?.();
  t.same(await news(), ['c runs']);
});

t.test('an owner gets no more slots than its own maximum, and takes one at once only if it is free', async (t) => {
  const { slots } = open(2, { perOwner: 1 });
  const free = slots.tryAcquire('a');
  t.ok(free);
  t.equal(slots.tryAcquire('a'), null);
  t.ok(slots.tryAcquire('b'));
  t.equal(slots.tryAcquire('c'), null);
  free?.();
  free?.();
  t.same(slots.occupancy(), { running: 1, waiting: 0 }, 'freed once');
  t.ok(slots.tryAcquire('c'));
});

t.test('closing refuses waiting and new work, and waits for running work', async (t) => {
  await t.resolves(open(2).slots.close(), 'at once without work');
  const { slots, begin, news, ends } = open(2);
  begin('a', 'b', 'c');
  let isClosed = false;
  const closed = slots.close().then(() => (isClosed = true));
  begin('d');
  t.same((await news()).slice(2), ['d: overloaded', 'c: overloaded']);
  ends[0]?.();
  await news();
  t.notOk(isClosed);
  ends[1]?.();
  await closed;
  t.ok(isClosed);
});

/** Takes for the owner until it may take no more. @returns how many it got */
function takeAll(slots: Slots, owner: string): number {
  let count = 0;
  while (slots.tryAcquire(owner)) count += 1;
  return count;
}

t.test('alone, an owner gets more than half of the slots and leaves some to newcomers', async (t) => {
  const mostOf = { 1: 1, 2: 2, 3: 3, 4: 3, 8: 5, 10: 6, 20: 12, 100: 57 };
  for (const [capacity, most] of Object.entries(mostOf)) {
    t.equal(takeAll(new Slots(Number(capacity)), 'a'), most, `${most} of ${capacity}`);
  }
});

t.test('the more owners there are, the less each gets, and a newcomer finds a slot', async (t) => {
  const slots = new Slots(20);
  const taken = ['a', 'b', 'c', 'd'].map((owner) => takeAll(slots, owner));
  t.same(taken, [12, 3, 1, 1]);
  t.same(slots.fullOwners, ['a', 'b', 'c', 'd']);
  const [free] = ['e', 'f', 'g'].map((owner) => slots.tryAcquire(owner));
  t.equal(slots.occupancy().running, 20);
  t.notOk(slots.tryAcquire('h'), 'all slots are used');
  slots.occupy('h')();
  free?.();
  t.notOk(slots.tryAcquire('a'));
  t.ok(slots.tryAcquire('h'));
});

t.test('reserved slots stay free for their owner, which may have more', async (t) => {
  const slots = new Slots(20, { reserved: { owner: 'free scans', slots: 2 } });
  takeAll(slots, 'a');
  for (const owner of 'bcdefghijkl') slots.tryAcquire(owner);
  t.equal(slots.occupancy().running, 18);
  t.notOk(slots.tryAcquire('z'));
  t.ok(slots.tryAcquire('free scans'));
  t.notOk(slots.tryAcquire('z'), 'one is still reserved');
});
