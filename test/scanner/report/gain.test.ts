import t from 'tap';
import { orderFailures } from '../../../src/scanner/report/failures.js';
import { scoreOf } from '../../../src/scanner/report/score.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import { finding } from '../../support/reports.js';
import { FIXTURE_ORIGIN, type FixtureAnswer, type FixtureSite } from '../../support/fixture-site.js';
import { scanFixture } from '../../support/golden.js';
import { scriptOf } from '../checks/markup-sites.js';

const HOME = '<!doctype html><html lang="en"><title>Lamps</title><body><a href="/help">Help</a><p>Lamps by hand.</p>';
const LLMS = `# Lamps\n\n> Made by hand.\n\n## Help\n\n- [Help](${FIXTURE_ORIGIN}/help): times and costs\n`;

/** A scan of a site without anything for agents, but what is given. */
const scanSite = (routes: FixtureSite['routes'] = {}) =>
  scanFixture({
    routes: { '/': HOME, '/help': `${HOME}<h1>Help</h1>`, '/logo.png': { type: 'image/png' }, ...routes },
  });

t.test('a score is passed / applicable checks, rounded half up', async (t) => {
  const cases = { PF: 50, PFF: 33, PPF: 67, FFFFFFFP: 13, PN: 100, PU: 50, F: 0, '': null, UN: null };
  const names: Record<string, Result> = { P: 'PASS', F: 'FAIL', U: 'UNDETERMINED', N: 'NOT_APPLICABLE' };
  for (const [results, score] of Object.entries(cases)) {
    const scored = Array.from(results, (letter) => ({ scored: true, result: names[letter] ?? 'PASS' }));
    t.equal(scoreOf(scored), score, results);
    t.equal(scoreOf([...scored, { scored: false, result: 'FAIL' }]), score, 'what is not scored counts for nothing');
  }
});

t.test('a gain is the rise of the score if that check passes', async (t) => {
  const { findings, gains, score } = await scanSite();
  const count = (isCounted: (result: Result) => boolean) =>
    findings.filter(({ scored, result }) => scored && isCounted(result)).length;
  const judged = count((result) => result !== 'NOT_APPLICABLE');
  const passed = count((result) => result === 'PASS');
  const scoreWith = (passing: number): number => Math.floor((passing * 100) / judged + 0.5);
  t.equal(score, scoreWith(passed));
  t.ok(gains.some(({ points }) => points > 0));
  for (const { checkId, points } of gains)
    if (points > 0) t.equal(points, scoreWith(passed + 1) - scoreWith(passed), checkId);
  const failed = findings.filter(({ result }) => result === 'FAIL');
  const idsOf = (list: readonly { readonly checkId: string }[]) => list.map(({ checkId }) => checkId);
  t.same(idsOf(gains), idsOf(failed));
  const unscored = gains.find(({ checkId }) => checkId === 'C-FWD-01');
  t.same(unscored, { checkId: 'C-FWD-01', points: 0, isAtLeast: false });
});

t.test('a gain is a minimum if further checks become applicable', async (t) => {
  const text = (body: string, type = 'text/plain'): FixtureAnswer => ({ type, body });
  const pageWith = (node: object) => ({ '/': HOME.replace('<body>', `${scriptOf(node)}<body>`) });
  const linked = { '@type': 'Organization', url: '/', logo: '/logo.png', sameAs: `${FIXTURE_ORIGIN}/help` };
  const cases: [checkId: string, routes: FixtureSite['routes'], isAtLeast: boolean][] = [
    ['C-LLMS-01', {}, true],
    ['C-LLMS-01', { '/llms.txt': text(LLMS, 'application/octet-stream') }, false],
    ['C-LLMS-02', { '/llms.txt': text(`${LLMS}- [x]()\n`) }, false],
    ['C-SITE-01', {}, true],
    ['C-SD-01', {}, true],
    ['C-SD-03', pageWith({ '@type': 'WebPage', name: 'Lamps' }), true],
    ['C-SD-03', pageWith({ ...linked, name: '' }), false],
    ['C-MD-01', {}, false],
  ];
  for (const [checkId, routes, isAtLeast] of cases) {
    const { gains } = await scanSite(routes);
    t.equal(gains.find((gain) => gain.checkId === checkId)?.isAtLeast, isAtLeast, checkId);
  }
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
  const order = orderFailures(findings, gains).map(({ checkId }) => checkId);
  t.equal(order.join(' '), 'C-BOT-01 C-LLMS-03 C-SITE-01 C-LLMS-01 C-LLMS-04 C-OLD-01');
});
