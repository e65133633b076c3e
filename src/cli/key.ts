import { adminCommands, printLines, printList } from './admin.js';

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly expires?: string;
}

export const addKeyCommands = adminCommands('key', 'manage API keys', (add) => {
  add(
    'create',
    'create an API key; it is shown only once',
    {
      required: { '--account <accountId>': 'the account that it belongs to', '--name <name>': 'what it is for' },
      optional: {
        '--expires <when>': 'when it ends: a number of days, or the beginning of a day (UTC) such as 2027-03-31',
      },
    },
    async ({ keys }, { account: accountId, name, expires }: CreateOptions) => {
      const { apiKey, key } = await keys.create({ accountId, name, expires });
      return printLines({ ...apiKey, key }, [
        `Key ${apiKey.id} (${apiKey.name}): ${key}`,
        ...(apiKey.expiresAt === null ? [] : [`It expires on ${apiKey.expiresAt}.`]),
        'It is shown only once. If you lose it, revoke it and create another.',
      ]);
    },
  );
  add(
    'list',
    'list the keys of an account',
    { required: { '--account <accountId>': 'the account' } },
    async ({ keys }, { account }: { readonly account: string }) =>
      printList(await keys.list(account), {
        id: ({ id }) => id,
        'starts with': ({ hint }) => `ars_${hint}`,
        'used this month': ({ usedThisMonth }) => String(usedThisMonth),
        'last used': ({ lastUsedAt }) => lastUsedAt ?? 'never',
        expires: ({ expiresAt }) => expiresAt ?? 'never',
        state: ({ state }) => state,
        name: ({ name }) => name,
      }),
  );
  add(
    'revoke',
    'permanently revoke a key, from its next request on',
    { required: { '<keyId>': 'the key: key_ and 20 characters' } },
    async ({ keys }, { keyId }: { readonly keyId: string }) => {
      const apiKey = await keys.revoke(keyId);
      return printLines(apiKey, [`Key ${apiKey.id} is revoked.`]);
    },
  );
});
