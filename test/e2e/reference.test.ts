import { OPERATIONS } from '../support/contract.js';
import { testInBrowser, visit } from '../support/browser.js';
import { startOwnSite } from '../support/own-site.js';
import { startService } from '../support/service.js';
import { signInByLink } from '../support/sign-in-by-link.js';

testInBrowser('the API reference', async (t, browser) => {
  const site = await startOwnSite(t);
  const service = await startService(t, { scanPorts: [site.port] });
  const { baseUrl: baseURL } = service;

  await t.test('its forms call the service with the key, and without the cookie', async (t) => {
    const { id, signInUrl } = await service.addAccount('holder@example.com');
    const { id: siteId } = await service.command<{ id: string }>('site', 'add', '--account', id, site.origin);
    await service.command('site', 'verify', siteId, '--force');
    const { key } = await service.command<{ key: string }>('key', 'create', '--account', id, '--name', 'one');
    const storageState = await signInByLink(browser, signInUrl);
    await visit(t, browser, { baseURL, storageState }, async (page) => {
      await page.goto('/docs/api');
      await page.getByLabel('API key').fill(key);
      const operation = page.locator('#createRun');
      await operation.getByText('Try it').click();
      await operation.getByLabel('siteId').fill(siteId);
      const asked = page.waitForRequest((request) => request.url().endsWith('/runs'));
      await operation.getByRole('button', { name: 'Send' }).click();
      const headers = await (await asked).allHeaders();
      t.equal(headers.authorization, `Bearer ${key}`);
      t.equal(headers.cookie, undefined);
      await operation.getByText('Answered with status 201.').waitFor();
      t.match(await operation.locator('.try > pre').textContent(), /^{.*"trigger": "API"/s);
      t.match(await operation.locator('.try details pre').textContent(), 'x-ratelimit-remaining: 9999');

      await page.getByLabel('API key').fill('');
      await operation.getByRole('button', { name: 'Send' }).click();
      await operation.getByText('Answered with status 401.').waitFor();

      await page.getByLabel('API key').fill(key);
      await page.reload();
      await page.getByLabel('API key').waitFor();
      t.equal(await page.getByLabel('API key').inputValue(), '', 'the key is forgotten');
      t.notMatch(JSON.stringify(await page.context().storageState()), key);

      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  });

  await t.test('it is complete without script', (t) =>
    visit(t, browser, { baseURL, javaScriptEnabled: false }, async (page) => {
      await page.goto('/docs/api');
      t.match(await page.locator('noscript').textContent(), 'curl lines do the same');
      for (const { object } of OPERATIONS) {
        const { operationId } = object;
        const text = await page.locator(`#${operationId}`).textContent();
        t.match(text, /What you get.*X-Request-Id.*curl .*api\/v1/s, operationId);
      }
      t.match(await page.locator('#createRun').textContent(), /siteId.*201.*401.*403.*404.*409.*413.*429.*500.*503/s);
      t.match(await page.locator('#schema-Finding').textContent(), /checkId.*errorType.*detail/s);
      t.equal(await page.getByLabel('API key').isVisible(), false);
    }),
  );
});
