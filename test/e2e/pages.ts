import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { findViolationsInBothThemes, openDetails, openPage, overflowOf, testInBrowser } from '../support/browser.js';
import { prepareScene, VIEWERS } from './scene.js';

interface Looks {
  /** Of windows, in pixels. */
  readonly widths: readonly number[];
  /** Names of pages; by default all. */
  readonly only?: ReadonlySet<string>;
  /** More checks of each page, in a wide window with all details open. */
  readonly more?: (t: Test, page: Page) => Promise<void>;
}

export function testPages({ widths, only, more }: Looks): void {
  testInBrowser('pages', async (t, browser) => {
    const { pages, optionsFor } = await prepareScene(t, browser);
    const chosen = pages.filter(({ name }) => only?.has(name) ?? true);
    t.equal(chosen.length, only?.size ?? pages.length);
    for (const viewer of VIEWERS) {
      const { page, takeFaults } = await openPage(t, browser, optionsFor(viewer));
      for (const { name, open } of chosen.filter((one) => one.viewer === viewer)) {
        await t.test(`${name}, as the ${viewer} sees it`, async (t) => {
          await page.setViewportSize({ width: 1280, height: 720 });
          await open(page);
          await openDetails(page);
          t.strictSame(await findViolationsInBothThemes(page), [], 'axe-core finds nothing wrong in either theme');
          await more?.(t, page);
          for (const width of widths) {
            await page.setViewportSize({ width, height: 720 });
            t.equal(await overflowOf(page), 0, `fits in ${width} px`);
          }
          t.strictSame(takeFaults(), [], 'nothing was refused, failed, or fetched from elsewhere');
        });
      }
    }
  });
}
