import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Test } from 'tap';
import { webhookHeaders } from '../../../src/app/alerts/webhook-signature.js';
import { newId } from '../../../src/platform/ids.js';
import { createWebhooks } from '../../../src/app/alerts/webhooks.js';
import { createRateLimits } from '../../../src/app/limits/rate-limits.js';
import { addSite, TestClock } from '../../support/accounts.js';
import { onSqlite } from '../../support/databases.js';
import { addDelivery } from '../../support/full-account.js';
import { type HttpAnswer, send } from '../../support/http-client.js';
import { insertRow } from '../../support/tables.js';
import { type RunningWeb, startWeb, type Visitor } from '../../support/web.js';
import type { Account } from '../../../src/app/accounts/accounts.js';

const URL = 'https://hooks.example.com/alerts?channel=1';

/** The text of a page's main part as a person reads it, without the words that stand for shape. */
function wordsOf({ text }: HttpAnswer): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(text)?.[1] ?? '';
  return main
    .replace(/<(?:"[^"]*"|[^">])*>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The text of an element without others inside. */
function plain(html = ''): string {
  return html
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

const SHOWING_ITS_PORT = `.listen(0, '127.0.0.1', function () { process.stdout.write(String(this.address().port)); })`;

type Member = Visitor & { readonly account: Account };

/** Adds a webhook by its form; answers the address of its page. */
async function addWebhook(member: Member, url = URL): Promise<string> {
  const answer = await member.post('/alerts/webhooks', { url });
  const path = /href="(\/alerts\/webhooks\/wh_[a-z2-7]{20})"/.exec(answer.text)?.[1];
  if (path === undefined) throw new Error(`no webhook was added: ${answer.status}`);
  return path;
}

/** A message to the webhook with what became of it. */
async function addMessage(
  { db, clock }: RunningWeb,
  member: Member,
  webhookId: string,
  fate: Readonly<Record<string, string | number | null>>,
  siteId: string | null = null,
): Promise<string> {
  const id = newId('msg');
  const now = clock.now().toISOString();
  await insertRow(db, 'deliveries', {
    ...{ id, account_id: member.account.id, webhook_id: webhookId, site_id: siteId, event: 'site.changed' },
    ...{ body: '{}', created_at: now, ...fate },
  });
  return id;
}

onSqlite(async (t, engine) => {
  const start = async (t: Test) => {
    const web = await startWeb(t, await engine.openDb(t));
    return { web, member: await web.newMember() };
  };

  t.test('the page says what an alert is; e-mail is turned on and off', async (t) => {
    const { member, web } = await start(t);
    t.match(await web.newVisitor().get('/alerts'), { status: 303, headers: { location: '/sign-in?next=%2Falerts' } });
    const page = await member.get('/alerts');
    t.match(wordsOf(page), /Alerts are sent when .*The score falls .*When you hear nothing Nothing has changed/);
    t.match(wordsOf(page), /Alerts by e-mail to person\d+@example\.com are off/);
    t.match(wordsOf(page), 'of a channel in Slack or Discord, of your own server');
    t.match(page.text, /<a href="\/alerts" aria-current="page">Alerts<\/a>/, 'it stands in the navigation');
    for (const [value, isOn] of [
      ['on', 'on'],
      ['off', 'off'],
    ] as const) {
      const done = await member.post('/alerts/email', { alerts: value });
      t.match(done, { status: 303, headers: { location: `/alerts?notice=email-${isOn}` } });
      const after = wordsOf(await member.get(done.headers.location ?? ''));
      t.match(after, new RegExp(`Alerts by e-mail to [^ ]+ are ${isOn}`));
      t.match(after, isOn === 'on' ? 'from now on' : 'No more alerts');
    }
  });

  t.test('without a mail server the page says so, and offers nothing', async (t) => {
    const db = await engine.openDb(t);
    const clock = new TestClock();
    const webhooks = createWebhooks({
      ...{ db, clock, rateLimits: createRateLimits({ db, clock }), hasMail: false },
      vetWebhook: async () => null,
    });
    const member = await (await startWeb(t, db, { webhooks })).newMember();
    const page = await member.get('/alerts');
    t.match(wordsOf(page), 'this service sends no e-mail');
    t.notMatch(page.text, 'action="/alerts/email"');
    const refused = await member.post('/alerts/email', { alerts: 'on' });
    t.equal(refused.status, 422);
    t.match(wordsOf(refused), 'This service has no mail server');
  });

  t.test('a webhook is added: its secret is shown this once, with how to verify a message', async (t) => {
    const { member } = await start(t);
    const created = await member.post('/alerts/webhooks', { url: ` ${URL} ` });
    t.match(created, { status: 201, headers: { 'cache-control': 'no-store' } });
    const secret = /whsec_[\w+/=]{40,}/.exec(created.text)?.[0] ?? '';
    t.match(created.text, 'data-shown-once');
    t.match(
      wordsOf(created),
      /Copy the secret now.*shown only once.*The webhook is added.*standardwebhooks.*webhook\.verify/,
    );
    const list = await member.get('/alerts');
    t.match(
      wordsOf(list),
      /^Alerts go to hooks\.example\.com .* hooks\.example\.com Signed JSON \/alerts\?channel=1 all 0 sites Nothing sent yet/,
    );
    const path = /href="(\/alerts\/webhooks\/wh_[a-z2-7]+)"/.exec(list.text)?.[1] ?? '';
    for (const address of ['/alerts', path, `${path}/remove`]) {
      t.notMatch((await member.get(address)).text, secret, `${address} does not show it again`);
    }
    const renewed = await member.post(`${path}/secret`);
    t.match(renewed, { status: 200, headers: { 'cache-control': 'no-store' } });
    t.match(
      wordsOf(renewed),
      /has a new secret.*The previous secret no longer signs anything.*Each message arrives at least once.*webhook-id/,
    );
    t.notMatch(renewed.text, secret);
    t.match(renewed.text, /whsec_/);
  });

  t.test('the receiver that the page shows takes messages that are signed, and no others', async (t) => {
    const { member } = await start(t);
    const { text } = await member.post('/alerts/webhooks', { url: URL });
    const [secret = '', program = ''] = [...text.matchAll(/<pre[^>]*><code>(.*?)<\/code>/gs)].map(([, code]) =>
      plain(code),
    );
    const file = join(
      t.testdir({ 'receiver.mjs': program.replace('.listen(8080)', SHOWING_ITS_PORT) }),
      'receiver.mjs',
    );
    const receiver = spawn(process.execPath, [file], { env: { ...process.env, WEBHOOK_SECRET: secret } });
    t.teardown(() => receiver.kill());
    const [port] = (await once(receiver.stdout, 'data')) as [Buffer];
    const body = JSON.stringify({ type: 'test', data: { message: 'Grüße' } });
    const headers = webhookHeaders({ id: newId('msg'), body, secret, sentAt: new Date() });
    const post = (body: string) => send(Number(port.toString()), '/', { method: 'POST', headers, body });
    t.equal((await post(body)).status, 204);
    t.equal((await post(`${body} `)).status, 401);
  });

  t.test('an address that cannot be taken is kept alongside the message', async (t) => {
    const { member } = await start(t);
    await addWebhook(member);
    for (const [url, message] of [
      ['http://hooks.example.com/"><b>', /Give an https address/],
      ['', /Give an https address/],
      [URL, /has a webhook at this address already/],
    ] as const) {
      const refused = await member.post('/alerts/webhooks', { url });
      t.equal(refused.status, 422);
      t.match(refused.text, /<title>Error: Alerts/);
      t.match(refused.text, /id="url-error"/);
      t.match(wordsOf(refused), message);
      t.notMatch(refused.text, '<b>');
    }
    for (let count = 1; count < 10; count += 1) await addWebhook(member, `https://hooks.example.com/${count}`);
    const full = await member.get('/alerts');
    t.match(wordsOf(full), 'To add another, remove one first');
    t.notMatch(full.text, 'Add webhook</button>');
  });

  t.test('a test and a message sent again stand in the log', async (t) => {
    const { member, web } = await start(t);
    const path = await addWebhook(member);
    t.match(wordsOf(await member.get(path)), /Nothing has been sent yet/);
    const sent = await member.post(`${path}/test`);
    t.match(sent, { status: 303, headers: { location: `${path}?notice=test` } });
    t.match(
      wordsOf(await member.get(`${path}?notice=test`)),
      /A test is on its way.*A message is on its way\. Load the deliveries again.*Today .*Test Waiting, 12:00:00 Next attempt now\. webhook-id: msg_\w+ Send again/,
    );

    const site = await addSite(web.db, member.account.id);
    const failed = { state: 'failed', attempts: 10, answer_status: 500, problem: 'It answered with an error.' };
    const id = await addMessage(
      web,
      member,
      path.slice(17),
      { ...failed, last_attempt_at: '2026-03-15T11:00:00.000Z' },
      site.id,
    );
    t.match(
      wordsOf(await member.get(path)),
      /Change of a site: shop\.example\.com Given up, 12:00:00, 10 attempts: It answered with an error\. 500 answer Last attempt 1 hour ago/,
    );
    const again = await member.post(`${path}/deliveries/${id}/send-again`);
    t.match(again, { status: 303, headers: { location: `${path}?notice=again` } });
    t.notMatch(wordsOf(await member.get(path)), 'Given up');
    t.match(await member.post(`${path}/deliveries/${newId('msg')}/send-again`), { status: 404 });
  });

  t.test('what came of a test is said once it is known', async (t) => {
    const { member, web } = await start(t);
    const path = await addWebhook(member);
    const outcomeOf = async (fate: Readonly<Record<string, string | number>>): Promise<string> => {
      web.clock.time = new Date(web.clock.time.getTime() + 1000);
      await addMessage(web, member, path.slice(17), { event: 'test', attempts: 1, ...fate });
      return wordsOf(await member.get(`${path}?notice=test`));
    };
    const delivered = await outcomeOf({ state: 'delivered', answer_status: 204 });
    t.match(delivered, /Test delivered\. Your receiver answered 204\./);
    const tried = await outcomeOf({ state: 'waiting', attempts: 2, problem: 'The host name does not exist in DNS.' });
    t.match(tried, /The last message is not delivered yet\. The host name does not exist in DNS\./);
    t.match(tried, /The test is not delivered yet\. The host name does not exist in DNS\./);
    t.match(tried, /Test Not delivered yet, 12:00:02, 2 attempts: The host name does not exist in DNS\./);
    const failed = await outcomeOf({ state: 'failed', answer_status: 500, problem: 'It answered with an error.' });
    t.match(failed, /The test could not be delivered\. It answered with an error\./);
  });

  t.test('past so many an hour a test is refused with when to come back', async (t) => {
    const { member } = await start(t);
    const path = await addWebhook(member);
    let answer = await member.post(`${path}/test`);
    for (let count = 0; count < 40 && answer.status === 303; count += 1) answer = await member.post(`${path}/test`);
    t.match(answer, { status: 429, headers: { 'retry-after': /^\d+$/ } });
    t.match(wordsOf(answer), /Only 30 tests and repeats an hour/);
  });

  t.test('the log is paged', async (t) => {
    const { member, web } = await start(t);
    const path = await addWebhook(member);
    const webhookId = path.slice(17);
    for (let count = 0; count < 30; count += 1) {
      web.clock.time = new Date(web.clock.time.getTime() + 1000);
      const now = web.clock.now().toISOString();
      await addDelivery(web.db, { accountId: member.account.id, siteId: null, webhookId, now });
    }
    const first = await member.get(path);
    t.equal(first.text.match(/>Delivered, /g)?.length, 25);
    t.match(first.text, '>10 delivered<');
    const earlier = /href="([^"]+\?before=msg_[a-z2-7]+)"/.exec(first.text)?.[1] ?? '';
    const second = await member.get(earlier);
    t.equal(second.text.match(/>Delivered, /g)?.length, 5);
    t.match(wordsOf(second), 'Latest messages');
    t.match(await member.get(`${path}?before=msg_x`), { status: 404 });
  });

  t.test('a webhook that was turned off says so, and can be turned on again', async (t) => {
    const { member, web } = await start(t);
    const path = await addWebhook(member);
    const id = path.slice(17);
    const row = { account_id: member.account.id, url: 'https://other.example.com/', secret: 'whsec_x' };
    const off = {
      ...row,
      id: newId('wh'),
      created_at: '2026-03-01T00:00:00.000Z',
      disabled_at: '2026-03-14T12:00:00.000Z',
    };
    await insertRow(web.db, 'webhooks', off);
    await addMessage(web, member, off.id, { state: 'failed', attempts: 1 });
    t.match(
      wordsOf(await member.get('/alerts')),
      /1 webhook is turned off.*other\.example\.com Signed JSON \/ all 0 sites 1 given up Last message: Change of a site Given up, .*Turned off 1 day ago/,
    );
    const page = await member.get(`/alerts/webhooks/${off.id}`);
    t.match(wordsOf(page), /Turned off 1 day ago.*Nothing is sent to it.*Turn on again/);
    t.notMatch(page.text, /Send a test|Send again<\/button>/);
    const refused = await member.post(`/alerts/webhooks/${off.id}/test`);
    t.equal(refused.status, 422);
    t.match(wordsOf(refused), 'The webhook is turned off. Turn it on again first');
    const done = await member.post(`/alerts/webhooks/${off.id}/enable`);
    t.match(done, { status: 303, headers: { location: `/alerts/webhooks/${off.id}?notice=enabled` } });
    t.match(
      wordsOf(await member.get(done.headers.location ?? '')),
      /In use\. The last message could not be delivered\. Send a test The webhook is in use\./,
    );
    t.match(await member.get(`/alerts/webhooks/${id}`), { status: 200 });
  });

  t.test('a webhook is removed once that is confirmed', async (t) => {
    const { member } = await start(t);
    const path = await addWebhook(member);
    t.match(
      wordsOf(await member.get(`${path}/remove`)),
      /Its log and its secret.*Confirm Remove webhook Keep the webhook/,
    );
    const removed = await member.post(`${path}/remove`);
    t.match(removed, { status: 303, headers: { location: '/alerts?notice=removed' } });
    t.match(
      wordsOf(await member.get('/alerts?notice=removed')),
      /Alerts go nowhere yet .*The webhook and its log are removed.*Add a webhook up to 10/,
    );
    t.match(await member.get(path), { status: 404 });
  });

  t.test("another account's webhook is as absent as one that never was", async (t) => {
    const { member, web } = await start(t);
    const path = await addWebhook(member);
    const other = await web.newMember();
    const id = await addMessage(web, member, path.slice(17), { state: 'failed', attempts: 1 });
    for (const to of [path, `/alerts/webhooks/${newId('wh')}`, '/alerts/webhooks/x']) {
      for (const page of ['', '/remove']) t.match(await other.get(to + page), { status: 404 });
      for (const act of ['/test', '/enable', '/secret', '/remove', `/deliveries/${id}/send-again`]) {
        t.match(await other.post(to + act, { name: 'hooks.example.com' }), { status: 404 }, act);
        t.match(await web.newVisitor().post(to + act), { status: 303, headers: { location: '/sign-in' } });
        t.match(await member.post(to + act, {}, { 'sec-fetch-site': 'cross-site' }), { status: 403 });
      }
    }
    t.match(await member.get(path), { status: 200 }, 'and stays as it was');
  });
});
