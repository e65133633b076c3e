import type { Work } from '../../src/queue/work.js';
import { onEachDatabase } from '../support/databases.js';
import { openDispatchers } from '../support/dispatchers.js';
import { HeldTimers, HeldWork, until, work } from '../support/held-work.js';

onEachDatabase(async (t, engine) => {
  t.test('work is performed that is offered before and after the start', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create();
    const source = new HeldWork();
    t.teardown(() => source.release());
    await dispatchers.offer(dispatcher, work('before'));
    t.equal(dispatcher.isWorking, false, 'it has not started');
    await dispatcher.start([source]);
    t.equal(dispatcher.isWorking, true);
    await source.begun(1);
    dispatcher.offer([work('after')]);
    await source.begun(2);
    t.same(source.keys, ['before', 'after']);
  });

  t.test('nothing is performed before its time', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create();
    const source = new HeldWork();
    source.isHeld = false;
    await dispatcher.start([source]);
    const later = work('later', { inMs: 300 });
    await dispatchers.offer(dispatcher, later, work('now', { priority: 9 }));
    await source.begun(2);
    // Where offering takes long, both are due at once.
    t.same(new Set(source.keys), new Set(['now', 'later']));
    const { at = 0 } = source.started[source.keys.indexOf('later')] ?? {};
    t.ok(at >= later.notBefore);
  });

  t.test('never more at once than it may', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create({ concurrency: 3 });
    const source = new HeldWork();
    await dispatcher.start([source]);
    const count = 12;
    dispatcher.offer(Array.from({ length: count }, (_, index) => work(`site ${index}`)));
    for (let begun = 3; begun <= count; begun += 1) {
      await source.begun(begun);
      source.started[begun - 3]?.finish();
    }
    t.equal(source.inHandMax, 3);
    source.release();
  });

  t.test('the lowest priority goes first, and of these what has been due the longest', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create({ concurrency: 1 });
    const source = new HeldWork();
    await dispatcher.start([source]);
    dispatcher.offer([work('in hand')]);
    await source.begun(1);
    await dispatchers.offer(
      dispatcher,
      work('third', { priority: 2, inMs: -5000 }),
      work('second', { priority: 1, inMs: -1000 }),
      work('first', { priority: 1, inMs: -3000 }),
      work('last', { priority: 32_767, inMs: -9000 }),
    );
    source.release();
    await source.begun(5);
    t.same(source.keys, ['in hand', 'first', 'second', 'third', 'last']);
  });

  t.test('a second offer of a key takes the place of the first', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create({ concurrency: 1 });
    const source = new HeldWork();
    await dispatcher.start([source]);
    dispatcher.offer([work('in hand')]);
    await source.begun(1);
    await dispatchers.offer(
      dispatcher,
      work('sooner', { inMs: 3_600_000 }),
      work('lower', { priority: 1 }),
      work('next'),
    );
    await dispatchers.offer(dispatcher, work('sooner', { inMs: -1000 }), work('lower', { priority: 5 }));
    await dispatchers.offer(dispatcher, work('last', { priority: 9 }));
    source.release();
    await source.begun(5);
    t.same(source.keys, ['in hand', 'sooner', 'next', 'lower', 'last'], 'each once');
  });

  t.test('what is offered again while it is in hand is performed once more', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create();
    const source = new HeldWork();
    t.teardown(() => source.release());
    await dispatcher.start([source]);
    dispatcher.offer([work('again')]);
    await source.begun(1);
    dispatcher.offer([work('again')]);
    await source.begun(2);
    t.same(source.keys, ['again', 'again']);
  });

  t.test('each kind goes to its own source; the same key twice is two things', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create();
    const runs = new HeldWork('run');
    const deliveries = new HeldWork('delivery');
    runs.isHeld = deliveries.isHeld = false;
    await dispatcher.start([runs, deliveries]);
    dispatcher.offer([work('x'), work('x', { kind: 'delivery' })]);
    await Promise.all([runs.begun(1), deliveries.begun(1)]);
    t.same([runs.keys, deliveries.keys], [['x'], ['x']]);
  });

  t.test('each kind has places of its own, so that neither holds up the other', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create({ concurrency: 1 });
    const runs = new HeldWork('run');
    const deliveries = new HeldWork('delivery');
    t.teardown(() => deliveries.release());
    await dispatcher.start([runs, deliveries]);
    dispatcher.offer(['a', 'b', 'c'].map((key) => work(key)));
    await runs.begun(1);
    dispatcher.offer(['x', 'y'].map((key) => work(key, { kind: 'delivery' })));
    await deliveries.begun(1);
    runs.release();
    await runs.begun(3);
    t.same(deliveries.keys, ['x']);
    deliveries.release();
    await deliveries.begun(2);
    t.same([runs.inHandMax, deliveries.inHandMax], [1, 1]);
  });

  t.test('a source that fails hurts nobody', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create({ concurrency: 1 });
    const source = new HeldWork();
    const perform = (key: string): Promise<void> => {
      if (key === 'throws') throw new Error('at once');
      return source.perform(key);
    };
    await dispatcher.start([{ kind: 'run', perform, sweep: () => source.sweep() }]);
    dispatcher.offer([work('throws'), work('rejects', { priority: 1 }), work('good', { priority: 2 })]);
    await source.begun(1);
    source.started[0]?.fail(new Error('later'));
    await source.begun(2);
    t.same(source.keys, ['rejects', 'good']);
    t.equal(dispatcher.isWorking, true);
    source.release();
  });

  t.test('what a sweep finds is performed', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const timers = new HeldTimers();
    const dispatcher = dispatchers.create({ startTimer: timers.start });
    const source = new HeldWork();
    source.isHeld = false;
    const found: Work[][] = [[work('at start')], [work('later')], []];
    source.swept = () => found[source.sweepCount - 1] ?? [];
    await dispatcher.start([source]);
    await source.begun(1);
    timers.fire();
    await source.begun(2);
    t.same(source.keys, ['at start', 'later']);
  });

  t.test('there are never two sweeps at once', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const timers = new HeldTimers();
    const dispatcher = dispatchers.create({ startTimer: timers.start });
    let goOn = (): void => undefined;
    let sweepCount = 0;
    const sweep = async (): Promise<readonly Work[]> => {
      sweepCount += 1;
      if (sweepCount === 2) await new Promise<void>((resolve) => (goOn = resolve));
      return [];
    };
    await dispatcher.start([{ kind: 'run', perform: () => Promise.resolve(), sweep }]);
    timers.fire();
    timers.fire();
    t.equal(sweepCount, 2);
    t.equal(timers.count, 0, 'no third one is due while the second goes on');
    goOn();
    await until(() => timers.count > 0);
  });

  t.test('a sweep that fails is tried again, and until then it does not count as working', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const timers = new HeldTimers();
    const dispatcher = dispatchers.create({ startTimer: timers.start });
    const source = new HeldWork();
    source.isHeld = false;
    const fail = (): never => {
      throw new Error('the database is away');
    };
    source.swept = fail;
    const other = new HeldWork('delivery');
    other.isHeld = false;
    other.swept = () => [work('of the other', { kind: 'delivery' })];
    await dispatcher.start([source, other]);
    t.equal(dispatcher.isWorking, false);
    await other.begun(1);
    dispatcher.offer([work('meanwhile')]);
    await source.begun(1);

    source.swept = () => [work('found')];
    timers.fire();
    await source.begun(2);
    await until(() => dispatcher.isWorking);
    source.swept = fail;
    timers.fire();
    await until(() => !dispatcher.isWorking);
  });

  t.test('close waits for what is in hand, and takes up no more', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create({ concurrency: 1 });
    const source = new HeldWork();
    await dispatcher.start([source]);
    dispatcher.offer([work('in hand')]);
    await source.begun(1);
    await dispatchers.offer(dispatcher, work('waiting'));
    let isClosed = false;
    const closing = dispatcher.close().then(() => (isClosed = true));
    t.equal(dispatcher.isWorking, false);
    dispatcher.offer([work('while it closes')]);
    await new Promise((resolve) => setImmediate(resolve));
    t.equal(isClosed, false);
    source.release();
    await closing;
    dispatcher.offer([work('after it')]);
    t.same(source.keys, ['in hand']);
    t.equal(source.inHand, 0);
  });

  t.test('one that was never started closes too', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create();
    dispatcher.offer([]);
    await dispatcher.close();
    dispatcher.offer([work('too late')]);
    t.equal(dispatcher.isWorking, false);
  });

  t.test('a thousand offers, some at once and some one by one', async (t) => {
    const dispatchers = await openDispatchers(t, engine);
    const dispatcher = dispatchers.create({ concurrency: 20 });
    const source = new HeldWork();
    source.isHeld = false;
    await dispatcher.start([source]);
    const keys = Array.from({ length: 1000 }, (_, index) => `site ${index}`);
    dispatcher.offer(keys.slice(0, 900).map((key, index) => work(key, { priority: index })));
    for (const key of keys.slice(900)) dispatcher.offer([work(key)]);
    await source.begun(1000);
    t.same(new Set(source.keys), new Set(keys), 'each once');
    t.ok(source.inHandMax <= 20);
  });
});
