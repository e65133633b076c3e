import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { ClientSockets } from './client-sockets.js';
import type { HostileKind } from './kind.js';
import { HOSTILE_KINDS } from './kinds.js';
import { missesOf, scanHostile } from './scan-hostile.js';
import { familyName } from './wire-kind.js';

/** Small enough that all kinds together take seconds; what they show does not depend on how long a deadline is. */
const SMALL = {
  limits: { runMs: 1500, tryMs: 250 },
  network: { connectMs: 250, headersMs: 250, wireBytesMax: 8 * 1_048_576 },
  dnsTimeoutMs: 80,
  pause: () => nextTurn(),
};

/** How many are scanned at a time. */
const AT_ONCE = 12;

/** Of the sites that answer badly behind good files only, which take longest, one in so many; all of them are tried by the torture. */
const BEHIND_EVERY = 12;

const sockets = new ClientSockets();
const unhandled: unknown[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(reason));

t.test('there are sixty kinds and more, each site with a name of its own', async (t) => {
  const names = HOSTILE_KINDS.map(({ name }) => name);
  t.equal(new Set(names).size, names.length);
  t.ok(new Set(names.map(familyName)).size >= 60);
});

t.test('every run completes, whatever its site does', async (t) => {
  const behind = HOSTILE_KINDS.filter(({ name }) => familyName(name) !== name);
  const sites = [
    ...HOSTILE_KINDS.filter(({ name }) => familyName(name) === name),
    ...behind.filter((_, index) => index % BEHIND_EVERY === 0),
  ];
  const scanNext = async (): Promise<void> => {
    for (let kind = sites.shift(); kind; kind = sites.shift()) t.same(await missesOfScan(kind), [], kind.name);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, scanNext));
});

t.test('nothing is left behind', async (t) => {
  t.same(unhandled, []);
  t.ok(sockets.count > 0);
  t.equal(await sockets.countLeftOpen(10_000), 0);
});

async function missesOfScan(kind: HostileKind): Promise<string[]> {
  const host = await kind.start();
  try {
    const { report } = await scanHostile(host, SMALL);
    // With so little time even a good file may come too late.
    return missesOf(kind.yields === 'nothing' ? kind : { ...kind, yields: {} }, report);
  } finally {
    await host.close();
  }
}
