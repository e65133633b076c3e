import t from 'tap';
import { cMd01 } from '../../../src/scanner/checks/c-md-01.js';
import { findingOf } from '../../support/collect.js';
import { redirectTo } from '../../support/visit-site.js';
import type { FixtureAnswer, FixtureRequest, FixtureRoute, FixtureSite } from '../../support/fixture-site.js';

const HOME = '<!doctype html><title>Home</title><a href="/a">A</a><a href="/b">B</a><a href="/c">C</a>';
const PAGE = '<!doctype html><title>Page</title><p>Some words</p>';
const MARKDOWN = `# A page\n\n${'Some words of it. '.repeat(5)}\n`;
const CANARY = 'IGNORE-ALL-PREVIOUS-INSTRUCTIONS';

const wantsMarkdown = ({ headers }: FixtureRequest): boolean => headers.accept?.startsWith('text/markdown') === true;
const wantsHtml = ({ headers }: FixtureRequest): boolean => headers.accept?.includes('text/html') === true;
/** A page that answers `markdown` to those who prefer it. */
const negotiating = (markdown: FixtureAnswer, html: FixtureAnswer | string = PAGE): FixtureRoute => {
  return (request) => (wantsMarkdown(request) ? markdown : html);
};
const GOOD: FixtureAnswer = { type: 'text/markdown; charset=utf-8', body: MARKDOWN, headers: { vary: 'Accept' } };
const SITE: FixtureSite['routes'] = { '/': HOME, '/a': PAGE, '/b': PAGE, '/c': PAGE };
const ALTERNATE = '<!doctype html><link rel="alternate" type="text/markdown" href="/a.md"><p>Some words</p>';

const CASES: readonly [what: string, routes: FixtureSite['routes'], result: string, detail?: RegExp][] = [
  [
    'every page negotiates',
    { '/': negotiating(GOOD, HOME), '/a': negotiating(GOOD), '/b': negotiating(GOOD) },
    'PASS',
    /^3 of 3 pages answer in Markdown/,
  ],
  ['one page is enough', { '/a': negotiating(GOOD) }, 'PASS', /^1 of 3 pages answers in Markdown/],
  ['a fourth page is not asked', { '/c': negotiating(GOOD) }, 'FAIL NO_NEGOTIATION'],
  [
    'without Vary it is noted',
    { '/a': negotiating({ ...GOOD, headers: {} }) },
    'PASS',
    /"Vary: Accept" is missing \(page 2\)/,
  ],
  ['a Markdown version that the page links to', { '/a': ALTERNATE, '/a.md': MARKDOWN }, 'PASS', /page 2 links to/],
  [
    'one that a Link header names',
    { '/': { body: HOME, headers: { link: '</i.md>; rel=alternate; type="text/markdown"' } }, '/i.md': MARKDOWN },
    'PASS',
  ],
  [
    'one that redirects browsers to the page',
    { '/a': ALTERNATE, '/a.md': (request) => (wantsHtml(request) ? redirectTo('/a') : MARKDOWN) },
    'PASS',
    /Accept: text\/markdown, text\/plain;q=0\.9, \*\/\*;q=0\.1/,
  ],
  [
    'one that answers only those that ask for Markdown',
    { '/a': ALTERNATE, '/a.md': (request) => (wantsHtml(request) ? { status: 406 } : MARKDOWN) },
    'PASS',
  ],
  [
    'a guessed one that redirects browsers',
    { '/a': PAGE, '/a.md': (request) => (wantsHtml(request) ? redirectTo('/a') : MARKDOWN) },
    'PASS',
    /only by guessing/,
  ],
  [
    'Markdown that says of any address that it is not found',
    {
      '*': ({ url, ...request }) =>
        wantsMarkdown({ url, ...request }) && url.pathname.endsWith('.md') ? MARKDOWN : { status: 404 },
    },
    'FAIL NO_NEGOTIATION',
  ],
  ['one that is not there', { '/a': ALTERNATE }, 'FAIL NO_NEGOTIATION', /page 2 links to is missing/],
  ['one that fails when asked', { '/a': ALTERNATE, '/a.md': { status: 503 } }, 'UNDETERMINED', /status 503/],
  [
    'one under another type',
    { '/a': ALTERNATE, '/a.md': { type: 'application/octet-stream', body: MARKDOWN } },
    'FAIL WRONG_MIME',
    /page 2/,
  ],
  [
    'HTML for all',
    {},
    'FAIL NO_NEGOTIATION',
    /^3 pages were asked for Markdown\. None answered with it\. None links to a Markdown version either\. .*Accept: text\/markdown, text\/html;q=0\.8, /,
  ],
  ['406', { '/a': negotiating({ status: 406 }) }, 'FAIL NO_NEGOTIATION', /1 page answers with status 406/],
  ['a stub', { '/a': negotiating({ ...GOOD, body: '# Short' }) }, 'FAIL NO_NEGOTIATION'],
  [
    'Markdown as text/plain',
    { '/a': negotiating({ ...GOOD, type: 'text/plain' }) },
    'FAIL WRONG_MIME',
    /not have the Content-Type/,
  ],
  ['Markdown as text/html', { '/a': negotiating({ ...GOOD, type: 'text/html' }) }, 'FAIL WRONG_MIME'],
  [
    'HTML as text/markdown',
    { '/a': negotiating({ ...GOOD, body: PAGE + CANARY }) },
    'FAIL WRONG_MIME',
    /is HTML, although/,
  ],
  [
    'a piece of HTML as text/html is not a Markdown',
    { '/a': negotiating({ type: 'text/html', body: `<div>${'x '.repeat(50)}</div>` }) },
    'FAIL NO_NEGOTIATION',
  ],
  [
    'a warning before a page is not a Markdown',
    { '/a': { type: 'text/html', body: `Warning: Undefined variable\n${PAGE}<p>${'x '.repeat(50)}</p></html>` } },
    'FAIL NO_NEGOTIATION',
  ],
  ['a cache that mixes them up', { '/a': mixedUp() }, 'FAIL NO_NEGOTIATION', /\(page 2\): the server or a cache/],
  ['a page that fails when asked', { '/a': negotiating({ status: 503 }) }, 'UNDETERMINED', /status 503/],
  ['a page that refuses us', { '/a': negotiating({ status: 403 }) }, 'UNDETERMINED'],
  ['a home page that is not an HTML', { '/': { type: 'application/json', body: '{}' } }, 'NOT_APPLICABLE'],
];

/** HTML until somebody asks for Markdown, and Markdown for everyone after that. */
function mixedUp(): FixtureRoute {
  let isCached = false;
  return (request) => {
    isCached ||= wantsMarkdown(request);
    return isCached ? GOOD : PAGE;
  };
}

t.test('C-MD-01: pages answer in Markdown when asked', async (t) => {
  for (const [what, routes, expected, detail] of CASES) {
    const { result, errorType, detail: given } = await findingOf(cMd01, { routes: { ...SITE, ...routes } });
    t.equal(errorType === null ? result : `${result} ${errorType}`, expected, what);
    if (detail) t.match(given, detail, what);
    t.notMatch(given ?? '', CANARY, what);
  }
});

t.test('C-MD-01 asks in these words, and takes no body under 50 characters', async (t) => {
  const accepts: (string | undefined)[] = [];
  const asked = async (body: string): Promise<string> => {
    const page: FixtureRoute = (request) => {
      accepts.push(request.headers.accept);
      return wantsMarkdown(request) ? { ...GOOD, body } : PAGE;
    };
    return (await findingOf(cMd01, { routes: { ...SITE, '/a': page } })).result;
  };
  t.equal(await asked('x'.repeat(50)), 'PASS');
  t.same(accepts.slice(-2), ['text/markdown, text/html;q=0.8, */*;q=0.1', 'text/html']);
  t.equal(await asked('x'.repeat(49)), 'FAIL');

  const page: FixtureRoute = ({ headers }) => {
    accepts.push(headers.accept);
    return PAGE;
  };
  await findingOf(cMd01, { routes: { ...SITE, '/a': page } });
  t.equal(accepts.at(-1), 'text/markdown, text/html;q=0.8, */*;q=0.1', 'where HTML came it is not asked for again');
});
