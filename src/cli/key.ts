import type { AddCommand, Output } from './command.js';
import { type WithAdminServices, formatList, formatValue, JSON_OPTION } from './admin.js';

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly expires?: string;
  readonly json?: true;
}

/** `key create|list|revoke` */
export function addKeyCommands(withAdmin: WithAdminServices, output: Output): AddCommand {
  return (program, act) => {
    const key = program.command('key').description('manage API keys');
    key
      .command('create')
      .description('create an API key; it is shown only once')
      .requiredOption('--account <accountId>', 'the account that it belongs to')
      .requiredOption('--name <name>', 'what it is for')
      .option('--expires <when>', 'when it ends: a number of days, or the beginning of a day (UTC) such as 2027-03-31')
      .option(...JSON_OPTION)
      .action(({ account, name, expires, json }: CreateOptions) =>
        act(async () => {
          const { apiKey, key } = await withAdmin(({ keys }) => keys.create({ accountId: account, name, expires }));
          const text = [
            `Key ${apiKey.id} (${apiKey.name}): ${key}`,
            ...(apiKey.expiresAt === null ? [] : [`It expires on ${apiKey.expiresAt}.`]),
            'It is shown only once. If you lose it, revoke it and create another.',
          ];
          output.data(formatValue({ ...apiKey, key }, json, text));
        }),
      );
    key
      .command('list')
      .description('list the keys of an account')
      .requiredOption('--account <accountId>', 'the account')
      .option(...JSON_OPTION)
      .action(({ account, json }: { account: string; json?: true }) =>
        act(async () => {
          const keys = await withAdmin((services) => services.keys.list(account));
          type Listed = (typeof keys)[number];
          output.data(
            formatList<Listed>(keys, json, {
              id: ({ id }) => id,
              'starts with': ({ hint }) => `ars_${hint}`,
              'used this month': ({ usedThisMonth }) => String(usedThisMonth),
              'last used': ({ lastUsedAt }) => lastUsedAt ?? 'never',
              expires: ({ expiresAt }) => expiresAt ?? 'never',
              state: ({ state }) => state,
              name: ({ name }) => name,
            }),
          );
        }),
      );
    key
      .command('revoke')
      .description('permanently revoke a key, from its next request on')
      .argument('<keyId>', 'the key: key_ and 20 characters')
      .option(...JSON_OPTION)
      .action((keyId: string, { json }: { json?: true }) =>
        act(async () => {
          const apiKey = await withAdmin(({ keys }) => keys.revoke(keyId));
          output.data(formatValue(apiKey, json, [`Key ${apiKey.id} is revoked.`]));
        }),
      );
  };
}
