import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import { pinGroupsOf } from '../../../src/scanner/report/pins.js';
import type { Result } from '../../../src/scanner/verdict/vocabulary.js';
import { PinPair } from '../../../src/web/kit/components/pin-pair.js';

/** A pair in which these checks differ: what they were, and what they are. */
function drawPair(moved: Readonly<Record<string, readonly [before: Result, now: Result]>>, words = 'It broke'): string {
  const groupsOf = (side: 0 | 1) =>
    pinGroupsOf(Object.entries(moved).map(([checkId, results]) => ({ checkId, result: results[side] })));
  return renderToString(
    h(PinPair, {
      before: groupsOf(0),
      now: groupsOf(1),
      label: 'Two runs',
      newsOf: () => ({ name: words, words, tone: 'is-f' as const }),
    }),
  );
}

const linesOf = (html: string): string => /class="link" d="([^"]*)"/.exec(html)?.[1] ?? '';
const namesOf = (html: string): string[] =>
  [...html.matchAll(/<text class="(name [^"]*)" x="([^"]*)"/g)].map(([, ...name]) => name.join(' '));

t.test('a line leads from pin to pin, and touches neither', async (t) => {
  t.equal(linesOf(drawPair({ 'C-LLMS-01': ['PASS', 'FAIL'] })), 'M3 21V44');
  t.equal(linesOf(drawPair({ 'C-LLMS-02': ['FAIL', 'PASS'] })), 'M9 26V36');
  t.equal(linesOf(drawPair({ 'C-LLMS-02': ['NOT_APPLICABLE', 'UNDETERMINED'] })), 'M9 14V36');
  t.equal(linesOf(drawPair({ 'C-LLMS-02': ['FAIL', 'FAIL'] })), '', 'nothing differs');
});

t.test('what differs is named behind its line, or before it where the drawing ends', async (t) => {
  t.same(namesOf(drawPair({ 'C-LLMS-01': ['PASS', 'FAIL'] })), ['name is-f 5']);
  t.same(namesOf(drawPair({ 'C-FWD-01': ['PASS', 'FAIL'] })), ['name is-f end 123']);
  t.same(namesOf(drawPair({ 'C-LLMS-01': ['PASS', 'FAIL'], 'C-BOT-01': ['PASS', 'FAIL'] })), [
    'name is-f 5',
    'name is-f 46',
  ]);
});

t.test('none is named where not all of them have room', async (t) => {
  const html = drawPair({ 'C-LLMS-01': ['PASS', 'FAIL'], 'C-LLMS-02': ['PASS', 'FAIL'] });
  t.equal(linesOf(html), 'M3 21V44M9 21V44');
  t.same(namesOf(html), []);
});
