import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { NARROW, testInBrowser, visit } from '../support/browser.js';
import { BROWSER_PASSWORD } from '../support/passwords.js';
import { type OwnSite, startOwnSite } from '../support/fixture-server.js';
import { type StartedService, startService } from '../support/service.js';
import { type Hand, keyboard, pointer, thumb } from './hand.js';

interface Journey {
  readonly t: Test;
  readonly page: Page;
  readonly hand: Hand;
  readonly service: StartedService;
  readonly site: OwnSite;
  readonly email: string;
}

const KEY_NAME = 'deployment';

const WAYS = {
  'with a mouse': { options: {}, openHand: pointer },
  'without script, by keyboard': { options: { javaScriptEnabled: false }, openHand: keyboard },
  'by keyboard alone': { options: {}, openHand: keyboard },
  'on a narrow phone': { options: { ...NARROW, hasTouch: true }, openHand: thumb },
};

export function testJourneys(...names: readonly (keyof typeof WAYS)[]): void {
  testInBrowser(
    'sign in, add, verify, run, read, fix, check again, compare, share, use a key, sign out',
    async (t, browser) => {
      const sites = await Promise.all(names.map(async (name) => [name, await startOwnSite(t)] as const));
      const service = await startService(t, { scanPorts: sites.map(([, { port }]) => port) });
      for (const [name, site] of sites) {
        const { options, openHand } = WAYS[name];
        await t.test(name, (t) =>
          visit(t, browser, { ...options, baseURL: service.baseUrl }, async (page) => {
            const email = `${name.replaceAll(/\W+/g, '.')}@example.com`;
            await goAllTheWay({ t, page, hand: openHand(t, page), service, site, email });
          }),
        );
      }
    },
  );
}

async function goAllTheWay(journey: Journey): Promise<void> {
  await signInByLink(journey);
  await addAndVerify(journey);
  await runAndRead(journey);
  await fixAndCheckAgain(journey);
  await runAndCompare(journey);
  await publish(journey);
  await useKey(journey);
  await setPassword(journey);
  await signOutAndIn(journey);
}

async function signInByLink({ page, hand, service, email }: Journey): Promise<void> {
  const { signInUrl } = await service.addAccount(email);
  await page.goto(signInUrl);
  await hand.press(page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }));
  await page.waitForURL('**/sites');
}

/** A member who signed in by a link can set a password later. */
async function setPassword({ t, page, hand }: Journey): Promise<void> {
  await hand.press(page.getByRole('link', { name: 'Account', exact: true }));
  await page.waitForURL('**/account');
  await hand.fill(page.getByLabel('Password'), 'too short');
  await hand.press(page.getByRole('button', { name: 'Set password' }));
  // Pressing Enter does not wait for the next page.
  const refused = page.locator('[aria-describedby~="password-error"]:focus');
  await refused.waitFor();
  t.equal(await refused.getAttribute('name'), 'password', 'a short password is refused');
  await hand.fill(page.getByLabel('Password'), BROWSER_PASSWORD);
  await hand.press(page.getByRole('button', { name: 'Set password' }));
  await page.waitForURL('**/account?notice=password');
}

async function addAndVerify({ t, page, hand, site }: Journey): Promise<void> {
  await hand.fill(page.getByLabel('Site', { exact: true }), 'localhost');
  await hand.press(page.getByRole('button', { name: 'Add site' }));
  await page.locator('[aria-invalid="true"]').waitFor();
  t.equal(await page.getByLabel('Site', { exact: true }).inputValue(), 'localhost', 'what was typed is kept');
  await hand.fill(page.getByLabel('Site', { exact: true }), site.origin);
  await hand.press(page.getByRole('button', { name: 'Add site' }));
  await page.waitForURL('**/verify?notice=added');
  await hand.press(page.getByRole('button', { name: 'Verify' }));
  await page.getByRole('alert').waitFor();
  t.match(await page.getByRole('main').textContent(), /404/, 'it says what was seen');
  const token = (await page.getByRole('group', { name: 'text of the file' }).locator('pre').textContent()) ?? '';
  site.routes['/.well-known/agent-readiness-verification.txt'] = token;
  await hand.press(page.getByRole('button', { name: 'Verify' }));
  await page.waitForURL('**/sites/site_*');
  // The first run starts by itself.
}

async function runAndRead({ t, page, hand }: Journey): Promise<void> {
  await untilRun(page, 1);
  const finding = page.locator('details#C-LLMS-01');
  t.match(await finding.textContent(), 'llms.txt', 'a failure is told in words');
  if (!(await finding.locator('.inside').isVisible())) await hand.press(finding.locator('summary'));
  t.ok(await finding.locator('.inside').isVisible(), 'opened, a failure says how to fix it');
}

async function untilRun(page: Page, number: number): Promise<void> {
  // With script, the progress opens the run. Without, the page of the site shows it at its next refresh.
  await page
    .getByRole('link', { name: `Run ${number}`, exact: true })
    .or(page.getByRole('heading', { name: `Run ${number}` }))
    .first()
    .waitFor();
}

async function fixAndCheckAgain({ t, page, hand, site }: Journey): Promise<void> {
  site.routes['/llms.txt'] =
    `# Kiln Street Pottery\n\n> Bowls and cups, thrown by hand.\n\n## Pages\n\n- [Home](${site.origin}/): what we make\n`;
  await hand.press(page.getByRole('button', { name: 'Check again C-LLMS-01' }));
  const fixed = page.getByRole('region', { name: 'Fixed, not yet in the score' });
  await fixed.getByText(/^Passes now, checked /).waitFor();
  t.ok(await fixed.locator('details#C-LLMS-01').isVisible(), 'it has left what is to fix');
  await hand.press(fixed.getByRole('button', { name: 'Run now' }));
}

async function runAndCompare({ t, page, hand }: Journey): Promise<void> {
  await untilRun(page, 2);
  await hand.press(page.getByRole('main').or(page.getByRole('banner')).locator('a[href*="/compare?"]').first());
  await page.waitForURL('**/compare?*');
  const fixed = page.locator('section', { has: page.getByRole('heading', { name: /^Fixed/ }) });
  t.match(await fixed.textContent(), 'C-LLMS-01', 'the comparison shows what was fixed');
}

async function publish({ t, page, hand, site }: Journey): Promise<void> {
  const [, sitePath = ''] = /(\/sites\/site_\w+)/.exec(page.url()) ?? [];
  const automation = `${new URL(page.url()).origin}${sitePath}/automation`;
  await page.goto(automation);
  await hand.press(page.getByRole('button', { name: 'Publish the latest report' }));
  await hand.press(page.getByRole('link', { name: 'Open report' }));
  await page.waitForURL('**/reports/*');
  const report = page.url();
  t.match(await page.getByRole('heading', { level: 1 }).textContent(), new URL(site.origin).host);
  t.match(await page.getByRole('main').textContent(), 'C-FWD-01', 'every check is there');
  await page.goto(automation);
  await hand.press(page.getByText('Replace the address, or turn the report off'));
  await hand.press(page.getByRole('button', { name: 'Turn the public report off' }));
  await page.getByRole('button', { name: 'Publish the latest report' }).waitFor();
  t.equal((await page.goto(report))?.status(), 404, 'its address leads nowhere any more');
  await page.goto(automation);
}

async function useKey({ t, page, hand }: Journey): Promise<void> {
  await hand.press(page.getByRole('link', { name: 'API keys' }));
  await hand.fill(page.getByLabel('Name'), KEY_NAME);
  await hand.press(page.getByRole('button', { name: 'Create key' }));
  const shown = async (name: string): Promise<string> =>
    (await page.getByRole('group', { name }).locator('pre').textContent()) ?? '';
  const [key, line] = [await shown('Your new API key'), await shown('Command that starts a run')];
  const started = await runLine(line, key);
  t.match(JSON.parse(started), { run: { number: 3, trigger: 'API' } }, 'the curl line starts a run');
  await hand.press(page.getByRole('link', { name: 'I have stored the key' }));
  await page.waitForURL('**/keys');
  t.match(await page.getByRole('table').textContent(), /deployment.*1 of 10,000/s, 'the use of the key is counted');
  await hand.press(page.locator('summary', { hasText: `Revoke the key ${KEY_NAME}` }));
  await hand.press(page.getByRole('button', { name: 'Revoke key' }));
  await page.waitForURL('**/keys?notice=*');
  t.match(JSON.parse(await runLine(line, key)), { error: { code: 'invalid_api_key' } }, 'it opens nothing any more');
}

async function signOutAndIn({ t, page, hand, service, email }: Journey): Promise<void> {
  await hand.press(page.getByRole('button', { name: 'Sign out', exact: true }));
  await page.waitForURL('**/sign-in?*');
  await page.goto(`${service.baseUrl}/keys`);
  t.match(page.url(), '/sign-in?next=%2Fkeys', 'who is signed out is led to the sign-in');
  await hand.fill(page.getByLabel('E-mail address'), email);
  await hand.fill(page.getByLabel('Password'), BROWSER_PASSWORD);
  await hand.press(page.getByRole('main').getByRole('button', { name: 'Sign in' }));
  await page.waitForURL('**/keys');
}

/** Runs the command that a page shows, in a shell with the key in API_KEY. */
async function runLine(line: string, key: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, API_KEY: key } });
  return stdout;
}
