import { createKeys } from '../../../src/app/keys/keys.js';
import { EVENT_WORDS, recordEvent } from '../../../src/app/audit/audit.js';
import { onEitherDatabase } from '../../support/databases.js';
import { readPage } from '../../support/page.js';
import { startWeb } from '../../support/web.js';

onEitherDatabase(async (t, engine) => {
  t.test("owners see what was done, by whom and from where, but not other accounts' events", async (t) => {
    const web = await startWeb(t, await engine.openDb(t), { trustProxy: 1 });
    const [member, stranger] = [await web.newMember(), await web.newMember()];
    await member.post('/keys', { name: '<b>Nightly</b>' }, { 'x-forwarded-for': '198.51.100.4' });
    await createKeys(web).create({ accountId: stranger.account.id, name: 'theirs' });
    const { email } = member.account;
    for (let count = 0; count < 3; count += 1) await web.newVisitor().post('/sign-in', { email, password: 'wrong' });
    await web.signIn.settle();
    t.match((await member.get('/account')).text, 'href="/account/activity"');
    const { text, status } = await member.get('/account/activity');
    t.equal(status, 200);
    const { rows } = readPage(text);
    const [created, wrong, signedIn] = [EVENT_WORDS.key_created, EVENT_WORDS.wrong_password, EVENT_WORDS.signed_in];
    const rowOf = (event: string) => rows.find(([, what]) => what?.startsWith(event))?.slice(1);
    t.match(rowOf(created), [`${created}: <b>Nightly</b>`, 'You', '198.51.100.4']);
    t.match(rowOf(wrong), [String, 'Unknown', '127.0.0.1']);
    t.match(rowOf(signedIn), [': one-time link', String, /^$/]);
    t.notMatch(text, /theirs|Earlier|Latest</);
  });

  t.test('what was done to many sites at once is one line', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    await member.post('/sites/import', { list: 'a.example\nb.example\nc.example\nd.example\ne.example' });
    const { rows } = readPage((await member.get('/account/activity')).text);
    const added = rows.flatMap(([, what]) => (what?.startsWith(EVENT_WORDS.site_added) ? [what] : []));
    t.equal(added.length, 1);
    t.match(added[0], /: \w\.example; \w\.example; \w\.example and 2 more$/);
  });

  t.test('a link leads to earlier events', async (t) => {
    const web = await startWeb(t, await engine.openDb(t));
    const member = await web.newMember();
    const { id: accountId } = member.account;
    const now = web.clock.now();
    const later = { accountId, event: 'site_added', now: new Date('2026-03-15T12:00:01.000Z') } as const;
    for (let count = 0; count < 100; count += 1)
      await web.db.transaction((tx) => recordEvent(tx, { ...later, subject: 'a.example' }));
    const first = await member.get('/account/activity');
    t.notMatch(first.text, 'Account created');
    const [, next = ''] = /href="(\/account\/activity\?before=[^"]+)"/.exec(first.text) ?? [];
    const second = await member.get(next);
    t.match(second.text, /Account created.*>Latest</s);
    t.notMatch(second.text, /a\.example|>Earlier</);
    t.ok(second.text.includes(now.toISOString()));
    t.same(readPage((await member.get('/account/activity?before=0')).text).rows, []);
    for (const odd of ['%00', '%C3%A4', 'a%00b'])
      t.match(await member.get(`/account/activity?before=${odd}`), { status: 200, text: '>Earlier<' }, odd);
  });
});
