import { findViolations, measure, NARROW } from '../support/browser.js';
import { testPages } from './pages.js';

/** Limits for decoded parts of a page. */
const BYTES_MAX = { htmlBytes: 60_000, styleBytes: 32_768, scriptBytes: 20_000 };

testPages({
  // From a phone, or a window at 400 %, to a large screen.
  widths: [320, 360, 390, 768, 1024, 1280, 1920],
  async more(t, page) {
    const weight = await measure(page);
    for (const [part, bytesMax] of Object.entries(BYTES_MAX)) {
      const bytes = weight[part as keyof typeof BYTES_MAX];
      t.ok(bytes <= bytesMax, `${part}: ${bytes}`);
    }
    t.match(await page.title(), /(?:^| · )Agent Readiness Scan$/, 'the title ends with the product');
    const contents = page.locator('.contents a');
    if ((await contents.count()) > 0) {
      await contents.last().click();
      t.ok(await page.evaluate('scrollY > 0'), 'the contents lead to the parts of a long page');
      const top = await page.evaluate('document.querySelector(".contents").getBoundingClientRect().top');
      t.ok(Number(top) >= 0, 'and stay in sight');
    }
    await page.setViewportSize(NARROW.viewport);
    const cells = await page.locator('table :is(th, td):visible').all();
    for (const place of await Promise.all(cells.map((cell) => cell.boundingBox()))) {
      const isInSight = place && place.x >= 0 && place.x + place.width <= NARROW.viewport.width;
      t.ok(isInSight, 'every cell of a table is in sight');
    }
    // Forced colours change nothing but colours (test/web/kit/sheets.test.ts). Each theme has its own.
    t.strictSame(await findViolations(page, 'light'), [], 'nothing is wrong on a phone');
    t.strictSame(await findViolations(page, 'dark', 'colours'), [], 'nor on a phone at night');
    await page.emulateMedia({ forcedColors: 'active' });
    for (const theme of ['light', 'dark'] as const)
      t.strictSame(await findViolations(page, theme, 'colours'), [], `nor in forced colours, ${theme}`);
    await page.emulateMedia({ forcedColors: 'none' });
  },
});
