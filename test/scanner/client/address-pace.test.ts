import t from 'tap';
import { AddressPace } from '../../../src/scanner/client/limiter.js';
import type { FetchFailure } from '../../../src/net/failure.js';
import { until } from '../../support/held-timers.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';
import { FIXTURE_TARGET, visitSite } from '../../support/visit-site.js';

const ADDRESS = '192.0.2.1';
const NEVER = new AbortController().signal;
const LIMITS = { burst: 3, intervalMs: 100 };

/** A pace on a clock that only the test moves. */
function preparePace() {
  let nowMs = 5000;
  return { pace: new AddressPace(LIMITS, () => nowMs), later: (ms: number) => (nowMs += ms) };
}

t.test('so many come at once, the rest in turn, and what was left unused comes back', (t) => {
  const { pace, later } = preparePace();
  const take = (address = ADDRESS) => pace.reserve(address);
  t.same([take(), take(), take(), take(), take()], [0, 0, 0, 100, 200]);
  t.equal(take('192.0.2.2'), 0, 'each address has its own');
  later(250);
  t.equal(take(), 50);
  later(10_000);
  t.same([take(), take(), take(), take()], [0, 0, 0, 100]);
  pace.release();
  t.equal(take(), 0, 'nobody waits once the process ends');
  t.end();
});

t.test('an address is nearly spent from half of what may come at once', (t) => {
  const { pace, later } = preparePace();
  const reserve = () => {
    pace.reserve(ADDRESS);
    return pace.isNearlySpent(ADDRESS);
  };
  t.notOk(pace.isNearlySpent(ADDRESS));
  t.same([reserve(), reserve(), pace.isNearlySpent('192.0.2.2')], [false, true, false]);
  later(50);
  t.notOk(pace.isNearlySpent(ADDRESS));
  t.end();
});

t.test('when the process ends, requests that wait for their turn go on', async (t) => {
  const { pace } = preparePace();
  const waits: number[] = [];
  const pause = (ms: number, signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      waits.push(ms);
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  const anonymousLimits = { pace, mayRequestDomain: async () => true };
  const target = { ...FIXTURE_TARGET, isOwnershipVerified: false, anonymousLimits };
  const { fetch } = visitSite({ '*': 'page' }, { target, pause });
  const all = ['/a', '/b', '/c', '/d', '/e'].map((path) => fetch(path));
  await until(() => waits.length >= 2);
  pace.release();
  for (const fetched of await Promise.all(all)) t.match(fetched, { response: { status: 200 } });
  t.same(waits, [100, 200]);
});

t.test('a run that ends during a DNS lookup reserves no turn', async (t) => {
  const reserved: string[] = [];
  const pace = { reserve: (address: string) => reserved.push(address), released: NEVER };
  const anonymousLimits = { pace, mayRequestDomain: async () => true };
  const { visit, fetch, transport } = visitSite({}, { target: { ...FIXTURE_TARGET, anonymousLimits } });
  const lookups: string[] = [];
  const addressOf = ({ hostname }: URL) => new Promise<string>(() => lookups.push(hostname));
  Object.assign(transport, { addressOf });
  const fetched = fetch('/');
  await until(() => lookups.length > 0);
  await visit.close();
  t.same(await fetched, { failure: 'run_deadline' });
  t.same(reserved, []);
});

t.test('what anybody may ask for keeps the pace; every request is made in the end', async (t) => {
  let turns = 0;
  const anonymousLimits = {
    pace: { reserve: () => (turns += 1) * 10, released: NEVER },
    mayRequestDomain: async () => true,
  };
  const routes = { '*': '<!doctype html><title>A page</title>' };
  const stranger = visitSite(routes, { target: { ...FIXTURE_TARGET, isOwnershipVerified: false, anonymousLimits } });
  for (const path of ['/a', '/b', '/c']) t.hasProp(await stranger.fetch(path), 'response');
  t.same(stranger.pauses, [10, 20, 30]);
  const short = visitSite(routes, {
    target: { ...FIXTURE_TARGET, anonymousLimits },
    limits: { slotWaitMs: 0, paceMs: 15 },
  });
  for (const path of ['/a', '/b']) t.hasProp(await short.fetch(path), 'response');
  for (const ms of short.pauses) t.ok(ms <= 15, 'no run waits longer in all than its time for that');
  const owner = visitSite(routes);
  await owner.fetch('/a');
  t.equal(turns, 5, 'an owner has none to keep');
});

t.test('requests to sites of others are asked for one by one, those to the own site are counted', async (t) => {
  const asked: string[] = [];
  const anonymousLimits = {
    pace: { reserve: () => 0, released: NEVER },
    mayRequestDomain: async (domain: string) => asked.push(domain) <= 2,
  };
  const routes = {
    '/': 'Home',
    'https://a.lamps.com/*': 'A',
    'https://b.lamps.com/*': 'B',
    'https://me.github.io/*': 'C',
  };
  const { visit, fetch, sent } = visitSite(routes, { target: { ...FIXTURE_TARGET, anonymousLimits } });
  await fetch('/');
  const failures: (FetchFailure | null)[] = [];
  for (const url of ['https://a.lamps.com/', 'https://b.lamps.com/', 'https://me.github.io/']) {
    const fetched = await visit.fetch(new URL(url));
    failures.push('failure' in fetched ? fetched.failure : null);
  }
  t.same(asked, ['lamps.com', 'lamps.com', 'me.github.io']);
  t.same(failures, [null, null, 'external_spent']);
  t.equal(sent().length, 3, 'what may not be asked is not sent');
  t.same([visit.requestCount, visit.siteRequestCount], [3, 1]);
});

t.test('a request for which there is no address is none to the site', async (t) => {
  const counts = { name_not_found: 0, dns_failed: 0, dns_silent: 0, target_refused: 0, connect_failed: 1, stalled: 1 };
  for (const [failure, count] of Object.entries(counts) as [FetchFailure, number][]) {
    const { visit } = visitSite({ '*': { failure } });
    await visit.fetch(new URL('/', FIXTURE_ORIGIN), { attempts: 'once' });
    t.equal(visit.siteRequestCount, count, failure);
  }
});
