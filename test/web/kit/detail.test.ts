import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import t from 'tap';
import { splitDetail, splitSentence } from '../../../src/web/html/detail.js';
import { FindingRow } from '../../../src/web/html/finding-row.js';
import { rowOf } from '../../../src/web/html/finding-view.js';
import { finding } from '../../support/findings.js';

t.test('a detail is parted between sentences', async (t) => {
  t.same(splitDetail({ detail: null }, 10), ['', '']);
  t.same(splitDetail({ detail: 'One. Two. Three.' }, 9), ['One. Two.', 'Three.']);
  t.same(splitDetail({ detail: 'One. Two. Three.' }, 16), ['One. Two. Three.', '']);
  t.same(splitDetail({ detail: 'A long one, of llms.txt. Two.' }, 5), ['A long one, of llms.txt.', 'Two.']);
  t.same(splitDetail({ detail: 'One. Two. Cut…' }, 99), ['One. Two.', ''], 'without the one that was cut');
  t.same(splitDetail({ detail: 'Cut in the…' }, 5), ['Cut in the…', ''], 'unless there is no other');
});

t.test('a long sentence is parted between words, and never within quoted code', async (t) => {
  t.same(splitSentence('Some words.', 11), ['Some words.', '']);
  t.same(splitSentence('Some words.', 10), ['Some', ' words.']);
  t.same(splitSentence('It says "a b c" here.', 12), ['It says', ' "a b c" here.']);
  t.same(splitSentence('https://example.com/without/a/space', 5), ['https://example.com/without/a/space', '']);
});

t.test('a closed row ends with a sentence, and has the others once it is open', async (t) => {
  const first = 'A sentence of many words. '.repeat(5).trim();
  const render = (detail: string) =>
    renderToString(
      h(FindingRow, {
        row: rowOf(
          { ...finding({ checkId: 'C-MD-01', result: 'FAIL' }), detail },
          {
            ...{ origin: 'https://www.example.com', agentHref: null, owner: null },
            ...{ rung: null, gain: null, isFirst: false, hasFixed: false },
          },
        ),
        now: new Date(),
      }),
    );
  t.match(render(`${first} What is left.`), `<span class="d">${first}<span class="rest"> What is left.</span></span>`);
  t.match(render(first), `<span class="d">${first}</span>`);
  const long = 'so many words '.repeat(15).trim();
  t.match(render(`Of ${long}.`), /<span class="d cut">Of so many [a-z ]+<span class="rest"> [a-z ]+\.<\/span><\/span>/);
});
