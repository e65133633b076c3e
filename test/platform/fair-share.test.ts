import t from 'tap';
import { FairShare } from '../../src/platform/fair-share.js';

/** Takes for the party until it may take no more. @returns how many it got */
function takeAll(share: FairShare, party: string): number {
  let count = 0;
  for (; share.mayTake(party); count += 1) share.take(party);
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
  t.ok(share.mayTake('e'));
  t.same(share.fullParties, ['a', 'b', 'c', 'd']);
  share.take('e');
  share.take('f');
  const free = share.take('g');
  t.equal(share.taken, 20);
  t.notOk(share.mayTake('h'), 'what is full is full');
  t.notOk(share.mayTake(null));
  free();
  t.ok(share.mayTake('h'));
  t.notOk(share.mayTake('a'));
  t.end();
});

t.test('work of no party takes whatever is free', (t) => {
  const share = new FairShare(4);
  for (let index = 0; index < 4; index += 1) {
    t.ok(share.mayTake(null));
    share.take(null);
  }
  t.notOk(share.mayTake(null));
  t.end();
});

t.test('kept places stay free for their party, which may have more', (t) => {
  const share = new FairShare(20, { party: 'kept', places: 2 });
  takeAll(share, 'a');
  for (const party of 'bcdefghijkl') if (share.mayTake(party)) share.take(party);
  t.equal(share.taken, 18);
  t.notOk(share.mayTake('z'));
  t.ok(share.mayTake('kept'));
  share.take('kept');
  t.notOk(share.mayTake('z'), 'one is still kept');
  t.end();
});
