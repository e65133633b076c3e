import type { Browser, Page } from 'playwright-core';
import type { Test } from 'tap';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { namedFailures } from '../../src/scanner/verdict/failure.js';
import { scanReport } from '../support/accounts.js';
import { findViolationsInBothThemes, testInBrowser } from '../support/browser.js';
import { findingFrom } from '../support/reports.js';
import { openNewDatabase } from '../support/script.js';
import { openSitePages } from '../support/site-pages.js';

const FAILING = ['C-BOT-01', 'C-LLMS-01', 'C-SD-01', 'C-FWD-01'];
const FINDINGS = CHECKS.map((check) => findingFrom(check, { result: FAILING.includes(check.id) ? 'FAIL' : 'PASS' }));

const passed = (id: string) => ({
  ...scanReport(),
  findings: CHECKS.filter((check) => check.id === id).map((check) => findingFrom(check, { result: 'PASS' })),
});

const headlineOf = (id: string): string =>
  CHECKS.filter((check) => check.id === id).flatMap(namedFailures)[0]?.headline ?? id;

const focusOf = (page: Page): Promise<string> =>
  page.evaluate('(document.activeElement?.textContent ?? "").trim().replaceAll(/\\s+/g, " ")');

/** Opens a browser in which the owner of a site with a run is signed in. */
async function openAsOwner(t: Test, browser: Browser, colorScheme: 'light' | 'dark' = 'light') {
  const site = await openSitePages(t, await openNewDatabase(t));
  await site.finish(...FINDINGS);
  const context = await browser.newContext({
    colorScheme,
    baseURL: `http://127.0.0.1:${site.port}`,
    extraHTTPHeaders: { cookie: site.member.cookie ?? '' },
  });
  t.teardown(() => context.close());
  return { ...site, page: await context.newPage() };
}

testInBrowser('a recheck in place keeps the focus and announces its result', async (t, browser) => {
  const { page, path, held, rechecks, finish } = await openAsOwner(t, browser);
  const status = (hasText: RegExp) => page.getByRole('status').filter({ hasText });

  await t.test('in the list of findings, which moves it below the open ones', async (t) => {
    await page.goto(path);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    t.equal(await page.evaluate('document.activeElement.getAttribute("href")'), '#findings');
    await page.keyboard.press('Enter');
    for (const id of ['C-BOT-01', 'C-SD-01']) {
      await page.keyboard.press('Tab');
      t.ok((await focusOf(page)).startsWith(headlineOf(id)), 'one stop a finding');
      await page.keyboard.press('Enter');
    }
    const again = page.locator('details#C-SD-01 form[data-in-place] button');
    await again.press('Enter');
    await held.begun(1);
    await status(/\bagain\b/).waitFor({ state: 'attached' });
    t.same(await findViolationsInBothThemes(page), []);
    await again.focus();
    held.last.finish(passed('C-SD-01'));
    await rechecks.settle();
    await status(new RegExp(`^${headlineOf('C-SD-01')}: .*\\bpasses\\b`)).waitFor({ state: 'attached' });
    t.match(await focusOf(page), / C-SD-01$/, 'the focus is where it was');
    t.equal(await page.locator('[data-findings] > #findings details#C-SD-01').count(), 0);
    t.ok(await page.locator('section[aria-labelledby=fixed] .inside').isVisible(), 'what was open stays open');
    t.same(await findViolationsInBothThemes(page), []);
  });

  await t.test('on the page of the finding', async (t) => {
    await page.goto(`${path}/runs/1/checks/C-BOT-01`);
    const button = page.getByRole('button', { name: 'Check again' });
    const hasFocus = () => button.evaluate((element) => element === element.ownerDocument.activeElement);
    await button.press('Enter');
    await held.begun(2);
    await status(/\bagain\b/).waitFor();
    t.ok(await hasFocus());
    held.last.finish(passed('C-BOT-01'));
    await rechecks.settle();
    await status(/\bpasses\b/).waitFor();
    t.ok(
      await status(/\bpasses\b/)
        .getByRole('button', { name: 'Run now' })
        .isVisible(),
    );
    t.ok(await hasFocus());
    t.same(await findViolationsInBothThemes(page), []);
    await finish(...FINDINGS);
    await button.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/\bnewer run\b/)
      .waitFor();
  });
});

testInBrowser('a run is printed without controls, dark on light', async (t, browser) => {
  const { page, path, finish } = await openAsOwner(t, browser, 'dark');
  await finish(...FINDINGS);
  await page.goto(`${path}/runs/2`);
  await page.emulateMedia({ media: 'print' });
  t.same(await page.locator('form:visible, nav:visible, button:visible, select:visible').allTextContents(), []);
  t.equal(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'), 'rgb(255, 255, 255)');
  t.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(21, 24, 27)');
  t.ok(await page.getByText('of 100', { exact: true }).isVisible());
});
