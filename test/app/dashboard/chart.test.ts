import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import { describeRuns, ScoreChart, Sparkline } from '../../../src/web/pages/score-chart.js';

/** One run a week from 9 September 2026 on. */
const runsOf = (...scores: (number | null)[]) =>
  scores.map((score, index) => ({ number: index + 1, score, finishedAt: dayAfter(7 * index) }));
const dayAfter = (days: number) => new Date(Date.UTC(2026, 8, 9 + days, 6, 12)).toISOString();

/** What a path of the drawing is made of, by its class; empty where there is none. */
function pathOf(html: string, name: string): string {
  return new RegExp(`<path class="${name}" d="([^"]*)"`).exec(html)?.[1] ?? '';
}

t.test('a line leads from run to run, and ends at one without a score', async (t) => {
  const cases: readonly (readonly [scores: readonly (number | null)[], line: string])[] = [
    [[0, 100], 'M0 100L1000 0'],
    [[0, 50, 100], 'M0 100L500 50L1000 0'],
    [[0, 0, null, 100, 100], 'M0 100L250 100M750 0L1000 0'],
    [[0, null, 100], 'M0 100h0M1000 0h0'],
    [[null, null, 33, 33], 'M667 67L1000 67'],
    [[50], 'M500 50h0'],
    [[null], ''],
  ];
  for (const [scores, line] of cases) {
    const html = renderToString(h(ScoreChart, { runs: runsOf(...scores) }));
    t.equal(pathOf(html, 'trend'), line, JSON.stringify(scores));
  }
});

t.test('a run that got worse has a dot of its own, and more than 60 runs have no others', async (t) => {
  const [first, second, third] = runsOf(80, 60, 60);
  if (!first || !second || !third) throw new Error('three runs');
  const html = renderToString(h(ScoreChart, { runs: [first, { ...second, isWorse: true }, third] }));
  t.equal(pathOf(html, 'dot'), 'M0 20h0M1000 40h0');
  t.equal(pathOf(html, 'dot-f'), 'M500 40h0');
  for (const [count, dots] of [
    [60, 60],
    [61, 0],
  ] as const) {
    const many = renderToString(h(ScoreChart, { runs: runsOf(...Array.from({ length: count }, () => 50)) }));
    t.equal(pathOf(many, 'dot').split('h0').length - 1, dots, `${count} runs`);
  }
});

t.test('a small drawing has a scale of its own, and none where no run has a score', async (t) => {
  const drawn = (...scores: (number | null)[]) => {
    const html = renderToString(h(Sparkline, { runs: runsOf(...scores) }));
    return [pathOf(html, 'trend'), pathOf(html, 'dot')];
  };
  t.same(drawn(0, 100), ['M0 20L76 2', 'M76 2h0']);
  t.same(drawn(50, 50, 54), ['M0 13L38 13L76 10', 'M76 10h0'], 'a small change looks small');
  t.same(drawn(50, null), ['M0 11h0', ''], 'the latest has no score');
  t.same(drawn(50), ['M38 11h0', 'M38 11h0'], 'one run');
  t.equal(renderToString(h(Sparkline, { runs: runsOf(null) })), '');
  t.equal(renderToString(h(Sparkline, { runs: [] })), '');
});

t.test('the chart is described in words, and its axis has the first and the last day', async (t) => {
  t.match(describeRuns([]), /^\D+$/);
  t.equal(describeRuns(runsOf(null)), describeRuns([]));
  t.match(describeRuns(runsOf(50)), / 1 run: 50$/);
  t.match(describeRuns(runsOf(50, 60)), / 2 runs: .*50 to 60$/);
  const mixed = describeRuns(runsOf(60, 20, null, 80, 70));
  t.match(mixed, / 5 runs: .*60 to 70, lowest 20, highest 80, 1 /);
  const html = renderToString(h(ScoreChart, { runs: runsOf(60, 20, null, 80, 70) }));
  t.ok(html.includes(`role="img" aria-label="${mixed}"`));
  t.match(html, '<p class="axis"><span>9 Sep</span><span>7 Oct</span></p>');
});
