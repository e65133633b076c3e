import t from 'tap';
import { makeLazy } from '../../src/wiring/lazy.js';

t.test('what is made late is made once, at its first use, for all who ask meanwhile', async (t) => {
  let madeCount = 0;
  const late = makeLazy(async () => {
    madeCount += 1;
    await Promise.resolve();
    return { madeCount };
  });
  t.equal(madeCount, 0, 'nothing before');
  const [first, second] = await Promise.all([late(), late()]);
  t.equal(first, second);
  t.equal(await late(), first);
  t.equal(madeCount, 1);
});

t.test('what cannot be made ends the process, which could not make it later either', async (t) => {
  const ends: unknown[] = [];
  const broken = new Error('no file descriptor is left');
  const late = makeLazy(
    () => Promise.reject(broken),
    (cause) => ends.push(cause),
  );
  await t.rejects(late(), broken);
  await t.rejects(late(), broken);
  t.same(ends, [broken]);
});
