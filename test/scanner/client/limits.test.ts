import t from 'tap';
import { RequestBudget } from '../../../src/scanner/client/limits.js';
import { Limiter } from '../../../src/scanner/client/limiter.js';
import type { Listener, Priority } from '../../../src/scanner/client/visit.js';
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
    const taken = (isFollowUp: boolean) => {
      const budget = new RequestBudget(150, 30, 10);
      return classes.map((priority) => {
        while (budget.spend(isFollowUp, priority));
        return budget.count;
      });
    };
    t.same(taken(false), [39, 44, 64, 80, 120]);
    t.same(taken(true), [69, 74, 94, 110, 150]);
  });

  t.test('leaves no room for links and entries that were asked for already', async (t) => {
    const budget = new RequestBudget(150, 30, 10);
    for (let count = 0; count < 60; count += 1) budget.spend(false, 'core');
    for (let count = 0; count < 20; count += 1) t.ok(budget.spend(false, 'llmsLinks'));
    for (let count = 0; count < 16; count += 1) t.ok(budget.spend(false, 'sitemapEntries'));
    for (let count = 0; count < 5; count += 1) t.ok(budget.spend(false, 'sameAs'));
  });

  t.test('counts what is fetched again among the second tries, and the hops of a redirect', async (t) => {
    const limits = { requestsMax: 3, followUpReserve: 2 };
    const { fetch } = visitSite({ '*': 'page' }, { limits });
    t.match(await fetch('/a'), { response: { status: 200 } });
    t.same(await fetch('/b'), { failure: 'budget_spent' });
    t.match(await fetch('/a', { isRepeat: true }), { response: { status: 200 } });
    const redirecting = visitSite({ '/hop': redirectTo('/to'), '/to': 'page' }, { limits });
    t.match(await redirecting.fetch('/hop'), { response: { status: 200 } });
  });

  t.test('refused work of one class does not speak for another', async (t) => {
    const { fetch } = visitSite({ '*': 'page' }, { limits: { requestsMax: 60, followUpReserve: 20 } });
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

t.test('a request takes a slot with its priority, and a 429 or 503 of the site slows its scan down', async (t) => {
  const asked: string[] = [];
  const limiter = new (class extends Limiter {
    override acquire(...[scan, request]: Parameters<Limiter['acquire']>) {
      asked.push(`${request.address} ${request.isExternal ? 'external' : request.priority}`);
      return super.acquire(scan, request);
    }
    override slowDown(...[, address]: Parameters<Limiter['slowDown']>) {
      asked.push(`slower at ${address}`);
    }
  })();
  const { fetch } = visitSite({ '/': 'page', '/busy': 429, '/off': 503, 'https://elsewhere.com/': 429 }, { limiter });
  for (const path of ['/', '/busy', '/off', 'https://elsewhere.com/'])
    await fetch(path, { priority: 'llmsLinks', attempts: 'once' });
  const slot = 'www.fixture-site.com llmsLinks';
  const slower = 'slower at www.fixture-site.com';
  t.same(asked, [slot, slot, slower, slot, slower, 'elsewhere.com external']);
});
