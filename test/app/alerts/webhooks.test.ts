import tap from 'tap';
import { displayName, formatFor, type WebhookFormat } from '../../../src/app/alerts/webhook-receiver.js';
import { DISCORD_ADDRESS, SLACK_ADDRESS } from '../../support/chat-rules.js';
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

tap.test('the address decides the format, or the owner', async (t) => {
  const known: readonly (readonly [url: string, format: string])[] = [
    [SLACK_ADDRESS, 'slack'],
    [SLACK_ADDRESS.replace('slack.com', 'slack-gov.com'), 'slack'],
    [SLACK_ADDRESS.replace('slack.com', 'slack.com.'), 'slack'],
    [DISCORD_ADDRESS.replace('discord.com', 'discord.com.'), 'discord'],
    [DISCORD_ADDRESS, 'discord'],
    [DISCORD_ADDRESS.replace('discord.com/api', 'ptb.discord.com/api/v10'), 'discord'],
    [DISCORD_ADDRESS.replace('discord.com', 'discordapp.com'), 'discord'],
    [`${DISCORD_ADDRESS}?thread_id=1180000000000000002`, 'discord'],
    ['https://hooks.example.com/services/T0/B0/x', 'signed'],
    ['https://hooks.slack.com.example.com/services/T0/B0/x', 'signed'],
    ['https://example.com/discord.com/api/webhooks/1/x', 'signed'],
  ];
  for (const [url, format] of known) t.equal(formatFor(new URL(url), 'auto'), format, url);
  for (const format of ['slack', 'discord', 'signed'] as const) {
    t.equal(formatFor(new URL('https://chat.example.com/hooks/abc'), format), format);
  }
  t.equal(formatFor(new URL(SLACK_ADDRESS), 'signed'), 'slack', 'a chat takes its own format only');
});

tap.test('a secret address is shown as its host, with its end if enough stays hidden', async (t) => {
  // The secret alone is long enough or not: what stands before it is known to others.
  const path = 'https://chat.example.com/a/long/path/that/is/no/secret';
  const secret = 'abcdefghijklmnopqrstuvwxyz';
  const cases: readonly (readonly [url: string, format: WebhookFormat, name: string])[] = [
    [SLACK_ADDRESS, 'slack', 'hooks.slack.com/…UVWX'],
    [`${SLACK_ADDRESS}?token=abc`, 'slack', 'hooks.slack.com/…UVWX'],
    [DISCORD_ADDRESS, 'discord', 'discord.com/…_xyz'],
    [`${DISCORD_ADDRESS}/`, 'discord', 'discord.com/…_xyz'],
    ['https://chat.example.com/hooks/abc', 'slack', 'chat.example.com'],
    [`${path}/${secret.slice(-23)}`, 'slack', 'chat.example.com'],
    [`${path}/${secret.slice(-24)}`, 'slack', 'chat.example.com/…wxyz'],
    [SLACK_ADDRESS, 'signed', 'hooks.slack.com'],
  ];
  for (const [url, format, name] of cases) t.equal(displayName(url, format), name, url);
});
