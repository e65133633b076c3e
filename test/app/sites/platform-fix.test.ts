import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { namedFailures } from '../../../src/scanner/verdict/failure.js';
import { HOSTED, PLATFORMS, SERVERS, splitFix } from '../../../src/scanner/verdict/fix-parts.js';
import { exampleOf } from '../../../src/scanner/report/examples.js';
import { fixOn } from '../../../src/web/html/platform-fix.js';
import { exampleSite } from '../../support/example-site.js';
import { scanFixture } from '../../support/golden.js';

const FAILURES = (CHECKS as readonly Check[]).flatMap((check) =>
  namedFailures(check).map((failure) => ({ checkId: check.id, ...failure })),
);

t.test('every fix says what to do on each platform, and nothing for others', async (t) => {
  for (const failure of FAILURES) {
    for (const platform of PLATFORMS) {
      const shown = fixOn(platform, failure.fix, failure);
      const parts = splitFix(shown);
      const name = `${failure.checkId} ${failure.errorType} ${platform}`;
      t.equal(parts[0]?.kind, 'prose', name);
      t.notOk(
        parts.some(({ kind }) => kind === 'server'),
        name,
      );
      if (platform in SERVERS) continue;
      t.match(shown, platform, name);
      t.notMatch(shown, /web root|before your application|\.htaccess|:$/, name);
    }
  }
});

t.test('hosted platforms name the place, and what is not possible there', async (t) => {
  const cases = [
    ['C-BOT-01', 'BLOCKED', ['robots.txt.liquid', 'Settings > Crawlers', 'Robots.txt Editor']],
    ['C-BOT-01', 'TIMEOUT', ['Shopify’s support', 'Site Availability', 'Wix’s support']],
    ['C-BOT-03', 'UA_REJECTED', ['Shopify’s support', 'Site Availability', 'Wix’s support']],
    ['C-LLMS-03', 'DEAD_LINK', ['URL redirects', 'URL Mappings', 'URL Redirect Manager']],
    ['C-SITE-02', 'DEAD_LINK', ['URL redirects', 'URL Mappings', 'URL Redirect Manager']],
    ['C-SD-01', 'NO_JSONLD', ['theme.liquid', 'Code Injection', 'Custom Code']],
    ['C-WK-01', 'MISSING', ['you cannot', 'you cannot', 'you cannot']],
    ['C-MD-01', 'NO_NEGOTIATION', ['no setting', 'no setting', 'no setting']],
  ] as const;
  for (const [checkId, errorType, words] of cases) {
    const failure = FAILURES.find((one) => one.checkId === checkId && one.errorType === errorType);
    for (const [index, platform] of HOSTED.entries())
      t.match(failure && fixOn(platform, failure.fix, failure), words[index], `${checkId} ${errorType} ${platform}`);
  }
});

t.test('what Squarespace allows instead passes', async (t) => {
  const llms = exampleOf({ checkId: 'C-LLMS-01', errorType: 'MISSING' })?.passing['/llms.txt'] ?? '';
  const [meta = ''] = /<meta .*>/.exec(fixOn('Squarespace', '', { checkId: 'C-FWD-01', errorType: 'MISSING' })) ?? [];
  const { findings } = await scanFixture(
    exampleSite({
      '/': `<!doctype html><title>Shop</title>${meta}<body><a href="/start">Start</a>`,
      '/llms.txt': { status: 301, headers: { location: '/s/llms.txt' } },
      '/s/llms.txt': { status: 302, headers: { location: 'https://static.example.net/llms.txt' } },
      'https://static.example.net/llms.txt': llms,
    }),
  );
  for (const id of ['C-FWD-01', 'C-LLMS-01'])
    t.equal(findings.find(({ checkId }) => checkId === id)?.result, 'PASS', id);
});
