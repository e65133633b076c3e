import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { cLlms01 } from '../../src/scanner/checks/c-llms-01.js';
import { Arrivals } from '../support/arrivals.js';
import { visit } from '../support/browser.js';
import { brokenRules } from '../support/chat-rules.js';
import { findChromium, launchBrowser } from '../support/chromium.js';
import { onEachDatabase } from '../support/databases.js';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail-server.js';
import { type OwnSite, startOwnSite } from '../support/own-site.js';
import { type ReceivedMessage, startReceiver } from '../support/receiver.js';
import { type StartedService, startService } from '../support/service.js';
import { signInByLink } from '../support/sign-in-by-link.js';

const EMAIL = 'holder@example.com';
/** What the alert is about. */
const HEADLINE = String(cLlms01.failures.MISSING?.headline);
const SECRET_PATH = '/services/T0ABCDEFG/B0ABCDEFG/not-for-anyone-else';

/** A receiver that answers as the service does. */
async function startChat(t: Test, answer: readonly [status: number, body: string]) {
  const arrivals = new Arrivals<ReceivedMessage>();
  const receiver = await startReceiver(t, '127.0.0.1', arrivals.add);
  receiver.answer = (response) => response.writeHead(answer[0]).end(answer[1]);
  return { url: `http://127.0.0.1:${receiver.port}${SECRET_PATH}`, port: receiver.port, arrivals };
}

type Chat = Awaited<ReturnType<typeof startChat>>;

/** From its form to its first message: previewed and tried. */
async function addChat(t: Test, page: Page, name: 'Slack' | 'Discord', chat: Chat): Promise<void> {
  await page.goto('/alerts');
  await page.getByLabel('Address').fill(chat.url);
  await page.getByLabel('Format', { exact: true }).selectOption(name.toLowerCase());
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.waitForURL('**?notice=webhook-added');
  const shown = await page.getByRole('main').textContent();
  t.match(shown, /www\.example\.com: .*\b4f2a1c9\b.*\b93\b.*\b100\b/s);
  t.notMatch(await page.content(), 'not-for-anyone-else', 'the address is not shown');
  await page.locator('form[action$="/test"] button').first().click();
  await page.locator('#log').getByText('Delivered', { exact: true }).waitFor();
  const test = await chat.arrivals.first(() => true);
  t.same(brokenRules(name === 'Slack' ? 'slack' : 'discord', JSON.parse(test.body)), []);
}

/** Two runs: the second without what the first found. */
async function breakIt(service: StartedService, site: OwnSite, siteId: string, key: string): Promise<void> {
  const run = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${key}` };
    const { status } = await fetch(`${service.baseUrl}/api/v1/sites/${siteId}/runs`, { method: 'POST', headers });
    if (status !== 201) throw new Error(`the run could not be started: ${status}`);
  };
  site.routes['/llms.txt'] =
    `# Kiln Street Pottery\n\n> Bowls.\n\n## Pages\n\n- [Home](${site.origin}/): what we make\n`;
  await run();
  delete site.routes['/llms.txt'];
  await run();
}

/** The next mail that says this. */
async function nextWith(server: MailServer, words: string): Promise<ReceivedMail> {
  for (;;) {
    const mail = await server.next();
    if (textOf(mail).includes(words)) return mail;
  }
}

/** The text of a mail of one part. */
function textOf({ text }: ReceivedMail): string {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

onEachDatabase(async (t, engine) => {
  const path = findChromium();
  const skip = path === null && 'no Chromium found: install one, or set CHROMIUM_PATH';
  t.test('a break is told in Slack, in Discord and by mail', { skip }, async (t) => {
    const browser = await launchBrowser(path ?? '');
    t.teardown(() => browser.close());
    const [mail, site, slack, discord] = [
      await startMailServer(t),
      await startOwnSite(t),
      await startChat(t, [200, 'ok']),
      await startChat(t, [204, '']),
    ];
    const databaseUrl = await engine.newUrl(t);
    const service = await startService(t, {
      scanPorts: [site.port, slack.port, discord.port],
      environment: {
        ...{ DATABASE_URL: databaseUrl, SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'alerts@example.com' },
      },
    });
    const { id: accountId, signInUrl } = await service.addAccount(EMAIL, 'SCALE');
    const add = async (address: string) =>
      (await service.command<{ id: string }>('site', 'add', '--account', accountId, address)).id;
    const siteId = await add(site.origin);
    await service.command('site', 'verify', siteId, '--force');
    const { key } = await service.command<{ key: string }>('key', 'create', '--account', accountId, '--name', 'CI');
    const storageState = await signInByLink(browser, signInUrl);

    await visit(t, browser, { baseURL: service.baseUrl, storageState }, async (page) => {
      await page.goto('/alerts');
      const turnOn = page.getByRole('button', { name: 'Turn e-mail on' });
      await turnOn.click();
      await turnOn.waitFor({ state: 'detached' });
      await addChat(t, page, 'Slack', slack);
      await addChat(t, page, 'Discord', discord);
      await breakIt(service, site, siteId, key);

      const runUrl = `${service.baseUrl}/sites/${siteId}/runs/2`;
      const isAlert = ({ body }: ReceivedMessage): boolean => [runUrl, HEADLINE].every((part) => body.includes(part));
      const [inSlack, inDiscord] = [await slack.arrivals.first(isAlert), await discord.arrivals.first(isAlert)];
      t.same(brokenRules('slack', JSON.parse(inSlack.body)), []);
      t.same(brokenRules('discord', JSON.parse(inDiscord.body)), []);
      for (const { body, path } of [inSlack, inDiscord]) {
        t.equal(path, SECRET_PATH);
        t.match(body, new URL(site.origin).hostname);
        t.notMatch(body, 'Kiln Street', 'no word of the site');
      }
      const alert = await nextWith(mail, HEADLINE);
      t.same(alert.to, [EMAIL]);
      t.match(alert.text, new RegExp(`^List-Unsubscribe: <${service.baseUrl}/alerts>\r$`, 'm'));
      t.match(textOf(alert), runUrl);
      t.notMatch(textOf(alert), 'Kiln Street');

      await page.goto('/alerts');
      t.match(await page.getByRole('main').textContent(), /\bsite: 127\.0\.0\.1/);
    });
  });
});
