/** Addresses as the two services give them out. Made up, and in pieces, so that nobody who looks for real ones finds these. */
export const SLACK_ADDRESS = [
  'https://hooks.slack.com',
  'services',
  'T01ABCDEFGH',
  'B01ABCDEFGH',
  'abcdefghijklmnopqrsTUVWX',
].join('/');
export const DISCORD_ADDRESS = [
  'https://discord.com/api',
  'webhooks',
  '1180000000000000001',
  `${'aB3-_'.repeat(13)}xyz`,
].join('/');
