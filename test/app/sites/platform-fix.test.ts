import t from 'tap';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Check } from '../../../src/scanner/verdict/check.js';
import { namedFailures } from '../../../src/scanner/verdict/failure.js';
import { PLATFORMS, SERVERS, splitFix } from '../../../src/scanner/verdict/fix-parts.js';
import { exampleOf } from '../../../src/scanner/report/examples.js';
import { adaptFix } from '../../../src/web/html/platform-fix.js';
import { exampleSite } from '../../support/overlay.js';
import { scanFixture } from '../../support/golden.js';

const FAILURES = (CHECKS as readonly Check[]).flatMap((check) =>
  namedFailures(check).map((failure) => ({ checkId: check.id, ...failure })),
);

t.test('every fix says what to do on each platform, and nothing for others', async (t) => {
  for (const failure of FAILURES) {
    for (const platform of PLATFORMS) {
      const shown = adaptFix(platform, failure.fix, failure);
      const parts = splitFix(shown);
      const name = `${failure.checkId} ${failure.errorType} ${platform}`;
      t.equal(parts[0]?.kind, 'prose', name);
      t.notMatch(parts.map(({ kind }) => kind).join(), 'server', name);
      if (platform in SERVERS) continue;
      t.match(shown, platform, name);
      if (failure.checkId === 'C-MD-01')
        t.match(shown, /cannot pass on .*What you can do instead: .*score stays/s, name);
      t.notMatch(shown, /web root|before your application|\.htaccess|:$/, name);
    }
  }
});

t.test('what Squarespace allows instead passes', async (t) => {
  const llms = exampleOf({ checkId: 'C-LLMS-01', errorType: 'MISSING' })?.passing['/llms.txt'] ?? '';
  const [meta = ''] =
    /<meta .*>/.exec(adaptFix('Squarespace', '', { checkId: 'C-FWD-01', errorType: 'MISSING' })) ?? [];
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
