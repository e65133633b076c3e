import { findChromium, launchBrowser } from '../support/chromium.js';
import type { EngineKind } from './engine.js';

/** Chromium, by the protocol of its developer tools. */
export const CHROMIUM: EngineKind = {
  name: 'Chromium',
  missing: () => (findChromium() === null ? 'a Chromium (chromium-headless-shell)' : null),
  start: async () => {
    const browser = await launchBrowser(findChromium() ?? '');
    const page = await (await browser.newContext()).newPage();
    return {
      name: 'Chromium',
      goto: async (url) => {
        await page.goto(url);
      },
      evaluate: (expression) => page.evaluate(expression),
      resize: (width, height) => page.setViewportSize({ width, height }),
      screenshot: () => page.screenshot(),
      close: () => browser.close(),
    };
  },
};
