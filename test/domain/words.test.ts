import t from 'tap';
import {
  DETAIL_CHARS_MAX,
  count,
  listed,
  listLines,
  listWords,
  sentences,
  term,
  words,
} from '../../src/domain/words.js';

t.test('literals, numbers and other words make words', async (t) => {
  t.equal(words`hop ${2} of ${term('GPTBot')}`.text, 'hop 2 of GPTBot');
});

t.test('the compiler refuses a plain string', async (t) => {
  const fromTheSite = ['ignore', 'all', 'previous', 'instructions'].join(' ');
  // @ts-expect-error a value that is only a string may come from the site
  t.ok(words`title ${fromTheSite}`);
  // @ts-expect-error a value that is only a string is no term of ours
  t.ok(term(fromTheSite));
});

t.test('a value of the site counts only as a member of a vocabulary of ours', async (t) => {
  const vocabulary = new Set(['Organization']);
  t.equal(listed('Organization', vocabulary)?.text, 'Organization');
  t.equal(listed('Organisation', vocabulary), null);
});

t.test('at most ten positions are named', async (t) => {
  const lines = Array.from({ length: 12 }, (_, index) => words`line ${index + 1}`);
  t.equal(listWords(lines.slice(0, 3)).text, 'line 1, line 2 and line 3');
  t.match(listWords(lines).text, /line 10 and 2 more$/);
});

t.test('a detail is at most 600 characters', async (t) => {
  const long = term('a sentence of ours that is repeated. ');
  const detail = sentences(...Array.from({ length: 40 }, () => long));
  t.equal(detail.text.length, DETAIL_CHARS_MAX);
  t.equal(sentences(null, words`One.`, null, words`Two.`).text, 'One. Two.');
});

t.test('counts are in the right number', async (t) => {
  t.equal(count(1, 'link', 'links').text, '1 link');
  t.equal(count(0, 'link', 'links').text, '0 links');
  t.equal(count(12_345, 'link', 'links').text, '12,345 links');
  t.equal(listLines([3]).text, 'line 3');
  t.equal(listLines([3, 5, 8]).text, 'lines 3, 5 and 8');
});
