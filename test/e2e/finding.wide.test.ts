import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Test } from 'tap';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { openDatabase } from '../../src/store/open-database.js';
import { addSite, scanReport } from '../support/accounts.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { testInBrowser } from '../support/browser.js';
import { finding } from '../support/findings.js';
import type { FixtureSite } from '../support/fixture-site.js';
import { scanKeeping } from '../support/golden.js';
import { HeldScan } from '../support/held-scan.js';
import { startWeb } from '../support/web.js';

const SHOP: FixtureSite = {
  routes: {
    '/': `<!doctype html><html lang="en"><title>Bowls</title><body><h1>Bowls</h1>
<script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Product", "name": "Bowls",
 "offers":
   {"@type": "Offer", "price": "ask for it", "priceCurrency": "EUR"}}
</script><p>Bowls thrown by hand, from clay of the valley.</p>`,
    '/robots.txt': 'User-agent: *\nAllow: /\n\nUser-agent: PerplexityBot\nDisallow: /\n',
  },
};

/** A member whose site is the shop; a check that is made again waits for the test. */
async function prepare(t: Test, browser: Browser) {
  const url = `sqlite:${join(t.testdir(), 'test.db')}`;
  await migrateDatabase(url);
  const db = await openDatabase(url);
  t.teardown(() => db.close());
  const held = new HeldScan();
  const scan: Scanner = (target, onProgress, only) => (only ? held.scan(target, onProgress, only) : scanKeeping(SHOP));
  const web = await startWeb(t, db, { scan });
  const member = await web.newMember();
  const site = await addSite(db, member.account.id, { hostname: `${'a'.repeat(63)}.example.com` });
  await web.runs.start({ accountId: member.account.id, siteId: site.id, trigger: 'SCHEDULED' });
  const context = await browser.newContext({
    baseURL: `http://127.0.0.1:${web.port}`,
    extraHTTPHeaders: { cookie: member.cookie ?? '' },
  });
  t.teardown(() => context.close());
  return {
    ...web,
    held,
    page: await context.newPage(),
    pageOf: (id: string) => `/sites/${site.id}/runs/1/checks/${id}`,
  };
}

testInBrowser('problem 12: a detail is words, and its page quotes the place', async (t, browser) => {
  const { page, pageOf } = await prepare(t, browser);
  await page.goto(pageOf('C-SD-02'));
  t.match(await page.locator('.lead').textContent(), /\bblock 1: price /);
  t.match(await page.locator('mark').textContent(), /^ *5 *\{"@type": "Offer", "price": "ask for it"/);
  t.match(await page.locator('.source').first().textContent(), /\bline 5$/);
  await page.goto(pageOf('C-BOT-01'));
  t.match(await page.locator('.lead').textContent(), /^Line 5 .*\bPerplexityBot\b.*\b5 agents\b/);
  t.match(await page.locator('mark').textContent(), /^ *5 *Disallow: \/\n$/);
  const letIn = page.locator('[aria-labelledby=fix] pre').first();
  t.match(await letIn.textContent(), /^User-agent: PerplexityBot\nAllow: \//, 'the fix names just that one');
});

testInBrowser('a check is made again in place: the focus stays, and the outcome is announced', async (t, browser) => {
  const { page, pageOf, held, rechecks } = await prepare(t, browser);
  await page.goto(pageOf('C-BOT-01'));
  const button = page.getByRole('button', { name: 'Check again' });
  await button.press('Enter');
  await held.begun(1);
  const status = page.getByRole('status');
  await status
    .getByText(/\bagain\b/)
    .first()
    .waitFor();
  t.ok(await button.evaluate((element) => element === element.ownerDocument.activeElement), 'the focus stays');
  held.last.finish({ ...scanReport(100), findings: [finding({ checkId: 'C-BOT-01', result: 'PASS' })] });
  await rechecks.settle();
  await status
    .getByText(/\bpasses\b/)
    .first()
    .waitFor();
  t.ok(await status.getByRole('button', { name: 'Run now' }).isVisible());
  t.ok(await button.evaluate((element) => element === element.ownerDocument.activeElement), 'still');
  t.same(await findViolationsInBothThemes(page), []);
  await button.press('Enter');
  await page
    .getByRole('alert')
    .getByText(/\bmoment\b/)
    .waitFor();
});
