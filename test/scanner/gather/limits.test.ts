import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import type { RequestKind } from '../../../src/scanner/gather/fetch/budget.js';
import { RequestBudget } from '../../../src/scanner/gather/fetch/budget.js';
import { AddressPlaces } from '../../../src/scanner/gather/fetch/address-places.js';
import type { Priority } from '../../../src/scanner/gather/fetch/visit.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { redirectTo, visitSite } from '../../support/visit-site.js';

t.test('the request budget', async (t) => {
  t.test('keeps 30 of 150 for hops and second tries', async (t) => {
    const { fetch, visit, sent } = visitSite({
      '*': ({ url }) => (url.pathname === '/hop' ? redirectTo('/to') : 'page'),
    });
    const fetched = await Promise.all(Array.from({ length: 130 }, (_, index) => fetch(`/${index}`)));
    t.equal(fetched.filter((one) => 'failure' in one && one.failure === 'budget_spent').length, 10);
    t.equal(visit.requestCount, 120);
    t.equal(sent().length, 120);
    t.same(await fetch('/hop'), { failure: 'budget_spent' });
  });

  t.test('drops sameAs first, then llms.txt links, then sitemap entries, and the core last', async (t) => {
    const classes: readonly Priority[] = ['sameAs', 'llmsLinks', 'sitemapEntries', 'core'];
    const taken = (kind: RequestKind) => {
      const budget = new RequestBudget(150, 30, 10);
      return classes.map((priority) => {
        while (budget.take(kind, priority));
        return budget.count;
      });
    };
    t.same(taken('first'), [72, 92, 108, 120]);
    t.same(taken('further'), [102, 122, 138, 150]);
  });

  t.test('leaves no room for links and entries that were asked for already', async (t) => {
    const budget = new RequestBudget(150, 30, 10);
    for (let count = 0; count < 60; count += 1) budget.take('first', 'core');
    for (let count = 0; count < 20; count += 1) t.ok(budget.take('first', 'llmsLinks'));
    for (let count = 0; count < 16; count += 1) t.ok(budget.take('first', 'sitemapEntries'));
    for (let count = 0; count < 5; count += 1) t.ok(budget.take('first', 'sameAs'));
  });

  t.test('counts what is fetched anew among the second tries', async (t) => {
    const { fetch } = visitSite({ '*': 'page' }, { limits: { requestsMax: 3, furtherReserve: 2 } });
    t.match(await fetch('/a'), { response: { status: 200 } });
    t.same(await fetch('/b'), { failure: 'budget_spent' });
    t.match(await fetch('/a', { isRepeat: true }), { response: { status: 200 } });
  });

  t.test('counts the hops of a redirect among them as well', async (t) => {
    const limits = { requestsMax: 3, furtherReserve: 2 };
    const { fetch } = visitSite({ '/hop': redirectTo('/to'), '/to': 'page' }, { limits });
    t.match(await fetch('/hop'), { response: { status: 200 } });
  });

  t.test('refused work of one class does not speak for another', async (t) => {
    const { fetch } = visitSite({ '*': 'page' }, { limits: { requestsMax: 60, furtherReserve: 20 } });
    t.same(await fetch('/a', { priority: 'sameAs' }), { failure: 'budget_spent' });
    t.match(await fetch('/a'), { response: { status: 200 } });
  });

  t.test('what the gate refuses costs nothing', async (t) => {
    const refusals: string[] = [];
    const { visit } = visitSite({}, { onRefused: (url, reason) => refusals.push(`${url.href} ${reason}`) });
    for (const url of ['http://127.0.0.1/', 'ftp://www.fixture-site.com/', 'https://localhost/']) {
      t.same(await visit.fetch(new URL(url)), { failure: 'target_refused' });
    }
    t.equal(visit.requestCount, 0);
    t.equal(refusals[0], 'http://127.0.0.1/ address_not_public');
  });
});

t.test('requests in flight to one host', async (t) => {
  /** A site whose every answer waits to be let go, and tells how many are waiting. */
  const gated = () => {
    const waiting: (() => void)[] = [];
    const order: string[] = [];
    const route: FixtureRoute = ({ url }) =>
      new Promise((resolve) => {
        order.push(url.pathname);
        waiting.push(() => {
          resolve(url.pathname === '/slow' ? { status: 429 } : 'ok');
        });
      });
    const letGo = async (count = 1) => {
      for (let index = 0; index < count; index += 1) waiting.shift()?.();
      await nextTurn();
    };
    return { routes: { '*': route, 'https://elsewhere.com/*': route }, order, waiting, letGo };
  };

  t.test('are 8 at most, and 2 after the first 429', async (t) => {
    const { routes, waiting, letGo } = gated();
    const { fetch, visit } = visitSite(routes);
    const all = [fetch('/slow', { attempts: 'once' }), ...Array.from({ length: 19 }, (_, index) => fetch(`/${index}`))];
    await letGo(0);
    t.equal(waiting.length, 8);
    void visit.fetch(new URL('https://elsewhere.com/'));
    await letGo(0);
    t.equal(waiting.length, 9, 'another host has its own');
    await letGo(9);
    t.equal(waiting.length, 2);
    while (waiting.length > 0) {
      t.ok(waiting.length <= 2);
      await letGo();
    }
    await Promise.all(all);
  });

  t.test('are taken by priority, then in their order', async (t) => {
    const { routes, order, waiting, letGo } = gated();
    const { fetch } = visitSite(routes, { places: new AddressPlaces({ inFlightMax: 1, inFlightMaxSlow: 1 }) });
    const classes: readonly Priority[] = ['core', 'sameAs', 'llmsLinks', 'sitemapEntries', 'llmsLinks', 'core'];
    const all = classes.map((priority, index) => fetch(`/${index}`, { priority }));
    await letGo(0);
    while (waiting.length > 0) await letGo();
    await Promise.all(all);
    t.same(order, ['/0', '/5', '/3', '/2', '/4', '/1']);
  });

  t.test('are shared by two visits', async (t) => {
    const { routes, waiting, letGo } = gated();
    const places = new AddressPlaces();
    const [one, two] = [visitSite(routes, { places }), visitSite(routes, { places })];
    const all = [one, two].flatMap(({ fetch }) => Array.from({ length: 6 }, (_, index) => fetch(`/${index}`)));
    await letGo(0);
    t.equal(waiting.length, 8);
    while (waiting.length > 0) await letGo();
    await Promise.all(all);
  });

  t.test('that wait end with the visit', async (t) => {
    const { routes, letGo } = gated();
    const { fetch, visit, transport } = visitSite(routes);
    const all = Array.from({ length: 20 }, (_, index) => fetch(`/${index}`));
    await letGo(0);
    await visit.close();
    for (const fetched of await Promise.all(all)) t.same(fetched, { failure: 'run_deadline' });
    t.ok(transport.isClosed);
    t.equal(transport.requests.length, 8);
  });
});
