import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Test } from 'tap';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import { addSite } from '../support/accounts.js';
import { openNewDatabase } from '../support/script.js';
import { startWeb } from '../support/web.js';

/** A member with a site, and a browser in which they are signed in. */
export async function openAsMember(t: Test, browser: Browser, scan: Scanner, options: BrowserContextOptions = {}) {
  const db = await openNewDatabase(t);
  const web = await startWeb(t, db, { scan });
  const member = await web.newMember();
  const site = await addSite(db, member.account.id, { hostname: 'www.a-rather-long-name-of-a-shop.example.com' });
  const asked = { accountId: member.account.id, siteId: site.id };
  const context = await browser.newContext({
    ...options,
    baseURL: `http://127.0.0.1:${web.port}`,
    extraHTTPHeaders: { cookie: member.cookie ?? '' },
  });
  t.teardown(() => context.close());
  const page = await context.newPage();
  const run = () => web.runs.start({ ...asked, trigger: 'SCHEDULED' });
  return { ...web, asked, page, run, path: `/sites/${site.id}` };
}
