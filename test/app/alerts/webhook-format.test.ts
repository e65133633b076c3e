import t from 'tap';
import { displayName, formatFor, type WebhookFormat } from '../../../src/app/alerts/webhook-receiver.js';
import { DISCORD_ADDRESS, SLACK_ADDRESS } from '../../support/chat-rules.js';

t.test('the address decides the format, or the owner', async (t) => {
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

t.test('a secret address is shown as its host, with its end if enough stays hidden', async (t) => {
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
