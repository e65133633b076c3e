import t from 'tap';
import { Slots } from '../../src/platform/slots.js';

/** Work that ends when it is told to. */
class Work {
  isRunning = false;
  end = (): void => undefined;
  fail: (error: Error) => void = () => undefined;
  readonly run = (): Promise<void> => {
    this.isRunning = true;
    return new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
  };
}

/** Two slots, and timers that go off when the test says so. */
function prepare() {
  const timers = new Set<() => void>();
  const delays: number[] = [];
  const slots = new Slots(2, {
    startTimer: (action, delayMs) => {
      timers.add(action);
      delays.push(delayMs);
      return () => timers.delete(action);
    },
  });
  const works = Array.from({ length: 6 }, () => new Work());
  const results = works.map(() => Promise.resolve());
  const start = (index: number) => {
    const result = slots.run(`party ${index}`, works[index]?.run ?? (() => Promise.resolve()));
    results[index] = result;
    result.catch(() => undefined);
  };
  const running = () => works.flatMap(({ isRunning }, index) => (isRunning ? [index] : []));
  return { slots, timers, delays, works, results, start, running };
}

/** Lets everything go on that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

t.test('so many run at a time, as many more wait, the rest are refused at once', async (t) => {
  const { slots, start, results, running, works } = prepare();
  for (let index = 0; index < 5; index += 1) start(index);
  await t.rejects(results[4] ?? Promise.resolve(), { code: 'overloaded', retryAfterS: 5 });
  t.same(running(), [0, 1]);
  t.same(slots.occupancy(), { running: 2, waiting: 2 });
  works[1]?.end();
  await settle();
  t.same(running(), [0, 1, 2], 'the one that waits longest comes next');
  works[0]?.fail(new Error('broken'));
  await t.rejects(results[0] ?? Promise.resolve(), { message: 'broken' });
  await settle();
  t.same(running(), [0, 1, 2, 3], 'a failure frees its slot too');
  t.same(slots.occupancy(), { running: 2, waiting: 0 });
});

t.test('one that waited 5 seconds is refused, and leaves its place', async (t) => {
  const { start, results, timers, delays, works, running } = prepare();
  for (let index = 0; index < 4; index += 1) start(index);
  t.same(delays, [5000, 5000]);
  for (const goOff of timers) goOff();
  for (const index of [2, 3]) await t.rejects(results[index] ?? Promise.resolve(), { code: 'overloaded' });
  works[0]?.end();
  works[1]?.end();
  await settle();
  start(4);
  await settle();
  t.same(running(), [0, 1, 4]);
});

t.test('where it is said, it waits longer', async (t) => {
  const delays: number[] = [];
  const startTimer = (_: () => void, delayMs: number) => {
    delays.push(delayMs);
    return () => undefined;
  };
  const slots = new Slots(1, { waitMs: 60_000, startTimer });
  await Promise.all([slots.run('a', () => settle()), slots.run('b', () => settle())]);
  t.same(delays, [60_000]);
});

t.test('whoever holds fewest comes next, and a crowd of one party makes room for another', async (t) => {
  const work = (): { run: () => Promise<void>; end: () => void } => {
    let end = (): void => undefined;
    const done = new Promise<void>((resolve) => (end = resolve));
    return { run: () => done, end };
  };
  const slots = new Slots(4, { startTimer: () => () => undefined });
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (party: string): void => {
    const { run, end } = work();
    ends.push(end);
    slots.run(party, () => (log.push(`${party} runs`), run())).catch(() => log.push(`${party} is refused`));
  };
  for (let index = 0; index < 7; index += 1) begin('a');
  t.same(slots.occupancy(), { running: 3, waiting: 4 }, 'one slot is left to others');
  begin('b');
  await settle();
  t.same(log.splice(0), ['a runs', 'a runs', 'a runs', 'b runs']);
  begin('b');
  await settle();
  t.same(log.splice(0), ['a is refused'], 'the last of the crowd gives way');
  begin('a');
  await settle();
  t.same(log.splice(0), ['a is refused'], 'the crowd itself gets no more room');
  ends[0]?.();
  ends[7]?.();
  await settle();
  t.same(log.splice(0), ['b runs'], 'b holds fewer, though it came later, and the last slot is for others');
  for (const end of ends) end();
});

t.test('an admitted one has no timer left', async (t) => {
  const { start, timers, works } = prepare();
  for (let index = 0; index < 3; index += 1) start(index);
  await settle();
  t.equal(timers.size, 1);
  works[0]?.end();
  await settle();
  t.equal(timers.size, 0);
});

t.test('closing refuses what waits and what comes, and resolves when what runs has ended', async (t) => {
  const { slots, start, results, works } = prepare();
  for (let index = 0; index < 3; index += 1) start(index);
  let isClosed = false;
  const closed = slots.close().then(() => (isClosed = true));
  start(3);
  for (const index of [2, 3]) await t.rejects(results[index] ?? Promise.resolve(), { code: 'overloaded' });
  works[0]?.end();
  await settle();
  t.notOk(isClosed);
  works[1]?.end();
  await closed;
  t.ok(isClosed);
});

t.test('closing without work resolves at once', async (t) => {
  await t.resolves(prepare().slots.close());
});

/** Slots whose work ends when the test says so, and a log of what became of each party's work. */
function logged(slots: Slots) {
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (party: string): void => {
    const work = () => {
      log.push(`${party} runs`);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    slots.run(party, work).catch(() => log.push(`${party} is refused`));
  };
  return { log, ends, begin };
}

t.test(
  'a preferred party goes before others that use as few slots, and takes the place of one that waits',
  async (t) => {
    const isPreferred = (party: string): boolean => party.startsWith('known');
    const slots = new Slots(2, { waitingMax: 3, isPreferred, startTimer: () => () => undefined });
    const { log, ends, begin } = logged(slots);
    for (const party of ['a', 'b', 'c', 'd', 'e']) begin(party);
    begin('f');
    begin('known');
    await settle();
    t.same(log.splice(0), ['a runs', 'b runs', 'f is refused', 'e is refused'], 'the newest stranger gives way');
    begin('known');
    await settle();
    t.same(log.splice(0), ['known is refused'], 'it takes no second place from them');
    ends[0]?.();
    await settle();
    t.same(log.splice(0), ['known runs']);
    ends[1]?.();
    await settle();
    t.same(log.splice(0), ['c runs']);
  },
);

t.test(
  'a party gets no more slots than its own maximum, and takes one without waiting only if it is free',
  async (t) => {
    const slots = new Slots(2, { perOwner: 1, startTimer: () => () => undefined });
    const free = slots.tryAcquire('a');
    t.ok(free);
    t.equal(slots.tryAcquire('a'), null);
    t.ok(slots.tryAcquire('b'));
    t.equal(slots.tryAcquire('c'), null);
    free?.();
    free?.();
    t.same(slots.occupancy(), { running: 1, waiting: 0 }, 'freed once');
    t.ok(slots.tryAcquire('c'));
  },
);
