import t from 'tap';
import { countWords, instantRefresh, parsePage } from '../../../src/scanner/parsers/html.js';
import { parseMediaType, decodeBody, decodeHtml, looksLikeHtml } from '../../../src/scanner/parsers/text.js';

const PAGE = new URL('https://www.fixture-site.com/shop/');

t.test('a page gives its title, links and visible text', async (t) => {
  const page = parsePage(
    `<!doctype html><html><head><title> Fine &amp; <b>good</b>\n tools </title><title>other</title>
     <link rel="Canonical" href="/shop/all"><link rel="alternate" type="text/markdown; charset=utf-8" href="all.md">
     <meta name="Robots" content="noindex"><meta property="og:title" content="Tools"><meta charset="utf-8">
     <style>p { color: red }</style></head>
     <body><p>Hello <b>wor</b>ld<br>next&nbsp;line</p><ul><li>one</li><li>two</li></ul>
     <a href="x?a=1&amp;b=2#f">first</a> <a name="anchor">none</a> <a href="mailto:a@b.c">mail</a> <a href="http://[">bad</a>
     <svg><title>icon</title></svg><!-- <a href="/hidden">no</a> --></body></html>`,
    PAGE,
  );
  const links = page.links.map(({ position, url }) => `${position} ${url?.href ?? 'none'}`);
  t.match(page, {
    title: 'Fine & <b>good</b> tools',
    canonical: { href: 'https://www.fixture-site.com/shop/all' },
    text: 'Hello world next line one two first none mail bad',
    headLinks: [
      { rel: ['canonical'], type: null },
      { rel: ['alternate'], type: 'text/markdown' },
    ],
  });
  t.same(links, ['1 https://www.fixture-site.com/shop/x?a=1&b=2#f', '2 none', '3 none']);
  t.same(Object.fromEntries(page.metas), { robots: ['noindex'], 'og:title': ['Tools'] });
});

const pathsOf = (html: string) => parsePage(html, PAGE).links.map(({ url }) => url?.pathname);

t.test('the first base element holds for every link, also for those before it', async (t) => {
  const bases = '<base href="/docs/"><base href="/late/">';
  t.strictSame(pathsOf(`<a href="a">1</a>${bases}<a href="b">2</a>`), ['/docs/a', '/docs/b']);
  t.strictSame(pathsOf('<base href="javascript:x"><a href="a">'), ['/shop/a']);
});

t.test('template content is inert, noscript content is served', async (t) => {
  const html = `<template><template></template><a href="/inert">x</a><script type="application/ld+json">{}</script>inert</template>
    <noscript><a href="/served">y</a> served</noscript>`;
  t.match(parsePage(html, PAGE), { text: 'y served', jsonLd: { length: 0 } });
  t.strictSame(pathsOf(html), ['/served']);
});

t.test('JSON-LD scripts keep their text', async (t) => {
  const page = parsePage(
    `<script type="Application/LD+JSON; profile=x">{"a":"&amp;</b>"}</script><script type=text/json>{}</script>
     <!-- <script type="application/ld+json">{}</script> --><div><script type='application/ld+json'>broken`,
    PAGE,
  );
  t.strictSame(page.jsonLd, [
    { position: 1, text: '{"a":"&amp;</b>"}' },
    { position: 2, text: 'broken' },
  ]);
  t.equal(page.hasScript, false);
  const cut = parsePage('<script type="application/ld+json">{"a":', PAGE, { isCut: true });
  t.equal(cut.jsonLd.length, 0, 'a block that a limit of ours cut is not charged');
});

t.test('XHTML is read as XML', async (t) => {
  const pageOf = (body: string, head = '') =>
    parsePage(
      `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head>${head}</head><body>${body}</body></html>`,
      PAGE,
      { isXhtml: true },
    );
  for (const name of 'script style title template iframe textarea noscript div svg x-y p'.split(' ')) {
    const page = pageOf(`<${name} src="/a"/><p>Text</p><a href="/next">Next</a>`);
    t.match(page, { text: 'Text Next', isMalformed: false, isCut: false, links: [{ position: 1 }] }, name);
  }
  const json = '{"name":"A & B"}';
  const escaped = json.replace('&', '&amp;');
  for (const [text, read] of [
    [escaped, json],
    [escaped.replaceAll('"', '&quot;'), json],
    // Marks that hide a script from one reader or another are left to the reader of JSON-LD.
    ...[`<![CDATA[${json}]]>`, `//<![CDATA[\n${json}\n//]]>`, `<!--\n${json}\n-->`].map(
      (marked) => [marked, marked] as const,
    ),
  ] as const) {
    const page = pageOf('', `<script type="application/ld+json">${text}</script>`);
    t.match(page, { isMalformed: false, jsonLd: [{ text: read }] }, text);
  }
  const { title, text } = pageOf('<p>x <![CDATA[<b> & ]]>y</p><svg><title>i</title></svg>', '<title>A &lt;b></title>');
  t.strictSame([title, text], ['A <b>', 'x <b> & y']);
  t.match(pageOf('Caf&eacute;&nbsp;&amp;nbsp; <a href="/?a=1&copy;2">&unknown;</a>'), {
    ...{ isMalformed: false, text: 'Café &nbsp; &unknown;', links: [{ url: { search: '?a=1%C2%A92' } }] },
  });
});

t.test('XHTML that is not well-formed is read as HTML and marked', async (t) => {
  for (const body of [
    ...['<p>One<br><p>Two</p>', '<p>One</div>', '<p>One', 'One &nbsp two', 'A & B', '1 < 2'],
    ...['<script>if (a < b) c()</script>', '<a href="?a=1&b=2">x</a>', '<input disabled/>', '<p class=a>x</p>'],
  ]) {
    const xhtml = `<html><body>${body}</body></html>`;
    const page = parsePage(xhtml, PAGE, { isXhtml: true });
    t.match(page, { isMalformed: true, isCut: false, areLinksCut: true, served: { isShell: false } }, body);
    t.equal(page.text, parsePage(xhtml, PAGE).text, 'it is read as HTML');
  }
  t.equal(parsePage('<html><br></html>', PAGE).isMalformed, false, 'HTML has no such thing');
});

t.test('marks of other formats and of scripts', async (t) => {
  const cases = [
    ['<div itemscope itemtype="https://schema.org/Product">', { hasOtherMarkup: true }],
    ['<div vocab="https://schema.org/" typeof="Product">', { hasOtherMarkup: true }],
    ['<script src="/app.js"></script>', { hasScript: true }],
    ['<script type="module">import "x"</script>', { hasScript: true }],
    ['<script type="text/javascript">x</script>', { hasScript: true }],
    ['<script type=" Application/JavaScript ">x</script>', { hasScript: true }],
    ['<script type="text/ecmascript">x</script>', { hasScript: true }],
    ['<script type="text/template"><p></script>', { hasScript: false }],
  ] as const;
  for (const [html, expected] of cases) t.match(parsePage(html, PAGE), expected, html);
});

t.test('a body is decoded by its BOM, its charset, or as UTF-8', async (t) => {
  const cases: [bytes: number[], charset: string | null, text: string][] = [
    [[0xc3, 0xa9], null, 'é'],
    [[0xe9], null, '\uFFFD'],
    [[0xe9], 'iso-8859-1', 'é'],
    [[0xe9], 'no-such-charset', '\uFFFD'],
    [[0xef, 0xbb, 0xbf, 0x61], 'iso-8859-1', '\uFEFFa'],
    [[0xff, 0xfe, 0x61, 0x00], null, '\uFEFFa'],
    [[0xfe, 0xff, 0x00, 0x61], null, '\uFEFFa'],
    // Half a byte order mark is none.
    [[0x61, 0xfe], 'iso-8859-1', 'aþ'],
    [[0xfe, 0x61], 'iso-8859-1', 'þa'],
    [[0xef, 0xbb, 0x61], 'iso-8859-1', 'ï»a'],
  ];
  for (const [bytes, charset, text] of cases) {
    t.equal(decodeBody(Uint8Array.from(bytes), charset), text, `${bytes.join(' ')} as ${charset}`);
  }
  const declared = Buffer.from('<html><meta charset="windows-1252"><p>caf\xe9', 'latin1');
  t.match(decodeHtml(declared, null), /café/);
  t.notMatch(decodeHtml(declared, 'utf-8'), /café/, 'the header goes before the page');
});

t.test('HTML is recognized by its first characters', async (t) => {
  const html = [
    ...['<!DOCTYPE html>', '\uFEFF \n<html lang="en">', '<?xml version="1.0"?><!DOCTYPE html>', '<head>'],
    ...['<!-- a --><!-- b -->\n<!doctype HTML PUBLIC "x">', '<meta charset="utf-8">'],
  ];
  const other = [
    ...['', '# Title', '<h1 align="center">Readme</h1>', '<!-- note --> # Title', '<!-- open', '<urlset>'],
    ...['<headline>', '<?xml version="1.0"?><urlset/>'],
  ];
  for (const text of html) t.ok(looksLikeHtml(text), text);
  for (const text of other) t.notOk(looksLikeHtml(text), text);
  t.notOk(looksLikeHtml('<!--x-->'.repeat(100_000)), 'many comments');
});

t.test('a media type is read whatever its case, parameters and repetition', async (t) => {
  const cases = [
    [null, null, null],
    ['', null, null],
    ['Text/HTML; Charset="UTF-8"', 'text/html', 'utf-8'],
    ['text/plain;charset=', 'text/plain', null],
    ['text/html, application/json', 'application/json', null],
    ['text/html, nonsense', 'text/html', null],
  ] as const;
  for (const [header, essence, charset] of cases) {
    t.strictSame(parseMediaType(header), { essence, charset }, String(header));
  }
});

t.test('addresses relative to a very long base are not read, and the page says so', async (t) => {
  const page = parsePage(`<base href="/${'b'.repeat(4_000)}/"><a href=x><a href="https://other.example/y">`, PAGE);
  const hrefs = page.links.map(({ url }) => url?.href ?? null);
  t.strictSame([hrefs, page.areLinksCut], [[null, 'https://other.example/y'], true]);
  const many = parsePage('<a href=x>'.repeat(5_001), PAGE);
  t.match(many, { areLinksCut: true, links: { length: 5_000 } }, 'nor a 5,001st link');
});

/** The JSON-LD block behind what a case is about. */
const AFTER_JSON = '{"after":1}';
const AFTER = `<script type="application/ld+json">${AFTER_JSON}</script>`;

/** What the parser alone would read otherwise than the HTML standard does: the text, the blocks of JSON-LD (AFTER alone) and the title. */
const TOKENS: [html: string, text: string, more?: { jsonLd?: string[]; title?: string }][] = [
  [`<svg><title>Icon</title></svg><title>Home</title>${AFTER}<p>seen`, 'seen', { title: 'Home' }],
  [`<title/>Home ${AFTER}</title><p>seen`, 'seen', { jsonLd: [], title: `Home ${AFTER}` }],
  [`<SVG><TITLE/></SVG>${AFTER}<P>seen`, 'seen'],
  [`<svg><style><![CDATA[ a > b { } </style> ]]></style><title/></svg>${AFTER}<p>seen`, 'seen'],
  [`<title>a</title><sc\0ript>x</sc\0ript>${AFTER}<p>seen`, 'x seen', { title: 'a' }],
  [`${AFTER}<p>seen</p><script>a</script`, 'seen'],
];

t.test('HTML is tokenized as the standard says', async (t) => {
  for (const [html, text, more] of TOKENS) {
    const page = parsePage(html, PAGE);
    const found = { jsonLd: page.jsonLd.map((block) => block.text), text: page.text, title: page.title };
    t.strictSame(found, { jsonLd: [AFTER_JSON], text, title: null, ...more }, html);
  }
});

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

t.test('the words of the main content are counted, and an application shell is recognized', async (t) => {
  const counts: Record<string, number> = {
    ...{ '': 0, '  one  two\nthree\u00A0four ': 4, 漢字かな: 2, 'Kaffee und 新聞': 3 },
  };
  for (const [text, count] of Object.entries(counts)) t.equal(countWords(text), count, text);
  const script = '<script src="/app.js"></script>';
  const cases: [html: string, wordCount: number, isShell: boolean][] = [
    [`<nav>${words(9)}</nav><main><header>${words(3)}</header>${words(30)}</main>`, 33, false],
    [`<nav>${words(9)}</nav><p>${words(30)}</p>`, 30, false],
    [`<nav>${words(9)}</nav>`, 9, false],
    ['<p>news<b>paper</b>s</p>', 1, false],
    ['<p>news</p><p>papers</p>', 2, false],
    [`<div id="app"></div>${script}`, 0, true],
    [`<app-root>Loading</app-root>${script}`, 1, true],
    [`<noscript>${words(9)}</noscript>${script}`, 0, true],
    [`<noscript>${words(60)}</noscript>${script}`, 0, false],
    [`<h1>Not found</h1>${script}`, 2, false],
    ['<p>Not found</p>', 2, false],
    ['<div></div><script type="application/ld+json">{}</script>', 0, false],
  ];
  for (const [body, wordCount, isShell] of cases)
    t.same(parsePage(`<title>Kiosk</title><body>${body}`, PAGE).served, { wordCount, isShell }, body.slice(0, 80));
});

t.test('only a page with hardly any text redirects', async (t) => {
  const refreshes: Record<string, string | null> = {
    ...{ '0;url=/en/': '/en/', "0; URL='/en/'": '/en/', '0.5 , /en/': '/en/', '0 url = "/en/"': '/en/' },
    ...{ '5;url=/en/': null, 0: null, '0;': null, ';url=/en/': null, '': null },
  };
  for (const [content, target] of Object.entries(refreshes)) t.equal(instantRefresh(content), target, content);
  const refresh = '<meta http-equiv="Refresh" content="0; url=en/">';
  const refreshOf = (html: string) => parsePage(html, PAGE).refresh?.pathname ?? null;
  t.equal(refreshOf(`${refresh}<h1>Redirecting</h1><a href="en/">Follow this</a>`), '/shop/en/');
  t.equal(refreshOf(`${refresh}<p>${words(60)}</p>`), null);
  t.equal(refreshOf(`<noscript>${refresh}</noscript>`), null);
  const scripts: Record<string, boolean> = {
    '<script>window.location.href = "/en/"</script>': true,
    '<script>location.replace("/en/")</script>': true,
    '<script>location.replace("/en/")</script><script src="/app.js"></script>': false,
    [`<script>location.replace("/en/")</script><p>${words(60)}</p>`]: false,
    '<script>if (location.href == "/en/") start()</script>': false,
  };
  for (const [html, isRedirect] of Object.entries(scripts))
    t.equal(parsePage(html, PAGE).isScriptRedirect, isRedirect, html.slice(0, 80));
});
