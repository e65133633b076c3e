import { accessSync, constants, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import type { AxeResults, Result } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { BROWSER_PASSWORD } from './passwords.js';

let launched: Promise<Browser> | null = null;

/** Runs a test in a browser that the tests of a file share. Skips it if there is no browser. */
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

/** A loaded machine is slow. */
const PATIENCE_MS = 90_000;

/** Opens a page in its own context, and closes it after the test. */
export async function openPage(
  t: Test,
  browser: Browser,
  options: BrowserContextOptions & { readonly baseURL: string },
) {
  const context = await browser.newContext(options);
  t.teardown(() => context.close());
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults = await watch(page, options.baseURL);
  return {
    page,
    /**
     * Returns what must not have happened since the last call: errors in the console, violations of the content security policy, failed
     * parts of a page, requests to other origins.
     */
    takeFaults: () => faults.splice(0),
  };
}

/** Uses a page, and expects no fault of it. */
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

/** Runs in the page before its own scripts. */
const TELL_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  window.tellViolation([violatedDirective, blockedURI, sample].join(' ')))`;

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

/** Returns by how many pixels the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
}

export function openDetails(page: Page): Promise<void> {
  return page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
}

/** Chromium without requests to its vendor. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** The first has nothing that only a window needs, which is a third less work. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Returns CHROMIUM_PATH, or the first Chromium in PATH. */
export function findChromium(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) return isExecutable(given) ? given : null;
  return findProgram(...NAMES);
}

export function launchBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}

export const NARROW = { viewport: { width: 360, height: 740 } } as const;

/** Returns the first of these programs in PATH. */
export function findProgram(...names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable) ?? null;
}

export function findFile(pattern: string): string | null {
  return globSync(pattern).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const RULES = {
  /** axe-core leaves out the size of targets by default. */
  all: 'rules: { "target-size": { enabled: true } }',
  colours: 'runOnly: ["color-contrast", "link-in-text-block"]',
} as const;

type Theme = 'light' | 'dark';

/**
 * What axe-core finds wrong on the page as it stands, with all its rules in the light theme, and in the dark one, which sets nothing but
 * colours, with those of colours: one line for each violation.
 */
export async function findViolationsInBothThemes(page: Page): Promise<string[]> {
  return [...(await findViolations(page, 'light')), ...(await findViolations(page, 'dark', 'colours'))];
}

/** Returns the violations in one theme. */
export async function findViolations(
  page: Page,
  colorScheme: Theme,
  rules: keyof typeof RULES = 'all',
): Promise<string[]> {
  // By the debugging protocol, so that the page's own policy for scripts need not let it in.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(SOURCE);
  await page.emulateMedia({ colorScheme });
  // Scripts that follow the theme are told of it before the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  // What passes is neither described nor sent: that is a good part of the work.
  const run = `window.axe.run({ resultTypes: ["violations"], ${RULES[rules]} }).then(({ violations }) => violations)`;
  const violations = await page.evaluate<AxeResults['violations']>(run);
  return violations.flatMap(describe).map((violation) => `${colorScheme}: ${violation}`);
}

function describe({ id, nodes }: Result): string[] {
  return nodes.map(
    ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.replace(/\s+/g, ' ')}`,
  );
}

type Weight = Readonly<Record<'htmlBytes' | 'styleBytes' | 'scriptBytes' | 'transferBytes', number>>;

/** Returns what the open page weighs: style without the sheets for paper and forced colours, and everything as it was transferred. */
export function measure(page: Page): Promise<Weight> {
  return page.evaluate<Weight>(MEASURE);
}

const MEASURE = `(() => {
  const [document] = performance.getEntriesByType('navigation');
  const parts = performance.getEntriesByType('resource').map((entry) => ({ entry, path: new URL(entry.name).pathname }));
  const sum = (entries, of) => entries.reduce((total, entry) => total + entry[of], 0);
  const own = (extension) => parts.filter(({ path }) => path.endsWith(extension)).map(({ entry }) => entry);
  return {
    htmlBytes: document.decodedBodySize,
    styleBytes: sum(own('.css').filter(({ name }) => !/\\/(?:print|contrast)\\.css/.test(name)), 'decodedBodySize'),
    scriptBytes: sum(own('.js'), 'decodedBodySize'),
    transferBytes: document.transferSize + sum(parts.map(({ entry }) => entry), 'transferSize'),
  };
})()`;

/** Signs in by a one-time link and sets the password, unless it is null. Returns the cookies. */
export async function signInByLink(
  browser: Browser,
  signInUrl: string,
  password: string | null = BROWSER_PASSWORD,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(signInUrl);
    if (password !== null) await page.getByLabel('Password').fill(password);
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/sites');
    return await context.storageState();
  } finally {
    await context.close();
  }
}
