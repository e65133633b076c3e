import puppeteer from 'puppeteer-core';
import type { EngineKind } from './engine.js';
import { findProgram } from './find-program.js';

/** Firefox, by WebDriver BiDi, which it speaks itself. */
export const FIREFOX: EngineKind = {
  name: 'Firefox',
  missing: () => (findProgram('firefox-esr', 'firefox') === null ? 'Firefox (firefox-esr)' : null),
  start: async () => {
    const executablePath = findProgram('firefox-esr', 'firefox') ?? '';
    const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
    const page = await browser.newPage();
    return {
      name: 'Firefox',
      // What the page loads by itself meanwhile breaks it off.
      goto: async (url) => {
        const go = () => page.goto(url, { waitUntil: 'load' });
        await go().catch(go);
      },
      evaluate: async <T>(expression: string) => (await page.evaluate(expression)) as T,
      resize: (width, height) => page.setViewport({ width, height }),
      screenshot: async () => Buffer.from(await page.screenshot()),
      close: () => browser.close(),
    };
  },
};
