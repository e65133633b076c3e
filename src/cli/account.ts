import { PLANS } from '../app/accounts/plan.js';
import type { AccountSummary } from '../app/data/removal.js';
import { InputError } from '../platform/errors.js';
import { countOf, formatList } from '../scanner/artifacts/counts.js';
import { type AdminServices, commandFactory, operatorCommands, printLines, printList } from './admin.js';

const command = commandFactory<AdminServices>();
const ACCOUNT = { '<accountId>': 'id of the account: acc_ and 20 characters' };
const PLAN_NAMES = Object.keys(PLANS).join(', ');

export const addAccountCommands = operatorCommands(
  { noun: 'account', about: 'manage accounts' },
  {
    create: command(
      'create an account and print a sign-in link that works once, within an hour',
      {
        required: { '--email <email>': 'the e-mail address of the account holder', '--plan <plan>': PLAN_NAMES },
        optional: { '--name <name>': 'the name to show; the e-mail address by default' },
      },
      async (services, { email, plan, name }: { email: string; plan: string; name?: string }) => {
        const created = { email, plan, ...(name !== undefined && { name }) };
        const { account, signInLink } = await services.accounts.create(created);
        const { link, line } = describeLink(services, signInLink);
        return printLines({ ...account, ...link }, [`Account ${account.id} (${account.email}, ${account.plan})`, line]);
      },
    ),
    list: command('list the accounts', {}, async ({ accounts }) =>
      printList(await accounts.list(), {
        id: ({ id }) => id,
        plan: ({ plan }) => plan,
        email: ({ email }) => email,
        name: ({ name }) => name,
      }),
    ),
    'set-plan': command(
      'move an account to another plan; takes effect with its next request',
      { required: { ...ACCOUNT, '<plan>': PLAN_NAMES } },
      async ({ accounts }, { accountId, plan }: { accountId: string; plan: string }) => {
        const changed = await accounts.setPlan(accountId, plan);
        return printLines(changed, [`Account ${changed.id} is now on the plan ${changed.plan}.`]);
      },
    ),
    'sign-in-link': command(
      'print a sign-in link that works once, within an hour',
      { required: ACCOUNT },
      async (services, { accountId: id }: { accountId: string }) => {
        const { link, line } = describeLink(services, await services.accounts.createSignInLink(id));
        return printLines({ id, ...link }, [line]);
      },
    ),
    export: command(
      'print everything stored about an account, one JSON value per line; with --json, as one array',
      { required: ACCOUNT },
      async ({ accountData }, { accountId, json }: { accountId: string; json?: true }, output) => {
        const lines = accountData.exportAll(accountId);
        for await (const part of json ? toJsonArray(lines) : lines) output.data(part);
        return null;
      },
    ),
    remove: command(
      'permanently remove an account with its sites, runs, keys and webhooks',
      {
        required: ACCOUNT,
        optional: { '--confirm <email>': 'the e-mail address of the account, to confirm the removal' },
      },
      async ({ accountData }, { accountId, confirm }: { accountId: string; confirm?: string }) => {
        const summary = await accountData.summary(accountId);
        const { account, ...counts } = summary;
        const { id, email } = account;
        if (confirm?.trim().toLowerCase() !== email) {
          throw new InputError(
            `Nothing was removed. This would permanently remove account ${id} with ${describeCounts(summary)}. To confirm, add --confirm ${email}`,
          );
        }
        await accountData.remove(accountId);
        return printLines({ ...account, removed: counts }, [
          `Account ${id} (${email}) was removed, with ${describeCounts(summary)}.`,
        ]);
      },
    ),
  },
);

function describeLink(
  { signInUrl }: AdminServices,
  { token, expiresAt }: Readonly<Record<'token' | 'expiresAt', string>>,
) {
  const link = { signInUrl: signInUrl(token), signInExpiresAt: expiresAt };
  return { link, line: `Sign-in link, works once until ${expiresAt}: ${link.signInUrl}` };
}

/** Streams the lines of an export as one JSON array. */
async function* toJsonArray(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  let separator = '[';
  for await (const line of lines) {
    yield separator + line.trimEnd();
    separator = ',\n';
  }
  yield ']\n';
}

function describeCounts({ sites, runs, keys, webhooks }: AccountSummary): string {
  const counts = { site: sites, run: runs, key: keys, webhook: webhooks };
  return formatList(Object.entries(counts).map(([noun, count]) => countOf(count, noun)));
}
