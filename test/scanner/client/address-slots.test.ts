import t from 'tap';
import { AddressSlots, VisitSlots } from '../../../src/scanner/client/address-slots.js';

const ADDRESS = '192.0.2.1';
const LIMITS = { inFlightMax: 8, inFlightMaxSlow: 2 };

/** Lets everything go on that waits for nothing. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

let parties = 0;

/** A visit that counts its requests in flight, and ends them when told to; of a party of its own unless one is given. */
function openSlots(slots: AddressSlots, { isVerified = false, party = `${(parties += 1)}` } = {}) {
  const held: boolean[] = [];
  const visit = new VisitSlots(slots, party, isVerified, (isHeldUp) => held.push(isHeldUp));
  const inFlight: (() => void)[] = [];
  const ask = (count: number, { isExternal = false, address = ADDRESS } = {}) => {
    for (let index = 0; index < count; index += 1) {
      void visit
        .acquire(address, isExternal, 'core', new AbortController().signal)
        .then((release) => inFlight.push(release));
    }
    return settle();
  };
  const end = (count = 1) => {
    for (const release of inFlight.splice(0, count)) release();
    return settle();
  };
  return { visit, held, ask, end, count: () => inFlight.length };
}

t.test('twenty visits to one address have one request each in flight, and none alone more than eight', async (t) => {
  const slots = new AddressSlots(LIMITS);
  const first = openSlots(slots);
  await first.ask(30);
  t.equal(first.count(), 8);
  const others = Array.from({ length: 19 }, () => openSlots(slots));
  for (const other of others) await other.ask(30);
  t.same(
    others.map(({ count }) => count()),
    others.map(() => 1),
    'each newcomer gets one place',
  );
  await first.end(8);
  t.equal(first.count(), 1, 'and the first keeps one only');
});

t.test('what comes free goes to whoever has fewest in flight, and first to the owner of the site', async (t) => {
  const slots = new AddressSlots(LIMITS);
  const [crowd, second] = [openSlots(slots), openSlots(slots)];
  await crowd.ask(30);
  await second.ask(30);
  await crowd.end(4);
  t.same([crowd.count(), second.count()], [4, 4]);
  const owner = openSlots(slots, { isVerified: true });
  await owner.ask(30);
  await crowd.end(2);
  await second.end(2);
  t.same([crowd.count(), second.count(), owner.count()], [2, 2, 4]);
  await crowd.end(2);
  await second.end(2);
  t.same([crowd.count(), second.count(), owner.count()], [1, 1, 6], 'the others keep one');
});

t.test('sites of others are asked one request at a time, and leave their own visits six slots', async (t) => {
  const slots = new AddressSlots(LIMITS);
  const attackers = Array.from({ length: 4 }, () => openSlots(slots));
  for (const attacker of attackers) await attacker.ask(10, { isExternal: true });
  t.same(
    attackers.map(({ count }) => count()),
    [1, 1, 1, 1],
  );
  const victim = openSlots(slots);
  await victim.ask(30);
  t.equal(victim.count(), 6);
  t.same(attackers[0]?.held, [], 'its own turn is not a wait for others');
});

t.test('a visit hears when it waits for slots of others, not for its own', async (t) => {
  const slots = new AddressSlots(LIMITS);
  const [one, two] = [openSlots(slots), openSlots(slots)];
  await one.ask(30);
  t.same(one.held, []);
  await two.ask(2);
  t.same(two.held, [true]);
  await one.end(2);
  t.same([one.count(), two.count(), one.held, two.held], [6, 2, [true], [true, false]]);
  two.visit.leaveAll();
  await settle();
  t.same([one.count(), one.held], [8, [true, false]], 'those who leave make room');
});

t.test('after 429 a visit has two requests in flight there; another keeps its own limit', async (t) => {
  const slots = new AddressSlots(LIMITS);
  const [slow, other] = [openSlots(slots), openSlots(slots)];
  slow.visit.slowDown(ADDRESS, false);
  await slow.ask(9);
  await other.ask(9);
  t.same([slow.count(), other.count()], [2, 6]);
});

t.test('one that is given up while it waits takes no place', async (t) => {
  const slots = new AddressSlots({ inFlightMax: 1, inFlightMaxSlow: 1 });
  const visit = openSlots(slots);
  await visit.ask(1);
  const leaving = new AbortController();
  const given = visit.visit.acquire(ADDRESS, false, 'core', leaving.signal);
  await visit.ask(1);
  leaving.abort(new Error('given up'));
  await t.rejects(given, { message: 'given up' });
  await visit.end();
  t.equal(visit.count(), 1);
});

t.test('a visit that has left does not come back', async (t) => {
  const joined: string[] = [];
  const slots = new (class extends AddressSlots {
    override join(...args: Parameters<AddressSlots['join']>) {
      joined.push(args[0]);
      return super.join(...args);
    }
  })(LIMITS);
  const { visit } = openSlots(slots);
  visit.leaveAll();
  const ended = AbortSignal.abort(new Error('the run is over'));
  await t.rejects(visit.acquire(ADDRESS, false, 'core', ended), { message: 'the run is over' });
  visit.slowDown(ADDRESS, false);
  t.same(joined, []);
});

t.test('a visit alone at an address is held up by nobody', async (t) => {
  const slots = new AddressSlots({ inFlightMax: 2, inFlightMaxSlow: 1 });
  const one = openSlots(slots);
  await one.ask(1, { isExternal: true });
  await one.ask(9);
  t.same([one.count(), one.held], [2, []], 'its own foreign request takes a place');
});

t.test('one party leaves half of the slots to each other, however many visits it has', async (t) => {
  const slots = new AddressSlots(LIMITS);
  const crowd = Array.from({ length: 10 }, () => openSlots(slots, { isVerified: true, party: 'crowd' }));
  for (const one of crowd) await one.ask(9);
  const other = openSlots(slots, { isVerified: true, party: 'other' });
  await other.ask(9);
  t.equal(other.count(), 1, 'at first its first visit has all that is free');
  await crowd[0]?.end(9);
  t.equal(other.count(), 4, 'its ten visits keep one each, which count as half');
});
