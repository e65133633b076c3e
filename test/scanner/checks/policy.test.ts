import t from 'tap';
import { cBot01 } from '../../../src/scanner/checks/c-bot-01.js';
import { cBot02 } from '../../../src/scanner/checks/c-bot-02.js';
import { cFwd01 } from '../../../src/scanner/checks/c-fwd-01.js';
import { findingOf } from '../../support/collect.js';
import type { FixtureRoute } from '../../support/fixture-site.js';
import { PAGE, SITE, llms, sitemap } from './policy-sites.js';

t.test('nothing of the site gets into a finding', async (t) => {
  const canary = 'canary-7f3a';
  const routes: Record<string, FixtureRoute> = {
    '/': {
      body: `<!doctype html><title>${canary}</title><meta name="robots" content="noindex, ${canary}"><a href="/${canary}">${canary}</a>`,
      headers: {
        'content-signal': `search=${canary}`,
        'x-robots-tag': `noindex, ${canary}`,
        link: `</${canary}>; rel=${canary}`,
      },
    },
    [`/${canary}`]: PAGE,
    '/robots.txt': `User-agent: ${canary}\nUser-agent: *\nAllow: /$\nAllow: /\nDisallow: /\nDisallow: /${canary}\nContent-Signal: ${canary}=yes, search=${canary}`,
    ...llms('/', `/${canary}`),
    ...sitemap('/', `/${canary}`),
  };
  for (const check of [cBot01, cBot02, cFwd01]) {
    const { detail } = await findingOf(check, { routes });
    t.notMatch(detail ?? '', canary, check.id);
  }
});

t.test('hostile policies are judged, and soon', async (t) => {
  const bait = `User-agent: *\n${'Disallow: /*a*a*a*a*b\n'.repeat(40_000)}Allow: /`;
  const many = llms(...Array.from({ length: 200 }, (_, index) => `/${'a'.repeat(20)}${index}`));
  for (const check of [cBot01, cBot02, cFwd01]) {
    const { result } = await findingOf(check, { routes: { ...SITE, '/robots.txt': bait, ...many } });
    t.not(result, 'UNDETERMINED', check.id);
  }
});
