import { onEitherDatabase } from '../../support/databases.js';
import { PUBLIC_HOST } from '../../support/network-scene.js';
import { openWatchedSite } from '../../support/alerts.js';

onEitherDatabase(async (t, engine) => {
  t.test('a webhook is at a public https address, or where the operator allows it', async (t) => {
    const db = await engine.openDb(t);
    const names = {
      'inside.fixture-site.com': { A: ['10.0.0.7'] },
      'hooks.fixture-site.com': { A: ['93.184.215.14'] },
    };
    const { add, receiver } = await openWatchedSite(t, db, { names });
    const https = / https /;
    const refused = /cannot send/;
    const cases: [url: string, message: RegExp][] = [
      ['', https],
      ['example.com/hook', https],
      ['ftp://hooks.fixture-site.com/', https],
      ['http://hooks.fixture-site.com/', https],
      ['https://127.0.0.1/', refused],
      ['https://[::1]/', refused],
      ['https://2130706433/', refused],
      ['https://169.254.169.254/latest', refused],
      ['https://93.184.215.14/', refused],
      ['https://localhost/', refused],
      ['https://inside.fixture-site.com/', refused],
      ['https://user:word@hooks.fixture-site.com/', /password/],
      ['https://hooks.fixture-site.com:8443/', refused],
      [`https://hooks.fixture-site.com/${'ü'.repeat(350)}`, /2048/],
      [`https://hooks.fixture-site.com/${'x'.repeat(2048)}`, /2048/],
      [`http://${PUBLIC_HOST}:${receiver.port}/hook?key=1#again`, /already/],
    ];
    for (const [url, message] of cases) await t.rejects(add({ url }), { message, field: 'url' }, url);
    const { webhook, secret } = await add({ url: ' https://hooks.fixture-site.com/a?b=c#d ' });
    t.equal(webhook.address, 'https://hooks.fixture-site.com/a?b=c');
    t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  });

  t.test('of many webhooks added at once, ten are accepted', async (t) => {
    const { scene, account, add } = await openWatchedSite(t, await engine.openDb(t));
    const urls = Array.from({ length: 12 }, (_, n) => `https://hooks.fixture-site.com/${n}`);
    const added = await Promise.allSettled(urls.map((url) => add({ url })));
    t.equal(added.filter(({ status }) => status === 'fulfilled').length, 9);
    t.equal((await scene.webhooks.list(account.id)).length, 10);
  });
});
