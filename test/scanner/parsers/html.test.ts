import t from 'tap';
import { parsePage } from '../../../src/scanner/parsers/html.js';
import { parseMediaType } from '../../../src/scanner/parsers/media-type.js';
import { decodeBody, decodeHtml, looksLikeHtml } from '../../../src/scanner/parsers/text.js';

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

t.test('every JSON-LD script is taken, with its text as it stands', async (t) => {
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
    const page = await pageOf(`<${name} src="/a"/><p>Text</p><a href="/next">Next</a>`);
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
    const page = await pageOf('', `<script type="application/ld+json">${text}</script>`);
    t.match(page, { isMalformed: false, jsonLd: [{ text: read }] }, text);
  }
  const { title, text } = await pageOf(
    '<p>x <![CDATA[<b> & ]]>y</p><svg><title>i</title></svg>',
    '<title>A &lt;b></title>',
  );
  t.strictSame([title, text], ['A <b>', 'x <b> & y']);
});

t.test('XHTML has the entities of HTML, wherever the text is cut to be read', async (t) => {
  for (let fill = 8_100; fill < 8_192; fill += 1) {
    const page = parsePage(
      `<html><body><!--${'x'.repeat(fill)}--><p>Caf&eacute;&nbsp;&amp;nbsp; <a href="/?a=1&copy;2">&unknown;</a></p></body></html>`,
      PAGE,
      { isXhtml: true },
    );
    t.match(page, { isMalformed: false, text: 'Café &nbsp; &unknown;', links: [{ url: { search: '?a=1%C2%A92' } }] });
  }
  const script = '{"name":"&eacute;"}';
  const { jsonLd } = parsePage(
    `<html><script type="application/ld+json">//<![CDATA[\n${script}\n//]]></script></html>`,
    PAGE,
    { isXhtml: true },
  );
  t.match(jsonLd, [{ text: new RegExp(script) }], 'but not in CDATA');
});

t.test('XHTML that is not well-formed may hold more than is seen', async (t) => {
  for (const body of [
    '<p>One<br><p>Two</p>',
    '<p>One</div>',
    '<p>One',
    'One &nbsp two',
    'A & B',
    '1 < 2',
    '<script>if (a < b) c()</script>',
    '<a href="?a=1&b=2">x</a>',
    '<input disabled/>',
    '<p class=a>x</p>',
    '<h:script xmlns:h="http://www.w3.org/1999/xhtml" type="application/ld+json">{}</h:script>',
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
    ['<form toolname="search" tooldescription="…">', { hasWebMcp: true }],
    ['<form action="/search" name="toolname"><p toolname="search">', { hasWebMcp: false }],
    ['<script>navigator.modelContext.registerTool({})</script>', { hasWebMcp: false }],
    ['<script>document.modelContext?.registerTool({})</script>', { hasWebMcp: true }],
    [
      `<script>${'x;'.repeat(4_080)}(document?.modelContext ?? navigator.modelContext).registerTool({})</script>`,
      { hasWebMcp: true },
    ],
    ['<script>mydocument.modelContext; document.modelContexts</script>', { hasWebMcp: false }],
    ['<p>document.modelContext</p><template><form toolname="a"></template>', { hasWebMcp: false }],
  ] as const;
  for (const [html, expected] of cases) t.match(parsePage(html, PAGE), expected, html);
});

t.test('hostile pages are read in time linear to their length', async (t) => {
  const pages = {
    deep: '<div>'.repeat(145_000),
    'deep formatting with foreign ends': '<b>'.repeat(145_000) + '</i>'.repeat(145_000),
    'deep templates': '<template>'.repeat(145_000),
    'many elements': '<a>'.repeat(600_000),
    'half ends': `<script type="application/ld+json">${'</scrip'.repeat(250_000)}`,
    attributes: `<a ${'b '.repeat(900_000)}>`,
    'a base as long as a book': `<base href="/${'a/'.repeat(500_000)}">${'<a href=x>'.repeat(5_000)}`,
    ampersands: '&'.repeat(1_500_000),
  };
  for (const [name, html] of Object.entries(pages)) {
    t.ok(parsePage(html, PAGE).links.length <= 5_000, name);
  }
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
    [[0xff, 0x61], null, '\uFFFDa'],
    [[0x61, 0xff], 'iso-8859-1', 'aÿ'],
    [[0xfe, 0x61], 'iso-8859-1', 'þa'],
    [[0xef, 0xbb, 0x61], 'iso-8859-1', 'ï»a'],
    [[0xef, 0x61, 0xbf], 'iso-8859-1', 'ïa¿'],
    [[0x61, 0xbb, 0xbf], 'iso-8859-1', 'a»¿'],
  ];
  for (const [bytes, charset, text] of cases) {
    t.equal(decodeBody(Uint8Array.from(bytes), charset), text, `${bytes.join(' ')} as ${charset}`);
  }
  const declared = Buffer.from('<html><meta charset="windows-1252"><p>caf\xe9', 'latin1');
  t.match(decodeHtml(declared, null), /café/);
  t.notMatch(decodeHtml(declared, 'utf-8'), /café/, 'the header goes before the page');
});

t.test('a large body is decoded piece by piece to the same text', async (t) => {
  // Of every kind that a piece may end within: whole and cut characters, bytes that are none, a BOM that is text.
  const unit = [
    0x61, 0xc3, 0xa9, 0xff, 0xf0, 0x9f, 0x98, 0x80, 0xe2, 0x82, 0xed, 0xa0, 0x80, 0xef, 0xbb, 0xbf, 0xf0, 0x9f,
  ];
  for (const bytes of [Buffer.alloc(200_000, 0xff), Buffer.from(Array(17_000).fill(unit).flat())])
    t.equal(decodeBody(bytes, null), new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
});

t.test('HTML is known by its own first characters', async (t) => {
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

t.test('a page reads the same wherever the pieces end in which it is read', async (t) => {
  const rest =
    'a &amp; b <a href="/x?a=1&amp;b=2" rel=me>link</a><script type="application/ld+json">{"a":"</b>"}</script> end';
  for (let before = 8_192 - rest.length; before <= 8_192; before += 1) {
    const page = parsePage(`<p>${'x'.repeat(before - 3)}${rest}`, PAGE);
    const read = [page.text.slice(before - 3), page.links[0]?.url?.search, page.jsonLd[0]?.text];
    t.strictSame(read, ['a & b link end', '?a=1&b=2', '{"a":"</b>"}'], `${before} characters before it`);
  }
});

t.test('thousands of short addresses on a long base are not all kept', async (t) => {
  const page = parsePage(`<base href="/${'b'.repeat(4_000)}/">${'<a href=x>'.repeat(5_000)}`, PAGE);
  const chars = page.links.reduce((sum, { url }) => sum + (url?.href.length ?? 0), 0);
  t.ok(chars > 0 && chars < 3_000_000, String(chars));
});
