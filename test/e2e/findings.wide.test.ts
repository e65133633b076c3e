import type { Page } from 'playwright-core';
import { CHECKS } from '../../src/scanner/checks/index.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import { namedFailures } from '../../src/scanner/verdict/failure.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { scanReport } from '../support/accounts.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { testInBrowser } from '../support/browser.js';
import { findingFrom } from '../support/findings.js';
import { HeldScan } from '../support/held-scan.js';
import { openAsMember } from '../support/member-page.js';

const FAILING = ['C-BOT-01', 'C-LLMS-01', 'C-SD-01', 'C-FWD-01'];
const FINDINGS = CHECKS.map((check) => findingFrom(check, { result: FAILING.includes(check.id) ? 'FAIL' : 'PASS' }));

const report = (findings: readonly Finding[]) => ({ ...scanReport(scoreOf(findings)), findings, gains: [] });

const headlineOf = (id: string): string =>
  CHECKS.filter((check) => check.id === id).flatMap(namedFailures)[0]?.headline ?? id;

const passed = (finding: Finding): Finding => ({ ...finding, result: 'PASS', errorType: null, detail: null });

const textsOf = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allTextContents();

/** What has the focus: its name as far as a person reads it. */
const focusOf = (page: Page): Promise<string> =>
  page.evaluate('(document.activeElement?.textContent ?? "").trim().replaceAll(/\\s+/g, " ")');

testInBrowser(
  'problems 4 and 13: what counts is counted, and gains add up in the order of the list',
  async (t, browser) => {
    const { page, path, run } = await openAsMember(t, browser, async () => report(FINDINGS));
    await run();
    await page.goto(path);
    t.match(await textsOf(page, '.score strong'), [/^3 .*\b1 /]);
    t.same(await textsOf(page, '.finding .gain > span'), ['+682 → 88', '+688 → 94', '+694 → 100', 'not scored']);
    t.match(await textsOf(page, '.facts li'), [/Run 1/, /^14 of 17 /]);
    t.match(await textsOf(page, '.score'), [/All 3 [^:]*: 100/]);
    await page.goto(`${path}/runs/1/checks/C-BOT-01`);
    t.match(await textsOf(page, '.tags'), [/\+6 .*82 → 88$/], 'as the finding itself says');
    await page.goto(path);
    await page.locator('details#C-LLMS-01 summary').click();
    await page.locator('details#C-LLMS-01').getByRole('link', { name: 'Accept' }).click();
    await page.locator('[name=reason]').fill('For people alone.');
    const accepted = page.waitForResponse((answer) => answer.status() === 303);
    await page.getByRole('button', { name: 'Accept' }).click();
    await accepted;
    await page.goto(path);
    const [first, second] = await textsOf(page, '[data-findings] > #findings .gain > span');
    t.same([first, second], ['+682 → 88', '+688 → 94'], 'an accepted failure leaves the ladder');
    t.same(await textsOf(page, '.score > b'), ['82'], 'and the score stays');
  },
);

testInBrowser(
  'problems 3 and 14: a proven fix is told where one stands, moves down and leaves the count',
  async (t, browser) => {
    const held = new HeldScan();
    const scan: Scanner = (target, onProgress, only) =>
      only ? held.scan(target, onProgress, only) : Promise.resolve(report(FINDINGS));
    const { page, path, run, rechecks } = await openAsMember(t, browser, scan);
    await run();
    await page.goto(path);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    t.equal(await page.evaluate('document.activeElement.getAttribute("href")'), '#findings');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    t.ok((await focusOf(page)).startsWith(headlineOf('C-BOT-01')), 'three stops to the first finding');
    t.equal(await page.locator('.pin-groups a:not([tabindex="-1"])').count(), 0, 'a pin is not a stop');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    t.ok((await focusOf(page)).startsWith(headlineOf('C-SD-01')), 'one stop a finding');
    await page.keyboard.press('Enter');
    const again = page.locator('details#C-SD-01 form[data-in-place] button');
    await again.press('Enter');
    await held.begun(1);
    const status = (hasText: RegExp) => page.getByRole('status').filter({ hasText });
    await status(/\bagain\b/).waitFor({ state: 'attached' });
    t.same(await findViolationsInBothThemes(page), []);
    await again.focus();
    held.last.finish(report([...FINDINGS.filter(({ checkId }) => checkId === 'C-SD-01').map(passed)]));
    await rechecks.settle();
    await status(new RegExp(`^${headlineOf('C-SD-01')}: .*\\bpasses\\b`)).waitFor({ state: 'attached' });
    t.match(await focusOf(page), / C-SD-01$/, 'the focus is where it was');
    t.match(await textsOf(page, 'details#C-SD-01 .chip'), [/^Passes\b.*\bjust now\b/]);
    t.match(await textsOf(page, '.score strong'), [/^2 .*\b1 /]);
    t.match(await textsOf(page, '.score'), [/Both [^:]*: 100/]);
    t.match(await textsOf(page, '.page-header'), [/As of run 1; 1 check fixed since/]);
    t.match(await textsOf(page, '.ladder'), [/\bfixed\b/]);
    const ids = await page.locator('#findings h3').evaluateAll((heads) => heads.map(({ textContent }) => textContent));
    t.same(ids.length, 3, 'each of another severity');
    t.same(await page.locator('[data-findings] > #findings details#C-SD-01').count(), 0, 'it is below the open ones');
    const fixed = page.locator('section[aria-labelledby=fixed]');
    t.ok(await fixed.getByRole('button', { name: 'Run now' }).isVisible());
    t.ok(await fixed.locator('.inside').isVisible(), 'what was open stays open');
    t.same(await findViolationsInBothThemes(page), []);
  },
);
