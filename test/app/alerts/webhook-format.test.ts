import t from 'tap';
import { type ChosenFormat, formatFor, displayAddress, displayName } from '../../../src/app/alerts/webhook-format.js';
import { DISCORD_ADDRESS, SLACK_ADDRESS } from '../../support/chat-addresses.js';

t.test('a format is known by the address, or chosen', async (t) => {
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
  t.equal(formatFor(new URL(SLACK_ADDRESS), 'slack'), 'slack');
});

const SLACK_EXAMPLE = /hooks\.slack\.com\/services/;
const DISCORD_EXAMPLE = /discord\.com\/api\/webhooks/;

t.test('an address that takes no message of ours is refused with what to give', async (t) => {
  const refused: readonly (readonly [url: string, chosen: ChosenFormat, message: RegExp, field: string])[] = [
    [SLACK_ADDRESS, 'signed', /Slack/, 'format'],
    [SLACK_ADDRESS, 'discord', /Slack/, 'format'],
    [DISCORD_ADDRESS, 'slack', /Discord/, 'format'],
    ['https://hooks.slack.com/triggers/T0/1/x', 'auto', SLACK_EXAMPLE, 'url'],
    [SLACK_ADDRESS.replace(/\/[^/]+$/, '/'), 'auto', SLACK_EXAMPLE, 'url'],
    ['https://hooks.slack.com/workflows/T0/A0/1/x', 'slack', SLACK_EXAMPLE, 'url'],
    [`${DISCORD_ADDRESS}/slack`, 'auto', DISCORD_EXAMPLE, 'url'],
    [`${DISCORD_ADDRESS}/github`, 'auto', DISCORD_EXAMPLE, 'url'],
    [DISCORD_ADDRESS.replace('discord.com', 'www.discord.com'), 'auto', DISCORD_EXAMPLE, 'url'],
    [DISCORD_ADDRESS.replace('discord.com', 'discord.com:8443'), 'auto', DISCORD_EXAMPLE, 'url'],
    [SLACK_ADDRESS.replace('hooks', 'my-team'), 'signed', SLACK_EXAMPLE, 'url'],
    [SLACK_ADDRESS.replace('slack.com', 'slack.com:8443'), 'auto', SLACK_EXAMPLE, 'url'],
    ['https://discord.com/channels/1/2', 'auto', DISCORD_EXAMPLE, 'url'],
  ];
  for (const [url, chosen, message, field] of refused) {
    t.throws(() => formatFor(new URL(url), chosen), { name: 'InputError', message, field }, url);
  }
});

t.test('of a secret address the host is shown, and the end where enough stays secret', async (t) => {
  t.equal(displayAddress(SLACK_ADDRESS, 'slack'), 'https://hooks.slack.com/…UVWX');
  t.equal(displayAddress(DISCORD_ADDRESS, 'discord'), 'https://discord.com/…_xyz');
  t.equal(displayAddress('https://chat.example.com/hooks/abc', 'slack'), 'https://chat.example.com/…');
  t.equal(displayAddress(`${SLACK_ADDRESS}?token=abc`, 'slack'), 'https://hooks.slack.com/…UVWX');
  t.equal(displayAddress(`${DISCORD_ADDRESS}/`, 'discord'), 'https://discord.com/…_xyz');
  // The secret alone is long enough or not: what stands before it is known to others.
  const path = 'https://chat.example.com/a/long/path/that/is/no/secret';
  for (const [chars, end] of [
    [23, ''],
    [24, 'wxyz'],
  ] as const) {
    const secret = 'abcdefghijklmnopqrstuvwxyz'.slice(-chars);
    t.equal(displayAddress(`${path}/${secret}`, 'slack'), `https://chat.example.com/…${end}`);
    t.equal(displayName(`${path}/${secret}`, 'slack'), `chat.example.com${end && `/…${end}`}`);
  }
  t.equal(displayName(SLACK_ADDRESS, 'slack'), 'hooks.slack.com/…UVWX');
  t.equal(displayName(SLACK_ADDRESS, 'signed'), 'hooks.slack.com', 'of any other the host alone');
  t.equal(
    displayAddress('https://hooks.example.com/alerts?channel=1', 'signed'),
    'https://hooks.example.com/alerts?channel=1',
  );
});
