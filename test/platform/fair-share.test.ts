import t from 'tap';
import { FairShare } from '../../src/platform/slots.js';

/** Takes for the party until it may take no more. @returns how many it got */
function takeAll(share: FairShare, party: string): number {
  let count = 0;
  for (; share.mayAcquire(party); count += 1) share.acquire(party);
  return count;
}

t.test('alone, a party gets more than half of the places and leaves some to newcomers', (t) => {
  for (const [capacity, most] of [
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 3],
    [8, 5],
    [10, 6],
    [20, 12],
    [100, 57],
  ] as const) {
    t.equal(takeAll(new FairShare(capacity), 'a'), most, `${most} of ${capacity}`);
  }
  t.end();
});

t.test('the more parties there are, the less each gets, and a newcomer finds a place', (t) => {
  const share = new FairShare(20);
  t.same(
    ['a', 'b', 'c', 'd'].map((party) => takeAll(share, party)),
    [12, 3, 1, 1],
  );
  t.ok(share.mayAcquire('e'));
  t.same(share.fullOwners, ['a', 'b', 'c', 'd']);
  share.acquire('e');
  share.acquire('f');
  const free = share.acquire('g');
  t.equal(share.used, 20);
  t.notOk(share.mayAcquire('h'), 'what is full is full');
  free();
  t.ok(share.mayAcquire('h'));
  t.notOk(share.mayAcquire('a'));
  t.end();
});

t.test('reserved slots stay free for their party, which may have more', (t) => {
  const share = new FairShare(20, { reserved: { owner: 'kept', slots: 2 } });
  takeAll(share, 'a');
  for (const party of 'bcdefghijkl') if (share.mayAcquire(party)) share.acquire(party);
  t.equal(share.used, 18);
  t.notOk(share.mayAcquire('z'));
  t.ok(share.mayAcquire('kept'));
  share.acquire('kept');
  t.notOk(share.mayAcquire('z'), 'one is still reserved');
  t.end();
});
