import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { Exports } from '../../../src/app/data/exports.js';

async function* linesOf(name: string, count: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index += 1) yield `${name}${index};`;
}

t.test('other work runs between the lines of an export', async (t) => {
  const exports = new Exports();
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const read = await text(await exports.open('a', linesOf('a', 20)));
  t.equal(read, Array.from({ length: 20 }, (_, index) => `a${index};`).join(''));
  isOver = true;
  t.ok(turns >= 20, `${turns} turns for 20 lines`);
});

t.test('two exports read at the same time, and the others take turns with them', async (t) => {
  const exports = new Exports();
  let readingCount = 0;
  let mostReading = 0;
  async function* lines(): AsyncGenerator<string> {
    for (let index = 0; index < 5; index += 1) {
      readingCount += 1;
      mostReading = Math.max(mostReading, readingCount);
      await nextTurn();
      readingCount -= 1;
      yield `${index};`;
    }
  }
  const read = async (account: string) => text(await exports.open(account, lines()));
  t.same(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(read)), Array(5).fill('0;1;2;3;4;'));
  t.equal(mostReading, 2);
});

t.test('a client that does not read delays no other account; a new export ends the previous one', async (t) => {
  const exports = new Exports();
  const unread = await Promise.all(['a', 'b', 'c'].map((account) => exports.open(account, linesOf(account, 1000))));
  t.match(await text(await exports.open('d', linesOf('d', 3))), 'd0;d1;d2;');
  const [early, next] = [exports.open('a', linesOf('early', 1)), exports.open('a', linesOf('next', 1))];
  await t.rejects(early, { code: 'overloaded' });
  await t.rejects(text(unread[0]!), { code: 'overloaded' });
  t.equal(await text(await next), 'next0;');
  for (const stream of unread) stream.destroy();
});
