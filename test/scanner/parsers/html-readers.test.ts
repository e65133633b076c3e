import t from 'tap';
import { parsePage } from '../../../src/scanner/parsers/html.js';
import { READ_CASES } from './html-readers.js';

t.test('HTML is tokenized as other readers of the standard do it', async (t) => {
  for (const { what, html, read } of READ_CASES) {
    const { jsonLd, text, title } = parsePage(html, new URL('https://www.fixture-site.com/'));
    const found = { jsonLd: jsonLd.map((block) => block.text), text, title };
    t.strictSame(found, { title: null, ...read }, what);
  }
});
