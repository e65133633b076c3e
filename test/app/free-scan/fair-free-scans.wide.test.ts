import type { FreeScanTicket } from '../../../src/app/free-scan/free-scans.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Scanner } from '../../../src/scanner/scan/scanner.js';
import { type Database, NotConnected } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { scanReport, TestClock } from '../../support/accounts.js';
import { rowsOf } from '../../support/tables.js';
import { failWhen } from '../../support/changed-database.js';
import { onEitherDatabase } from '../../support/databases.js';
import { openServices } from '../../support/services.js';

const spent = defineQuery<{ scope: string; used: number }>((sql) =>
  sql('rate_windows').select('scope').sum({ used: 'used' }).where('used', '>', 0).groupBy('scope').orderBy('scope'),
);

/** Free scans that send this many requests to their site; 0 if the host does not exist. */
function prepare(db: Database, siteRequestCount = 5) {
  const clock = new TestClock();
  const targets: Parameters<Scanner>[0][] = [];
  const scanFree: Scanner = async (target) => {
    targets.push(target);
    return { ...scanReport(), siteRequestCount };
  };
  const { freeScans } = openServices(db, { clock, slots: new Slots(400), scanConcurrency: 400, scanFree });
  let hosts = 0;
  /** Checks a new site. Returns `made` or the refusal. */
  const check = async (clientAddress: string, site = `shop.lamps${(hosts += 1)}.com`): Promise<string> => {
    try {
      await freeScans.verify({ site, checkIds: ['C-LLMS-01'], clientAddress });
      return 'made';
    } catch (error) {
      return (error as Error).message.replace(/ Try again in .*/, '');
    }
  };
  return { db, clock, targets, check };
}

/** Repeats `act`, ten at a time, and counts each answer. */
async function repeat(times: number, act: (index: number) => Promise<string>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let first = 0; first < times; first += AT_ONCE) {
    const indices = Array.from({ length: Math.min(AT_ONCE, times - first) }, (_, index) => first + index);
    for (const answer of await Promise.all(indices.map(act))) counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}

const AT_ONCE = 10;
const ELSEWHERE = '198.51.100.7';

/** The /64s of one IPv6 /58. */
const of58 = (index: number): string => `2001:db8:1:${(0x40 + index).toString(16)}::1`;
/** Addresses of one IPv6 /32, each in another /48. */
const of32 = (index: number): string => `2001:db9:${index.toString(16)}::1`;

onEitherDatabase(async (t, engine) => {
  t.test('checks of unknown hosts count only for their callers', async (t) => {
    const db = await engine.openDb(t);
    const nowhere = prepare(db, 0);
    t.same(await repeat(400, (index) => nowhere.check(of58(index % 40))), { made: 400 });
    t.same(await db.run(spent({})), [{ scope: 'free-scan', used: 400 }]);
    t.equal(await nowhere.check(of58(0)), 'Your network address has used up its 10 free scans for this hour.');
    t.equal(await prepare(db).check(ELSEWHERE), 'made');
  });

  t.test('each network has a fixed number of scans, and a thousand addresses of one block nobody else', async (t) => {
    const { db, check } = prepare(await engine.openDb(t));
    const used = (max: number) => `Your network has used up its ${max} free scans for this hour.`;
    t.same(await repeat(60, (index) => check(of58(index))), { made: 40, [used(40)]: 20 });
    const before = new Set(await rowsOf(db, 'rate_windows'));
    t.equal(await check(of58(59)), used(40));
    t.same(new Set(await rowsOf(db, 'rate_windows')), before, 'a refusal writes nothing');
    t.equal(await check('2001:db8:1:4000::1'), 'made', 'another customer of the same company');
    t.equal(await check('2001:db8:2::1'), 'made', 'another customer of the same provider');
    for (let count = 0; count < 10; count += 1) t.equal(await check(ELSEWHERE), 'made', 'an office elsewhere');
    t.equal(await check(ELSEWHERE), 'Your network address has used up its 10 free scans for this hour.');
    t.same(await repeat(120, (index) => check(`192.0.2.${index}`)), { made: 100, [used(100)]: 20 });
    t.same(await repeat(1000, (index) => check(of32(index))), { made: 200, [used(200)]: 800 }, 'one provider');
    t.same(await repeat(600, (index) => check(`203.${index >> 8}.${index & 255}.1`)), { made: 600 });
  });

  t.test('a host is scanned ten times an hour, plus once by each new network', async (t) => {
    const { check } = prepare(await engine.openDb(t));
    const refusal = 'lamps.com has been scanned 10 times this hour.';
    for (let index = 0; index < 12; index += 1) {
      t.equal(await check(`192.0.2.${index}`, 'lamps.com'), index < 10 ? 'made' : refusal);
    }
    for (const answer of ['made', refusal]) {
      for (let index = 0; index < 5; index += 1) t.equal(await check(`198.51.${index}.7`, 'lamps.com'), answer);
    }
  });

  t.test('one network leaves slots to others, however slow its sites are', async (t) => {
    const db = await engine.openDb(t);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const scanFree: Scanner = ({ origin }) => {
      begun.push(origin.hostname);
      return new Promise((resolve) => ends.push(() => resolve(scanReport())));
    };
    const { freeScans } = openServices(db, { slots: new Slots(20), scanConcurrency: 20, scanFree });
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

  t.test('free scans send 1,500 requests an hour to one registrable domain', async (t) => {
    const { db, check, targets, clock } = prepare(await engine.openDb(t), 130);
    const refusal = 'Free scans have reached the hourly request limit for lamps.com and its subdomains.';
    for (let index = 0; index < 11; index += 1) t.equal(await check(`203.0.${index}.1`, `s${index}.lamps.com`), 'made');
    const { used } = (await db.run(spent({}))).find(({ scope }) => scope === 'anonymous-requests') ?? {};
    t.equal(used, 1430, 'only requests that were sent');
    t.equal(await check('203.0.99.1', 'another.lamps.com'), refusal);
    for (const site of ['one.github.io', 'two.github.io', 'lamps.co.uk']) t.equal(await check(ELSEWHERE, site), 'made');
    const ask = targets[0]?.anonymousLimits?.mayRequestDomain ?? (() => Promise.resolve(false));
    const asked = await Promise.all(Array.from({ length: 80 }, () => ask('lamps.com')));
    t.equal(asked.filter(Boolean).length, 70, 'requests by scans of other sites count');
    clock.set('2026-03-15T13:00:00.000Z');
    t.equal(await check('203.0.99.1', 'another.lamps.com'), 'made');
  });

  t.test('without the database, no request goes to other sites', async (t) => {
    let isDown = false;
    const db = failWhen(await engine.openDb(t), () => isDown, new NotConnected());
    const { check, targets } = prepare(db);
    await check(ELSEWHERE);
    isDown = true;
    t.equal(await targets[0]?.anonymousLimits?.mayRequestDomain('lamps.com'), false);
  });
});
