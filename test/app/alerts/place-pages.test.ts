import type { Test } from 'tap';
import { sampleForPeople } from '../../../src/app/alerts/pages/samples.js';
import { chatMessage } from '../../../src/app/alerts/chat-message.js';
import { addSite } from '../../support/accounts.js';
import { DISCORD_ADDRESS, SLACK_ADDRESS } from '../../support/chat-addresses.js';
import { onSqlite } from '../../support/databases.js';
import { wordsOf } from '../../support/page-words.js';
import { startWeb, WEB_URL } from '../../support/web.js';

onSqlite(async (t, engine) => {
  const start = async (t: Test) => {
    const web = await startWeb(t, await engine.openDb(t));
    return { web, member: await web.newMember() };
  };

  for (const [name, url, format] of [
    ['Slack', SLACK_ADDRESS, 'slack'],
    ['Discord', DISCORD_ADDRESS, 'discord'],
  ] as const) {
    t.test(`a webhook of ${name} is known by its address, previewed, tried and turned on`, async (t) => {
      const { member } = await start(t);
      const added = await member.post('/alerts/webhooks', { url, format: 'auto', site: '' });
      t.match(added, { status: 303, headers: { location: /^\/alerts\/webhooks\/wh_[a-z2-7]{20}\?notice=added$/ } });
      const path = (added.headers.location ?? '').replace(/\?.*/, '');
      const page = await member.get(added.headers.location ?? '');
      t.match(
        wordsOf(page.text),
        new RegExp(
          `Not turned on yet.*A message as ${name} gets it.*100 → 93, 1 new failure, at commit 4f2a1c9.*fails now: There is no llms\\.txt`,
        ),
      );
      t.match(wordsOf(page.text), /See what was found and how to fix it.*Deliveries/);
      t.match(page.text, '╻···┃┃', 'with the pins');
      const json = JSON.stringify(chatMessage(format, sampleForPeople(WEB_URL), WEB_URL), null, 2);
      const escaped = json.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
      t.ok(page.text.includes(escaped), 'the very JSON that is sent');
      t.match(wordsOf(page.text), new RegExp(`Format ${name} Sites All of your sites`));
      t.notMatch(page.text, 'Make a new secret');
      t.match(
        wordsOf((await member.get('/alerts')).text),
        /Alerts go nowhere yet .*1 webhook is not turned on yet.*Not turned on yet/,
      );
      t.match(await member.post(`${path}/test`), { status: 303 });
      t.match(wordsOf((await member.get(path)).text), /Test Waiting/);
      const on = await member.post(`${path}/enable`);
      t.match(wordsOf((await member.get(on.headers.location ?? '')).text), /The webhook is in use\..*A message as/);
      t.match(await member.post(`${path}/secret`), { status: 404 });
      for (const address of ['/alerts', path, `${path}/remove`, '/account/activity']) {
        t.notMatch((await member.get(address)).text, url.slice(-20), `${address} does not show the address`);
      }
      t.match((await member.get(`${path}/remove`)).text, `${new URL(url).origin}/…${url.slice(-4)}`);
    });
  }

  t.test('two webhooks of one chat are told apart by the end of their addresses', async (t) => {
    const { member } = await start(t);
    const paths = [];
    for (const url of [SLACK_ADDRESS, `${SLACK_ADDRESS.slice(0, -4)}abcd`]) {
      const { headers } = await member.post('/alerts/webhooks', { url, format: 'auto', site: '' });
      paths.push((headers.location ?? '').replace(/\?.*/, ''));
    }
    const { text } = await member.get('/alerts');
    for (const [index, name] of ['hooks.slack.com/…UVWX', 'hooks.slack.com/…abcd'].entries()) {
      const path = paths[index] ?? '';
      t.match(text, `<a href="${path}">${name}</a>`);
      t.match(text, `aria-label="Send a test to ${name}"`);
      t.match((await member.get(path)).text, `<title>Webhook ${name}`);
      t.match((await member.get(path)).text, `</bdi>${name.slice(-6)}</h1>`);
      t.match((await member.get(`${path}/remove`)).text, `<title>Remove webhook ${name}`);
    }
  });

  t.test(
    'a format is chosen for what takes messages of Slack, and refused where the address takes another',
    async (t) => {
      const { member } = await start(t);
      const chosen = await member.post('/alerts/webhooks', {
        url: 'https://chat.example.com/hooks/abc',
        format: 'slack',
      });
      t.match(wordsOf((await member.get(chosen.headers.location ?? '')).text), /Format Slack/);
      const refused = await member.post('/alerts/webhooks', {
        url: SLACK_ADDRESS,
        format: 'discord',
        site: 'a.example',
      });
      t.equal(refused.status, 422);
      t.match(refused.text, /id="format-error"/);
      t.match(refused.text, /value="discord" checked/, 'what was chosen is kept');
      t.match(refused.text, /name="site"[^>]* value="a\.example"/);
      t.match(wordsOf(refused.text), 'This is an address of Slack, which takes its own format only.');
      const unknown = await member.post('/alerts/webhooks', { url: 'https://hooks.example.com/', format: 'teams' });
      t.match(unknown, { status: 201 }, 'what no form sends counts as not chosen');
    },
  );

  t.test('a webhook is for one site or for all, as its page says and changes', async (t) => {
    const { web, member } = await start(t);
    for (const hostname of ['shop.example.com', 'blog.example.com'])
      await addSite(web.db, member.account.id, { hostname });
    const url = 'https://hooks.example.com/alerts';
    const refused = await member.post('/alerts/webhooks', { url, site: 'other.example.com' });
    t.equal(refused.status, 422);
    t.match(refused.text, /id="site-error"/);
    t.match(wordsOf(refused.text), 'None of your sites is other.example.com.');
    const added = await member.post('/alerts/webhooks', { url, site: 'shop.example.com' });
    const path = /href="(\/alerts\/webhooks\/wh_[a-z2-7]{20})"/.exec(added.text)?.[1] ?? '';
    t.match(wordsOf((await member.get('/alerts')).text), /Signed JSON \/alerts shop\. example\. com/);
    t.match(wordsOf((await member.get(path)).text), /Alerts of shop\. example\. com are posted to it/);
    const wrong = await member.post(`${path}/site`, { site: 'not a host' });
    t.equal(wrong.status, 422);
    t.match(wrong.text, /<details class="fold" open.*value="not a host".*id="site-error"/s);
    const saved = await member.post(`${path}/site`, { site: '' });
    t.match(saved, { status: 303, headers: { location: `${path}?notice=site` } });
    t.match(
      wordsOf((await member.get(saved.headers.location ?? '')).text),
      /The sites of the webhook are saved.*Sites All of your sites/,
    );
    t.match(wordsOf((await member.get('/alerts')).text), /Signed JSON \/alerts all 2/);
  });

  t.test('removing a site says which webhooks go with it', async (t) => {
    const { web, member } = await start(t);
    const site = await addSite(web.db, member.account.id);
    t.notMatch(wordsOf((await member.get(`/sites/${site.id}/remove`)).text), 'for its alerts alone');
    await member.post('/alerts/webhooks', { url: 'https://hooks.example.com/', site: site.hostname });
    await member.post('/alerts/webhooks', { url: 'https://all.example.com/' });
    t.match(wordsOf((await member.get(`/sites/${site.id}/remove`)).text), '1 webhook for its alerts alone');
  });

  t.test('the weekly digest is offered from six sites on, turned on and off', async (t) => {
    const { web, member } = await start(t);
    let seen = '';
    for (let count = 1; count <= 6; count += 1) {
      seen = (await member.get('/alerts')).text;
      t.notMatch(seen, 'action="/alerts/digest"', `not with ${count - 1} sites`);
      await addSite(web.db, member.account.id, { hostname: `n${count}.example.com` });
    }
    t.match(seen, /From 6 sites on, you can have a weekly digest/);
    t.match(
      wordsOf((await member.get('/alerts')).text),
      /The weekly digest is off\. On Mondays, one mail .*A week without changes has none/,
    );
    const on = await member.post('/alerts/digest', { digest: 'weekly' });
    t.match(on, { status: 303, headers: { location: '/alerts?notice=digest-on' } });
    t.match(
      wordsOf((await member.get(on.headers.location ?? '')).text),
      /The weekly digest is on.*The next is due in 19 hours/,
    );
    const off = await member.post('/alerts/digest', { digest: 'off' });
    t.match(wordsOf((await member.get(off.headers.location ?? '')).text), /The weekly digest is off/);
  });
});
