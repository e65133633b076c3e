import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { signInByLink, testInBrowser, visit } from '../support/browser.js';
import { type OwnSite, startOwnSite } from '../support/fixture-server.js';
import { startReceiver } from '../support/servers.js';
import { startService } from '../support/service.js';

interface Scene {
  readonly page: Page;
  readonly site: OwnSite;
  /** The page of the site, whose ownership is verified. */
  readonly sitePath: string;
}

/** Holds the answer to one request of the scanner. @returns a function that releases it */
function holdSitemap({ routes }: OwnSite): () => void {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  routes['/sitemap.xml'] = async () => {
    await held;
    return { status: 404 };
  };
  return () => release();
}

testInBrowser('what script adds', async (t, browser) => {
  const [site, receiver] = [await startOwnSite(t), await startReceiver(t, '127.0.0.1')];
  const service = await startService(t, { scanPorts: [site.port, receiver.port] });
  const { id, signInUrl } = await service.addAccount('holder@example.com');
  const { id: siteId } = await service.command<{ id: string }>('site', 'add', '--account', id, site.origin);
  await service.command('site', 'verify', siteId, '--force');
  const storageState = await signInByLink(browser, signInUrl);
  const options = { baseURL: service.baseUrl, storageState, permissions: ['clipboard-read', 'clipboard-write'] };
  const test = (name: string, body: (t: Test, scene: Scene) => Promise<void>): Promise<unknown> =>
    t.test(name, (t) => visit(t, browser, options, (page) => body(t, { page, site, sitePath: `/sites/${siteId}` })));

  await test('a run that goes on is followed, and its end shows what it found', async (t, scene) => {
    const { page, sitePath } = scene;
    const release = holdSitemap(scene.site);
    await page.goto(sitePath);
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.locator('progress:not([value="0"])').waitFor();
    t.match(await page.getByRole('main').textContent(), /[1-9]\d* of \d+ ?checks /);
    t.ok((await page.locator('.pin-groups path.drop').count()) > 0, 'pins fell into place');
    release();
    await page.getByText('of 100', { exact: true }).waitFor();
    t.match(await page.getByRole('main').textContent(), 'To fix');
  });

  await test('a key is copied, and a page that shows one asks before it is left', async (t, { page }) => {
    const create = async (name: string): Promise<void> => {
      await page.goto('/keys');
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.locator('[data-shown-once]').waitFor();
    };
    const questions: string[] = [];
    page.on('dialog', async (dialog) => {
      questions.push(dialog.type());
      await dialog.accept();
    });
    await create('one');
    await page.getByRole('link', { name: 'Sites' }).click();
    await page.waitForURL('**/sites');
    t.strictSame(questions.splice(0), ['beforeunload'], 'left before it was copied');

    await create('two');
    const key = await page.locator('[data-shown-once] pre').textContent();
    await page.locator('[data-shown-once] button').click();
    await page.getByText('Copied').waitFor();
    t.equal(await page.evaluate('navigator.clipboard.readText()'), key);
    await page.reload();
    t.equal(new URL(page.url()).pathname, '/keys');
    t.equal(await page.getByRole('rowheader', { name: 'two' }).count(), 1, 'reloading made no other key');
    t.strictSame(questions, [], 'copied, it may be left');
  });

  await test('a message is followed in the log until it is there', async (t, { page }) => {
    const held = new Promise<() => void>((resolve) => {
      receiver.answer = (response) => resolve(() => response.writeHead(204).end());
    });
    await page.goto('/alerts');
    await page.getByLabel('Address').fill(`http://127.0.0.1:${receiver.port}/alerts`);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.locator('a[data-done]').click();
    await page.locator('form[action$="/test"] button').first().click();
    const underWay = page.getByText(/^A message\b.*\bway\b/);
    await underWay.waitFor();
    await page.evaluate('window.isSamePage = true');
    (await held)();
    await page.locator('#log').getByText('Delivered', { exact: true }).waitFor();
    t.equal(await underWay.count(), 0);
    t.ok(await page.evaluate('window.isSamePage'), 'the page was not loaded again');
  });

  await test('a printed run shows what is folded on the screen', async (t, { page, sitePath }) => {
    await page.goto(`${sitePath}/runs/1`);
    const folded = page.locator('details:not([open]) > :not(summary)').first();
    t.notOk(await folded.isVisible());
    await page.emulateMedia({ media: 'print' });
    t.ok(await folded.isVisible());
    await page.emulateMedia({ media: null });
  });

  await test('a page that is followed waits out a failure, and shows the error page that it ends in', async (t, scene) => {
    const { page, sitePath } = scene;
    const release = holdSitemap(scene.site);
    await page.goto(sitePath);
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('progressbar').waitFor();
    const answers = [503, 429, 404];
    await page.route(`**${sitePath}`, (route) =>
      route.fulfill({
        status: answers.shift() ?? 404,
        contentType: 'text/html',
        body: `<main id="main"><p>${answers.length} answers left</p></main>`,
      }),
    );
    await page.getByText('answers left').waitFor();
    t.match(await page.getByRole('main').textContent(), '0 answers left');
    release();
  });
});
