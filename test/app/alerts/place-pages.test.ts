import type { Test } from 'tap';
import { sampleEvent } from '../../../src/web/pages/alerts-samples.js';
import { chatText } from '../../../src/app/alerts/words.js';
import { addSite } from '../../support/accounts.js';
import { DISCORD_ADDRESS, SLACK_ADDRESS } from '../../support/chat-rules.js';
import { onSqlite } from '../../support/databases.js';
import type { HttpAnswer } from '../../support/http-client.js';
import { readPage } from '../../support/page.js';
import { startWeb, WEB_URL } from '../../support/web.js';

const read = ({ text }: HttpAnswer) => readPage(text);
const actionsOf = (answer: HttpAnswer): readonly string[] => read(answer).forms.map(({ action }) => action);

onSqlite(async (t, engine) => {
  const start = async (t: Test) => {
    const web = await startWeb(t, await engine.openDb(t));
    return { web, member: await web.newMember() };
  };

  for (const [name, url] of [
    ['Slack', SLACK_ADDRESS],
    ['Discord', DISCORD_ADDRESS],
  ] as const) {
    t.test(`a webhook of ${name} is known by its address, previewed and tried`, async (t) => {
      const { member } = await start(t);
      const added = await member.post('/alerts/webhooks', { url, format: 'auto', site: '' });
      t.match(added, {
        status: 303,
        headers: { location: /^\/alerts\/webhooks\/wh_[a-z2-7]{20}\?notice=webhook-added$/ },
      });
      const path = (added.headers.location ?? '').replace(/\?.*/, '');
      const page = await member.get(added.headers.location ?? '');
      const sample = chatText(sampleEvent(WEB_URL), WEB_URL);
      t.ok(page.text.includes(sample), 'the very text that is sent');
      t.match(read(page).text, name);
      t.match(actionsOf(page).toSorted(), [...['/remove', '/test'].map((act) => path + act), '/sign-out']);
      t.match(read(await member.get('/alerts')), {
        rows: [Array, [name, String, String, String]],
      });
      t.match(await member.post(`${path}/test`), { status: 303 });
      t.match(read(await member.get(path)).text, 'Waiting');
      t.match(await member.post(`${path}/secret`), { status: 404 });
      t.match(await member.get(`${path}/remove`), { status: 308, headers: { location: path } }, 'a former page');
      for (const address of ['/alerts', path, '/account/activity']) {
        t.notMatch((await member.get(address)).text, url.slice(-20), `${address} does not show the address`);
      }
      t.match((await member.get(path)).text, `${new URL(url).host}/…${url.slice(-4)}`);
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
      t.match(text, new RegExp(`aria-label="[^"]*${name}"`));
      t.match((await member.get(path)).text, `<title>Webhook ${name}`);
      t.match((await member.get(path)).text, `</bdi>${name.slice(-6)}</h1>`);
    }
  });

  t.test('a format is chosen for what takes messages of Slack', async (t) => {
    const { member } = await start(t);
    const chosen = await member.post('/alerts/webhooks', {
      url: 'https://chat.example.com/hooks/abc',
      format: 'slack',
    });
    t.match(read(await member.get(chosen.headers.location ?? '')).text, /FormatSlack/);
    const unknown = await member.post('/alerts/webhooks', { url: 'https://hooks.example.com/', format: 'teams' });
    t.match(unknown, { status: 201 }, 'what no form sends counts as not chosen');
  });

  t.test('a webhook is for one site or for all, as its page says', async (t) => {
    const { web, member } = await start(t);
    for (const hostname of ['shop.example.com', 'blog.example.com'])
      await addSite(web.db, member.account.id, { hostname });
    const url = 'https://hooks.example.com/alerts';
    const refused = await member.post('/alerts/webhooks', { url, site: 'other.example.com' });
    t.equal(refused.status, 422);
    t.match(refused.text, /id="site-error"[^<]* other\.example\.com/);
    const added = await member.post('/alerts/webhooks', { url, site: 'shop.example.com' });
    const path = /href="(\/alerts\/webhooks\/wh_[a-z2-7]{20})"/.exec(added.text)?.[1] ?? '';
    const sitesInList = async () => read(await member.get('/alerts')).rows[1]?.[1];
    t.equal(await sitesInList(), 'shop.example.com');
    t.match(read(await member.get(path)).text, / of shop\.example\.com /);
  });
});
