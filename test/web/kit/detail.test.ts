import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import { partDetail, partSentence } from '../../../src/web/html/detail.js';
import { FindingRow } from '../../../src/web/html/finding-row.js';
import { finding } from '../../support/findings.js';

t.test('a detail is parted between sentences', async (t) => {
  t.same(partDetail({ detail: null }, 10), ['', '']);
  t.same(partDetail({ detail: 'One. Two. Three.' }, 9), ['One. Two.', 'Three.']);
  t.same(partDetail({ detail: 'One. Two. Three.' }, 16), ['One. Two. Three.', '']);
  t.same(partDetail({ detail: 'A long one, of llms.txt. Two.' }, 5), ['A long one, of llms.txt.', 'Two.']);
  t.same(partDetail({ detail: 'One. Two. Cut…' }, 99), ['One. Two.', ''], 'without the one that was cut');
  t.same(partDetail({ detail: 'Cut in the…' }, 5), ['Cut in the…', ''], 'unless there is no other');
});

t.test('a long sentence is parted between words, and never within quoted code', async (t) => {
  t.same(partSentence('Some words.', 11), ['Some words.', '']);
  t.same(partSentence('Some words.', 10), ['Some', ' words.']);
  t.same(partSentence('It says "a b c" here.', 12), ['It says', ' "a b c" here.']);
  t.same(partSentence('https://example.com/without/a/space', 5), ['https://example.com/without/a/space', '']);
});

t.test('a closed row ends with a sentence, and has the others once it is open', async (t) => {
  const first = 'A sentence of many words. '.repeat(5).trim();
  const rowOf = (detail: string) =>
    renderToString(
      h(FindingRow, {
        finding: { ...finding({ checkId: 'C-MD-01', result: 'FAIL' }), detail },
        origin: 'https://www.example.com',
        rung: null,
        gain: null,
        agentHref: null,
        isOpen: false,
      }),
    );
  t.match(rowOf(`${first} What is left.`), `<span class="d">${first}<span class="rest"> What is left.</span></span>`);
  t.match(rowOf(first), `<span class="d">${first}</span>`);
  const long = 'so many words '.repeat(15).trim();
  t.match(rowOf(`Of ${long}.`), /<span class="d cut">Of so many [a-z ]+<span class="rest"> [a-z ]+\.<\/span><\/span>/);
});
