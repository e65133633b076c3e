import t from 'tap';
import { networksOfAddress } from '../../../src/platform/client-address.js';
import { FreeScans } from '../../../src/app/free-scan/free-scans.js';
import type { FreeScanTicket } from '../../../src/app/free-scan/free-scan.js';
import { createRateLimits } from '../../../src/app/limits/rate-limits.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import type { Database } from '../../../src/store/database.js';
import { NotConnected } from '../../../src/store/errors.js';
import { defineQuery } from '../../../src/store/query.js';
import { scanReport, TestClock } from '../../support/accounts.js';
import { failWhen } from '../../support/changed-database.js';
import { onEachDatabase } from '../../support/databases.js';
import { noTrials } from '../../support/no-trials.js';

const windows = defineQuery<{ scope: string; subject: string; used: number }>((sql) =>
  sql('rate_windows').select('scope', 'subject', 'used').orderBy(['scope', 'subject']),
);
const spent = defineQuery<{ scope: string; used: number }>((sql) =>
  sql('rate_windows').select('scope').sum({ used: 'used' }).where('used', '>', 0).groupBy('scope').orderBy('scope'),
);

/** Checks of sites that make so many requests; null: of hosts that do not exist. */
function prepare(db: Database, siteRequestCount = 5) {
  const clock = new TestClock();
  const targets: Parameters<Scanner>[0][] = [];
  const freeScans = new FreeScans({
    tryFile: noTrials,
    addressesOf: async ({ hostname }) => [hostname],
    ...{ db, clock, slots: new Slots(400), scanConcurrency: 400, vetSite: () => true },
    rateLimits: createRateLimits({ db, clock }),
    scan: async (target) => {
      targets.push(target);
      return { ...scanReport(), siteRequestCount };
    },
  });
  let hosts = 0;
  /** Makes a check of a site of its own; whether it was made, or why not. */
  const check = async (clientAddress: string, site = `shop.lamps${(hosts += 1)}.com`): Promise<string> => {
    try {
      await freeScans.verify({ site, checkIds: ['C-LLMS-01'], clientAddress });
      return 'made';
    } catch (error) {
      return (error as Error).message.replace(/ Try again in .*/, '');
    }
  };
  return { clock, targets, freeScans, check };
}

/** Does it so often, some at a time, and counts the answers. */
async function repeat(times: number, act: (index: number) => Promise<string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let first = 0; first < times; first += AT_ONCE) {
    const indices = Array.from({ length: Math.min(AT_ONCE, times - first) }, (_, index) => first + index);
    for (const answer of await Promise.all(indices.map(act))) counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}

const AT_ONCE = 10;
const OVER_SHARE = 'The network of your address has used up its share of the free scans of this hour.';
const ALL_TAKEN = 'All free scans of this hour are used up, for everyone.';
const ELSEWHERE = '198.51.100.7';

/** The /64s of one IPv6 /58. */
const of58 = (index: number): string => `2001:db8:1:${(0x40 + index).toString(16)}::1`;
/** As many addresses of one IPv6 /32 as one likes, no two of one /48. */
const of32 = (index: number): string => `2001:db8:${index.toString(16)}::1`;

onEachDatabase(async (t, engine) => {
  t.test('checks of hosts that do not exist cost their callers alone', async (t) => {
    const db = await engine.openDb(t);
    const nowhere = prepare(db, 0);
    t.same(await repeat(400, (index) => nowhere.check(of58(index % 40))), { made: 400 });
    t.same(await db.run(spent({})), [{ scope: 'free-scan', used: 400 }]);
    t.equal(await nowhere.check(of58(0)), 'Your network address has used up its 10 free scans of this hour.');
    t.equal(await prepare(db).check(ELSEWHERE), 'made');
  });

  t.test(
    'until half of the hour is taken nobody is refused for neighbours; then whoever took most, and nobody elsewhere',
    async (t) => {
      const db = await engine.openDb(t);
      const { check } = prepare(db);
      const answers: string[] = [];
      for (let index = 0; index < 330; index += 1) answers.push(await check(of58(index % 60)));
      t.same(new Set(answers.slice(0, 300)), new Set(['made']));
      t.same(new Set(answers.slice(300)), new Set([OVER_SHARE]));
      const before = await db.run(windows({}));
      t.equal(await check(of58(59)), OVER_SHARE);
      t.same(await db.run(windows({})), before, 'a refusal writes nothing');
      t.equal(await check('2001:db8:1:4000::1'), 'made', 'another customer of the same company');
      t.equal(await check('2001:db8:2::1'), 'made', 'another customer of the same provider');
      for (let count = 0; count < 10; count += 1) t.equal(await check(ELSEWHERE), 'made', 'an office elsewhere');
    },
  );

  t.test('ten thousand addresses of one provider refuse nobody elsewhere', async (t) => {
    const db = await engine.openDb(t);
    const { check } = prepare(db);
    // Each refusal is a read: over a socket ten times as slow, and the same.
    const crowd = db.dialect === 'sqlite' ? 10_000 : 1000;
    t.same(await repeat(crowd, (index) => check(of32(index))), { made: 360, [OVER_SHARE]: crowd - 360 });
    const offices = Array.from({ length: 18 }, (_, office) => `198.51.${office}.7`);
    for (let round = 0; round < 9; round += 1) {
      for (const office of offices) t.equal(await check(office), 'made', `${office}, after ${round} scans`);
    }
    t.equal((await repeat(20, (index) => check(`192.0.${index}.1`))).made, 20);
    t.equal(await check(offices[0] ?? ''), OVER_SHARE, 'the last tenth is for networks that had none');
    t.same(await repeat(60, (index) => check(`203.0.${index}.1`)), { made: 58, [ALL_TAKEN]: 2 });
    t.equal(await check('192.0.2.1'), ALL_TAKEN);
  });

  t.test('two processes, and callers at once, do not take more than there is', async (t) => {
    const db = await engine.openDb(t);
    const processes = [prepare(db), prepare(db)];
    for (const { check } of processes) await check(ELSEWHERE);
    await db.run(defineQuery((sql) => sql('rate_windows').where({ scope: 'free-scans' }).update({ used: 597 }))({}));
    const crowd = processes.map(({ check }, process) =>
      repeat(20, (index) => check(`203.0.${process * 20 + index}.1`, `lamps${process * 20 + index}.com`)),
    );
    const [one = {}, two = {}] = await Promise.all(crowd);
    t.equal((one.made ?? 0) + (two.made ?? 0), 3);
    t.same(
      (await db.run(spent({}))).map(({ used }) => used),
      [5, 5, 600, 5, 25],
      'whoever was refused paid nothing',
    );
  });

  t.test('one network leaves places to the others, however slow its sites are', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const freeScans = new FreeScans({
      tryFile: noTrials,
      addressesOf: async ({ hostname }) => [hostname],
      ...{ db, clock, slots: new Slots(20), scanConcurrency: 20, vetSite: () => true },
      rateLimits: createRateLimits({ db, clock }),
      scan: ({ origin }) => {
        begun.push(origin.hostname);
        return new Promise((resolve) => ends.push(() => resolve(scanReport())));
      },
    });
    const tickets: FreeScanTicket[] = [];
    for (let index = 0; index < 5; index += 1) {
      tickets.push(await freeScans.start({ site: `slow${index}.com`, clientAddress: of58(index) }));
    }
    for (const index of [1, 2]) {
      tickets.push(await freeScans.start({ site: `lamps${index}.com`, clientAddress: `198.51.${index}.7` }));
    }
    while (ends.length < 5) await new Promise((resolve) => setImmediate(resolve));
    t.same(begun, ['slow0.com', 'slow1.com', 'slow2.com', 'lamps1.com', 'lamps2.com']);
    while (ends.length > 0) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const { done } of tickets) await done;
  });

  t.test('strangers make 1,500 requests an hour to the hosts of one registrable domain', async (t) => {
    const db = await engine.openDb(t);
    const { check, targets, clock } = prepare(db, 130);
    const refusal = 'lamps.com and the hosts beneath it have had all requests of free scans for this hour.';
    for (let index = 0; index < 11; index += 1) t.equal(await check(`203.0.${index}.1`, `s${index}.lamps.com`), 'made');
    t.same((await db.run(spent({}))).at(-1), { scope: 'stranger-requests', used: 1430 }, 'those really made');
    t.equal(await check('203.0.99.1', 'another.lamps.com'), refusal);
    for (const site of ['one.github.io', 'two.github.io', 'lamps.co.uk']) t.equal(await check(ELSEWHERE, site), 'made');
    const ask = targets[0]?.restraint?.mayAskOther ?? (() => Promise.resolve(false));
    const asked = await Promise.all(Array.from({ length: 80 }, () => ask('lamps.com')));
    t.equal(asked.filter(Boolean).length, 70, 'and those that scans of other sites make there are among them');
    clock.set('2026-03-15T13:00:00.000Z');
    t.equal(await check('203.0.99.1', 'another.lamps.com'), 'made');
  });

  t.test('without the database no request goes to a site of others', async (t) => {
    let isDown = false;
    const db = failWhen(
      await engine.openDb(t),
      () => isDown,
      () => new NotConnected(),
    );
    const { check, targets } = prepare(db);
    await check(ELSEWHERE);
    isDown = true;
    t.equal(await targets[0]?.restraint?.mayAskOther('lamps.com'), false);
  });
});

t.test('the networks around an address, the widest first', (t) => {
  const prefixesOf = (address: string) => networksOfAddress(address).map(({ prefix }) => prefix);
  t.same(prefixesOf('192.0.2.7'), ['192.0.2.0/24']);
  t.same(prefixesOf('::ffff:192.0.2.7'), ['192.0.2.0/24']);
  t.same(prefixesOf('2001:DB8:1:2345::1'), ['2001:db8::/32', '2001:db8:1::/48', '2001:db8:1:2300::/56']);
  t.same(prefixesOf('fe80::1%eth0'), ['fe80::/32', 'fe80::/48', 'fe80::/56']);
  t.same(prefixesOf('unknown'), ['no address']);
  t.end();
});
