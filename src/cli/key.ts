import { PLANS } from '../app/accounts/plan.js';
import { type AdminServices, commandFactory, operatorCommands, printLines, printList } from './admin.js';
import { PROGRAM } from '../scanner/report/program.js';

const command = commandFactory<AdminServices>();

export const addKeyCommands = operatorCommands(
  { noun: 'key', about: 'manage API keys' },
  {
    create: command(
      'create an API key; it is shown only once',
      {
        required: { '--account <accountId>': 'the account that it belongs to', '--name <name>': 'what the key is for' },
        optional: {
          '--expires <days>': 'number of days until it expires',
        },
      },
      async ({ keys }, { account: accountId, name, expires }: { account: string; name: string; expires?: string }) => {
        const { apiKey, key, plan } = await keys.create({ accountId, name, expires });
        const printed = printLines({ ...apiKey, key }, [
          `Key ${apiKey.id} (${apiKey.name}): ${key}`,
          ...(apiKey.expiresAt === null ? [] : [`It expires on ${apiKey.expiresAt}.`]),
          'It is shown only once. If you lose it, revoke it and create another.',
        ]);
        if (PLANS[plan].api) return printed;
        const note = `The plan ${plan} does not include the API, so requests with this key are refused. Change the plan: ${PROGRAM} account set-plan ${apiKey.accountId} MONITOR`;
        return { ...printed, note };
      },
    ),
    list: command(
      'list the keys of an account',
      { required: { '--account <accountId>': 'the account' } },
      async ({ keys }, { account }: { account: string }) =>
        printList(await keys.list(account), {
          id: ({ id }) => id,
          'starts with': ({ hint }) => `ars_${hint}`,
          'used this month': ({ usedThisMonth }) => String(usedThisMonth),
          'last used': ({ lastUsedAt }) => lastUsedAt ?? 'never',
          expires: ({ expiresAt }) => expiresAt ?? 'never',
          state: ({ state }) => state,
          name: ({ name }) => name,
        }),
    ),
    revoke: command(
      'revoke a key permanently',
      { required: { '<keyId>': 'id of the key: key_ and 20 characters' } },
      async ({ keys }, { keyId }: { keyId: string }) => {
        const apiKey = await keys.revoke(keyId);
        return printLines(apiKey, [`Key ${apiKey.id} is revoked.`]);
      },
    ),
  },
);
