import t from 'tap';
import { BodyLease, BodyRoom, VisitBodies } from '../../../src/scanner/client/body-room.js';
import { openVisit, type ClosableVisit } from '../../../src/scanner/client/open-visit.js';
import type { Fetched } from '../../../src/scanner/client/visit.js';
import { FIXTURE_ORIGIN, FixtureTransport, type FixtureRoute } from '../../support/fixture-site.js';
import { LoopbackTransport } from '../../support/loopback-transport.js';
import { FIXTURE_TARGET } from '../../support/visit-site.js';

const NEVER = new AbortController().signal;
const LARGE = 'a'.repeat(400_000);
const MIB = 1_048_576;

function visitWith(room: BodyRoom) {
  const heldUp: boolean[] = [];
  const visit = new VisitBodies(room, (isHeldUp) => heldUp.push(isHeldUp));
  return { heldUp, lease: () => new BodyLease(visit) };
}

/** Whether a room of so many bytes is all there. */
function isWhole(room: BodyRoom, bytes: number): boolean {
  const { lease } = visitWith(room);
  const [first, rest] = [lease(), lease()];
  const isFree = first.take(1, NEVER) === null && rest.take(bytes - 1, NEVER) === null;
  first.shrinkTo(0);
  rest.shrinkTo(0);
  return isFree;
}

t.test('room for large bodies', async (t) => {
  t.test('is there for the first one of each visit, and for further ones as far as it goes', async (t) => {
    const room = new BodyRoom(10);
    const [a, b] = [visitWith(room), visitWith(room)];
    const first = a.lease();
    t.equal(first.take(8, NEVER), null);
    t.equal(b.lease().take(8, NEVER), null, 'nobody who holds none waits');
    const second = a.lease();
    const wait = second.take(2, NEVER);
    t.same(a.heldUp, [true]);
    first.shrinkTo(0);
    await wait;
    t.same([a.heldUp, b.heldUp], [[true, false], []]);
    second.shrinkTo(1);
    t.notSame(b.lease().take(2, NEVER), null);
    t.same(b.heldUp, [true], 'what is not needed is given back, and one byte is too little');
  });

  t.test('goes to the visit that holds least', async (t) => {
    const room = new BodyRoom(10);
    const order: string[] = [];
    const [a, b, c] = [visitWith(room), visitWith(room), visitWith(room)];
    t.equal(a.lease().take(3, NEVER), null);
    t.equal(b.lease().take(2, NEVER), null);
    const held = c.lease();
    t.equal(held.take(5, NEVER), null);
    const waits = (
      [
        ['a', a],
        ['b', b],
      ] as const
    ).map(async ([name, visit]) => {
      await visit.lease().take(2, NEVER);
      order.push(name);
    });
    held.shrinkTo(0);
    await Promise.all(waits);
    t.same(order, ['b', 'a']);
  });

  t.test('is no longer waited for when the time is up', async (t) => {
    const room = new BodyRoom(10);
    const { lease, heldUp } = visitWith(room);
    const first = lease();
    first.take(10, NEVER);
    const ended = new AbortController();
    const wait = lease().take(1, ended.signal);
    ended.abort(new Error('the end'));
    await t.rejects(wait ?? Promise.resolve(), { message: 'the end' });
    await t.rejects(lease().take(1, ended.signal) ?? Promise.resolve(), { message: 'the end' });
    t.same(heldUp, [true, false, true, false]);
    first.shrinkTo(0);
    t.ok(isWhole(room, 10));
  });

  t.test('that an earlier try took is given back before the next one asks', async (t) => {
    const room = new BodyRoom(10);
    const { lease } = visitWith(room);
    const tried = lease();
    t.equal(tried.take(10, NEVER), null);
    t.equal(tried.take(10, NEVER), null);
    tried.shrinkTo(0);
    t.ok(isWhole(room, 10));
  });
});

/** A visit whose large bodies share the room. */
function visitSharing(bodies: BodyRoom, routes: Readonly<Record<string, FixtureRoute>>): ClosableVisit {
  const transport = new FixtureTransport({ routes });
  return openVisit({ target: FIXTURE_TARGET, transport, bodies, pause: () => Promise.resolve() });
}

const bytesOf = (fetched: Fetched): number => ('response' in fetched ? fetched.response.body.length : -1);
const pathOf = (index: number): URL => new URL(`/${index}`, FIXTURE_ORIGIN);

t.test('many visits with next to no room all read what they asked for, each one body at a time', async (t) => {
  const room = new BodyRoom(1);
  const visits = Array.from({ length: 20 }, () => visitSharing(room, { '*': LARGE }));
  let most = 0;
  const readAll = async (visit: ClosableVisit): Promise<number[]> => {
    let reading = 0;
    const read = async (fetched: Fetched): Promise<number> => {
      most = Math.max(most, (reading += 1));
      await new Promise(setImmediate);
      reading -= 1;
      return bytesOf(fetched);
    };
    return Promise.all(Array.from({ length: 12 }, (_, index) => visit.read(pathOf(index), {}, read)));
  };
  const read = await Promise.all(visits.map(readAll));
  t.same(
    read.flat().filter((bytes) => bytes !== LARGE.length),
    [],
  );
  t.equal(most, 1);
  for (const visit of visits) await visit.close();
});

t.test('what others are compared with waits for nothing, since they hold their room meanwhile', async (t) => {
  const room = new BodyRoom(1);
  const visit = visitSharing(room, { '*': LARGE });
  const compared = await visit.read(pathOf(1), {}, async () =>
    bytesOf(await visit.fetch(pathOf(2), { isReference: true })),
  );
  t.equal(compared, LARGE.length);
  t.ok(isWhole(room, 1));
  await visit.close();
});

t.test('nothing stays taken by visits that fail, are cut, or end', async (t) => {
  const room = new BodyRoom(MIB);
  const cut = visitSharing(room, { '*': { body: LARGE, cut: true } });
  t.match(await cut.read(pathOf(1), {}, async (fetched) => fetched), { failure: 'cut_off' });
  const failing = visitSharing(room, { '*': LARGE });
  await t.rejects(
    failing.read(pathOf(1), {}, () => Promise.reject(new Error('a bug'))),
    { message: 'a bug' },
  );
  const ended = visitSharing(room, { '*': LARGE });
  let begin = (): void => undefined;
  let finish = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const held = ended.read(pathOf(1), {}, () => {
    begin();
    return new Promise<void>((resolve) => (finish = resolve));
  });
  const waiting = Array.from({ length: 5 }, (_, index) => ended.fetch(pathOf(index + 2), { bodyBytesMax: MIB }));
  await begun;
  await ended.close();
  for (const fetched of await Promise.all(waiting)) t.ok('failure' in fetched || bytesOf(fetched) === LARGE.length);
  finish();
  await held;
  t.ok(isWhole(room, MIB));
});

t.test('a body that waits on its socket does not hold up the others of its run', async (t) => {
  const body = 'a'.repeat(2 * MIB);
  const transport = await LoopbackTransport.open({ routes: { '*': body } });
  const visit = openVisit({ target: FIXTURE_TARGET, transport, bodies: new BodyRoom(1) });
  t.teardown(() => visit.close());
  const reads = Array.from({ length: 8 }, (_, index) =>
    visit.read(pathOf(index), { bodyBytesMax: 2 * MIB }, async (fetched) => bytesOf(fetched)),
  );
  t.same(await Promise.all(reads), Array<number>(8).fill(body.length));
});
