import { text } from 'node:stream/consumers';
import t from 'tap';
import { Exports } from '../../../src/app/data/exports.js';
import { HeldTimers, until } from '../../support/held-timers.js';

/** Parts that take so many milliseconds each, by the clock of the test. */
function prepare() {
  const state = { nowMs: 0, turns: 0, log: [] as string[] };
  const timers = new HeldTimers();
  const exports = new Exports(() => state.nowMs, timers.start);
  async function* parts(name: string, count: number, ms: number): AsyncGenerator<string> {
    for (let index = 0; index < count; index += 1) {
      state.nowMs += ms;
      state.log.push(name);
      yield `${name}${index};`;
    }
  }
  return { state, timers, exports, parts };
}

t.test('an export is read in slices of 10 ms, and other work runs in between', async (t) => {
  const { exports, parts } = prepare();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  t.equal(
    await text(await exports.open('a', parts('a', 20, 5))),
    Array.from({ length: 20 }, (_, i) => `a${i};`).join(''),
  );
  isOver = true;
  t.ok(turns >= 10, `${turns} turns for ten slices`);
});

t.test(
  'an account has one export at a time, and a client that does not read does not delay other accounts',
  async (t) => {
    const { exports, parts } = prepare();
    const unread = await Promise.all(['a', 'b', 'c'].map((account) => exports.open(account, parts(account, 1000, 10))));
    t.match(await text(await exports.open('d', parts('d', 3, 10))), 'd0;d1;d2;');
    const next = exports.open('a', parts('next', 1, 1));
    let isOpen = false;
    void next.then(() => (isOpen = true));
    await new Promise(setImmediate);
    t.notOk(isOpen);
    unread[0]?.destroy();
    t.equal(await text(await next), 'next0;', 'once the one before has ended');
    for (const stream of unread) stream.destroy();
  },
);

t.test('an export ends when its client stops reading, and the account can start another', async (t) => {
  const { timers, exports, parts } = prepare();
  const stalled = await exports.open('a', parts('a'.repeat(1000), 1000, 10));
  const iterator = stalled[Symbol.asyncIterator]();
  await iterator.next();
  await until(() => stalled.readableLength >= stalled.readableHighWaterMark);
  await until(() => timers.count === 1);
  timers.fire();
  await t.rejects(async () => {
    while (!(await iterator.next()).done);
  }, /stopped reading/);
  t.equal(await text(await exports.open('a', parts('next', 1, 1))), 'next0;');
  t.equal(timers.count, 0);
});

t.test('an error before the first slice is thrown, and the account can start another export', async (t) => {
  const { exports, parts } = prepare();
  const broken: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('a fault of ours')) }),
  };
  await t.rejects(exports.open('a', broken), /a fault of ours/);
  t.equal(await text(await exports.open('a', parts('a', 1, 1))), 'a0;');
});
