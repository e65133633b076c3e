import { testInBrowser } from '../support/browser.js';
import { startOwnSite } from '../support/own-site.js';
import { startService } from '../support/service.js';
import { signInByLink } from '../support/sign-in-by-link.js';
import { openExposed } from './exposed.js';
import { fillWithPayloads } from './hostile-site.js';
import { ADDRESS, PAYLOADS } from './payloads.js';
import { storePayloads } from './stored-payloads.js';

testInBrowser('the payloads run, or are seen, where nothing is escaped', async (t, browser) => {
  const { page, look, executions } = await openExposed(t, browser, { baseURL: 'http://unescaped.test' });
  const ran = new Set<string>();
  for (const payload of PAYLOADS) {
    const body = `<!doctype html><p>${payload}</p><p title="${payload}"><p title='${payload}'><a href="${payload}">go</a>`;
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body }));
    t.not((await look('/')).length, 0, payload);
    if (executions.splice(0).length > 0) ran.add(payload);
  }
  t.ok(ran.size >= 25, `${ran.size} of ${PAYLOADS.length} run at once; others take a click, or more time`);
});

testInBrowser('no payload runs', async (t, browser) => {
  const site = await startOwnSite(t);
  fillWithPayloads(site);
  const service = await startService(t, { scanPorts: [site.port] });
  const { baseUrl: baseURL } = service;
  const { id: accountId, signInUrl } = await service.addAccount('holder@example.com');
  const storageState = await signInByLink(browser, signInUrl);
  // Each payload stands alone in one place of each sort. Elsewhere two texts do: all in one, and the one that is an address itself.
  const all = PAYLOADS.join(' ');
  const allInUrl = encodeURIComponent(all);
  const both = [all, ADDRESS];

  await t.test('that a visitor types, or that stands in an address', async (t) => {
    const { look, send, executions } = await openExposed(t, browser, { baseURL });
    const found: string[] = [];
    for (const path of [
      ...[`/${allInUrl}`, `/scan/${allInUrl}`, `/scan/${allInUrl}/agent`, `/sign-in?done=${allInUrl}`],
      ...[
        `/checks?find=${allInUrl}&severity=${allInUrl}`,
        `/checks/${allInUrl}/BLOCKED`,
        `/checks/C-BOT-01/${allInUrl}`,
      ],
      ...[`/docs/api?find=${allInUrl}`, `/standards?x=${allInUrl}`, `/accuracy?x=${allInUrl}`, `/status?x=${allInUrl}`],
      ...[`/reports/${allInUrl}`, `/results/${allInUrl}`],
    ]) {
      found.push(...(await look(path)));
    }
    for (const text of both) {
      found.push(...(await look(`/sign-in?next=${encodeURIComponent(text)}`)));
      found.push(...(await send(`/sign-in/${encodeURIComponent(text)}`, { password: text })));
      found.push(...(await send('/sign-in', { email: text, password: text, next: text })));
    }
    for (const payload of PAYLOADS) found.push(...(await send('/scan', { site: payload })));
    t.strictSame(found, []);
    t.strictSame(executions, []);
  });

  await t.test('that the holder of an account types', async (t) => {
    const { page, look, send, executions } = await openExposed(t, browser, { baseURL, storageState });
    const { id: siteId } = await service.command<{ id: string }>(
      ...['site', 'add', '--account', accountId, 'www.kiln-street.com'],
    );
    const { id: keyId } = await service.command<{ id: string }>(
      ...['key', 'create', '--account', accountId, '--name', 'one'],
    );
    const found: string[] = [];
    for (const path of [
      `/sites/${allInUrl}`,
      `/keys?revoked=${allInUrl}`,
      `/sites?notice=${allInUrl}&page=${allInUrl}`,
      `/sites?tag=${allInUrl}`,
      `/sites?q=${allInUrl}&show=${allInUrl}&sort=${allInUrl}&order=${allInUrl}`,
      `/sites/${siteId}/runs?show=${allInUrl}&before=${allInUrl}`,
      `/sites/${siteId}/compare?run=${allInUrl}&run=2`,
      `/sites/${siteId}/settings?notice=${allInUrl}`,
      `/sites/${siteId}/accepted/${allInUrl}/${allInUrl}`,
      `/account/activity?before=${allInUrl}`,
      `/account?done=${allInUrl}`,
      `/sites/${siteId}/automation?notice=${allInUrl}`,
      `/alerts?notice=${allInUrl}`,
      `/alerts/webhooks/${allInUrl}?before=${allInUrl}&notice=${allInUrl}`,
    ]) {
      found.push(...(await look(path)));
    }
    for (const text of both) {
      found.push(...(await send(`/sites/${siteId}/remove`, { name: text })));
      found.push(...(await send('/sites/remove', { site: siteId, name: text })));
      found.push(...(await send(`/keys/${keyId}/revoke`, { name: text })));
      found.push(...(await send('/keys', { name: text })));
      found.push(...(await send(`/sites/${siteId}/accepted/C-BOT-01/BLOCKED`, { reason: text })));
      found.push(...(await send(`/sites/${siteId}/sharing`, { number: text })));
      found.push(...(await send(`/sites/${siteId}/automation/schedule`, { frequency: text })));
      found.push(...(await send(`/sites/${siteId}/settings/pages`, { pages: text })));
      found.push(...(await send('/alerts/webhooks', { url: text })));
      found.push(...(await send('/account/delete', { email: text, current: text })));
    }
    for (const payload of PAYLOADS) {
      found.push(...(await send(`/sites/${siteId}/settings/pages`, { pages: `/${payload}` })));
      found.push(...(await send(`/sites/${siteId}/tags`, { tag: payload })));
      found.push(...(await send('/sites/selected', { act: 'tag-add', site: siteId, tag: payload })));
      await send(`/sites/${siteId}/tags`, { tag: '' });
      found.push(...(await send('/sites', { site: payload })));
    }
    found.push(...(await send(`/sites/selected?tag=${allInUrl}`, { act: all, tag: all, site: all })));
    found.push(...(await send('/sites/import', { list: `${PAYLOADS.join('\n')}\nwww.kiln-street.com` })));
    t.match(await page.getByRole('heading', { level: 1 }).textContent(), 'No site can be added');
    found.push(...(await look(`/sites/import/list?show=${allInUrl}&page=${allInUrl}`)));
    t.strictSame(found, []);
    t.strictSame(executions, []);
  });

  await t.test('that a site says which is scanned', async (t) => {
    const { page, look, send, executions } = await openExposed(t, browser, { baseURL, storageState });
    const { id: siteId } = await service.command<{ id: string }>('site', 'add', '--account', accountId, site.origin);
    await page.goto('/sites');
    const found = await send(`/sites/${siteId}/verify`, {});
    await service.command('site', 'verify', siteId, '--force');
    await page.goto(`/sites/${siteId}`);
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByRole('heading', { name: 'Run 1', level: 1 }).waitFor();
    t.match(await page.getByRole('main').textContent(), 'llms.txt', 'the run tells what it found');
    for (const path of ['/runs/1', '', '/runs', '/settings', '/automation', '/runs/1/evidence/C-BOT-01'])
      found.push(...(await look(`/sites/${siteId}${path}`)));
    found.push(...(await look('/sites')));
    found.push(...(await send('/scan', { site: site.origin })));
    await page.getByRole('heading', { name: /^To fix/ }).waitFor();
    found.push(...(await look(page.url())));
    found.push(...(await send(`${new URL(page.url()).pathname}/share`, {})));
    t.match(page.url(), '/results/');
    found.push(...(await send(`/sites/${siteId}/sharing`, {})));
    found.push(...(await look((await page.getByRole('link', { name: 'Open report' }).getAttribute('href')) ?? '')));
    t.match(page.url(), '/reports/');
    t.strictSame(found, []);
    t.strictSame(executions, []);
  });

  await t.test('that got into the database', async (t) => {
    const { page, look, send, executions } = await openExposed(t, browser, { baseURL, storageState });
    const { siteIds, keyIds, webhookIds } = storePayloads(service.databaseFile, accountId);
    const found: string[] = [];
    for (const path of ['/sites', '/keys', '/account', '/account/activity', '/account/delete', '/alerts'])
      found.push(...(await look(path)));
    // The first ones are named by all payloads, the last ones by the one that is an address.
    for (const siteId of [siteIds[0], siteIds.at(-1)]) {
      for (const path of [
        '',
        '/verify',
        '/remove',
        '/settings',
        '/runs',
        '/runs?show=changed',
        '/runs/2',
        '/automation',
        '/compare?from=1&to=2',
        `/compare?from=${allInUrl}&to=2`,
      ]) {
        found.push(...(await look(`/sites/${siteId}${path}`)));
      }
    }
    for (const siteId of [siteIds[0], siteIds.at(-1)]) {
      found.push(...(await send(`/sites/${siteId}/sharing`, {})));
      const path = (await page.getByRole('link', { name: 'Open report' }).getAttribute('href')) ?? '';
      found.push(...(await look(path)));
      t.match(await page.getByRole('heading', { level: 1 }).textContent(), ADDRESS, 'it is shown as it is');
    }
    found.push(...(await look(`/sites/${siteIds[0]}/runs/2/evidence/${encodeURIComponent(PAYLOADS[0] ?? '')}`)));
    const words = await page.locator('.lite').allTextContents();
    t.equal(words.filter((text) => PAYLOADS.every((payload) => text.includes(payload))).length, 2 * PAYLOADS.length);
    for (const webhookId of webhookIds) {
      for (const path of ['', '/remove']) found.push(...(await look(`/alerts/webhooks/${webhookId}${path}`)));
    }
    for (const keyId of [keyIds[0], keyIds.at(-1)]) found.push(...(await look(`/keys/${keyId}/revoke`)));
    t.strictSame(found, []);
    t.strictSame(executions, []);
    t.match(await page.getByRole('heading', { level: 1 }).textContent(), ADDRESS, 'it is shown as it is');
  });
});
