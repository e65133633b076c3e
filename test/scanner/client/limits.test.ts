import t from 'tap';
import { RequestBudget } from '../../../src/scanner/client/limits.js';
import { Limiter } from '../../../src/scanner/client/limiter.js';
import type { Listener, Priority } from '../../../src/scanner/client/visit.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { until } from '../../support/held-timers.js';
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

  t.test('drops guesses first, then sameAs, llms.txt links and sitemap entries, and the core last', async (t) => {
    const classes: readonly Priority[] = ['guesses', 'sameAs', 'llmsLinks', 'sitemapEntries', 'core'];
    const taken = (isFurther: boolean) => {
      const budget = new RequestBudget(150, 30, 10);
      return classes.map((priority) => {
        while (budget.take(isFurther, priority));
        return budget.count;
      });
    };
    t.same(taken(false), [39, 44, 64, 80, 120]);
    t.same(taken(true), [69, 74, 94, 110, 150]);
  });

  t.test('leaves no room for links and entries that were asked for already', async (t) => {
    const budget = new RequestBudget(150, 30, 10);
    for (let count = 0; count < 60; count += 1) budget.take(false, 'core');
    for (let count = 0; count < 20; count += 1) t.ok(budget.take(false, 'llmsLinks'));
    for (let count = 0; count < 16; count += 1) t.ok(budget.take(false, 'sitemapEntries'));
    for (let count = 0; count < 5; count += 1) t.ok(budget.take(false, 'sameAs'));
  });

  t.test('counts what is fetched again among the second tries', async (t) => {
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
    const listen: Listener = (event) =>
      event.kind === 'refused' && refusals.push(`${event.request.url.href} ${event.reason}`);
    const { visit } = visitSite({}, { listeners: [listen] });
    for (const url of ['http://127.0.0.1/', 'ftp://www.fixture-site.com/', 'https://localhost/']) {
      t.same(await visit.fetch(new URL(url)), { failure: 'target_refused' });
    }
    t.equal(visit.requestCount, 0);
    t.equal(refusals[0], 'http://127.0.0.1/ address_not_public');
  });
});

t.test('requests in flight to one host', async (t) => {
  /** A site whose every answer waits to be let go, and tells how many wait, and how many did at most. */
  const gated = () => {
    const waiting: (() => void)[] = [];
    const order: string[] = [];
    const seen = { most: 0 };
    const route: FixtureRoute = ({ url }) =>
      new Promise((resolve) => {
        order.push(url.pathname);
        waiting.push(() => {
          resolve(url.pathname === '/slow' ? { status: 429 } : 'ok');
        });
        seen.most = Math.max(seen.most, waiting.length);
      });
    const waits = (count: number) => until(() => waiting.length >= count);
    const release = (count: number): void => {
      for (let index = 0; index < count; index += 1) waiting.shift()?.();
    };
    /** Lets go one after the other until all are answered. */
    const drain = async (all: readonly Promise<unknown>[]) => {
      const state = { isDone: false };
      const done = Promise.all(all).finally(() => (state.isDone = true));
      while (!state.isDone) {
        await until(() => state.isDone || waiting.length > 0);
        release(1);
      }
      await done;
    };
    return { routes: { '*': route, 'https://elsewhere.com/*': route }, order, seen, waits, release, drain };
  };

  t.test('are 8 at most, and 2 after the first 429', async (t) => {
    const { routes, seen, waits, release, drain } = gated();
    const { fetch, visit } = visitSite(routes);
    const all = [fetch('/slow', { attempts: 'once' }), ...Array.from({ length: 19 }, (_, index) => fetch(`/${index}`))];
    await waits(8);
    void visit.fetch(new URL('https://elsewhere.com/'));
    await waits(9);
    t.equal(seen.most, 9, 'another host has its own');
    release(9);
    seen.most = 0;
    await waits(2);
    await drain(all);
    t.equal(seen.most, 2);
  });

  t.test('are taken by priority, then in their order', async (t) => {
    const { routes, order, drain } = gated();
    const { fetch } = visitSite(routes, { limiter: new Limiter(1, 1) });
    const classes: readonly Priority[] = ['core', 'sameAs', 'llmsLinks', 'sitemapEntries', 'llmsLinks', 'core'];
    await drain(classes.map((priority, index) => fetch(`/${index}`, { priority })));
    t.same(order, ['/0', '/5', '/3', '/2', '/4', '/1']);
  });
});
