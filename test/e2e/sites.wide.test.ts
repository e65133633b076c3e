import { CHECKS } from '../../src/scanner/checks/index.js';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import { scanReport } from '../support/accounts.js';
import { testInBrowser } from '../support/browser.js';
import { NARROW } from '../support/chromium.js';
import { finding } from '../support/findings.js';
import { HeldScan } from '../support/held-scan.js';
import { NO_SCORE, seedSites } from '../support/many-sites.js';
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

testInBrowser('a page that a proxy refuses once asks again how the run stands', async (t, browser) => {
  const held = new HeldScan();
  const { page, path, asked, manualRuns, runsSettled } = await prepare(t, browser, held.scan);
  await manualRuns.start(asked);
  await held.begun(1);
  let refused = 0;
  await page.route(`**${path}`, (route) => {
    const isRefused = route.request().resourceType() === 'fetch' && refused === 0;
    if (!isRefused) return route.continue();
    refused += 1;
    return route.fulfill({ status: 502 });
  });
  await page.goto(path);
  await page.getByRole('progressbar').waitFor();
  held.last.finish();
  await runsSettled();
  await page.getByRole('button', { name: 'Run now' }).waitFor();
  t.match(await page.getByRole('main').textContent(), '100of 100');
  t.equal(refused, 1);
});

testInBrowser('of forty sites one sees what broke, and finds a site, without script', async (t, browser) => {
  const { page, db, asked } = await prepare(t, browser, failing, { javaScriptEnabled: false });
  const names = Array.from({ length: 40 }, (_, index) => `shop-${index}.example.com`);
  await seedSites(
    db,
    asked.accountId,
    names.map((hostname, index) => ({ hostname, runs: ['', index === 31 ? 'f' : index === 32 ? NO_SCORE : ''] })),
  );
  await page.goto('/sites');
  t.equal(
    await page.getByRole('heading', { level: 1 }).textContent(),
    '1 of 41 sites has new failures, 1 has no score',
  );
  t.match(await page.getByRole('row').nth(2).textContent(), /shop-31\.example\.com/, 'the news comes first');
  await page.locator('[name=q]').fill('shop-7');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/sites?q=shop-7');
  t.equal(await page.getByRole('rowheader', { name: /shop/ }).count(), 1);
  await page.goto('/sites');
  await page.getByRole('link', { name: 'No score 1' }).click();
  t.match(await page.getByRole('row').last().textContent(), /shop-32\.example\.com/);
  await page.goto('/sites');
  await page.getByRole('link', { name: 'Score', exact: true }).click();
  t.equal(await page.getByRole('columnheader', { name: 'Score' }).getAttribute('aria-sort'), 'ascending');
  await page.setViewportSize(NARROW.viewport);
  await page.locator('[name=q]').fill('shop-9');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/sites?q=shop-9&sort=score');
  t.match(await page.getByRole('row').last().textContent(), /shop-9\.example\.com/);
});
