import t from 'tap';
import { instantRefresh, movesBrowser } from '../../../src/scanner/parsers/page-redirect.js';
import { parsePage } from '../../../src/scanner/parsers/html.js';
import { countWords } from '../../../src/scanner/parsers/served-text.js';

const URL_OF_PAGE = new URL('https://www.fixture-site.com/');
const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

t.test('words are counted alike in pieces and as a whole', async (t) => {
  for (const [text, count] of [
    ['', 0],
    ['  one  two\nthree\u00A0four ', 4],
    ['漢字かな', 2],
    ['Kaffee und 新聞', 3],
  ] as const) {
    t.equal(countWords(text), count, text);
  }
});

t.test('the words of the main content are counted, and an application shell is seen', async (t) => {
  const script = '<script src="/app.js"></script>';
  const cases: [what: string, html: string, wordCount: number, isShell: boolean][] = [
    ['main counts alone', `<nav>${words(9)}</nav><main><header>${words(3)}</header>${words(30)}</main>`, 33, false],
    ['without main, what is about the site does not count', `<nav>${words(9)}</nav><p>${words(30)}</p>`, 30, false],
    ['nothing but navigation', `<nav>${words(9)}</nav>`, 9, false],
    ['inline tags do not split words', '<p>news<b>paper</b>s</p>', 1, false],
    ['other tags do', '<p>news</p><p>papers</p>', 2, false],
    ['an empty body that scripts fill', `<div id="app"></div>${script}`, 0, true],
    ['a word alongside a spinner', `<app-root>Loading</app-root>${script}`, 1, true],
    ['a word for those without scripts', `<noscript>${words(9)}</noscript>${script}`, 0, true],
    ['content for those without scripts', `<noscript>${words(60)}</noscript>${script}`, 0, false],
    ['a short page with a heading', `<h1>Not found</h1>${script}`, 2, false],
    ['a short page without scripts', '<p>Not found</p>', 2, false],
    ['scripts that do not run', '<div></div><script type="application/ld+json">{}</script>', 0, false],
  ];
  for (const [what, body, wordCount, isShell] of cases) {
    const { served } = parsePage(`<!doctype html><title>Kiosk</title><body>${body}`, URL_OF_PAGE);
    t.same(served, { wordCount, isShell }, what);
  }
});

t.test('an instant refresh is read as browsers read it', async (t) => {
  for (const [content, target] of [
    ['0;url=/en/', '/en/'],
    ["0; URL='/en/'", '/en/'],
    ['0.5 , /en/', '/en/'],
    ['0 url = "/en/"', '/en/'],
    ['5;url=/en/', null],
    ['0', null],
    ['0;', null],
    [';url=/en/', null],
    ['', null],
  ] as const) {
    t.equal(instantRefresh(content), target, content);
  }
});

t.test('a page only redirects if it has next to no text', async (t) => {
  const refresh = '<meta http-equiv="Refresh" content="0; url=en/">';
  const at = async (html: string) => parsePage(html, URL_OF_PAGE).refresh?.href ?? null;
  t.equal(await at(`${refresh}<h1>Redirecting</h1><a href="en/">Follow this</a>`), 'https://www.fixture-site.com/en/');
  t.equal(await at(`${refresh}<p>${words(60)}</p>`), null);
  t.equal(await at(`<noscript>${refresh}</noscript>`), null);
  const isScriptRedirect = async (html: string) => parsePage(html, URL_OF_PAGE).isScriptRedirect;
  t.ok(await isScriptRedirect('<script>window.location.href = "/en/"</script>'));
  t.ok(await isScriptRedirect('<script>location.replace("/en/")</script>'));
  t.notOk(await isScriptRedirect('<script>location.replace("/en/")</script><script src="/app.js"></script>'));
  t.notOk(await isScriptRedirect(`<script>location.replace("/en/")</script><p>${words(60)}</p>`));
  t.notOk(movesBrowser('if (location.href == "/en/") start()'));
});
