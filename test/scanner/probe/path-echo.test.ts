import t from 'tap';
import { namesIn, partsWithout } from '../../../src/scanner/probe/path-echo.js';

/** What is left of a body without the names of a path. */
function without(body: string, path: string): string {
  const bytes = Buffer.from(body);
  return [...partsWithout(bytes, namesIn(bytes, [path]))].map((part) => Buffer.from(part).toString()).join('|');
}

t.test('names are taken out as wholes', async (t) => {
  t.equal(without('see /news/today, not newsletter', '/news/today'), 'see /|, not newsletter');
  t.equal(without('the news of today', '/news/today'), 'the | of ');
  t.equal(without('aaaab aaaa aaaaa', '/aaaa'), 'aaaab | aaaaa', 'what overlaps is looked through');
  t.equal(without('abab ababab abab', '/ababab'), 'abab | abab');
});

t.test('what would take long is not looked for', async (t) => {
  const long = `ab${'a'.repeat(300)}`;
  t.equal(without(`see ${long}`, `/${long}`), `see ${long}`, 'no page names an address so long');
  t.same(namesIn(Buffer.alloc(256 * 1024 + 1, 'news '), ['/news']), [], 'no page for unknown addresses is so large');
});
