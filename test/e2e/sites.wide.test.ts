import { CHECKS } from '../../src/scanner/checks/index.js';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import { scanReport } from '../support/accounts.js';
import { testInBrowser } from '../support/browser.js';
import { finding } from '../support/reports.js';
import { openAsMember as prepare } from './member-page.js';

const failing: Scanner = async () => ({
  ...scanReport(0),
  findings: CHECKS.map(({ id, pillar }) => finding({ checkId: id, pillar, result: 'FAIL' })),
});

testInBrowser('a run is printed without what one presses, and dark on light', async (t, browser) => {
  const { page, path, run } = await prepare(t, browser, failing, { colorScheme: 'dark' });
  for (let count = 0; count < 2; count += 1) await run();
  await page.goto(`${path}/runs/2`);
  await page.emulateMedia({ media: 'print' });
  t.same(await page.locator('form:visible, nav:visible, button:visible, select:visible').allTextContents(), []);
  t.equal(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'), 'rgb(255, 255, 255)');
  t.equal(
    await page.evaluate('getComputedStyle(document.body).color'),
    'rgb(21, 24, 27)',
    'ink, on whatever the paper is',
  );
  t.ok(await page.getByText('of 100', { exact: true }).isVisible());
});
