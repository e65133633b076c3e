import type { Test } from 'tap';
import { describeSite } from '../../../src/app/sites/site.js';
import { cLlms01 } from '../../../src/scanner/checks/c-llms-01.js';
import type { Database } from '../../../src/store/database.js';
import { onEitherDatabase } from '../../support/databases.js';
import { finding } from '../../support/reports.js';
import { formTo, readPage } from '../../support/page.js';
import { openSitePages } from '../../support/site-pages.js';

const { fix = '' } = cLlms01.failures.MISSING ?? {};
const FAILED = finding({ checkId: 'C-LLMS-01', result: 'FAIL', errorType: 'MISSING', fix });

/** What only the fix for one server or platform says. */
const FIXES = /try_files|RewriteEngine|wp-config\.php|llms\.txt\.liquid/g;

async function prepare(t: Test, db: Database) {
  const pages = await openSitePages(t, db);
  const { page, path } = pages;
  return {
    ...pages,
    /** Returns the choice that a page of the site shows. */
    shownOn: async (below: string) => formTo(await page(below), `${path}/platform`)?.fields.platform,
  };
}

onEitherDatabase(async (t, engine) => {
  t.test('where a site runs is set, remembered, exported and cleared', async (t) => {
    const { member, site, sites, path, shownOn, loseOwnership } = await prepare(t, await engine.openDb(t));
    const exported = async () => describeSite(await sites.get(site.id));
    t.equal(await shownOn('/settings'), '');
    const cases = [
      [{ platform: 'Shopify' }, `${path}/settings?notice=platform`],
      [{ platform: 'Vercel and Netlify' }, `${path}/settings?notice=platform`],
      [{ platform: '' }, `${path}/verify?notice=platform`],
    ] as const;
    for (const [fields, location] of cases) {
      if (fields.platform === '') await loseOwnership();
      const { status, headers } = await member.post(`${path}/platform`, fields);
      t.match({ status, location: headers.location }, { status: 303, location });
      t.equal(await shownOn('/settings'), fields.platform);
      t.equal(await shownOn('/verify'), fields.platform);
      t.match(await exported(), { id: site.id, platform: fields.platform === '' ? null : fields.platform });
    }
    await member.post(`${path}/platform`, { platform: 'Wix' });
    for (const platform of ['wix', 'IIS', '<b>', 'constructor']) {
      const { status, text } = await member.post(`${path}/platform`, { platform });
      t.match({ status, ...readPage(text) }, { status: 422, invalid: ['platform'] }, platform);
    }
    t.equal(await shownOn('/settings'), 'Wix', 'only platforms of the list are accepted');
  });

  t.test('only the ways to verify of the platform are shown', async (t) => {
    const { member, path, page } = await prepare(t, await engine.openDb(t));
    const cases = [
      ['', ['Text file', 'Meta tag', 'DNS record'], ['theme.liquid', 'WPCode']],
      ['Shopify', ['Meta tag', 'DNS record'], ['theme.liquid']],
      ['WordPress', ['Meta tag', 'Text file', 'DNS record'], ['WPCode']],
      ['Cloudflare', ['DNS record', 'Text file', 'Meta tag'], []],
      ['nginx', ['Text file', 'Meta tag', 'DNS record'], []],
    ] as const;
    for (const [platform, ways, words] of cases) {
      await member.post(`${path}/platform`, { platform });
      const { text } = readPage(await page('/verify'));
      const shown = text.match(/Text file|Meta tag|DNS record/g)?.slice(0, ways.length);
      t.same(shown, ways, platform);
      t.equal(text.includes('Text file'), (ways as readonly string[]).includes('Text file'), platform);
      t.same(text.match(/theme\.liquid|WPCode/g) ?? [], words, platform);
    }
  });

  t.test('a fix is for the platform alone; without one, for every server, with a link', async (t) => {
    const { finish, member, path } = await prepare(t, await engine.openDb(t));
    await finish(FAILED);
    const cases = [
      ['', ['try_files', 'RewriteEngine', 'wp-config.php']],
      ['nginx', ['try_files']],
      ['Shopify', ['llms.txt.liquid']],
    ] as const;
    for (const [platform, words] of cases) {
      await member.post(`${path}/platform`, { platform });
      for (const below of ['', '/runs/1/checks/C-LLMS-01']) {
        const { text } = await member.get(path + below);
        t.same([...new Set(text.match(FIXES))], words, `${platform}${below}`);
        t.equal(text.includes('aria-label="Server"'), platform === '', 'tabs');
        t.equal(text.includes(`href="${path}/settings#platform"`), platform === '', 'a link to the setting');
        t.ok(text.includes('# NAME OF YOUR SITE'), 'what to publish');
      }
      for (const below of ['/runs/1/agent', '/runs/1/agent?check=C-LLMS-01']) {
        const { text } = await member.get(path + below);
        t.same([...new Set(text.match(FIXES))], words, `${platform}${below}`);
      }
    }
  });

  t.test('a failure that the platform cannot fix promises no points', async (t) => {
    const { finish, member, page, path } = await prepare(t, await engine.openDb(t));
    await finish(FAILED, finding({ checkId: 'C-MD-01', result: 'FAIL', errorType: 'NO_NEGOTIATION', fix }));
    const cases = [
      ['nginx', 'Both fixed: 100', false],
      ['Wix', 'All others fixed: 50', true],
    ] as const;
    for (const [platform, words, isUnfixable] of cases) {
      await member.post(`${path}/platform`, { platform });
      const { text } = readPage(await page(''));
      t.match(text, words);
      t.equal(text.includes(`not possible on ${platform}`), isUnfixable, platform);
      const copied = await member.get(`${path}/runs/1/agent?check=C-MD-01`);
      t.equal(copied.text.includes('+50 points'), !isUnfixable, `${platform}, for an agent`);
    }
  });
});
