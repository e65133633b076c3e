import { text } from 'node:stream/consumers';
import t from 'tap';
import { Exports } from '../../../src/app/data/exports.js';
import { HeldTimers, until } from '../../support/held-timers.js';

function prepare() {
  const timers = new HeldTimers();
  const exports = new Exports(timers.start);
  async function* linesOf(name: string, count: number): AsyncGenerator<string> {
    for (let index = 0; index < count; index += 1) yield `${name}${index};`;
  }
  return { timers, exports, linesOf };
}

t.test('other work runs between the lines of an export', async (t) => {
  const { exports, linesOf } = prepare();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  t.equal(
    await text(await exports.open('a', linesOf('a', 20))),
    Array.from({ length: 20 }, (_, i) => `a${i};`).join(''),
  );
  isOver = true;
  t.ok(turns >= 20, `${turns} turns for 20 lines`);
});

t.test('an account has one export at a time; a client that does not read delays no other account', async (t) => {
  const { exports, linesOf } = prepare();
  const unread = await Promise.all(['a', 'b', 'c'].map((account) => exports.open(account, linesOf(account, 1000))));
  t.match(await text(await exports.open('d', linesOf('d', 3))), 'd0;d1;d2;');
  const next = exports.open('a', linesOf('next', 1));
  let isOpen = false;
  void next.then(() => (isOpen = true));
  await new Promise(setImmediate);
  t.notOk(isOpen);
  unread[0]?.destroy();
  t.equal(await text(await next), 'next0;', 'once the one before has ended');
  for (const stream of unread) stream.destroy();
});

t.test('an export ends when its client stops reading, and the account can start another', async (t) => {
  const { timers, exports, linesOf } = prepare();
  const stalled = await exports.open('a', linesOf('a'.repeat(1000), 1000));
  const iterator = stalled[Symbol.asyncIterator]();
  await iterator.next();
  await until(() => stalled.readableLength >= stalled.readableHighWaterMark);
  await until(() => timers.count === 1);
  timers.fire();
  await t.rejects(async () => {
    while (!(await iterator.next()).done);
  }, /stopped reading/);
  t.equal(await text(await exports.open('a', linesOf('next', 1))), 'next0;');
  t.equal(timers.count, 0);
});

t.test('an error before the first line is thrown, and the account can start another export', async (t) => {
  const { exports, linesOf } = prepare();
  const broken: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('a fault of ours')) }),
  };
  await t.rejects(exports.open('a', broken), /a fault of ours/);
  t.equal(await text(await exports.open('a', linesOf('a', 1))), 'a0;');
});
