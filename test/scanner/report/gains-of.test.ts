import t from 'tap';
import { orderFailures } from '../../../src/scanner/report/failures.js';
import { describeGain } from '../../../src/scanner/report/gain.js';
import { finding } from '../../support/findings.js';
import { FIXTURE_ORIGIN, type FixtureAnswer, type FixtureSite } from '../../support/fixture-site.js';
import { scanFixture } from '../../support/golden.js';

const HOME = '<!doctype html><html lang="en"><title>Lamps</title><body><a href="/help">Help</a><p>Lamps by hand.</p>';
const LLMS = `# Lamps\n\n> Made by hand.\n\n## Help\n\n- [Help](${FIXTURE_ORIGIN}/help): times and costs\n`;
const scriptOf = (block: object) => `<script type="application/ld+json">${JSON.stringify(block)}</script>`;
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
  const { gains } = await scanFixture(site);
  const { points = null, isAtLeast = null } = gains.find((gain) => gain.checkId === checkId) ?? {};
  return { points, isAtLeast };
}

t.test('a gain is what the score rises by if that check passes, by its formula', async (t) => {
  const { findings, gains, score } = await scanFixture(siteWith());
  const judged = findings.filter(({ scored, result }) => scored && result !== 'NOT_APPLICABLE').length;
  const passed = findings.filter(({ scored, result }) => scored && result === 'PASS').length;
  const scoreWith = (count: number): number => Math.floor((count * 100) / judged + 0.5);
  t.equal(score, scoreWith(passed));
  for (const { checkId, points } of gains.filter(({ points }) => points > 0))
    t.equal(points, scoreWith(passed + 1) - scoreWith(passed), checkId);
  t.ok(gains.some(({ points }) => points > 0));
});

t.test('a gain is the least where further checks become applicable', async (t) => {
  const pageWith = (...nodes: object[]) => ({
    '/': { body: HOME.replace('<body>', `${scriptOf({ '@context': 'https://schema.org', '@graph': nodes })}<body>`) },
  });
  const identity = { '@type': 'Organization', name: 'Lamps', url: '/', logo: '/logo.png' };
  const linked = { ...identity, sameAs: `${FIXTURE_ORIGIN}/help` };
  const cases: readonly (readonly [checkId: string, routes: FixtureSite['routes'], isAtLeast: boolean])[] = [
    ['C-LLMS-01', {}, true],
    ['C-LLMS-01', { '/llms.txt': text(LLMS, 'application/octet-stream') }, false],
    ['C-LLMS-02', { '/llms.txt': text(`${LLMS}- [x]()\n`) }, false],
    ['C-SITE-01', {}, true],
    ['C-SD-01', {}, true],
    ['C-SD-03', pageWith({ '@type': 'WebPage', name: 'Lamps' }), true],
    ['C-SD-03', pageWith({ ...linked, name: '' }), false],
    ['C-MD-01', {}, false],
  ];
  for (const [checkId, routes, isAtLeast] of cases)
    t.match(await gainOf(checkId, siteWith(routes)), { isAtLeast }, checkId);
});

t.test('each failure has a gain, nothing else has, and what is not scored gains nothing', async (t) => {
  const { findings, gains } = await scanFixture(siteWith());
  t.same(
    gains.map(({ checkId }) => checkId),
    findings.filter(({ result }) => result === 'FAIL').map(({ checkId }) => checkId),
  );
  t.same(
    gains.find(({ checkId }) => checkId === 'C-FWD-01'),
    { checkId: 'C-FWD-01', points: 0, isAtLeast: false },
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
  t.same([of(19), of(1), of(6, true), of(0)], ['+19 points', '+1 point', '+6 points or more', null]);
  t.equal(describeGain([], { checkId: 'C-MD-01' }), null);
});
