import t from 'tap';
import { cLlms01 } from '../../../src/scanner/checks/c-llms-01.js';
import type { FixtureSite } from '../../support/fixture-site.js';
import { GOOD, HTML, outcomeOf, site } from './llms-sites.js';

t.test('C-LLMS-01: is there a text file?', async (t) => {
  const cases: [name: string, fixture: FixtureSite, outcome: string][] = [
    ['text/plain', site({ body: GOOD, type: 'text/plain' }), 'PASS'],
    ['text/markdown in any charset', site({ body: GOOD, type: 'text/markdown; charset=iso-8859-1' }), 'PASS'],
    ['no type', site({ body: GOOD, type: null }), 'PASS'],
    [
      'after a redirect',
      site({ status: 301, headers: { location: '/docs/llms.txt' } }, { '/docs/llms.txt': GOOD }),
      'PASS',
    ],
    ['404', site(null), 'FAIL MISSING'],
    ['a shell for every path', site(null, { '*': { body: HTML, type: 'text/html' } }), 'FAIL MISSING'],
    ['HTML of its own', site({ body: HTML, type: 'text/html' }), 'FAIL WRONG_MIME'],
    ['HTML that says it is text', site({ body: HTML, type: 'text/plain' }), 'FAIL WRONG_MIME'],
    ['Markdown as HTML', site({ body: GOOD, type: 'text/html' }), 'FAIL WRONG_MIME'],
    ['Markdown as bytes', site({ body: GOOD, type: 'application/octet-stream' }), 'FAIL WRONG_MIME'],
    [
      'a page for browsers, the file for others',
      { routes: { '/': HTML, '/llms.txt': ({ headers }) => (headers.accept?.includes('html') ? HTML : GOOD) } },
      'PASS',
    ],
    [
      'a text that says of any address that it is not found, to those who ask for text',
      {
        routes: {
          '/': HTML,
          '*': ({ headers }) => (headers.accept?.startsWith('text/plain') ? { type: 'text/plain', body: 'no' } : HTML),
        },
      },
      'FAIL MISSING',
    ],
    ['403', site({ status: 403, body: 'no' }), 'FAIL BLOCKED'],
    ['500 every time', site({ status: 500, body: 'oops' }), 'FAIL UNREACHABLE'],
    ['reset every time', site({ failure: 'reset' }), 'FAIL UNREACHABLE'],
    ['a stall every time', site({ failure: 'stalled' }), 'FAIL TIMEOUT'],
    ['429 every time', site({ status: 429, body: 'slow down' }), 'UNDETERMINED'],
    ['a challenge', site({ status: 403, headers: { 'cf-mitigated': 'challenge' }, body: HTML }), 'UNDETERMINED'],
    ['cut off by the peer', site({ body: GOOD, cut: true }), 'UNDETERMINED'],
    [
      'a host that echoes the path',
      site(null, { '*': ({ url }) => ({ body: url.pathname, type: 'text/plain' }) }),
      'FAIL MISSING',
    ],
    [
      'a file on a host that echoes',
      site(GOOD, { '*': ({ url }) => ({ body: url.pathname, type: 'text/plain' }) }),
      'PASS',
    ],
  ];
  for (const [name, fixture, outcome] of cases) t.equal(await outcomeOf(cLlms01, fixture), outcome, name);
});
