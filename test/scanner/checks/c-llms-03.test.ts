import t from 'tap';
import { cLlms03 } from '../../../src/scanner/checks/c-llms-03.js';
import { findingOf, openFixtureRun } from '../../support/collect.js';
import type { FixtureSite } from '../../support/fixture-site.js';
import { HOME, outcomeOf, site } from './llms-sites.js';

t.test('C-LLMS-03: do the links to the site itself work?', async (t) => {
  const gone = { status: 410, body: 'gone' };
  const list = (...targets: string[]): string => `# A\n\n${targets.map((target) => `- [x](${target})\n`).join('')}`;
  const cases: [name: string, fixture: FixtureSite, outcome: string][] = [
    ['all alive', site(list('/start', 'https://www.fixture-site.com/')), 'PASS'],
    [
      'a subdomain is the site, too',
      site(list('https://docs.fixture-site.com/x'), { 'https://docs.fixture-site.com/x': 'x' }),
      'PASS',
    ],
    ['a dead one', site(list('/start', '/nowhere')), 'FAIL DEAD_LINK'],
    ['gone', site(list('/gone'), { '/gone': gone }), 'FAIL DEAD_LINK'],
    ['a host that does not exist', site(list('https://no.fixture-site.com/')), 'FAIL DEAD_LINK'],
    ['a dead link elsewhere is not asked for', site(list('/start', 'https://other.com/x')), 'PASS'],
    ['no link to the site', site(list('https://other.com/x', 'mailto:a@fixture-site.com')), 'NOT_APPLICABLE'],
    ['no link', site('# A'), 'NOT_APPLICABLE'],
    ['an address with a place to fill in is none to follow', site(list('/start', '/users/{id}')), 'PASS'],
    [
      'UTF-8 under another charset is read as UTF-8',
      site({ body: list('/日本'), type: 'text/plain; charset=iso-8859-1' }, { '/%E6%97%A5%E6%9C%AC': HOME }),
      'PASS',
    ],
    [
      'over half refused',
      site(list('/a', '/b', '/start'), { '/a': { status: 403 }, '/b': { status: 500 } }),
      'UNDETERMINED',
    ],
    [
      'challenged with 200',
      site(list('/a'), { '/a': { headers: { 'cf-mitigated': 'challenge' }, body: 'Wait', type: 'text/plain' } }),
      'UNDETERMINED',
    ],
    ['half refused', site(list('/a', '/start'), { '/a': { status: 403 } }), 'PASS'],
    [
      'refused, and one dead',
      site(list('/a', '/b', '/nowhere'), { '/a': { status: 403 }, '/b': { status: 403 } }),
      'FAIL DEAD_LINK',
    ],
  ];
  for (const [name, fixture, outcome] of cases) t.equal(await outcomeOf(cLlms03, fixture), outcome, name);

  const { detail } = await findingOf(cLlms03, site(list('/start', '/nowhere')));
  t.equal(detail, '1 of 2 links to the site itself is dead: line 4.');
});

t.test('of many links the first 5 and 15 spread to the last are followed, each address once', async (t) => {
  const lines = Array.from({ length: 100 }, (_, index) => `- [x](/p${index}) [same](/p${index}#part)`);
  const run = openFixtureRun({
    routes: { '/': HOME, '*': { body: 'page', type: 'text/plain' }, '/llms.txt': `# A\n\n${lines.join('\n')}` },
  });
  const links = await run.context.evidence('llmsLinks');
  await run.close();
  t.match(links, { ok: { firstPartyCount: 100 } });
  const asked = run.urls().flatMap((url) => /\/p(\d+)$/.exec(url)?.[1] ?? []);
  t.equal(new Set(asked).size, 20);
  t.same(asked.slice(0, 6).map(Number), [0, 1, 2, 3, 4, 5]);
  t.ok(asked.includes('99'));
});

t.test('C-LLMS-03 names the lines of links that go to the page of unknown addresses', async (t) => {
  const homeward = { status: 302, headers: { location: '/' } };
  const found = await findingOf(cLlms03, site('# A\n\n- [x](/a)\n- [y](/b)\n', { '*': homeward }));
  t.match(found, {
    result: 'UNDETERMINED',
    detail: /2 links go to the page that unknown addresses show.*lines 3 and 4/,
  });
  t.notMatch(found.detail, 'too slow');
});
