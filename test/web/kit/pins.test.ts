import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import { describeGroup, describePins, pinGroupsOf, WAITING_PINS } from '../../../src/scanner/report/pins.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import { Lock } from '../../../src/web/kit/components/lock.js';
import { Pins, stripOf } from '../../../src/web/kit/components/pins.js';

const LETTERS: Readonly<Record<string, Result>> = {
  p: 'PASS',
  f: 'FAIL',
  u: 'UNDETERMINED',
  n: 'NOT_APPLICABLE',
};

/** A run by one letter a check, in the registry's order. */
function run(letters: string) {
  return pinGroupsOf(CHECKS.map(({ id }, index) => ({ checkId: id, result: LETTERS[letters[index] ?? ''] ?? 'PASS' })));
}

const RUN = run('ppfpppfpppfppnnuff');

t.test('every check is one pin, in the registry’s order, with a gap between pillars', async (t) => {
  t.same(
    RUN.flatMap(({ pins }) => pins.map(({ checkId }) => checkId)),
    CHECKS.map(({ id }) => id),
  );
  t.same(
    RUN.map(({ pins }) => pins.length),
    [6, 3, 4, 4, 1],
  );
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
  t.same([...stripOf(run('p'.repeat(18))).paths.keys()], ['p', 'q']);
});

t.test('a strip of a run is small, and says what it shows', async (t) => {
  const html = renderToString(h(Pins, { groups: RUN }));
  t.ok(html.length < 520, `${html.length} characters`);
  t.match(html, 'aria-label="Checks: 10 passed, 5 failed, 1 undetermined, 2 not applicable"');
  t.match(renderToString(h(Pins, { groups: RUN, isSaid: true })), 'aria-hidden');
  t.equal(describePins(WAITING_PINS), 'no result yet');
});

t.test('each pillar says how many of those that apply passed', async (t) => {
  t.same(RUN.map(describeGroup), ['5 of 6', '2 of 3', '3 of 4', '0 of 2', 'not scored']);
  t.same(WAITING_PINS.map(describeGroup), ['6 checks', '3 checks', '4 checks', '4 checks', '1 check']);
  t.equal(describeGroup({ pillar: 'D', name: 'D', pins: run('p'.repeat(13) + 'nnnn')[3]?.pins ?? [] }), 'none apply');
});

t.test('a pin leads to its check by the mouse alone: the findings are the keyboard’s way', async (t) => {
  const html = renderToString(h(Lock, { groups: RUN, hrefOf: ({ checkId }) => `#${checkId}` }));
  t.equal(html.match(/<a href="#C-[A-Z]+-\d\d" tabIndex="-1"/gi)?.length, 18);
  t.match(html, /<title>[^<]+: failed<\/title>/);
});
