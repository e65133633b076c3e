import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Database } from '../../src/store/database.js';
import { openDatabase } from '../../src/store/open.js';
import { signInByLink } from '../support/browser.js';
import { evidenceFor, storeEvidence } from '../support/reports.js';
import { type OwnSite, startOwnSite } from '../support/fixture-server.js';
import { LONG_WORDS, seedHardSites } from './hard-sites.js';
import { until } from '../support/held-timers.js';
import { linkIn, startMailServer } from '../support/mail-server.js';
import { NO_SCORE, seedSites } from '../support/many-sites.js';
import { type Scope, type StartedService, startService } from '../support/service.js';
import { insertRow } from '../support/tables.js';

/** A visitor has no account, a newcomer has a new one on the plan FREE. */
export const VIEWERS = ['visitor', 'newcomer', 'holder'] as const;
type Viewer = (typeof VIEWERS)[number];

/** One page of the service in one of its states. */
export interface ScenePage {
  readonly name: string;
  readonly viewer: Viewer;
  readonly open: (page: Page) => Promise<unknown>;
}

/** A service in which enough has happened for every page to have something to show. */
export interface Scene {
  readonly pages: readonly ScenePage[];
  readonly optionsFor: (viewer: Viewer) => BrowserContextOptions & { readonly baseURL: string };
}

const HOLDER = 'holder@example.com';

export async function prepareScene(scope: Scope, browser: Browser): Promise<Scene> {
  const { holder, newcomer, ...facts } = await prepareFacts(scope);
  const states = {
    holder: await signInByLink(browser, holder.signInUrl),
    // This account has no password yet.
    newcomer: await signInByLink(browser, newcomer.signInUrl, null),
  };
  const { baseUrl: baseURL } = facts.service;
  return {
    pages: [...visitorPages(facts), ...newcomerPages(), ...holderPages(facts)],
    optionsFor: (viewer) => (viewer === 'visitor' ? { baseURL } : { baseURL, storageState: states[viewer] }),
  };
}

type Facts = Omit<Awaited<ReturnType<typeof prepareFacts>>, 'holder' | 'newcomer'>;

async function prepareFacts(scope: Scope) {
  const [site, slow, other] = [await startOwnSite(scope), await startOwnSite(scope), await startOwnSite(scope)];
  const mail = await startMailServer(scope);
  const service = await startService(scope, {
    scanPorts: [site.port, slow.port, other.port],
    environment: { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'alerts@example.com', SIGN_UP: 'open' },
  });
  const holder = await service.addAccount(HOLDER);
  const newcomer = await service.addAccount('newcomer@example.com', 'FREE');
  const addSite = async ({ origin }: OwnSite): Promise<string> =>
    (await service.command<{ id: string }>('site', 'add', '--account', holder.id, origin)).id;
  const [siteId, slowSiteId, unverifiedSiteId] = [await addSite(site), await addSite(slow), await addSite(other)];
  for (const id of [siteId, slowSiteId]) await service.command('site', 'verify', id, '--force');
  const { key } = await service.command<{ key: string }>(
    ...['key', 'create', '--account', holder.id, '--name', 'Deployment of the shop'],
  );
  await service.command('site', 'schedule', siteId, 'daily');
  await startRuns(site, () => startRun(service, siteId, key));
  const db = await openDatabase(`sqlite:${service.databaseFile}`);
  await storeEvidence(db, { siteId, number: 4 }, evidenceFor('C-LLMS-03', ...deadLinkOf(site.origin)));
  const hardSites = await seedHardSites(db, holder.id);
  await addManySites(db, holder.id);
  await db.close();
  slow.routes['/robots.txt'] = () => new Promise(() => undefined);
  site.routes['/alerts'] = { status: 204, body: '' };
  return {
    ...{ service, mail, holder, newcomer, unverifiedSiteId, ...hardSites },
    /** Has four runs: the third without a score, the fourth with a new failure. */
    siteId,
    origin: site.origin,
    /** Verified. A run of it takes as long as a run may. */
    slowSiteId,
    slowOrigin: slow.origin,
  };
}

async function startRun({ baseUrl }: StartedService, siteId: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const { status } = await fetch(`${baseUrl}/api/v1/sites/${siteId}/runs`, { method: 'POST', headers });
  if (status !== 201) throw new Error(`the run could not be started: ${status}`);
}

/** Adds sites for two pages of the list, with the longest names, names in other scripts, and every state. */
async function addManySites(db: Database, accountId: string): Promise<void> {
  const names = [
    `${'c'.repeat(63)}.${'d'.repeat(63)}.example`,
    'xn--mnchner-tpferei-htb7g.example',
    'xn--hxt89p819acga.example',
  ];
  const shops = Array.from({ length: 49 }, (_, index) => `${index % 12 === 0 ? 'coffee' : 'shop'}-${index}.example`);
  for (const [index, hostname] of [...names, ...shops].entries()) {
    const runs = HISTORIES[index % HISTORIES.length] ?? [];
    const site = { hostname, runs, isVerified: index % 20 !== 19 };
    const [siteId = ''] = await seedSites(db, accountId, [site], hoursFromNow(-(index % 19)));
    // No run begins while the pages are open.
    const next_run_at = hoursFromNow(5 + (index % 17)).toISOString();
    if (index % 7 !== 2) await insertRow(db, 'schedules', { site_id: siteId, frequency: 'DAILY', next_run_at });
  }
}

function hoursFromNow(hours: number): Date {
  return new Date(Date.now() + hours * 3_600_000);
}

/** Results of sites, run by run. */
const HISTORIES: readonly (readonly string[])[] = [
  ['pfp', 'pfp', '', '', '', 'ppf'],
  ['ffpfpfpppff', 'fnpfpppppff', 'fnpfpppppf', 'fppppppppf', 'ppppppppppf'],
  ['', '', ''],
  ['pppppppppppppfuf', 'ppppppppppppppuf', 'ppppppppppppppuf'],
  ['fnnnpfpppffnnpppf', 'fnnnpppppffnnpppf'],
  ['ppppf', NO_SCORE],
  ['pppppppp', 'fnnnpppp', 'fnnnpppp', 'ppnnpppp', 'pppppppp', 'pppppppp'],
  [],
  ['upppppp', 'ppppppppp', 'ppppppppp', 'ppppppppp', 'ppppppppp'],
];

function llmsOf(origin: string): string {
  return `# Kiln Street Pottery\n\n> Bowls and cups, thrown by hand.\n\n## Pages\n\n- [Home](${origin}/): what we make\n`;
}

/** Returns llms.txt with a dead link, and the place of that link. */
function deadLinkOf(origin: string) {
  const text = `${llmsOf(origin)}- [Glazes](${origin}/glazes): a page that is gone\n`;
  return [text, { url: `${origin}/llms.txt`, firstLine: 1, named: 8, gone: `${origin}/glazes` }] as const;
}

/** Runs a site four times: it improves, goes down, and comes back with a new failure. */
async function startRuns({ routes, origin }: OwnSite, run: () => Promise<void>): Promise<void> {
  await run();
  const home = routes['/'] ?? '';
  routes['/llms.txt'] = llmsOf(origin);
  routes['/robots.txt'] = `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`;
  routes['/sitemap.xml'] =
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${origin}/</loc></url></urlset>`;
  await run();
  routes['/'] = { status: 503, body: 'down' };
  await run();
  routes['/'] = home;
  [routes['/llms.txt']] = deadLinkOf(origin);
  await run();
}

function pagesOf(viewer: Viewer) {
  const as = (name: string, open: ScenePage['open']): ScenePage => ({ name, viewer, open });
  return { as, at: (name: string, path: string) => as(name, (page) => page.goto(path)) };
}

function visitorPages({ service, mail, origin, slowOrigin }: Facts): ScenePage[] {
  const { as, at } = pagesOf('visitor');
  const scanned = (name: string, site: string, sign: (page: Page) => Locator): ScenePage =>
    as(name, async (page) => {
      await page.goto('/');
      await page.getByLabel('Site').fill(site);
      await page.getByRole('button', { name: 'Scan' }).click();
      await sign(page).waitFor();
    });
  const asked = (name: string, path: string, email: string, then: (page: Page) => Promise<unknown>): ScenePage =>
    as(name, async (page) => {
      await page.goto(path);
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Send the link' }).click();
      await then(page);
    });
  return [
    at('home', '/'),
    scanned('free-scan', origin, (page) => page.getByRole('heading', { name: /^To fix/ })),
    scanned('free-scan-in-progress', slowOrigin, (page) => page.getByRole('progressbar')),
    scanned('free-scan-refused', 'http://localhost/', (page) => page.locator('#site-error')),
    at('free-scan-absent', '/scan/www.example.com'),
    at('checks', '/checks'),
    at('api-reference', '/docs/api'),
    at('accuracy', '/accuracy'),
    at('failure', '/checks/C-BOT-01/BLOCKED'),
    at('about', '/about'),
    at('privacy', '/privacy'),
    at('sign-in', '/sign-in'),
    as('sign-in-refused', async (page) => {
      await page.goto('/sign-in');
      await page.getByLabel('E-mail address').fill(HOLDER);
      await page.getByLabel('Password').fill('not the password of anybody');
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
      await page.locator('.wrong').waitFor();
    }),
    as('one-time-link', async (page) => page.goto((await service.addAccount('guest@example.com')).signInUrl)),
    at('one-time-link-spent', `/sign-in/${'A'.repeat(43)}`),
    at('forgot-password', '/forgot-password'),
    asked('mailbox', '/forgot-password', 'ada@example.com', (page) => page.getByText('Check your e-mail').waitFor()),
    asked('forgot-password-refused', '/forgot-password', 'ada@example', (page) => page.locator('.wrong').waitFor()),
    at('sign-up', '/sign-up'),
    at('sign-up-spent', `/sign-up/${'A'.repeat(43)}`),
    asked('choose-password', '/sign-up', 'a.person.with.a.long.name@company.example', async (page) => {
      const link = (): string | undefined => mail.received.map(linkIn).find((one) => one.includes('/sign-up/'));
      await until(() => link() !== undefined);
      await page.goto(link() ?? '');
    }),
    at('not-found', '/nothing-here'),
  ];
}

/** A line of each kind, and more lines than a page shows. */
const LIST_OF_SITES = [
  ...['https://kiln-street.com/bowls', 'kiln-street.com', 'amberglass.example', 'not an address at all'],
  ...[
    `${'e'.repeat(63)}.${'f'.repeat(63)}.kiln-street.com`,
    'xn--mnchner-tpferei-htb7g.de',
    'http://10.0.0.1/',
    '"never closed',
  ],
  ...Array.from({ length: 90 }, (_, index) => `branch-${index + 1}.kiln-street.com`),
].join('\n');

function newcomerPages(): ScenePage[] {
  const { at } = pagesOf('newcomer');
  return [at('no-site', '/sites'), at('keys-without-api', '/keys'), at('account-free', '/account')];
}

function holderPages(facts: Facts): ScenePage[] {
  const site = `/sites/${facts.siteId}`;
  const slow = `/sites/${facts.slowSiteId}`;
  const unverified = `/sites/${facts.unverifiedSiteId}`;
  const old = `/sites/${facts.oldSiteId}`;
  const failing = `/sites/${facts.failingSiteId}`;
  const down = `/sites/${facts.downSiteId}`;
  const { as, at } = pagesOf('holder');
  const sent = (name: string, path: string, label: string, text: string, button: string): ScenePage =>
    as(name, async (page) => {
      await page.goto(path);
      await page.getByLabel(label).fill(text);
      await page.getByRole('button', { name: button }).click();
      await page.waitForLoadState();
    });
  return [
    at('sites', '/sites'),
    as('sites-of-a-tag', async (page) => {
      await chooseSites(page, '/sites?q=co&select=on', 'all', 'tag-add', 'Clients of spring');
      await page.getByRole('button', { name: /^Add the tag “/ }).click();
      await page.getByRole('heading', { name: /^Add the tag .* done for \d+ sites?$/, level: 1 }).waitFor();
      await page.goto('/sites?tag=clients+of+spring');
    }),
    as('sites-selected', async (page) => {
      await chooseSites(page, '/sites?show=unverified&select=on', 2, 'schedule-daily');
      await page.getByRole('button', { name: /^Run 2 sites every day$/ }).click();
      await page.getByRole('heading', { name: /^Run every day: (done for|nothing)/, level: 1 }).waitFor();
    }),
    as('sites-selected-all', async (page) => {
      await chooseSites(page, '/sites?select=on', 'all', 'schedule-daily');
      await page.getByRole('heading', { name: /^Run .*sites every day\?$/ }).waitFor();
    }),
    as('sites-selected-refused', async (page) => {
      await page.goto('/sites?select=on');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByRole('alert').waitFor();
    }),
    as('sites-removing', async (page) => {
      await chooseSites(page, '/sites?select=on', 3, 'remove');
      await page.getByRole('button', { name: 'Remove 3 sites' }).click();
      await page.getByText('That does not match').first().waitFor();
    }),
    at('sites-selecting', '/sites?select=on'),
    sent('site-tags-refused', `${site}/settings`, 'Tags', 'x'.repeat(41), 'Save tags'),
    at('sites-sorted', '/sites?sort=score&show=failing'),
    at('sites-without-result', '/sites?q=nowhere'),
    at('site-settings', `${site}/settings`),
    sent('site-pages-refused', `${site}/settings`, 'Pages to read first', '/\n/pricing', 'Save pages'),
    sent('site-pages-saved', `${site}/settings`, 'Pages to read first', '/guide\n/pricing?plan=a', 'Save pages'),
    at('add-site', '/sites/new'),
    sent('add-many-refused', '/sites/import', 'Addresses', ' ', 'Add sites'),
    at('add-many', '/sites/import'),
    sent('list-of-sites', '/sites/import', 'Addresses', LIST_OF_SITES, 'Add sites'),
    at('verify-many', '/sites/verify'),
    sent('add-site-refused', '/sites/new', 'Site', 'http://localhost/', 'Add site'),
    at('site', site),
    at('site-unverified', unverified),
    at('verify', `${unverified}/verify`),
    as('verify-refused', async (page) => {
      await page.goto(`${unverified}/verify`);
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.getByRole('alert').waitFor();
    }),
    at('site-without-run', slow),
    as('run-in-progress', async (page) => {
      await page.goto(slow);
      await page.getByRole('button', { name: 'Run now' }).click();
      await page.getByRole('progressbar').waitFor();
    }),
    at('runs', `${site}/runs`),
    at('runs-many', `${old}/runs`),
    at('runs-many-earlier', `${old}/runs?before=451`),
    at('runs-many-first', `${old}/runs?before=31`),
    at('runs-one', `/sites/${facts.newSiteId}/runs`),
    at('runs-none', `${slow}/runs`),
    at('runs-without-score', `${down}/runs`),
    at('site-all-failing', failing),
    at('site-all-passed', `/sites/${facts.passingSiteId}`),
    at('site-without-score', down),
    at('site-many-runs', old),
    at('site-settings-hard', `${old}/settings`),
    at('site-pages-hard', `${failing}/settings`),
    at('run-pages-hard', `${failing}/runs/2`),
    at('remove-site-hard', `${failing}/remove`),
    at('evidence-hard', `${failing}/runs/2/checks/C-BOT-01`),
    at('compare-hard', `${failing}/compare?from=1&to=2`),
    at('run', `${site}/runs/4`),
    at('evidence', `${site}/runs/4/checks/C-LLMS-03`),
    at('finding-passed', `${site}/runs/4/checks/C-LLMS-01`),
    at('finding-without-evidence', `${site}/runs/4/checks/C-MD-01`),
    at('run-first', `${site}/runs/1`),
    at('run-without-score', `${site}/runs/3`),
    at('compare', `${site}/compare?from=2&to=4`),
    at('compare-unchanged', `${old}/compare?from=1&to=2`),
    at('compare-typed', `${old}/compare?from=3&to=500`),
    at('compare-without-score', `${site}/compare?from=2&to=3`),
    at('compare-refused', `${site}/compare?from=99&to=4`),
    at('remove-site', `${site}/remove`),
    sent('remove-site-refused', `${site}/remove`, 'to confirm', 'another name', 'Remove site'),
    at('automation-unverified', `${unverified}/automation`),
    as('automation-refused', async (page) => {
      await page.goto(`${site}/automation`);
      await page.evaluate('document.querySelector("[value=WEEKLY]").value = "HOURLY"');
      await page.getByLabel('How often').selectOption('HOURLY');
      await page.getByRole('button', { name: 'Save schedule' }).click();
      await page.locator('.wrong').waitFor();
    }),
    as('hook-created', async (page) => {
      await page.goto(`${site}/automation`);
      await page.getByRole('button', { name: 'Create deploy hook' }).click();
      await page.getByRole('heading', { name: /^Copy the address now/ }).waitFor();
    }),
    as('automation', async (page) => {
      await page.goto(`${site}/automation`);
      await page.getByRole('button', { name: 'Turn the badge on' }).click();
      await page.getByRole('img', { name: /^Badge/ }).waitFor();
    }),
    as('public-report', async (page) => {
      await page.goto(`${site}/automation`);
      await page.getByRole('button', { name: 'Publish the latest report' }).click();
      await page.getByRole('link', { name: 'Open report' }).click();
      await page.getByText('Published by its verified owner').waitFor();
    }),
    at('automation-published', `${site}/automation`),
    at('keys', '/keys'),
    sent('key-refused', '/keys', 'Name', '  ', 'Create key'),
    sent('key-created', '/keys', 'Name', LONG_WORDS, 'Create key'),
    at('account', '/account'),
    at('activity', '/account/activity'),
    at('delete-account', '/account/delete'),
    sent('delete-account-refused', '/account/delete', 'to confirm', 'another@example.com', 'Delete account'),
    at('alerts-without-webhook', '/alerts'),
    sent('webhook-refused', '/alerts', 'Address', 'http://localhost/', 'Add webhook'),
    sent('webhook-created', '/alerts', 'Address', `${facts.origin}/alerts`, 'Add webhook'),
    as('webhook', async (page) => {
      for (let count = 0; count < 3; count += 1) {
        await openWebhook(page);
        await page.getByRole('button', { name: 'Send a test' }).click();
        await page.waitForURL('**?notice=test');
      }
      await page.getByText('Delivered').first().waitFor();
    }),
    as('chat-refused', async (page) => {
      await addChat(page, 'ftp://hooks.example.com/x');
      await page.locator('#url-error').waitFor();
    }),
    as('chat-added', async (page) => {
      await addChat(page, `${facts.origin}/alerts?chat`);
      await page.waitForURL('**?notice=webhook-added');
    }),
    as('alerts', async (page) => {
      await page.goto('/alerts');
      await page.getByRole('button', { name: 'Turn e-mail on' }).click();
      await page.getByText('Your setting for alerts by e-mail is saved').first().waitFor();
    }),
    as('remove-webhook', async (page) => {
      await openWebhook(page);
      await page.getByText('Remove this webhook').click();
      await page.getByRole('button', { name: 'Remove webhook' }).waitFor();
    }),
    at('site-absent', '/sites/site_aaaaaaaaaaaaaaaaaaaa'),
  ];
}

async function chooseSites(page: Page, path: string, count: number | 'all', action: string, tag?: string) {
  await page.goto(path);
  if (count === 'all') await page.getByLabel(/^All \d+ sites? in this list/).check();
  else
    for (const box of (await page.getByRole('checkbox', { name: /example/ }).all()).slice(0, count)) await box.check();
  await page.getByLabel('What to do').selectOption(action);
  if (tag !== undefined) await page.getByLabel('Tag to add or remove').fill(tag);
  await page.getByRole('button', { name: 'Apply' }).click();
}

async function addChat(page: Page, url: string): Promise<void> {
  await page.goto('/alerts');
  await page.getByLabel('Address').fill(url);
  await page.getByLabel('Format', { exact: true }).selectOption('discord');
  await page.getByRole('button', { name: 'Add webhook' }).click();
}

async function openWebhook(page: Page): Promise<void> {
  await page.goto('/alerts');
  await page.getByRole('rowheader').getByRole('link').first().click();
  await page.getByRole('heading', { name: /^Deliveries/ }).waitFor();
}
