import t from 'tap';
import { cFwd01 } from '../../../src/scanner/checks/c-fwd-01.js';
import { redirectTo } from '../../support/visit-site.js';
import { PAGE, elsewhere, robots, runCases, withHeaders } from './policy-sites.js';

t.test('C-FWD-01: a preference for AI use is declared', async (t) => {
  t.strictSame([cFwd01.scored, cFwd01.pillar], [false, null]);
  await runCases(t, cFwd01, [
    ['none', {}, 'FAIL MISSING', /Neither robots\.txt nor/],
    ['in a group', robots('User-agent: *', 'Content-Signal: ai-train=no'), 'PASS', /declared with Content-Signal\./],
    ['outside of a group', robots('Content-Usage: train-ai=y'), 'PASS', /Content-Usage/],
    ['in a header', withHeaders({ 'content-usage': 'train-ai=n' }), 'PASS'],
    [
      'in a header, with a robots.txt that fails',
      { ...withHeaders({ 'content-usage': 'train-ai=n' }), '/robots.txt': { status: 500 } },
      'PASS',
    ],
    ['one of two is usable', robots('User-agent: *', 'Content-Signal: x', 'Content-Signal: search=no'), 'PASS'],
    [
      'not usable',
      { ...withHeaders({ 'content-signal': 'perhaps' }), ...robots('User-agent: *', 'Content-Usage:') },
      'FAIL FORMAT',
      /2 preferences have .*: line 2 of robots\.txt \(.* has no value\) and a header/,
    ],
    ['in a header of another domain', elsewhere({ 'content-usage': 'train-ai=n' }), 'NOT_APPLICABLE'],
    ['a robots.txt that redirects to itself is none', { '/robots.txt': redirectTo('/robots.txt') }, 'FAIL MISSING'],
    ['a robots.txt that fails', { '/robots.txt': { status: 500 } }, 'UNDETERMINED'],
    ['a robots.txt that is busy', { '/robots.txt': { status: 429 } }, 'UNDETERMINED'],
    [
      'every path of it closed',
      robots('User-agent: *', 'Disallow: /', 'Content-Usage: search=n'),
      'FAIL MISSING',
      /closes/,
    ],
    [
      'of an agent that has a path',
      robots('User-agent: a', 'Disallow: /', 'Allow: /b', 'Content-Usage: search=n'),
      'PASS',
    ],
    ['a syntax error', robots('Content-Usage: search=n, !=y'), 'FAIL FORMAT', /byte 10 of its value/],
    ['fields are one dictionary', withHeaders({ 'content-usage': 'search=n, search=yes' }), 'FAIL FORMAT'],
    ['a TDM header', withHeaders({ 'tdm-reservation': '1' }), 'PASS', /with TDMRep\./],
    ['a TDM header of another domain', elsewhere({ 'tdm-reservation': '1' }), 'NOT_APPLICABLE'],
    [
      'a TDM file that fails',
      { '/.well-known/tdmrep.json': { status: 500 } },
      'UNDETERMINED',
      /tdmrep\.json could not/,
    ],
    ['a TDM file that is HTML', { '/.well-known/tdmrep.json': { body: PAGE } }, 'FAIL MISSING'],
    ['noai is told', withHeaders({ 'x-robots-tag': 'noai' }), 'FAIL MISSING', /Also seen: noai\./],
    ['other signals are told', { '/llms-full.txt': '# All' }, 'FAIL MISSING', /Also seen: llms-full\.txt\./],
  ]);
});
