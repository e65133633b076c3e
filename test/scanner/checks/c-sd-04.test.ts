import t from 'tap';
import { cSd04 } from '../../../src/scanner/checks/c-sd-04.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { ORGANIZATION, judge, judgeSite, pageOf } from './markup-sites.js';

t.test('C-SD-04', async (t) => {
  const judgeLinks = (sameAs: unknown, routes: Record<string, FixtureRoute> = {}) =>
    judgeSite(cSd04, pageOf([{ ...ORGANIZATION, sameAs }]), { 'https://alive.com/a': 'Profile', ...routes });
  const alive = 'https://alive.com/a';

  t.test('passes where none is broken and one answers', async (t) => {
    t.match(await judgeLinks(alive), { result: 'PASS', detail: /Checked: 1 of 1 sameAs link/ });
    const routes = { 'https://shy.com/a': { status: 403 } };
    t.match(await judgeLinks([{ '@id': alive }, 'https://shy.com/a', 'https://x.com/a'], routes), {
      result: 'PASS',
      detail:
        '1 sameAs link answers. Checked: 2 of 3 sameAs links. Left out: 1 on social networks that refuse programs.',
    });
  });

  t.test('fails for what is not an address or leads nowhere', async (t) => {
    const routes = { 'https://gone.com/*': { status: 410 }, 'https://gone.com/back': '' };
    const cases: [link: unknown, detail: RegExp][] = [
      ['www.alive.com/a', /sameAs link 2 is not an absolute/],
      ['//alive.com/a', /sameAs link 2 is not an absolute/],
      ['@crumb', /sameAs link 2 is not an absolute/],
      ['ftp://alive.com/a', /sameAs link 2 is not an absolute/],
      ['https://', /sameAs link 2 is not an absolute/],
      ['https://gone.com/a', /sameAs link 2 is dead/],
      ['https://alive.com/404', /sameAs link 2 is dead/],
      ['https://no-such-host.com/a', /sameAs link 2 is dead/],
    ];
    for (const [link, detail] of cases) {
      t.match(await judgeLinks([alive, link], routes), { errorType: 'BROKEN_SAMEAS', detail }, String(link));
    }
  });

  t.test('a first 404 is not believed', async (t) => {
    let asked = 0;
    const flaky = () => ({ status: (asked += 1) === 1 ? 404 : 200, body: 'Profile' });
    t.match(await judgeLinks('https://flaky.com/a', { 'https://flaky.com/a': flaky }), { result: 'PASS' });
    t.equal(asked, 2);
  });

  t.test('is not applicable where all are on hosts that refuse whatever is asked', async (t) => {
    for (const status of [403, 429, 999]) {
      const routes = { 'https://shy.com/*': { status } };
      t.match(
        await judgeLinks(['https://shy.com/a', 'https://x.com/a'], routes),
        { result: 'NOT_APPLICABLE' },
        String(status),
      );
      t.match(await judgeLinks(['https://shy.com/a', alive], routes), { result: 'PASS' });
      const other = { ...routes, 'https://down.com/a': { status: 500 } };
      t.match(await judgeLinks(['https://shy.com/a', 'https://down.com/a'], other), { result: 'UNDETERMINED' });
    }
  });

  t.test('hosts that refuse use up no requests that other links need', async (t) => {
    const hop = 'https://hop.com/a';
    const refused = ['a', 'b', 'c', 'd', 'e'].map((name) => `https://${name}-shy.com/a`);
    const routes: Record<string, FixtureRoute> = { [hop]: { status: 301, headers: { location: alive } } };
    for (const status of [403, 429, 999]) {
      const refusing = Object.fromEntries(refused.map((link) => [`${new URL(link).origin}/*`, { status }]));
      const judgeRefused = (links: readonly string[]) => judgeLinks(links, { ...routes, ...refusing });
      t.match(await judgeRefused([...refused.slice(0, 4), hop]), { result: 'PASS' }, String(status));
      t.match(await judgeRefused(refused), { result: 'NOT_APPLICABLE', detail: /^All sameAs links/ }, String(status));
      t.match(await judgeRefused([...refused, alive]), {
        result: 'UNDETERMINED',
        detail: /^The 5 sameAs links that were tried lead to sites that refuse programs.* Checked: 5 of 6/,
      });
    }
    const flaky = (status: number) => {
      let asked = 0;
      return () => ({ status: (asked += 1) < 3 ? status : 200, body: 'Profile' });
    };
    t.match(await judgeLinks('https://flaky.com/a', { 'https://flaky.com/a': flaky(503) }), { result: 'PASS' });
  });

  t.test('is undetermined where none answered', async (t) => {
    const toWall = {
      'https://short.com/a': { status: 301, headers: { location: 'https://www.facebook.com/a' } },
      'https://www.facebook.com/*': { status: 404 },
    };
    t.match(await judgeLinks('https://short.com/a', toWall), { result: 'UNDETERMINED' }, 'a wall behind a redirect');
    const routes = { 'https://shy.com/*': { status: 404 }, 'https://shy.com/a': { status: 403 } };
    t.match(await judgeLinks(['https://shy.com/a', 'https://shy.com/a?b'], routes), { result: 'UNDETERMINED' });
  });

  t.test('is not applicable without links, or with links of the wall list alone', async (t) => {
    t.match(await judgeLinks([]), { result: 'NOT_APPLICABLE' });
    const walled = ['https://www.linkedin.com/in/a', 'https://twitter.com/a', 'https://de-de.facebook.com/a'];
    t.match(await judgeLinks([...walled, 'https://tiktok.com/@a', 'https://instagram.com/a']), {
      result: 'NOT_APPLICABLE',
    });
    t.match(await judge(cSd04, { '@type': 'Event', sameAs: 'https://gone.com/' }), { result: 'NOT_APPLICABLE' });
  });

  t.test('follows five at most', async (t) => {
    const links = Array.from({ length: 9 }, (_, index) => `https://alive.com/a?${index}`);
    t.match(await judgeLinks([...links, 'nowhere']), { result: 'PASS', detail: /Checked: 5 of 10 sameAs links/ });
  });
});
