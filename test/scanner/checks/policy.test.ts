import t from 'tap';
import { cBot01 } from '../../../src/scanner/checks/c-bot-01.js';
import { cBot02 } from '../../../src/scanner/checks/c-bot-02.js';
import { cFwd01 } from '../../../src/scanner/checks/c-fwd-01.js';
import { findingOf } from '../../support/collect.js';
import { llms, SITE } from './policy-sites.js';

t.test('hostile policies are judged, and soon', async (t) => {
  const bait = `User-agent: *\n${'Disallow: /*a*a*a*a*b\n'.repeat(40_000)}Allow: /`;
  const many = llms(...Array.from({ length: 200 }, (_, index) => `/${'a'.repeat(20)}${index}`));
  for (const check of [cBot01, cBot02, cFwd01]) {
    const { result } = await findingOf(check, { routes: { ...SITE, '/robots.txt': bait, ...many } });
    t.not(result, 'UNDETERMINED', check.id);
  }
});
