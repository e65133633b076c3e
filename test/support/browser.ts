import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { findChromium, launchBrowser } from './chromium.js';

let launched: Promise<Browser> | null = null;

/** A test that needs a browser: skipped by name where there is none. All tests of a file share one. */
export function testInBrowser(name: string, body: (t: Test, browser: Browser) => Promise<void>): void {
  const path = findChromium();
  if (path === null) {
    void t.test(name, { skip: 'no Chromium found: install one, or set CHROMIUM_PATH' }, async () => undefined);
    return;
  }
  void t.test(name, async (t) => {
    await body(t, await sharedBrowser(path));
  });
}

function sharedBrowser(path: string): Promise<Browser> {
  if (!launched) {
    launched = launchBrowser(path);
    t.teardown(async () => (await launched)?.close());
  }
  return launched;
}

/** How long a page may take to show what a test waits for: a loaded machine is slow. */
const PATIENCE_MS = 90_000;

/** A page that is watched. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * What must not have happened since the last call: any error in the console, any violation of the content security policy, any
   * failed part of a page, any request to another origin.
   */
  takeFaults(): string[];
}

/** Opens a page in a context of its own (no cookies but those of `options`), and closes it after the test. */
export async function openPage(
  t: Test,
  browser: Browser,
  options: BrowserContextOptions & { readonly baseURL: string },
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  t.teardown(() => context.close());
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults = await watch(page, options.baseURL);
  return { page, takeFaults: () => faults.splice(0) };
}

/** The same for one visit, which fails on any fault. */
export async function visit(
  t: Test,
  browser: Browser,
  options: BrowserContextOptions & { readonly baseURL: string },
  body: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, takeFaults } = await openPage(t, browser, options);
  await body(page);
  t.strictSame(takeFaults(), [], 'nothing was refused, failed, or fetched from elsewhere');
}

/** Runs in the page, before anything of its own. */
const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  window.tellViolation([violatedDirective, blockedURI, sample].join(' ')))`;

/** Collects what must not happen while a page is used. */
async function watch(page: Page, baseUrl: string): Promise<string[]> {
  const faults: string[] = [];
  const { origin } = new URL(baseUrl);
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // What failed to load is known by its answer, and a page itself may be a 404 on purpose.
    const isLoading = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isLoading) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.protocol !== 'blob:' && url.origin !== origin)
      faults.push(`request: ${url.href}`);
  });
  page.on('response', (response) => {
    const isPart = !['document', 'fetch', 'xhr'].includes(response.request().resourceType());
    if (isPart && response.status() >= 400) faults.push(`status ${response.status()}: ${response.url()}`);
  });
  await page.exposeBinding('tellViolation', (_source, words: string) => void faults.push(`policy: ${words}`));
  await page.addInitScript({ content: TELL_VIOLATIONS });
  return faults;
}

/** How far the page reaches beyond its window to the right, in pixels: what one would have to scroll. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
}

/** Opens everything that is folded. */
export function openDetails(page: Page): Promise<void> {
  return page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
}
