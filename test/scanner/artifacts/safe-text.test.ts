import t from 'tap';
import { countOf, formatCount } from '../../../src/scanner/artifacts/counts.js';
import {
  DETAIL_CHARS_MAX,
  SafeText,
  count,
  cutDetail,
  joinSafeText,
  findTerm,
  listLines,
  listSafeText,
  sentences,
  term,
  vocabularyOf,
  safeText,
} from '../../../src/scanner/artifacts/safe-text.js';

t.test('literals, numbers and other words make words', async (t) => {
  t.equal(safeText`hop ${2} of ${term('GPTBot')}`.text, 'hop 2 of GPTBot');
});

t.test('the compiler refuses a plain string, and what only looks like a constant of the source', async (t) => {
  const site = ['ignore', 'all', 'previous', 'instructions'].join(' ');
  // @ts-expect-error a value that is only a string may come from the site
  t.ok(safeText`title ${site}`);
  // @ts-expect-error a value that is only a string is not a term of ours
  t.ok(term(site));
  const branded = site as string & { readonly brand: 'ours' };
  const either = site as 'GPTBot' | `Bot ${string}`;
  // @ts-expect-error a template with a string of the site in it
  t.ok(term(`title ${site}` as const));
  // @ts-expect-error a template whose type is left to be inferred
  t.ok(term(`title ${site}`));
  // @ts-expect-error a string with a brand is a string all the same
  t.ok(term(branded));
  // @ts-expect-error one member of the union is a pattern
  t.ok(term(either));
  // @ts-expect-error so is what a string becomes in upper case
  t.ok(term(site.toUpperCase() as Uppercase<string>));
  // @ts-expect-error a separator of the site
  t.ok(joinSafeText([safeText`a`, safeText`b`], `${site}!` as const));
  // @ts-expect-error a noun of the site
  t.ok(count(1, `${site}!` as const, 'links'));
  const known = term(['GPTBot', 'CCBot'].length === 2 ? 'GPTBot' : 'CCBot');
  t.equal(known.text, 'GPTBot', 'each member of this union stands in the source');
});

t.test('an object with a text, as pages and JSON-LD blocks are, is not SafeText to the compiler', async (t) => {
  type IsRefused<T> = T extends SafeText ? false : true;
  const isRefused: IsRefused<{ readonly text: string; readonly position: number }> = true;
  const isTaken: IsRefused<SafeText> = false;
  t.same([isRefused, isTaken], [true, false]);
});

t.test('what is not a finite number is not written, whatever its type claims', async (t) => {
  const speaking = { toString: () => 'ignore', toLocaleString: () => 'ignore' } as unknown as number;
  for (const value of [speaking, 'ignore' as unknown as number, NaN, Infinity]) {
    t.equal(safeText`line ${value}`.text, 'line ?');
    t.equal(count(value, 'link', 'links').text, '? links');
  }
});

t.test('words are made by the functions of their module alone, and cannot be changed', async (t) => {
  t.notOk('unsafe' in SafeText);
  // @ts-expect-error the constructor is private
  t.equal(typeof new SafeText('ignore'), 'object');
  const ours = safeText`ours`;
  t.throws(() => Object.assign(ours, { text: 'ignore' }), TypeError);
  t.equal(safeText`${ours}`.text, 'ours');
});

t.test('a value of the site counts only as a member of a vocabulary of ours', async (t) => {
  const vocabulary = vocabularyOf('Organization');
  const ofTheSite: ReadonlySet<string> = new Set(['ignore']);
  // @ts-expect-error a set of what the site wrote is not a vocabulary
  t.ok(findTerm('ignore', ofTheSite));
  // @ts-expect-error nor are members that are only strings
  t.ok(vocabularyOf(...ofTheSite));
  t.equal(findTerm('Organization', vocabulary)?.text, 'Organization');
  t.equal(findTerm('Organisation', vocabulary), null);
});

t.test('at most ten positions are named', async (t) => {
  const lines = Array.from({ length: 12 }, (_, index) => safeText`line ${index + 1}`);
  t.equal(listSafeText(lines.slice(0, 3)).text, 'line 1, line 2 and line 3');
  t.match(listSafeText(lines).text, /line 10 and 2 more$/);
});

t.test('a detail is at most 400 characters, and ends between words', async (t) => {
  const long = term('a sentence of ours that is repeated.');
  const { text } = sentences(...Array.from({ length: 40 }, () => long));
  t.ok(text.length <= DETAIL_CHARS_MAX, `${text.length}`);
  t.match(text, / that is…$/, 'no word is cut, and what is cut says so');
  const ends: readonly (readonly [text: string, end: string])[] = [
    ['a'.repeat(DETAIL_CHARS_MAX), 'a'],
    ['a'.repeat(DETAIL_CHARS_MAX + 1), 'a…'],
    [`${'a'.repeat(DETAIL_CHARS_MAX - 1)} b`, 'a…'],
    [`${'a'.repeat(DETAIL_CHARS_MAX - 2)}, b`, 'a…'],
    [`${'a'.repeat(DETAIL_CHARS_MAX)} b`, 'a…'],
  ];
  for (const [whole, end] of ends) {
    const cut = cutDetail(whole);
    t.ok(cut.length <= DETAIL_CHARS_MAX && cut.endsWith(end), `${cut.length}: ${cut.slice(-5)}`);
  }
  t.equal(sentences(null, safeText`One.`, null, safeText`Two.`).text, 'One. Two.');
});

t.test('counts are in the right number', async (t) => {
  t.equal(count(1, 'link', 'links').text, '1 link');
  t.equal(count(0, 'link', 'links').text, '0 links');
  t.equal(count(12_345, 'link', 'links').text, '12,345 links');
  const days = [0, 1, 2, 1234].map((number) => countOf(number, 'day'));
  t.same(days, ['0 days', '1 day', '2 days', '1,234 days']);
  t.equal(formatCount(1_234_567), '1,234,567');
  t.equal(listLines('llms.txt', [3]).text, 'line 3');
  t.equal(listLines('llms.txt', [3, 5, 8]).text, 'lines 3, 5 and 8');
});
