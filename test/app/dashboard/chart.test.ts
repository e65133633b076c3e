import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import { describeTrend, ScoreChart, Sparkline } from '../../../src/app/dashboard/pages/chart.js';

const runsOf = (...scores: (number | null)[]) => scores.map((score, index) => ({ number: index + 1, score }));

/** The lines and lone dots of a small drawing: their points as they stand. */
function drawnOf(...scores: (number | null)[]): string[] {
  const html = renderToString(h(Sparkline, { runs: runsOf(...scores) }));
  return [...html.matchAll(/points="([^"]*)"|cx="([^"]*)" cy="([^"]*)"/g)].map(
    ([, points, x, y]) => points ?? `dot ${x},${y}`,
  );
}

t.test('a line leads from run to run, and ends at one without a score', async (t) => {
  const cases: readonly (readonly [scores: readonly (number | null)[], drawn: readonly string[]])[] = [
    [[0, 100], ['3,21 97,3']],
    [[0, 50, 100], ['3,21 50,12 97,3']],
    [
      [0, 0, null, 100, 100],
      ['3,21 26.5,21', '73.5,3 97,3'],
    ],
    [
      [0, null, 100],
      ['dot 3,21', 'dot 97,3'],
    ],
    [[null, null, 33, 33], ['65.7,15.1 97,15.1']],
    [[50], ['dot 50,12']],
    [[null], []],
    [[], []],
  ];
  for (const [scores, drawn] of cases) t.same(drawnOf(...scores), drawn, JSON.stringify(scores));
});

t.test('the large chart names each run, its ends and its scale', async (t) => {
  const html = renderToString(h(ScoreChart, { runs: runsOf(0, null, 100) }));
  t.match(html, '<circle class="dot" cx="64" cy="172" r="3.5"><title>Run 1: 0 of 100</title>');
  t.match(html, '<text x="382" y="168" text-anchor="middle"><title>Run 2: no score</title>n/a</text>');
  t.match(html, '<circle class="dot" cx="700" cy="20" r="3.5"><title>Run 3: 100 of 100</title>');
  t.match(html, '<text x="64" y="194">run 1</text><text x="700" y="194" text-anchor="end">run 3</text>');
  const grid = [...html.matchAll(/<line class="grid" x1="64" x2="700" y1="(\d+)" y2="(\d+)"/g)];
  t.same(
    grid.map(([, from, to]) => [from, to]),
    [172, 96, 20].map((y) => [String(y), String(y)]),
  );
  t.match(html, /<td>3<\/td><td>100<\/td>.*<td>2<\/td><td>no score<\/td>.*<td>1<\/td><td>0<\/td>/, 'newest first');
});

t.test('the trend in a sentence', async (t) => {
  t.equal(describeTrend([]), 'No run has a score yet');
  t.equal(describeTrend(runsOf(null)), 'No run has a score yet');
  t.equal(describeTrend(runsOf(50)), 'Score over 1 run: always 50');
  t.equal(describeTrend(runsOf(50, 50)), 'Score over 2 runs: always 50');
  t.equal(
    describeTrend(runsOf(60, 20, null, 80, 70)),
    'Score over 5 runs: from 60 to 70, lowest 20, highest 80, 1 without a score',
  );
});
