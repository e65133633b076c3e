import t from 'tap';
import { orderFailures } from '../../../src/scanner/report/order.js';
import { describeGain } from '../../../src/scanner/report/gain.js';
import { finding } from '../../support/findings.js';
import type { FixtureAnswer, FixtureSite } from '../../support/fixture-site.js';
import { FIXTURE_ORIGIN } from '../../support/fixture-site.js';
import { scanFixture } from '../../support/golden.js';

const HOME = '<!doctype html><html lang="en"><title>Lamps</title><body><a href="/help">Help</a><p>Lamps by hand.</p>';
const LLMS = `# Lamps\n\n> Made by hand.\n\n## Help\n\n- [Help](${FIXTURE_ORIGIN}/help): times and costs\n`;
const SITEMAP = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${FIXTURE_ORIGIN}/help</loc></url></urlset>`;
const scriptOf = (block: object) => `<script type="application/ld+json">${JSON.stringify(block)}</script>`;
const IDENTITY = `<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Organization", "name": "Lamps", "url": "${FIXTURE_ORIGIN}/", "logo": "${FIXTURE_ORIGIN}/logo.png"}</script>`;
const text = (body: string, type = 'text/plain'): FixtureAnswer => ({ type, body });

/** A site without anything for agents, but what is given. */
const siteWith = (routes: FixtureSite['routes'] = {}): FixtureSite => ({
  routes: {
    '/': { body: HOME },
    '/help': { body: `${HOME}<h1>Help</h1>` },
    '/logo.png': { type: 'image/png' },
    ...routes,
  },
});

async function gainOf(checkId: string, site: FixtureSite) {
  const { gains, score } = await scanFixture(site);
  const { points = null, isAtLeast = null } = gains.find((gain) => gain.checkId === checkId) ?? {};
  return { points, isAtLeast, score: score ?? 0 };
}

t.test('a gain is what the score rises by when the fix is applied, dependants included', async (t) => {
  const fixed: readonly (readonly [checkId: string, routes: FixtureSite['routes']])[] = [
    ['C-LLMS-01', { '/llms.txt': text(LLMS) }],
    ['C-SITE-01', { '/sitemap.xml': text(SITEMAP, 'application/xml') }],
    ['C-SD-01', { '/': { body: HOME.replace('<body>', `${IDENTITY}<body>`) } }],
  ];
  for (const [checkId, routes] of fixed) {
    const { points, isAtLeast, score } = await gainOf(checkId, siteWith());
    const after = await scanFixture(siteWith(routes));
    t.equal(points, (after.score ?? 0) - score, checkId);
    t.ok((points ?? 0) > 0);
    t.equal(isAtLeast, checkId === 'C-SD-01', 'which profiles the owner will name, nobody knows');
  }
});

t.test('a gain is exact where all that comes to be judged is known', async (t) => {
  const pageWith = (...nodes: object[]) => ({
    '/': { body: HOME.replace('<body>', `${scriptOf({ '@context': 'https://schema.org', '@graph': nodes })}<body>`) },
  });
  const identity = { '@type': 'Organization', name: 'Lamps', url: '/', logo: '/logo.png' };
  const linked = { ...identity, sameAs: `${FIXTURE_ORIGIN}/help` };
  const product = { '@type': 'Product', name: 'Lamps by hand' };
  const cases: readonly (readonly [what: string, checkId: string, nodes: object[], isAtLeast: boolean])[] = [
    ['a misspelt type may be an identity', 'C-SD-02', [{ ...identity, '@type': 'Organisation' }], true],
    ['a misspelt property may name a profile', 'C-SD-02', [{ ...identity, sameas: 'https://a.com/' }], true],
    ['a misspelt name where all is judged', 'C-SD-02', [{ ...linked, descripton: 'x' }], false],
    [
      'an impossible date',
      'C-SD-02',
      [identity, { '@type': 'Event', startDate: 'soon', name: 'a', location: 'b' }],
      false,
    ],
    ['no identity', 'C-SD-03', [{ '@type': 'WebPage', name: 'Lamps' }], true],
    ['an identity that lacks what a profile would be', 'C-SD-03', [{ ...identity, logo: '' }], true],
    ['an incomplete identity with a profile', 'C-SD-03', [{ ...linked, name: '' }], false],
    ['a gap alongside a whole identity', 'C-SD-03', [identity, product], false],
  ];
  for (const [what, checkId, nodes, isAtLeast] of cases) {
    t.match(await gainOf(checkId, siteWith(pageWith(...nodes))), { isAtLeast }, what);
  }
  const bare = text('# Lamps\n\n## Help\n\n- https://www.fixture-site.com/help\n- https://www.fixture-site.com/x\n');
  t.match(
    await gainOf('C-LLMS-02', siteWith({ '/llms.txt': bare })),
    { isAtLeast: true },
    'links that come to be followed',
  );
  const broken = text(`${LLMS}- [x]()\n`);
  t.match(
    await gainOf('C-LLMS-02', siteWith({ '/llms.txt': broken })),
    { isAtLeast: false },
    'links are followed already',
  );
});

t.test('where nobody can know what comes to light, a gain is the least', async (t) => {
  const refused = await gainOf('C-LLMS-01', siteWith({ '/llms.txt': { status: 403, body: 'no' } }));
  const missing = await gainOf('C-LLMS-01', siteWith());
  t.equal(refused.isAtLeast, true);
  t.ok((refused.points ?? 0) > 0 && (refused.points ?? 0) < (missing.points ?? 0));
  const wrongType = await gainOf('C-LLMS-01', siteWith({ '/llms.txt': text(LLMS, 'application/octet-stream') }));
  t.equal(wrongType.isAtLeast, false, 'the file was read and judged: all is known');
  const broken = await gainOf('C-SITE-01', siteWith({ '/sitemap.xml': text('<urlset>', 'application/xml') }));
  t.equal(broken.isAtLeast, true);
});

t.test('a contradiction that goes with the rules counts with them', async (t) => {
  const site = siteWith({
    '/robots.txt': text('User-agent: *\nDisallow: /'),
    '/llms.txt': text(LLMS),
  });
  const { findings, gains } = await scanFixture(site);
  const failed = findings.filter(({ result }) => result === 'FAIL').map(({ checkId }) => checkId);
  t.ok(failed.includes('C-BOT-01'));
  const own = Math.floor(100 / findings.filter(({ scored, result }) => scored && result !== 'NOT_APPLICABLE').length);
  const gain = gains.find(({ checkId }) => checkId === 'C-BOT-01');
  t.ok(gain && gain.points >= own);
});

t.test('each failure has a gain, nothing else has, and what is not scored gains nothing', async (t) => {
  const { findings, gains } = await scanFixture(siteWith());
  t.same(
    gains.map(({ checkId }) => checkId),
    findings.filter(({ result }) => result === 'FAIL').map(({ checkId }) => checkId),
  );
  t.same(
    gains.find(({ checkId }) => checkId === 'C-FWD-01'),
    { checkId: 'C-FWD-01', points: 0, isAtLeast: false, passing: [], opening: [] },
  );
});

t.test('failures come in the order in which to fix them', async (t) => {
  const fail = (checkId: string, errorType: 'BLOCKED' | 'MISSING' | 'DEAD_LINK' | 'OVERSIZE') =>
    finding({ checkId, result: 'FAIL', errorType });
  const findings = [
    fail('C-LLMS-04', 'OVERSIZE'),
    fail('C-OLD-01', 'MISSING'),
    fail('C-LLMS-01', 'MISSING'),
    fail('C-SITE-01', 'MISSING'),
    finding({ checkId: 'C-MD-01', result: 'PASS' }),
    fail('C-LLMS-03', 'DEAD_LINK'),
    fail('C-BOT-01', 'BLOCKED'),
  ];
  const gains = [
    { checkId: 'C-LLMS-01', points: 6, isAtLeast: false },
    { checkId: 'C-SITE-01', points: 12, isAtLeast: true },
  ];
  t.same(
    orderFailures(findings, gains).map(({ checkId }) => checkId),
    ['C-BOT-01', 'C-LLMS-03', 'C-SITE-01', 'C-LLMS-01', 'C-LLMS-04', 'C-OLD-01'],
  );
});

t.test('a gain in words', async (t) => {
  const of = (points: number, isAtLeast = false) =>
    describeGain([{ checkId: 'C-MD-01', points, isAtLeast }], { checkId: 'C-MD-01' });
  t.same([of(19), of(1), of(6, true), of(0)], ['+19 points', '+1 point', 'at least +6 points', null]);
  t.equal(describeGain([], { checkId: 'C-MD-01' }), null);
});
