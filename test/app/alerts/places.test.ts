import { changeTags } from '../../../src/app/sites/site-settings.js';
import { addSite } from '../../support/accounts.js';
import { brokenRules, DISCORD_ADDRESS, SLACK_ADDRESS } from '../../support/chat-rules.js';
import { onEitherDatabase } from '../../support/databases.js';
import { PUBLIC_ADDRESS, PUBLIC_HOST } from '../../support/network-scene.js';
import { startReceiver } from '../../support/servers.js';
import { BROKEN, changesOf, FINE, openWatchedSite } from '../../support/alerts.js';

onEitherDatabase(async (t, engine) => {
  for (const format of ['slack', 'discord'] as const) {
    t.test(`${format} gets its own format, and is turned off by 410, with a mail, but not by 404`, async (t) => {
      const chat = await startReceiver(t, PUBLIC_ADDRESS);
      const answerWith = (status: number, text = '') =>
        void (chat.answer = (response) => response.writeHead(status).end(text));
      const answerStatus = format === 'slack' ? 200 : 204;
      answerWith(answerStatus, format === 'slack' ? 'ok' : '');
      const db = await engine.openDb(t);
      const { scene, site, account, receiver, add } = await openWatchedSite(t, db, { ports: [chat.port] });
      const url = `http://${PUBLIC_HOST}:${chat.port}/services/T0ABCDEF/B0ABCDEF/the-long-and-secret-part`;
      const { webhook: added, secret } = await add({ url, format });
      t.match(added, { format, disabledAt: null, site: null, address: /^[^/]+\/…part$/ });
      t.equal(secret, '', 'nothing is signed');
      const chatRef = { accountId: account.id, webhookId: added.id };
      const chatLog = () => scene.webhooks.log(chatRef);
      await scene.webhooks.sendTest(chatRef);
      await scene.run(site.id, BROKEN);
      await scene.run(site.id, FINE);
      await scene.deliverDue();
      t.equal(chat.messages.length, 2);
      for (const { body, headers } of chat.messages) {
        t.same(brokenRules(format, JSON.parse(body)), []);
        t.match(headers, { 'content-type': 'application/json' });
        t.notMatch(Object.keys(headers).join(), 'webhook-');
      }
      t.match(chat.messages.map(({ body }) => body).join(), / test.*Fixed|Fixed.* test/);
      t.match(await chatLog(), Array(2).fill({ state: 'delivered', answerStatus, problem: null }));
      t.same(receiver.messages.map(changesOf), [['CHECK_FIXED b']]);

      await scene.webhooks.setEmailAlerts(account.id, true);
      answerWith(404);
      scene.pass(1000);
      await scene.run(site.id, BROKEN);
      await scene.deliverDue();
      t.match((await chatLog())[0], { state: 'waiting', problem: / 404/ }, 'it may be starting');
      t.equal((await scene.webhooks.get(chatRef)).disabledAt, null);
      answerWith(410, 'no_service');
      scene.pass(6000);
      await scene.deliverDue();
      t.match((await chatLog())[0], { state: 'failed', attempts: 2, answerStatus: 410, problem: /\b410\b/ });
      t.type((await scene.webhooks.get(chatRef)).disabledAt, 'string');
      t.same(scene.disabled, [chatRef.webhookId]);
      const mail = scene.mails.find(({ text }) => text.includes(`${PUBLIC_HOST}:${chat.port}/…part`));
      t.match(mail, { subject: 'turned off', text: /\bturn\b/ });
      t.notMatch(JSON.stringify(scene.mails), /secret-part|no_service/);
    });
  }

  t.test('a chat itself is turned off by 404 and by 410', async (t) => {
    for (const [url, status] of Object.entries({ [SLACK_ADDRESS]: 404, [DISCORD_ADDRESS]: 410 })) {
      const { scene, account, add } = await openWatchedSite(t, await engine.openDb(t), {
        names: { 'hooks.slack.com': { A: [PUBLIC_ADDRESS] }, 'discord.com': { A: [PUBLIC_ADDRESS] } },
        post: () => Promise.resolve({ status, retryAfter: null }),
      });
      const { webhook } = await add({ url });
      const chatRef = { accountId: account.id, webhookId: webhook.id };
      await scene.webhooks.sendTest(chatRef);
      await scene.deliverDue();
      t.same(scene.disabled, [webhook.id]);
      t.match(await scene.webhooks.log(chatRef), [{ state: 'failed', problem: new RegExp(`\\b${status}\\b`) }]);
    }
  });

  t.test('a webhook for one site gets only its alerts', async (t) => {
    const { db, scene, account, site, receiver, ref, ...watched } = await openWatchedSite(t, await engine.openDb(t));
    const other = await addSite(db, account.id, { hostname: 'blog.example.com' });
    const paths = () => receiver.messages.splice(0).map(({ path }) => path);
    const add = (path: string, scope: string) =>
      watched.add({ url: `http://${PUBLIC_HOST}:${receiver.port}${path}`, scope });
    const { webhook } = await add('/shop', 'https://shop.example.com/any/page?x=1');
    t.match(webhook, { site: { id: site.id, hostname: 'shop.example.com' } });
    await add('/blog', 'blog.example.com');
    const bothChange = async (results: typeof FINE) => {
      for (const { id } of [site, other]) await scene.run(id, results);
      await scene.deliverDue();
    };
    await bothChange(FINE);
    await bothChange(BROKEN);
    t.same(paths().sort(), ['/blog', '/hook?key=1', '/hook?key=1', '/shop']);
    const ported = await addSite(db, account.id, { hostname: 'http://shop.example.com:8080' });
    const named = await add('/ported', 'Shop.example.com:8080');
    t.equal(named.webhook.site?.id, ported.id, 'as pages name it: with a port, without a scheme');
    await t.rejects(add('/shop', 'http://'), { field: 'site', message: /host name/ });
    await t.rejects(add('/blog', 'blog.example.com'), { field: 'url', message: /already/ });
    t.ok(await add('/blog', 'shop.example.com'), 'the same address may get alerts of another site');
    t.equal((await scene.webhooks.get(ref)).site, null);
  });

  t.test('a webhook for a tag gets the alerts of the sites that have it', async (t) => {
    const { db, scene, account, site, receiver, ref, add } = await openWatchedSite(t, await engine.openDb(t));
    const other = await addSite(db, account.id, { hostname: 'blog.example.com' });
    await scene.webhooks.remove(ref);
    const tag = (tags: readonly string[]) => changeTags({ db, clock: scene.clock }, account.id, [site.id], () => tags);
    await tag(['Shops']);
    const url = `http://${PUBLIC_HOST}:${receiver.port}/tagged`;
    await t.rejects(add({ url, scope: '#blogs' }), { field: 'site', message: / blogs/ });
    await t.rejects(add({ url, scope: '#' }), { field: 'site', message: / tag/ });
    const { webhook } = await add({ url, scope: ' #SHOPS' });
    t.match(webhook, { site: null, tag: 'shops' });
    const runs = async (results: typeof FINE): Promise<number> => {
      for (const { id } of [site, other]) await scene.run(id, results);
      await scene.deliverDue();
      return receiver.messages.splice(0).length;
    };
    t.equal(await runs(FINE), 0);
    t.equal(await runs(BROKEN), 1);
    const { webhook: one } = await add({ url, scope: site.hostname });
    t.equal(await runs(FINE), 1, 'an address gets an alert once');
    await scene.webhooks.remove({ ...ref, webhookId: one.id });
    t.equal(await runs(BROKEN), 1);
    await tag([]);
    t.equal(await runs(FINE), 0);
  });
});
