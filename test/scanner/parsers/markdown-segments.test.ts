import t from 'tap';
import { SegmentCutter } from '../../../src/scanner/parsers/llms/markdown-segments.js';

/** Long enough for a cut at the next fitting line, and short enough to wait for one. */
const FILLER = Array<string>(12).fill('x'.repeat(99));

/** The first lines of the pieces after the first. */
function cutsOf(...lines: readonly string[]): string[] {
  const cutter = new SegmentCutter(lines.join('\n'));
  const cuts: string[] = [];
  cutter.next(null);
  for (let piece = cutter.next(null); piece !== null; piece = cutter.next(null)) {
    cuts.push(piece.text.split('\n')[0] ?? '');
  }
  return cuts;
}

t.test('a long piece is cut before a heading or a list item at the margin', async (t) => {
  const fitting = ['# a', '###### a', '#\ta', '- a', '+ a', '* a', '-\ta', '1. a', '1) a', '123456789. a'];
  for (const line of fitting) t.same(cutsOf(...FILLER, line), [line], line);
  const others = ['#a', '####### a', '-a', '=', '1.a', '1 a', '1234567890. a', 'a # a', ' # a', ' - a', '> a', '-'];
  for (const line of others) t.same(cutsOf(...FILLER, line), [], line);
});

t.test('a long piece is cut after a blank line, before one that is not indented', async (t) => {
  for (const blank of ['', '  ', '\t']) t.same(cutsOf(...FILLER, blank, 'a'), ['a'], JSON.stringify(blank));
  for (const line of [' a', '\ta', '']) t.same(cutsOf(...FILLER, '', line), [], JSON.stringify(line));
});

t.test('a short piece is not cut', async (t) => {
  t.same(cutsOf(...FILLER.slice(0, 10), '# a', '', 'a'), []);
});
