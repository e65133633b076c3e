import * as fc from 'fast-check';
import t from 'tap';
import { findNearest } from '../../../src/scanner/parsers/structured-data/nearest.js';

/** Insertions, deletions, substitutions and swaps of neighbours, as the definition has them. */
function countEdits(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const isSwap = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(
    countEdits(a.slice(0, -1), b.slice(0, -1)) + (a.at(-1) === b.at(-1) ? 0 : 1),
    countEdits(a.slice(0, -1), b) + 1,
    countEdits(a, b.slice(0, -1)) + 1,
    isSwap ? countEdits(a.slice(0, -2), b.slice(0, -2)) + 1 : Infinity,
  );
}

t.test('a term is near by one edit in three characters, two at most', async () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
  fc.assert(
    fc.property(word, word, (name, term) => {
      const isNear = countEdits(name, term) <= Math.min(2, Math.floor(name.length / 3));
      return findNearest(name, [term]) === (isNear ? term : null);
    }),
    { numRuns: 1000, seed: 1 },
  );
});

t.test('the nearest term is found, the first of equals', async (t) => {
  const cases: readonly (readonly [name: string, vocabulary: readonly string[], nearest: string | null])[] = [
    ['naem', ['nose', 'name', 'names'], 'name'],
    ['adress', ['dress', 'address'], 'dress'],
    ['NAME', ['names', 'name', 'named'], 'name'],
    ['price', ['prices', 'pricey'], 'prices'],
    ['organisation', ['Organization'], 'Organization'],
    ['abcdefghijkl', ['abcdefghijyz'], 'abcdefghijyz'],
    ['abcdefghijkl', ['abcdefghixyz'], null],
    ['x'.repeat(60), ['x'.repeat(62)], 'x'.repeat(62)],
    ['x'.repeat(61), ['x'.repeat(61)], null],
    ['x'.repeat(60), ['y'.repeat(64), 'x'.repeat(64)], null],
  ];
  for (const [name, vocabulary, nearest] of cases) t.equal(findNearest(name, vocabulary), nearest, name);
});
