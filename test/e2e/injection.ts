import { DomUtils, parseDocument } from 'htmlparser2';
import type { Test } from 'tap';
import { startOwnSite } from '../support/fixture-server.js';
import { readPage } from '../support/page.js';
import { type StartedService, startService } from '../support/service.js';
import type { Exposed } from './exposed.js';
import { fillWithPayloads } from './hostile-site.js';
import { ADDRESS, PAYLOADS } from './payloads.js';
import { storePayloads } from './stored-payloads.js';

type Open = (t: Test) => Exposed | Promise<Exposed>;

interface Clients {
  visitor(service: StartedService, t: Test): Exposed | Promise<Exposed>;
  /** Uses a one-time link. @returns a function that opens a client in that session */
  signIn(service: StartedService, signInUrl: string): Promise<Open>;
}

const headingOf = (html: string): string => readPage(html).heading;
const reportOf = (html: string): string =>
  readPage(html).links.find(({ href }) => href.includes('/reports/'))?.href ?? '';

/** Puts every payload everywhere, and fails if a page has it as markup. */
export async function testInjection(t: Test, clients: Clients): Promise<void> {
  const site = await startOwnSite(t);
  fillWithPayloads(site);
  const service = await startService(t, { scanPorts: [site.port] });
  const { id: accountId, signInUrl } = await service.addAccount('holder@example.com');
  const openHolder = await clients.signIn(service, signInUrl);
  // Each kind of place gets every payload alone once. Elsewhere two texts are enough: all payloads in one, and the one that is an address.
  const all = PAYLOADS.join(' ');
  const allInUrl = encodeURIComponent(all);
  const both = [all, ADDRESS];

  await t.test('that a visitor types, or that stands in an address', async (t) => {
    const client = await clients.visitor(service, t);
    const { look, send } = client;
    for (const path of [
      ...[`/${allInUrl}`, `/scan/${allInUrl}`, `/scan/${allInUrl}/agent`, `/sign-in?done=${allInUrl}`],
      ...[`/checks/${allInUrl}/BLOCKED`, `/checks/C-BOT-01/${allInUrl}`],
      ...[`/docs/api?find=${allInUrl}`, `/about?x=${allInUrl}`, `/accuracy?x=${allInUrl}`],
      `/reports/${allInUrl}`,
    ]) {
      await look(path);
    }
    for (const text of both) {
      await look(`/sign-in?next=${encodeURIComponent(text)}`);
      await send(`/sign-in/${encodeURIComponent(text)}`, { password: text });
      await send('/sign-in', { email: text, password: text, next: text });
    }
    for (const payload of PAYLOADS) await send('/scan', { site: payload });
    t.strictSame(client.found, []);
  });

  await t.test('that the holder of an account types', async (t) => {
    const client = await openHolder(t);
    const { look, send, html } = client;
    const { id: siteId } = await service.command<{ id: string }>(
      ...['site', 'add', '--account', accountId, 'www.kiln-street.com'],
    );
    const { id: keyId } = await service.command<{ id: string }>(
      ...['key', 'create', '--account', accountId, '--name', 'one'],
    );
    for (const path of [
      `/sites/${allInUrl}`,
      `/keys?revoked=${allInUrl}`,
      `/sites?notice=${allInUrl}&page=${allInUrl}`,
      `/sites?tag=${allInUrl}`,
      `/sites?q=${allInUrl}&show=${allInUrl}&sort=${allInUrl}&order=${allInUrl}`,
      `/sites/${siteId}/runs?before=${allInUrl}`,
      `/sites/${siteId}/compare?run=${allInUrl}&run=2`,
      `/sites/${siteId}/settings?notice=${allInUrl}`,
      `/account/activity?before=${allInUrl}`,
      `/account?done=${allInUrl}`,
      `/sites/${siteId}/automation?notice=${allInUrl}`,
      `/alerts?notice=${allInUrl}`,
      `/alerts/webhooks/${allInUrl}?notice=${allInUrl}`,
    ]) {
      await look(path);
    }
    for (const text of both) {
      await send(`/sites/${siteId}/remove`, { name: text });
      await send('/sites/bulk', { act: 'remove', site: siteId, confirmed: text });
      await send(`/keys/${keyId}/revoke`, { name: text });
      await send('/keys', { name: text });
      await send(`/sites/${siteId}/runs/1/checks/C-BOT-01/accept`, { reason: text });
      await send(`/sites/${siteId}/sharing`, { number: text });
      await send(`/sites/${siteId}/automation/schedule`, { frequency: text });
      await send(`/sites/${siteId}/settings/pages`, { pages: text });
      await send('/alerts/webhooks', { url: text });
      await send('/account/delete', { email: text, current: text });
    }
    for (const payload of PAYLOADS) {
      await send(`/sites/${siteId}/settings/pages`, { pages: `/${payload}` });
      await send(`/sites/${siteId}/tags`, { tag: payload });
      await send('/sites/bulk', { act: 'tag-add', site: siteId, tag: payload });
      await send('/sites/bulk', { act: 'tag-add', site: siteId, tag: payload, confirmed: '1' });
      await send(`/sites/${siteId}/tags`, { tag: '' });
      await send('/sites', { site: payload });
    }
    await send(`/sites/bulk?tag=${allInUrl}`, { act: all, tag: all, site: all });
    await send('/sites/import', { list: `${PAYLOADS.join('\n')}\nwww.kiln-street.com` });
    t.match(headingOf(await html()), 'No sites added');
    t.strictSame(client.found, []);
  });

  await t.test('that a site says which is scanned', async (t) => {
    const client = await openHolder(t);
    const { look, send, html } = client;
    const { id: siteId } = await service.command<{ id: string }>('site', 'add', '--account', accountId, site.origin);
    await send(`/sites/${siteId}/verify`, {});
    await service.command('site', 'verify', siteId, '--force');
    await send(`/sites/${siteId}/runs`, {});
    await client.awaitScan();
    await look(`/sites/${siteId}/runs/1`);
    t.match(await html(), 'llms.txt', 'the run has findings');
    for (const path of ['/runs/1', '', '/runs', '/settings', '/automation', '/runs/1/checks/C-BOT-01'])
      await look(`/sites/${siteId}${path}`);
    await look('/sites');
    await send('/scan', { site: site.origin });
    await client.awaitScan();
    await send(`/sites/${siteId}/sharing`, {});
    await look(reportOf(await html()));
    t.match(client.path(), '/reports/');
    t.strictSame(client.found, []);
  });

  await t.test('that got into the database', async (t) => {
    const client = await openHolder(t);
    const { look, send, html } = client;
    const { siteIds, webhookIds } = await storePayloads(service.databaseFile, accountId);
    for (const path of ['/sites', '/keys', '/account', '/account/activity', '/account/delete', '/alerts'])
      await look(path);
    // The first site is named by all payloads, the last one by the payload that is an address.
    for (const siteId of [siteIds[0], siteIds.at(-1)]) {
      for (const path of [
        '',
        '/verify',
        '/remove',
        '/settings',
        '/runs',
        '/runs/2',
        '/automation',
        '/compare?from=1&to=2',
        `/compare?from=${allInUrl}&to=2`,
      ]) {
        await look(`/sites/${siteId}${path}`);
      }
    }
    for (const siteId of [siteIds[0], siteIds.at(-1)]) {
      await send(`/sites/${siteId}/sharing`, {});
      await look(reportOf(await html()));
      t.match(headingOf(await html()), ADDRESS, 'it is shown as it is');
    }
    await look(`/sites/${siteIds[0]}/runs/2/checks/${encodeURIComponent(PAYLOADS[0] ?? '')}`);
    const excerpts = DomUtils.findAll(
      ({ attribs }) => /\blite\b/.test(attribs.class ?? ''),
      parseDocument(await html()),
    ).map(DomUtils.textContent);
    t.equal(excerpts.filter((text) => PAYLOADS.every((payload) => text.includes(payload))).length, 2 * PAYLOADS.length);
    for (const webhookId of webhookIds) {
      await look(`/alerts/webhooks/${webhookId}`);
    }
    t.strictSame(client.found, []);
    await look('/keys');
    t.match(readPage(await html()).text, ADDRESS, 'it is shown as it is');
  });
}
