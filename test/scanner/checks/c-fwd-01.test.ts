import t from 'tap';
import { cFwd01 } from '../../../src/scanner/checks/c-fwd-01.js';
import { expectOn, PAGE, robots, withHeaders } from './policy-sites.js';

t.test('C-FWD-01: a preference for AI use is declared', async (t) => {
  await expectOn(t, cFwd01, {
    'FAIL MISSING': { 'a TDM file that is HTML': { '/.well-known/tdmrep.json': { body: PAGE } } },
    PASS: {
      'outside of a group': [robots('Content-Usage: train-ai=y'), /Content-Usage/],
      'in a header': { ...withHeaders({ 'content-usage': 'train-ai=n' }), '/robots.txt': 500 },
      'a TDM header': [withHeaders({ 'tdm-reservation': '1' }), /with TDMRep\./],
    },
    'FAIL FORMAT': {
      'not usable': [
        { ...withHeaders({ 'content-signal': 'perhaps' }), ...robots('User-agent: *', 'Content-Usage:') },
        /2 preferences have .*: line 2 of robots\.txt \(.* to y or n\) and a header/,
      ],
    },
  });
});
