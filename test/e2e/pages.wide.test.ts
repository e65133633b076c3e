import { findViolations, findViolationsInBothThemes } from '../support/axe.js';
import { openDetails, openPage, overflowOf, testInBrowser } from '../support/browser.js';
import { NARROW } from '../support/chromium.js';
import { prepareScene, VIEWERS } from '../support/scene.js';
import { HTML_BYTES_MAX, measure, SCRIPT_BYTES_MAX, STYLE_BYTES_MAX } from '../support/weight.js';

/** From a phone, or a window at 400 %, to a large screen. */
const WIDTHS = [320, 360, 390, 768, 1024, 1280, 1920];

const WIDE = { width: 1280, height: 720 };

testInBrowser('every page in every state', async (t, browser) => {
  const { pages, optionsFor } = await prepareScene(t, browser);
  for (const viewer of VIEWERS) {
    const { page, takeFaults } = await openPage(t, browser, optionsFor(viewer));
    for (const { name, open } of pages.filter((one) => one.viewer === viewer)) {
      await t.test(`${name}, as the ${viewer} sees it`, async (t) => {
        await page.setViewportSize(WIDE);
        await open(page);
        const { htmlBytes, styleBytes, scriptBytes } = await measure(page);
        t.ok(htmlBytes <= HTML_BYTES_MAX, `HTML of ${htmlBytes} bytes`);
        t.ok(styleBytes <= STYLE_BYTES_MAX, `own styles of ${styleBytes} bytes`);
        t.ok(scriptBytes <= SCRIPT_BYTES_MAX, `own script of ${scriptBytes} bytes`);
        t.match(await page.title(), /(?:^| · )Agent Readiness Scan$/, 'the title ends with the product');
        await openDetails(page);
        t.strictSame(await findViolationsInBothThemes(page), [], 'axe-core finds nothing wrong in either theme');
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 720 });
          t.equal(await overflowOf(page), 0, `fits in ${width} px`);
        }
        // Forced colours change nothing but colours (test/web/kit/sheets.test.ts). Each theme has its own.
        await page.setViewportSize(NARROW.viewport);
        t.strictSame(await findViolations(page, 'light'), [], 'nor on a phone');
        t.strictSame(await findViolations(page, 'dark', 'colours'), [], 'nor on a phone at night');
        await page.emulateMedia({ forcedColors: 'active' });
        for (const theme of ['light', 'dark'] as const)
          t.strictSame(await findViolations(page, theme, 'colours'), [], `nor in forced colours, ${theme}`);
        await page.emulateMedia({ forcedColors: 'none' });
        const contents = page.locator('.contents a');
        if ((await contents.count()) > 0) {
          await page.setViewportSize(WIDE);
          await contents.last().click();
          t.ok(await page.evaluate('scrollY > 0'), 'the contents lead to the parts of a long page');
          const top = await page.evaluate('document.querySelector(".contents").getBoundingClientRect().top');
          t.ok(Number(top) >= 0, 'and stay in sight');
        }
        t.strictSame(takeFaults(), [], 'nothing was refused, failed, or fetched from elsewhere');
      });
    }
  }
});
