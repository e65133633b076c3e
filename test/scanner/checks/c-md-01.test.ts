import t from 'tap';
import { cMd01 } from '../../../src/scanner/checks/c-md-01.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureAnswer, FixtureRequest, FixtureRoute } from '../../support/fixture-site.js';
import { redirectTo } from '../../support/visit-site.js';
import { CANARY, expectFindings } from './expect-findings.js';

const HOME = '<!doctype html><title>Home</title><a href="/a">A</a><a href="/b">B</a><a href="/c">C</a>';
const PAGE = '<!doctype html><title>Page</title><p>Some words</p>';
const MARKDOWN = `# A page\n\n${'Some words of it. '.repeat(5)}\n`;
const LONG = 'x '.repeat(50);

const wantsMarkdown = ({ headers }: FixtureRequest): boolean => headers.accept?.startsWith('text/markdown') === true;
/** A page that answers `markdown` to those who prefer it. */
const negotiating = (markdown: FixtureAnswer, html: FixtureAnswer | string = PAGE): FixtureRoute => {
  return (request) => (wantsMarkdown(request) ? markdown : html);
};
/** Markdown, but another answer to browsers. */
const notToBrowsers = (answer: FixtureAnswer): FixtureRoute => {
  return ({ headers }) => (headers.accept?.includes('text/html') ? answer : MARKDOWN);
};
const GOOD: FixtureAnswer = { type: 'text/markdown; charset=utf-8', body: MARKDOWN, headers: { vary: 'Accept' } };
const SITE = { '/': HOME, '/a': PAGE, '/b': PAGE, '/c': PAGE };
const ALTERNATE = '<!doctype html><link rel="alternate" type="text/markdown" href="/a.md"><p>Some words</p>';

/** HTML until somebody asks for Markdown, and Markdown for everyone after that. */
function mixedUp(): FixtureRoute {
  let isCached = false;
  return (request) => {
    isCached ||= wantsMarkdown(request);
    return isCached ? GOOD : PAGE;
  };
}

t.test('C-MD-01: pages answer in Markdown when asked', async (t) => {
  await expectFindings(t, cMd01, SITE, {
    PASS: {
      'without Vary': [{ '/a': negotiating({ ...GOOD, headers: {} }) }, /"Vary: Accept" is missing \(page 2\)/],
      'a redirect for browsers': [{ '/a': ALTERNATE, '/a.md': notToBrowsers(redirectTo('/a')) }, /linked from page 2/],
    },
    'FAIL NO_NEGOTIATION': {
      'a fourth page is not asked': { '/c': negotiating(GOOD) },
      'one that is not there': [{ '/a': ALTERNATE }, /page 2 links to is missing/],
      '406': [{ '/a': negotiating({ status: 406 }) }, /1 page returns status 406/],
      'a piece of HTML as text/html is not a Markdown': {
        '/a': negotiating({ type: 'text/html', body: `<div>${LONG}</div>` }),
      },
      'a warning before a page is not a Markdown': {
        '/a': { type: 'text/html', body: `Warning: Undefined variable\n${PAGE}<p>${LONG}</p></html>` },
      },
      'a cache that mixes them up': [{ '/a': mixedUp() }, /\(page 2\)\. The server or a cache/],
    },
    'FAIL WRONG_MIME': {
      'HTML as text/markdown': [{ '/a': negotiating({ ...GOOD, body: PAGE + CANARY }) }, /is HTML, although/],
    },
    UNDETERMINED: {
      'one that fails when asked': [{ '/a': ALTERNATE, '/a.md': 503 }, /status 503/],
      'a page that fails when asked': [{ '/a': negotiating({ status: 500 }) }, /status 500/],
    },
  });
});

t.test('C-MD-01 asks in these words, and takes no body under 50 characters', async (t) => {
  const accepts: (string | undefined)[] = [];
  const resultOf = async (answer: FixtureAnswer | string): Promise<string> => {
    const page: FixtureRoute = (request) => {
      accepts.push(request.headers.accept);
      return wantsMarkdown(request) ? answer : PAGE;
    };
    return (await findingOf(cMd01, { routes: { ...SITE, '/a': page } })).result;
  };
  const asksForMarkdown = 'text/markdown, text/html;q=0.8, */*;q=0.1';
  t.equal(await resultOf({ ...GOOD, body: 'x'.repeat(50) }), 'PASS');
  t.same(accepts.slice(-2), [asksForMarkdown, 'text/html']);
  t.equal(await resultOf({ ...GOOD, body: 'x'.repeat(49) }), 'FAIL');
  await resultOf(PAGE);
  t.equal(accepts.at(-1), asksForMarkdown, 'where HTML came it is not asked for again');
});
