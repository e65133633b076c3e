import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { describeGroup, describePins, type PinGroup, WAITING_PINS } from '../../../src/scanner/report/pins.js';
import { Legend, PinGroups, Pins, stripOf } from '../../../src/web/html/pins.js';
import { LETTERS } from '../../support/many-sites.js';

/** Returns a run from one text per pillar, with one letter per check. The last pillar is not scored. */
function run(...pillars: readonly string[]): PinGroup[] {
  return pillars.map((letters, at) => {
    const pillar = (['A', 'B', 'C', 'D'] as const)[at] ?? null;
    const pins = Array.from(letters, (letter, index) => {
      const checkId = `C-${pillar ?? 'FWD'}-0${index}`;
      return { checkId, title: checkId, scored: pillar !== null, state: LETTERS[letter] ?? ('PASS' as const) };
    });
    return { pillar, name: pillar ?? 'Forward', pins };
  });
}

const RUN = run('ppfppp', 'fpp', 'pfpp', 'nnuf', 'f');

t.test('every check is one pin, in the registry’s order, by pillar', async (t) => {
  const pins = WAITING_PINS.flatMap((group) => group.pins);
  t.equal(pins.map(({ checkId }) => checkId).join(), CHECKS.map(({ id }) => id).join());
  t.equal(WAITING_PINS.map(({ pillar }) => pillar).join(), 'A,B,C,D,');
});

t.test('a failure drops through the line; what is not scored is thin', async (t) => {
  const { width, paths } = stripOf(RUN);
  t.equal(width, 128);
  t.same(Object.fromEntries(paths), {
    p: 'M3 4v12M9 4v12M21 4v12M27 4v12M33 4v12M50 4v12M56 4v12M67 4v12M79 4v12M85 4v12',
    f: 'M15 12v9M44 12v9M73 12v9M114 12v9',
    n: 'M96 10h0M102 10h0',
    u: 'M108 4v12.4',
    k: 'M125 12v9',
  });
  t.same([...stripOf(run('pppppp', 'ppp', 'pppp', 'pppp', 'p')).paths.keys()], ['p', 'q']);
});

t.test('a strip of a run is small, and says what it shows', async (t) => {
  const html = renderToString(h(Pins, { groups: RUN }));
  t.ok(html.length < 520, `${html.length} characters`);
  t.match(html, 'aria-label="Checks: 10 passed, 5 failed, 1 undetermined, 2 not applicable"');
  t.match(renderToString(h(Pins, { groups: RUN, isDecorative: true })), 'aria-hidden');
  t.notMatch(describePins(WAITING_PINS), /\d/);
});

t.test('each pillar says how many of those that apply passed', async (t) => {
  t.same(RUN.map(describeGroup), ['5 of 6', '2 of 3', '3 of 4', '0 of 2', 'not scored']);
  const waiting = ({ pins, ...group }: PinGroup) =>
    describeGroup({ ...group, pins: pins.map((pin) => ({ ...pin, state: 'WAITING' })) });
  t.same(run('pppppp', 'p').map(waiting), ['6 checks', '1 check']);
  t.same(run('nnnn').map(describeGroup), ['none apply']);
});

t.test('a pin leads to its check by the mouse alone: the findings are the keyboard’s way', async (t) => {
  const html = renderToString(h(PinGroups, { groups: RUN, hrefOf: ({ checkId }) => `#${checkId}` }));
  t.equal(html.match(/<a href="#C-[A-Z]+-\d\d" tabIndex="-1"/gi)?.length, RUN.flatMap(({ pins }) => pins).length);
  t.match(html, /<title>[^<]+: failed<\/title>/);
  const untested = run('n').map((group) => ({
    ...group,
    pins: group.pins.map((pin) => ({ ...pin, isUntested: true })),
  }));
  t.match(renderToString(h(PinGroups, { groups: untested, hrefOf: () => '#' })), /: not tested<\/title>/);
  t.match(renderToString(h(Legend, null)), 'does not apply or not tested');
});
