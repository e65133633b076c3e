/**
 * `make screenshots FOLDER=<folder>`: writes a picture of every page in both themes (`<page>-light.png`,
 * `<page>-dark.png`) and at 360 px (`<page>-narrow.png`), and prints what each page weighs. `PAGES=<regular expression>` draws
 * only the pages whose names it matches. Needs a Chromium and the built program.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { findChromium, launchBrowser, measure, NARROW } from '../support/browser.js';
import { prepareScene, type Scene, type ScenePage } from '../e2e/scene.js';
import { runInScope } from '../support/script.js';

const [folder, names = ''] = process.argv.slice(2);
const path = findChromium();
if (folder === undefined || path === null) {
  throw new Error(folder === undefined ? 'name the folder to write to' : 'no Chromium found: set CHROMIUM_PATH');
}
mkdirSync(folder, { recursive: true });

await runInScope(async (scope) => {
  const browser = await launchBrowser(path);
  scope.teardown(() => browser.close());
  const scene = await prepareScene(scope, browser);
  process.stdout.write('page                     HTML    CSS script  on the wire, all parts\n');
  const asked = new RegExp(names);
  for (const page of scene.pages.filter(({ name }) => asked.test(name))) await picture(browser, scene, page, folder);
});

async function picture(browser: Browser, scene: Scene, { name, viewer, open }: ScenePage, into: string): Promise<void> {
  const context = await browser.newContext({ ...scene.optionsFor(viewer), viewport: { width: 1200, height: 800 } });
  const page = await context.newPage();
  await open(page);
  const { htmlBytes, styleBytes, scriptBytes, transferBytes } = await measure(page);
  const figures = [htmlBytes, styleBytes, scriptBytes, transferBytes].map((bytes) => String(bytes).padStart(7));
  process.stdout.write(`${name.padEnd(22)}${figures.join('')}\n`);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(into, `${name}-${colorScheme}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(NARROW.viewport);
  await page.screenshot({ path: join(into, `${name}-narrow.png`), fullPage: true });
  await context.close();
}
