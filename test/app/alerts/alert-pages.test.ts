import type { Test } from 'tap';
import { newId } from '../../../src/platform/ids.js';
import { addSite } from '../../support/accounts.js';
import { DISCORD_ADDRESS, SLACK_ADDRESS } from '../../support/chat-rules.js';
import { onSqlite } from '../../support/databases.js';
import { addDelivery } from '../../support/full-account.js';
import type { HttpAnswer, Visitor } from '../../support/http-client.js';
import { readPage } from '../../support/page.js';
import { insertRow, updateRows } from '../../support/tables.js';
import { PUBLIC_URL } from '../../support/services.js';
import { type RunningWeb, startWeb } from '../../support/web.js';
import type { Account } from '../../../src/app/accounts/accounts.js';

const HOOK = 'https://hooks.example.com/alerts?channel=1';

const read = ({ text }: HttpAnswer) => readPage(text);
const actionsOf = (answer: HttpAnswer): readonly string[] => read(answer).forms.map(({ action }) => action);

/** The rows of a webhook's log: message, result, answer and time. */
const logOf = (answer: HttpAnswer) => read(answer).rows.slice(1);

type Member = Visitor & { readonly account: Account };

/** Adds a webhook by its form; answers the address of its page. */
async function addWebhook(member: Member, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, text, headers } = await member.post('/alerts/webhooks', { url: HOOK, ...fields });
  const path = /\/alerts\/webhooks\/wh_[a-z2-7]{20}/.exec(headers.location ?? text)?.[0];
  if (path === undefined) throw new Error(`no webhook was added: ${status}`);
  return path;
}

/** A row of a message to the webhook. */
const messageTo = ({ clock }: RunningWeb, { account }: Member, webhook_id: string) => ({
  ...{ id: newId('msg'), account_id: account.id, webhook_id, event: 'site.changed', body: '{}' },
  created_at: clock.now().toISOString(),
});

onSqlite(async (t, engine) => {
  const start = async (t: Test) => {
    const web = await startWeb(t, await engine.openDb(t));
    return { web, member: await web.newMember() };
  };

  t.test('e-mail is turned on and off', async (t) => {
    const { member } = await start(t);
    const page = await member.get('/alerts');
    t.match(page.text, 'name="alerts" value="on"', 'e-mail is off, and can be turned on');
    t.match(page.text, /<a href="\/alerts" aria-current="page">/, 'it is in the navigation');
    for (const value of ['on', 'off']) {
      const done = await member.post('/alerts/email', { alerts: value });
      t.match(done, { status: 303, headers: { location: '/alerts?notice=email' } });
      const after = await member.get(done.headers.location ?? '');
      t.match(after.text, `name="alerts" value="${value === 'on' ? 'off' : 'on'}"`);
      t.equal(read(after).notices.length, 1);
    }
  });

  t.test('without a mail server the page says so, and offers nothing', async (t) => {
    const web = await startWeb(t, await engine.openDb(t), { hasMail: false });
    const member = await web.newMember();
    const page = await member.get('/alerts');
    t.match(read(page).text, 'Mail is not set up on this service.');
    t.match(actionsOf(page).join(), /^(?!.*email).*\/alerts\/webhooks/);
    const refused = await member.post('/alerts/email', { alerts: 'on' });
    t.match([refused.status, read(refused).notices], [422, [/mail server/]]);
  });

  t.test('the secret of a new webhook is shown once, with how to verify a message', async (t) => {
    const { member } = await start(t);
    const created = await member.post('/alerts/webhooks', { url: ` ${HOOK} ` });
    t.match(created, { status: 201, headers: { 'cache-control': 'no-store' } });
    const secret = /whsec_[\w+/=]{40,}/.exec(created.text)?.[0] ?? '';
    t.match(created.text, 'data-shown-once');
    t.match(created.text, 'href="/docs/api#events"', 'how to receive messages');
    t.match((await member.get('/docs/api')).text, /id="events".*Standard Webhooks.*webhook-id/s);
    const list = await member.get('/alerts');
    t.match(read(list).heading, 'hooks.example.com');
    t.match(read(list).rows.slice(1), [[/^hooks\.example\.com.*\/alerts\?channel=1/, 'all 0 sites', String, String]]);
    const path = /href="(\/alerts\/webhooks\/wh_[a-z2-7]+)"/.exec(list.text)?.[1] ?? '';
    for (const address of ['/alerts', path]) {
      t.notMatch((await member.get(address)).text, secret, `${address} does not show it again`);
    }
    t.match(created.headers, { 'cache-control': 'no-store' });
  });

  t.test('a refused address stays in the form, next to the message', async (t) => {
    const { member } = await start(t);
    await addWebhook(member);
    const refused = await member.post('/alerts/webhooks', { url: HOOK });
    t.match([refused.status, read(refused).invalid], [422, ['url']]);
    t.match(/id="url-error">(.*?)<\/p>/.exec(refused.text)?.[1], /already/);
    t.ok(read(refused).forms.some(({ fields }) => fields.url === HOOK));
    for (let count = 1; count < 10; count += 1) await addWebhook(member, { url: `https://hooks.example.com/${count}` });
    t.notOk(actionsOf(await member.get('/alerts')).includes('/alerts/webhooks'), 'there is no room for another');
  });

  t.test('an operator reads how to allow a receiver on the own network', async (t) => {
    for (const publicUrl of ['https://127.0.0.1:3000', PUBLIC_URL]) {
      const web = await startWeb(t, await engine.openDb(t), { publicUrl, vetWebhook: async () => 'refused' });
      const member = await web.newMember();
      for (const url of ['http://127.0.0.1:8080/', 'https://192.168.1.7/', HOOK]) {
        const { status, text } = await member.post('/alerts/webhooks', { url });
        t.equal(status, 422);
        const isExpected = publicUrl !== PUBLIC_URL && url !== HOOK;
        t.equal(text.includes('SCAN_ALLOW_CIDRS'), isExpected, `${url} at ${publicUrl}`);
      }
    }
  });

  t.test('a test and a message that failed are in the log', async (t) => {
    const { member, web } = await start(t);
    const path = await addWebhook(member);
    t.same(logOf(await member.get(path)), []);
    const sent = await member.post(`${path}/test`);
    t.match(sent, { status: 303, headers: { location: `${path}?notice=test` } });
    const waiting = await member.get(`${path}?notice=test`);
    t.equal(read(waiting).notices.length, 1);
    t.match(logOf(waiting), [[/^Test/, 'Waiting', '–', /12:00 UTC/]]);
    t.match(waiting.text, `href="${path}"`, 'the log can be loaded again');
    const site = await addSite(web.db, member.account.id);
    const failed = { state: 'failed', attempts: 10, answer_status: 500, problem: 'It answered with an error.' };
    const fate = { ...failed, last_attempt_at: '2026-03-15T11:00:00.000Z' };
    await insertRow(web.db, 'deliveries', { ...messageTo(web, member, path.slice(17)), ...fate, site_id: site.id });
    const row = logOf(await member.get(path)).find(([name]) => name?.includes('shop.example.com'));
    t.match(row, [String, `Failed, 10 attempts: ${failed.problem}`, '500', '2026-03-15 11:00 UTC']);
  });

  t.test('a test over the hourly limit is refused, and the page says when to try again', async (t) => {
    const { member } = await start(t);
    const path = await addWebhook(member);
    let answer = await member.post(`${path}/test`);
    for (let count = 0; count < 40 && answer.status === 303; count += 1) answer = await member.post(`${path}/test`);
    t.match(answer, { status: 429, headers: { 'retry-after': /^\d+$/ } });
    t.match(read(answer).notices, [/ 30 /]);
  });

  t.test('the log shows the latest 50 messages', async (t) => {
    const { member, web } = await start(t);
    const path = await addWebhook(member);
    for (let count = 0; count < 60; count += 1) {
      const now = new Date(web.clock.now().getTime() + count).toISOString();
      await addDelivery(web.db, { accountId: member.account.id, siteId: null, webhookId: path.slice(17), now });
    }
    t.equal(logOf(await member.get(path)).length, 50);
  });

  t.test('a webhook that was turned off says so, and can be turned on again', async (t) => {
    const { member, web } = await start(t);
    const path = await addWebhook(member);
    const id = path.slice(17);
    await updateRows(web.db, 'webhooks', { id }, { disabled_at: '2026-03-14T12:00:00.000Z' });
    await insertRow(web.db, 'deliveries', { ...messageTo(web, member, id), state: 'failed', attempts: 1 });
    const [, row] = read(await member.get('/alerts')).rows;
    t.match(row, [String, 'all 0 sites', /Failed, .*Turned off 1 day ago/, String]);
    const page = await member.get(path);
    t.match(read(page).text, 'Turned off 1 day ago');
    t.match(actionsOf(page).join(), /^(?!.*test).*enable/);
    const refused = await member.post(`${path}/test`);
    t.match([refused.status, read(refused).notices], [422, [/turned off/]]);
    const done = await member.post(`${path}/enable`);
    t.match(done, { status: 303, headers: { location: `${path}?notice=enabled` } });
    const enabled = await member.get(done.headers.location ?? '');
    t.equal(read(enabled).notices.length, 1);
    t.ok(actionsOf(enabled).includes(`${path}/test`));
  });

  t.test('a button removes a webhook and says what is deleted', async (t) => {
    const { member } = await start(t);
    const path = await addWebhook(member);
    t.match(read(await member.get(path)).text, /unsent alerts.*log.*secret/);
    const removed = await member.post(`${path}/remove`);
    t.match(removed, { status: 303, headers: { location: '/alerts?notice=webhook-removed' } });
    t.match(read(await member.get('/alerts?notice=webhook-removed')), { notices: [String], rows: [] });
    t.match(await member.get(path), { status: 404 });
  });

  for (const [name, url] of Object.entries({ Slack: SLACK_ADDRESS, Discord: DISCORD_ADDRESS })) {
    t.test(`a webhook of ${name} is recognized by its address, and tested`, async (t) => {
      const { member } = await start(t);
      const added = await member.post('/alerts/webhooks', { url, format: 'auto', site: '' });
      const { location = '' } = added.headers;
      t.match([added.status, location], [303, /\/wh_[a-z2-7]{20}\?notice=webhook-added$/]);
      const path = location.replace(/\?.*/, '');
      const page = await member.get(location);
      t.same(actionsOf(page).toSorted(), [`${path}/remove`, `${path}/test`, '/sign-out']);
      t.match(read(await member.get('/alerts')).rows[1], [name, String, String, String]);
      t.match(await member.post(`${path}/test`), { status: 303 });
      t.match(await member.get(`${path}/remove`), { status: 308, headers: { location: path } }, 'a former page');
      for (const address of ['/alerts', path, '/account/activity']) {
        t.notMatch((await member.get(address)).text, url.slice(-20), `${address} does not show the address`);
      }
      t.notMatch((await member.post('/account/export')).text, url.slice(-20));
      const shown = `${new URL(url).host}/…${url.slice(-4)}`;
      t.equal(read(page).heading, `Webhook ${shown}`);
      t.match((await member.get('/alerts')).text, new RegExp(`aria-label="[^"]*${shown}"`), 'two of a chat differ');
    });
  }

  t.test('the owner can choose the format of Slack', async (t) => {
    const { member } = await start(t);
    const chosen = await addWebhook(member, { url: 'https://chat.example.com/hooks/abc', format: 'slack' });
    t.match(read(await member.get(chosen)).text, /FormatSlack/);
    const unknown = await member.post('/alerts/webhooks', { url: 'https://hooks.example.com/', format: 'teams' });
    t.match(unknown, { status: 201 }, 'what no form sends counts as not chosen');
  });

  t.test('a webhook is for one site or for all, as its page says', async (t) => {
    const { web, member } = await start(t);
    for (const hostname of ['shop.example.com', 'blog.example.com'])
      await addSite(web.db, member.account.id, { hostname });
    const refused = await member.post('/alerts/webhooks', { url: HOOK, site: 'other.example.com' });
    t.equal(refused.status, 422);
    t.match(refused.text, /id="site-error"[^<]* other\.example\.com/);
    const path = await addWebhook(member, { site: 'shop.example.com' });
    t.equal(read(await member.get('/alerts')).rows[1]?.[1], 'shop.example.com');
    t.match(read(await member.get(path)).text, /gets alerts about shop\.example\.com\./);
  });
});
