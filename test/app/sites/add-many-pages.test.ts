import { addAccount } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { formTo, readPage, wordsOf } from '../../support/page.js';
import { startWeb } from '../../support/web.js';

const FORM = '/sites/import';

onEitherDatabase(async (t, engine) => {
  t.test('a pasted list is added, and the answer lists the outcome of each line', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    t.match((await member.get('/sites/new')).text, `href="${FORM}"`);
    const list = 'shop.example.com #shops\nshop.example.com/lamps #lamps\nno host\nftp://x.example';
    const { status, text } = await member.post(FORM, { list });
    const [site] = await web.sites.list(member.account.id);
    t.equal(status, 200);
    t.match(site, { hostname: 'shop.example.com', tags: ['shops'] });
    t.match(text, `href="/sites/${site?.id}/verify"`);
    const groups = [
      '1 site added, 2 not',
      'Not added 2 lines .* no host ',
      'Correct and add again 2 lines',
      'DNS records',
      'Duplicate 1 line shop',
      'Added 1 line shop.* #shops',
    ];
    t.match(wordsOf(text), new RegExp(groups.join('.*')));
    t.match(text, '<li value="3"><code>no host</code>');
    t.match(text, 'aria-label="value of the TXT record of example.com"', 'script adds a button that copies it');
    t.match(text, 'no host\nftp://x.example</textarea>', 'what can be corrected stays in the form');
    const record = / example\. com 1 _agent-readiness\.example\.com agent-readiness-[0-9a-f]{48} subdomains /;
    t.match(wordsOf(text), record);
    t.match((await member.get('/sites')).text, 'href="/sites/verify"');
    const later = (await member.get('/sites/verify')).text;
    t.match([readPage(later).heading, wordsOf(later)], ['1 site to verify', record]);
    const fields = { act: 'verify', all: 'all' };
    t.match(formTo(text, '/sites/bulk?show=unverified')?.fields, fields);
    t.match(readPage((await member.post('/sites/bulk?show=unverified', fields)).text).heading, 'Verify 1 site?');
    await web.sites.markVerified(site?.id ?? '', 'operator');
    t.notMatch((await member.get('/sites')).text, 'href="/sites/verify"', 'nothing is left to verify');
    const done = readPage((await member.get('/sites/verify')).text);
    t.equal(done.heading, 'No sites to verify');
    t.ok(
      done.links.some(({ text }) => text === 'Back to the sites'),
      'a link leads back',
    );
    t.match(wordsOf((await member.post(FORM, { list })).text), /No sites added.*Already [a-z ]+ 1 line .* shop/);
  });

  t.test('the DNS records go by name, and say how many sites they cover', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const { text } = await (await web.newMember()).post(FORM, { list: 'blog.example.net\nexample.net\nexample.org' });
    t.match(wordsOf(text), / example\. net 2 _.* example\. org 1 _/);
  });

  t.test('a list that is empty, too long, too large or one too many in an hour is refused', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const empty = await member.post(FORM, { list: ' ' });
    t.same([empty.status, readPage(empty.text).invalid], [422, ['list']]);
    const lines = Array.from({ length: 501 }, (_, index) => `s${index}.example.com`).join('\n');
    const many = await member.post(FORM, { list: lines });
    t.same([many.status, readPage(many.text).invalid], [422, ['list']]);
    t.match(many.text, /id="list-error">[^<]*\b501\b[^<]*\b500\b/);
    t.match(many.text, 's500.example.com</textarea>');
    const large = await member.post(FORM, { list: 'a'.repeat(10_000_000) });
    t.match([large.status, wordsOf(large.text)], [413, /64 kB.* half /]);
    for (let count = 2; count < 30; count += 1) await member.post(FORM, { list: '' });
    const refused = await member.post(FORM, { list: 'a.example.com' });
    t.match([refused.status, wordsOf(refused.text)], [429, /\b30 lists/]);
    t.equal((await web.sites.list(member.account.id)).length, 0);
  });

  t.test('a list longer than the plan allows is added in part', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember(await addAccount(web.db, 'FREE'));
    const { text } = await member.post(FORM, { list: 'a.example.com\nb.example.com\nc.example.com\nd.example.com' });
    t.match(wordsOf(text), /3 sites .*No room .* 1 line .* FREE .* 3 sites\..* d\. ?example/);
    t.equal((await web.sites.list(member.account.id)).length, 3);
  });

  t.test('the answer to 500 lines is no larger than a page may be', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const long = 'x'.repeat(70);
    for (const [plan, lineOf] of [
      ['FREE', (index: number) => `no host ${index} ${long}`],
      ['SCALE', (index: number) => `shop-number-${index}.with-a-long-name.example.com`],
    ] as const) {
      const member = await web.newMember(await addAccount(web.db, plan));
      const { status, text } = await member.post(FORM, {
        list: Array.from({ length: 500 }, (_, index) => lineOf(index)).join('\n'),
      });
      t.equal(status, 200);
      t.equal(text.match(/<li value="/g)?.length, 500);
      t.ok(text.length <= 60_000, `${text.length} characters`);
    }
  });
});
