import { findViolationsInBothThemes } from '../support/axe.js';
import { openDetails, openPage, overflowOf, testInBrowser } from '../support/browser.js';
import { prepareScene, VIEWERS } from '../support/scene.js';

/** The narrowest phone, and a desktop. */
const WIDTHS = [320, 1280];

/** One state of each layout. pages.wide.test.ts opens every state, at more widths and in more themes. */
const PAGES = new Set([
  ...[
    'home',
    'free-scan',
    'checks',
    'sign-in-refused',
    'sites',
    'add-many',
    'site',
    'run-in-progress',
    'run',
    'compare',
  ],
  ...['automation', 'key-created'],
]);

testInBrowser('pages', async (t, browser) => {
  const { pages, optionsFor } = await prepareScene(t, browser);
  const chosen = pages.filter(({ name }) => PAGES.has(name));
  t.equal(chosen.length, PAGES.size);
  for (const viewer of VIEWERS) {
    const { page, takeFaults } = await openPage(t, browser, optionsFor(viewer));
    for (const { name, open } of chosen.filter((one) => one.viewer === viewer)) {
      await t.test(`${name}, as the ${viewer} sees it`, async (t) => {
        await open(page);
        await openDetails(page);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 720 });
          t.equal(await overflowOf(page), 0, `fits in ${width} px`);
        }
        t.strictSame(await findViolationsInBothThemes(page), [], 'axe-core finds nothing wrong in either theme');
        t.strictSame(takeFaults(), [], 'nothing was refused, failed, or fetched from elsewhere');
      });
    }
  }
});
