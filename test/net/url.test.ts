import t from 'tap';

t.test('a text is a URL or none', async (t) => {
  t.equal(URL.parse('https://example.com/a')?.href, 'https://example.com/a');
  t.equal(URL.parse('/a', 'https://example.com/b')?.href, 'https://example.com/a');
  t.equal(URL.parse('/a', new URL('https://example.com/b'))?.href, 'https://example.com/a');
  for (const text of ['', '/a', 'https://', 'http://exam ple.com/', 'https://\u00fc b.de/'])
    t.equal(URL.parse(text), null, text);
});

t.test('and stays what it is, however often it is asked', async (t) => {
  // Past the point at which the engine compiles what is called so often.
  let count = 0;
  for (let call = 0; call < 50_000; call += 1) {
    if (URL.parse('https://m\u00fcller.de/')?.hostname === 'xn--mller-kva.de') count += 1;
    if (URL.parse('/stra\u00dfe', 'https://example.com/')?.pathname === '/stra%C3%9Fe') count += 1;
  }
  t.equal(count, 100_000);
});
