import { openPage, testInBrowser, visit } from '../support/browser.js';
import { linkIn, startMailServer } from '../support/mail-server.js';
import { OTHER_PASSWORD } from '../support/passwords.js';
import { startService } from '../support/service.js';
import { PASSWORD } from '../support/sign-in-by-link.js';

const EMAIL = 'ada@example.com';
const MAIL_FROM = 'Agent Readiness <alerts@example.com>';

testInBrowser('sign up, forget the password, choose another: by mail alone', async (t, browser) => {
  const mail = await startMailServer(t);
  const service = await startService(t, {
    environment: { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM, SIGN_UP: 'open' },
  });
  for (const javaScriptEnabled of [true, false]) {
    const email = `${String(javaScriptEnabled)}.${EMAIL}`;
    const options = { baseURL: service.baseUrl, javaScriptEnabled };
    await t.test(javaScriptEnabled ? 'with script' : 'without', async (t) => {
      // A second browser stays signed in while the first one forgets the password.
      const { page: elsewhere } = await openPage(t, browser, options);
      await visit(t, browser, options, async (page) => {
        await page.goto('/sign-in');
        await page.getByRole('link', { name: 'Sign up' }).click();
        await page.getByLabel('E-mail address').fill(email);
        await page.locator('main form button').click();
        await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
        const confirm = await mail.next();
        t.same(confirm.to, [email]);
        await page.goto(linkIn(confirm));
        t.match(await page.getByRole('main').textContent(), email);
        await page.getByLabel('Password').fill(PASSWORD);
        await page.locator('main form button').click();
        await page.waitForURL('**/sites');
        await page.goto('/account');
        t.match(await page.getByRole('main').textContent(), /FREE.*Chrome/s);
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await page.waitForURL('**/sign-in?*');

        await elsewhere.goto('/sign-in');
        await elsewhere.getByLabel('E-mail address').fill(email);
        await elsewhere.getByLabel('Password').fill(PASSWORD);
        await elsewhere.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
        await elsewhere.waitForURL('**/sites');

        await page.locator('main a[href*=password]').click();
        await page.getByLabel('E-mail address').fill(email);
        await page.locator('main form button').click();
        await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
        const link = linkIn(await mail.next());
        await page.goto(link);
        await page.getByLabel('Password').fill('too short');
        await page.locator('main form button').click();
        await page.locator('[name=password][aria-invalid=true]').waitFor();
        await page.getByLabel('Password').fill(OTHER_PASSWORD);
        await page.locator('main form button').click();
        await page.getByRole('status').waitFor();
        await elsewhere.goto('/account');
        t.match(elsewhere.url(), '/sign-in?next=', 'every other session has ended');
        const told = await mail.next();
        t.match(told.text, /^Subject: .*\bpassword\b/m);
        t.equal((await elsewhere.goto(link))?.status(), 404, 'the link works once');
      });
    });
  }
  t.same(mail.received.length, 6);
});
