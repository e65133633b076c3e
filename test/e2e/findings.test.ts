import type { Page } from 'playwright-core';
import { CHECKS } from '../../src/scanner/checks/index.js';
import type { Gain } from '../../src/scanner/report/gain.js';
import { scoreOf } from '../../src/scanner/report/score.js';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import type { Finding } from '../../src/scanner/verdict/finding.js';
import { scanReport } from '../support/accounts.js';
import { findViolationsInBothThemes } from '../support/axe.js';
import { testInBrowser } from '../support/browser.js';
import { findingFrom } from '../support/findings.js';
import { HeldScan } from '../support/held-scan.js';
import { openAsMember } from '../support/member-page.js';

const FAILING = ['C-BOT-01', 'C-LLMS-01', 'C-SD-01', 'C-FWD-01'];
const FINDINGS = CHECKS.map((check) => findingFrom(check, { result: FAILING.includes(check.id) ? 'FAIL' : 'PASS' }));

/** What each failure brings: its own check alone, but for what `more` says. */
function gainsFor(findings: readonly Finding[], more: Readonly<Record<string, Partial<Gain>>> = {}): Gain[] {
  return findings
    .filter(({ result }) => result === 'FAIL')
    .map(({ checkId, scored }) => ({
      ...{ checkId, points: scored ? 6 : 0, isAtLeast: false, passing: [], opening: [] },
      ...more[checkId],
    }));
}

const report = (findings: readonly Finding[], gains = gainsFor(findings)) => ({
  ...scanReport(scoreOf(findings)),
  ...{ findings, gains },
});

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
    t.same(await textsOf(page, '.score strong'), ['3 things to fix, and 1 not scored']);
    t.same(await textsOf(page, '.finding .gain > span'), ['+682 → 88', '+688 → 94', '+694 → 100', 'not scored']);
    t.match(await textsOf(page, '.facts li'), [/Run 1/, '14 of 17 checks that apply pass']);
    t.match(await textsOf(page, '.score'), [/All three fixed: 100/]);
    await page.goto(`${path}/runs/1/evidence/C-BOT-01`);
    t.match(await textsOf(page, '.tags'), [/Its fix adds 6: 82 → 88$/], 'as the finding itself says');
    t.match(await textsOf(page, '.rail section:last-child p'), [/ adds 6: 88 → 94$/], 'and of the next one');
    await page.goto(path);
    await page.locator('details#C-LLMS-01 summary').click();
    await page.locator('details#C-LLMS-01').getByRole('link', { name: 'Accept' }).click();
    await page.getByLabel('Why is it accepted?').fill('For people alone.');
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
  'problem 13: where checks come into view it is at least so much; runs of before show points',
  async (t, browser) => {
    const opening = { 'C-SD-01': { isAtLeast: true, opening: ['C-SD-04'] } };
    const findings = FINDINGS.map((finding) =>
      finding.checkId === 'C-SD-04' ? { ...finding, result: 'NOT_APPLICABLE' as const } : finding,
    );
    let gains = gainsFor(findings, opening);
    const { page, path, run } = await openAsMember(t, browser, async () => report(findings, gains));
    await run();
    await page.goto(path);
    t.same(await textsOf(page, 'details#C-SD-01 .gain > span'), ['88 → 88']);
    t.match(await textsOf(page, '.facts li'), [/Run 1/, /13 of 16/]);
    t.match(await textsOf(page, '.score'), [/All three fixed: at least 94/]);
    gains = gains.map(({ checkId, points, isAtLeast }) => ({ checkId, points, isAtLeast }));
    await run();
    await page.goto(path);
    t.same(await textsOf(page, '.finding .gain > span'), ['+6', '+6 or more', '+6', 'not scored']);
    t.notMatch(await page.content(), 'fixed: ');
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
    t.equal(await focusOf(page), 'Skip to the findings');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    t.match(await focusOf(page), /^robots\.txt shuts AI agents out/, 'three stops to the first finding');
    t.equal(await page.locator('.lock a:not([tabindex="-1"])').count(), 0, 'a pin is not a stop');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    t.match(await focusOf(page), /^JSON-LD on the pages/, 'one stop a finding');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Check again C-SD-01' }).press('Enter');
    await held.begun(1);
    await page.locator('details#C-SD-01').getByText('It takes less than a minute.').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^Being checked again\.$/ })
      .waitFor({ state: 'attached' });
    t.same(await findViolationsInBothThemes(page), []);
    await page.getByRole('button', { name: 'Checking again C-SD-01' }).focus();
    held.last.finish(report([...FINDINGS.filter(({ checkId }) => checkId === 'C-SD-01').map(passed)]));
    await rechecks.settle();
    await page
      .getByRole('status')
      .filter({ hasText: /^JSON-LD on the pages is not valid JSON: It passes now/ })
      .waitFor({ state: 'attached' });
    t.equal(await focusOf(page), 'Check again C-SD-01', 'the focus is where it was');
    t.match(await textsOf(page, 'details#C-SD-01 .chip'), [/^Passes now, checked \d+ s ago$/]);
    t.same(await textsOf(page, '.score strong'), ['2 things to fix, and 1 not scored']);
    t.match(await textsOf(page, '.score'), [/Both fixed: 100.*1 of 4 fixed, not yet in the score/]);
    t.match(await textsOf(page, '.adds'), [/, after what is fixed already$/]);
    const ids = await page.locator('#findings h3').evaluateAll((heads) => heads.map(({ textContent }) => textContent));
    t.match(await textsOf(page, '.stay nav'), [new RegExp(`To fix ?${ids.map((id) => `${id} ?1`).join(' ?')}`)]);
    t.same(await page.locator('[data-findings] > #findings details#C-SD-01').count(), 0, 'it is below the open ones');
    const fixed = page.getByRole('region', { name: 'Fixed, not yet in the score' });
    t.ok(await fixed.getByRole('button', { name: 'Run now' }).isVisible());
    t.ok(await fixed.locator('.inside').isVisible(), 'what was open stays open');
    t.same(await findViolationsInBothThemes(page), []);
  },
);

testInBrowser('problem 9: a run without a score says its cause once, and what to do', async (t, browser) => {
  const cause = 'The home page answers this scanner with status 503.';
  const findings = CHECKS.map((check) => findingFrom(check, { result: 'UNDETERMINED', detail: cause }));
  const { page, path, run } = await openAsMember(t, browser, async () => report(findings));
  await run();
  for (const address of [path, `${path}/runs/1`]) {
    await page.goto(address);
    const words = (await page.getByRole('main').textContent()) ?? '';
    t.equal(words.split(cause).length - 1, 1, `${address}: the cause, once`);
    t.match(words, /No scoreNothing could be judged/);
    t.ok(await page.getByRole('heading', { name: 'What to do' }).isVisible());
    t.same(await findViolationsInBothThemes(page), []);
  }
});
