import { CHECKS } from '../../src/scanner/checks/index.js';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import { scanReport } from '../support/accounts.js';
import { testInBrowser } from '../support/browser.js';
import { NARROW } from '../support/chromium.js';
import { finding } from '../support/findings.js';
import { openAsMember as prepare } from '../support/member-page.js';

const failing: Scanner = async () => ({
  ...scanReport(0),
  findings: CHECKS.map(({ id, pillar }) => finding({ checkId: id, pillar, result: 'FAIL' })),
});

testInBrowser('on a phone everything in the tables is in sight', async (t, browser) => {
  const { page, path, run } = await prepare(t, browser, failing, NARROW);
  for (let count = 0; count < 3; count += 1) await run();
  for (const address of ['/sites', path, `${path}/runs`, `${path}/compare?from=1&to=2`]) {
    await page.goto(address);
    const places = (await page.locator('table :is(th, td):visible').all()).map((cell) => cell.boundingBox());
    for (const place of await Promise.all(places)) {
      t.ok(place && place.x >= 0 && place.x + place.width <= NARROW.viewport.width, address);
    }
  }
  await page.goto('/sites');
  t.match(await page.getByRole('row').last().textContent(), /a-shop\.example\.com/);
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
