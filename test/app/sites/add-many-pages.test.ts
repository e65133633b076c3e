import { PAYLOADS } from '../../e2e/payloads.js';
import { createSitesMaxOf } from '../../../src/app/sites/add-sites.js';
import { SiteLists } from '../../../src/app/sites/site-lists.js';
import { addAccount, TestClock } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { HeldTimers, until } from '../../support/held-timers.js';
import { wordsOf } from '../../support/page-words.js';
import { startWeb, type Visitor } from '../../support/web.js';

const [FORM, LIST] = ['/sites/import', '/sites/import/list'];

/** Sends the form as a browser does where a file is chosen. */
async function sendFile(visitor: Visitor, file: Uint8Array<ArrayBuffer>, list = '') {
  const form = new FormData();
  form.set('list', list);
  form.set('file', new File([file], 'sites.csv', { type: 'text/csv' }));
  const request = new Response(form);
  const headers = { 'content-type': request.headers.get('content-type') ?? '', 'sec-fetch-site': 'same-origin' };
  return visitor.send(FORM, { method: 'POST', headers, body: [Buffer.from(await request.arrayBuffer())] });
}

const idOf = (html: string): string => /name="id" value="([^"]+)"/.exec(html)?.[1] ?? '';

onEachDatabase(async (t, engine) => {
  t.test('a list is pasted, looked at, and added', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    t.match((await member.get('/sites/new')).text, `href="${FORM}"`);
    t.match((await member.get(FORM)).text, '<form method="post" action="/sites/import" enctype="multipart/form-data"');
    const sent = await member.post(FORM, { list: 'shop.example.com\nshop.example.com/lamps\nno host\n' });
    t.match([sent.status, sent.headers.location], [303, LIST]);
    const page = (await member.get(LIST)).text;
    t.match(
      wordsOf(page),
      /1 site can be added.*Nothing is added yet\..*All 3 Can be added 1 Twice in this list 1 Cannot be added 1/,
    );
    t.match(wordsOf(page), /3 no host Cannot be added This is not a host name/);
    t.match(
      wordsOf((await member.get(`${LIST}?show=twice`)).text),
      /Result|2 shop\. ?example\. ?com shop\.example\.com\/lamps Twice/,
    );
    t.same((await web.sites.list(member.account.id)).length, 0);
    const added = await member.post(LIST, { id: idOf(page) });
    t.match([added.status, added.headers.location], [303, LIST]);
    const [site] = await web.sites.list(member.account.id);
    const after = (await member.get(LIST)).text;
    t.match(after, `href="/sites/${site?.id}/verify"`);
    t.match(wordsOf(after), /1 site added.*Show that they are yours/);
    t.match(wordsOf((await member.get('/account/activity')).text), 'Site added: shop.example.com');
  });

  t.test('a file is read as its encoding says', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const table = 'name;url\r\n"Lamps; more";shop.example.com\r\n';
    for (const bytes of [
      Buffer.from(`\uFEFF${table}`),
      Buffer.from(`\uFEFF${table}`, 'utf16le'),
      Buffer.from(`\uFEFF${table}`, 'utf16le').swap16(),
    ]) {
      t.equal((await sendFile(member, bytes)).status, 303);
      t.match(wordsOf((await member.get(LIST)).text), /1 site can be added.* 2 shop\. ?example\. ?com/);
    }
  });

  t.test('what cannot be taken is said, and what was typed stays', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const empty = await member.post(FORM, { list: ' ' });
    t.match([empty.status, wordsOf(empty.text)], [422, /Give at least one address/]);
    const both = await sendFile(member, Buffer.from('a.example.com'), 'b.example.com');
    t.match([both.status, both.text], [422, /choose a file: one of the two.*b\.example\.com<\/textarea>/s]);
    const lines = Array.from({ length: 2001 }, (_, index) => `s${index}.example.com`).join('\n');
    const many = await sendFile(member, Buffer.from(lines));
    t.match([many.status, wordsOf(many.text)], [422, /Or a file, as CSV or text This list has more than 2,000 lines/]);
    t.match(many.text, /id="file"[^>]* aria-describedby="file-error"/, 'at the file');
    const long = await sendFile(member, Buffer.alloc(1_100_000, 'a'));
    t.match([long.status, wordsOf(long.text)], [422, /longer than a megabyte/]);
    t.equal((await member.post(FORM, { list: 'a'.repeat(70_000) })).status, 413, 'other forms keep their limit');
    const gone = await member.get(LIST);
    t.match([gone.status, wordsOf(gone.text)], [404, /There is no list here/]);
    t.match((await web.newVisitor().get(FORM)).headers, { location: /^\/sign-in/ });
    t.match((await web.newVisitor().post(LIST, { id: 'x' })).headers, { location: /^\/sign-in/ });
  });

  t.test('a form that the parser would be long over is refused before it is parsed', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const boundary = '----the-boundary-of-a-form-in-tests';
    const part = (head = '') =>
      `--${boundary}\r\nContent-Disposition: form-data; name="list"${head}\r\n\r\na.example.com\r\n`;
    const type = `multipart/form-data; boundary=${boundary}`;
    const send = async (body: string, contentType = type) => {
      const headers = { 'content-type': contentType, 'sec-fetch-site': 'same-origin' };
      return (await member.send(FORM, { method: 'POST', headers, body: [Buffer.from(body)] })).status;
    };
    const formData = t.capture(Response.prototype, 'formData', Response.prototype.formData);
    t.equal(await send(`${part()}--${boundary}--\r\n`), 303);
    t.equal(await send(`${part()}--${boundary}--\r\n`, `multipart/form-data; boundary="${boundary}"`), 303);
    t.equal(formData().length, 2);
    for (const [what, body, contentType] of [
      ['many parts', `${part().repeat(3)}--${boundary}--\r\n`],
      ['many after what looks like the end', `${boundary}--\r\n${part().repeat(3)}--${boundary}--\r\n`],
      ['much above a part', `${part(`; a="${'b'.repeat(5000)}"`)}--${boundary}--\r\n`],
      ['another boundary', `${part()}--${boundary}--\r\n`, `${type}; boundary=y`],
    ] as const) {
      t.equal(await send(body, contentType), 400, what);
    }
    t.equal(formData().length, 0);
  });

  t.test('over the limit of an account, a form is not read', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    for (let count = 0; count < 30; count += 1) await member.post(FORM, { list: '' });
    const formData = t.capture(Response.prototype, 'formData', Response.prototype.formData);
    const refused = await sendFile(member, Buffer.from('a.example.com'));
    t.match([refused.status, wordsOf(refused.text)], [429, /has given 30 lists in an hour/]);
    t.equal(formData().length, 0);
  });

  t.test('a confirmation of another list adds nothing', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember(await addAccount(web.db, 'FREE'));
    await member.post(FORM, { list: 'a.example.com\nb.example.com\nc.example.com\nd.example.com' });
    t.match(
      wordsOf((await member.get(LIST)).text),
      /Your plan has room for 3 sites: 3 are left\..*No room on your plan 1/,
    );
    const refused = await member.post(LIST, { id: 'of-before' });
    t.match([refused.status, wordsOf(refused.text)], [422, /Another list was given meanwhile/]);
    t.equal((await web.sites.list(member.account.id)).length, 0);
    await member.post(LIST, { id: idOf((await member.get(LIST)).text) });
    t.match(wordsOf((await member.get(LIST)).text), /3 sites added.*Your plan has room for 3 sites: none is left\./);
    await member.post(FORM, { list: 'e.example.com' });
    t.match(wordsOf((await member.get(LIST)).text), /No site can be added.*room for 3 sites: none is left\./);
  });

  t.test('a list says that its names are looked up, and which were not in time', async (t) => {
    const timers = new HeldTimers();
    let isSlow = true;
    const [db, clock] = [await engine.openDb(t), new TestClock()];
    const siteLists = new SiteLists({
      ...{ db, clock, startTimer: timers.start, sitesMaxOf: createSitesMaxOf() },
      vetSite: () => !isSlow || new Promise<boolean>(() => undefined),
    });
    const web = await startWeb(t, db, { siteLists });
    const member = await web.newMember();
    const sending = member.post(FORM, { list: 'a.example.com\nb.example.com' });
    await until(() => timers.count === 2);
    timers.fire();
    t.equal((await sending).status, 303);
    const looking = (await member.get(LIST)).text;
    t.match(looking, /<noscript><meta http-equiv="refresh" content="3;url=\/sites\/import\/list"\/><\/noscript>/);
    t.match(looking, 'data-pending="page"');
    t.match(wordsOf(looking), /Looking up the names\. 2 of 2 lines to go/);
    clock.set('2026-03-15T12:00:30.000Z');
    const page = (await member.get(LIST)).text;
    t.notMatch(page, /http-equiv="refresh"|data-pending/);
    t.match(wordsOf(page), /No site can be added.*Look up 2 names again.*1 a\. ?example\. ?com Not looked up yet/);
    isSlow = false;
    t.equal((await member.post(LIST, { id: idOf(page), again: 'again' })).status, 303);
    t.match(wordsOf((await member.get(LIST)).text), /2 sites can be added/);
  });

  t.test('a page shows fifty lines, whatever they hold, and none of it as markup', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const payloads = PAYLOADS.map((payload) => `"${payload.replaceAll('"', '""')}"`);
    const list = [...payloads, ...Array.from({ length: 60 }, (_, index) => `s${index}.example.com`)].join('\n');
    t.equal((await sendFile(member, Buffer.from(list))).status, 303);
    const { text } = await member.get(LIST);
    for (const payload of PAYLOADS) if (payload.startsWith('<')) t.notMatch(text, payload);
    t.equal(text.match(/<tr>/g)?.length, 51);
    t.match(wordsOf(text), '1 to 50 of 100');
    t.match(wordsOf((await member.get(`${LIST}?page=2`)).text), '51 to 100 of 100');
    t.match(wordsOf((await member.get(`${LIST}?page=99&show=nothing`)).text), '51 to 100 of 100');
  });
});
