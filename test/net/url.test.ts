import t from 'tap';
import { parseUrl } from '../../src/net/url.js';

t.test('a text is a URL or none', async (t) => {
  t.equal(parseUrl('https://example.com/a')?.href, 'https://example.com/a');
  t.equal(parseUrl('/a', 'https://example.com/b')?.href, 'https://example.com/a');
  t.equal(parseUrl('/a', new URL('https://example.com/b'))?.href, 'https://example.com/a');
  for (const text of ['', '/a', 'https://', 'http://exam ple.com/', 'https://\u00fc b.de/'])
    t.equal(parseUrl(text), null, text);
});

t.test('and stays what it is, however often it is asked', async (t) => {
  // Past the point at which the engine compiles what is called so often.
  let count = 0;
  for (let call = 0; call < 50_000; call += 1) {
    if (parseUrl('https://m\u00fcller.de/')?.hostname === 'xn--mller-kva.de') count += 1;
    if (parseUrl('/stra\u00dfe', 'https://example.com/')?.pathname === '/stra%C3%9Fe') count += 1;
  }
  t.equal(count, 100_000);
});
