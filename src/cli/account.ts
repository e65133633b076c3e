import type { Command } from 'commander';
import { PLANS } from '../app/accounts/plan.js';
import type { Holdings } from '../app/data/account-data.js';
import { InputError } from '../platform/input-error.js';
import { countOf, formatList } from '../scanner/artifacts/counts.js';
import { type AddAdminCommand, adminCommands, printLines, printList, type WithAdminServices } from './admin.js';
import type { Act, AddCommand, Output } from './command.js';

const ACCOUNT = { '<accountId>': 'the account: acc_ and 20 characters' };
const PLAN_NAMES = Object.keys(PLANS).join(', ');

/** `account create|list|set-plan|sign-in-link|export|remove` */
export function addAccountCommands(withAdmin: WithAdminServices, output: Output): AddCommand {
  return (program, act) => {
    const account = program.command('account').description('manage accounts');
    const add = adminCommands(account, act, output);
    addCreateAndList(add, withAdmin);
    addChanges(add, withAdmin);
    addExport(account, act, withAdmin, output);
    addRemove(add, withAdmin);
  };
}

function addCreateAndList(add: AddAdminCommand, withAdmin: WithAdminServices): void {
  add(
    'create',
    'create an account and print a sign-in link that works once, within an hour',
    {
      required: { '--email <email>': 'the e-mail address of the account holder', '--plan <plan>': PLAN_NAMES },
      optional: { '--name <name>': 'the name to show; by default the e-mail address' },
    },
    ({ email, plan, name }: { readonly email: string; readonly plan: string; readonly name?: string }) =>
      withAdmin(async ({ accounts, signInUrl }) => {
        const { account, signInLink } = await accounts.create({ email, plan, ...(name !== undefined && { name }) });
        const link = { signInUrl: signInUrl(signInLink.token), signInExpiresAt: signInLink.expiresAt };
        const { id } = account;
        return printLines({ ...account, ...link }, [
          `Account ${id} (${account.email}, ${account.plan})`,
          describeLink(link),
        ]);
      }),
  );
  add('list', 'list the accounts', {}, async () =>
    printList(await withAdmin(({ accounts }) => accounts.list()), {
      id: ({ id }) => id,
      plan: ({ plan }) => plan,
      email: ({ email }) => email,
      name: ({ name }) => name,
    }),
  );
}

function addChanges(add: AddAdminCommand, withAdmin: WithAdminServices): void {
  add(
    'set-plan',
    'put an account on another plan, from its next request on',
    { required: { ...ACCOUNT, '<plan>': PLAN_NAMES } },
    async ({ accountId, plan }: { readonly accountId: string; readonly plan: string }) => {
      const changed = await withAdmin(({ accounts }) => accounts.setPlan(accountId, plan));
      return printLines(changed, [`Account ${changed.id} is on the plan ${changed.plan} now.`]);
    },
  );
  add(
    'sign-in-link',
    'print a sign-in link that works once, within an hour',
    { required: ACCOUNT },
    ({ accountId: id }: { readonly accountId: string }) =>
      withAdmin(async ({ accounts, signInUrl }) => {
        const { token, expiresAt } = await accounts.createSignInLink(id);
        const link = { signInUrl: signInUrl(token), signInExpiresAt: expiresAt };
        return printLines({ id, ...link }, [describeLink(link)]);
      }),
  );
}

function addExport(account: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  account
    .command('export')
    .description('print everything stored about an account, one JSON value per line')
    .argument('<accountId>', ACCOUNT['<accountId>'])
    .option('--json', 'print one JSON array instead of lines')
    .action((accountId: string, { json }: { json?: true }) =>
      act(() =>
        withAdmin(async ({ accountData }) => {
          const lines = accountData.exportAll(accountId);
          for await (const part of json ? asList(lines) : lines) output.data(part);
        }),
      ),
    );
}

function addRemove(add: AddAdminCommand, withAdmin: WithAdminServices): void {
  add(
    'remove',
    'permanently remove an account with its sites, runs, keys and webhooks',
    {
      required: ACCOUNT,
      optional: {
        '--confirm <email>': 'the e-mail address of the account, to confirm that it is the right one',
      },
    },
    ({ accountId, confirm }: { readonly accountId: string; readonly confirm?: string }) =>
      withAdmin(async ({ accountData }) => {
        const holdings = await accountData.holdings(accountId);
        const { account, ...counts } = holdings;
        if (confirm?.trim().toLowerCase() !== account.email) throw notConfirmed(holdings);
        await accountData.remove(accountId);
        return printLines({ ...account, removed: counts }, [
          `Account ${account.id} (${account.email}) is removed, with ${describe(holdings)}.`,
        ]);
      }),
  );
}

function describeLink({ signInUrl, signInExpiresAt }: Readonly<Record<'signInUrl' | 'signInExpiresAt', string>>) {
  return `Sign-in link, good once until ${signInExpiresAt}: ${signInUrl}`;
}

/** Streams the lines of an export as one JSON array. */
async function* asList(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  let before = '[';
  for await (const line of lines) {
    yield before + line.trimEnd();
    before = ',\n';
  }
  yield ']\n';
}

/** Says what would be removed, and how to confirm it. */
function notConfirmed(holdings: Holdings): InputError {
  const { id, email } = holdings.account;
  return new InputError(
    `Nothing was removed. This would permanently remove account ${id} with ${describe(holdings)}. To confirm: --confirm ${email}`,
  );
}

function describe({ sites, runs, keys, webhooks }: Holdings): string {
  const counts = { site: sites, run: runs, key: keys, webhook: webhooks };
  return formatList(Object.entries(counts).map(([noun, count]) => countOf(count, noun)));
}
