import { PLANS } from '../app/accounts/plan.js';
import type { Command } from 'commander';
import type { Account } from '../app/accounts/accounts.js';
import type { Act, AddCommand, Output } from './command.js';
import { addExport, addRemove } from './account-data.js';
import { type WithAdminServices, formatList, formatValue, JSON_OPTION } from './admin.js';

interface CreateOptions {
  readonly email: string;
  readonly plan: string;
  readonly name?: string;
  readonly json?: true;
}

/** `account create|list|set-plan|sign-in-link|export|remove` */
export function addAccountCommands(withAdmin: WithAdminServices, output: Output): AddCommand {
  return (program, act) => {
    const account = program.command('account').description('manage accounts');
    for (const add of [addCreate, addList, addSetPlan, addSignInLink, addExport, addRemove]) {
      add(account, act, withAdmin, output);
    }
  };
}

function addCreate(account: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  account
    .command('create')
    .description('create an account and print a sign-in link that works once, within an hour')
    .requiredOption('--email <email>', 'the e-mail address of the account holder')
    .requiredOption('--plan <plan>', Object.keys(PLANS).join(', '))
    .option('--name <name>', 'the name to show; by default the e-mail address')
    .option(...JSON_OPTION)
    .action(({ json, ...input }: CreateOptions) =>
      act(async () => {
        const { account, signInUrl, expiresAt } = await withAdmin(async ({ accounts, signInUrl }) => {
          const { account, signInLink } = await accounts.create(input);
          return { account, signInUrl: signInUrl(signInLink.token), expiresAt: signInLink.expiresAt };
        });
        const text = [`Account ${account.id} (${account.email}, ${account.plan})`, describeLink(signInUrl, expiresAt)];
        output.data(formatValue({ ...account, signInUrl, signInExpiresAt: expiresAt }, json, text));
      }),
    );
}

function addList(account: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  account
    .command('list')
    .description('list the accounts')
    .option(...JSON_OPTION)
    .action(({ json }: { json?: true }) =>
      act(async () => {
        const accounts = await withAdmin((services) => services.accounts.list());
        output.data(
          formatList<Account>(accounts, json, {
            id: ({ id }) => id,
            plan: ({ plan }) => plan,
            email: ({ email }) => email,
            name: ({ name }) => name,
          }),
        );
      }),
    );
}

function addSetPlan(account: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  account
    .command('set-plan')
    .description('put an account on another plan, from its next request on')
    .argument('<accountId>', 'the account: acc_ and 20 characters')
    .argument('<plan>', Object.keys(PLANS).join(', '))
    .option(...JSON_OPTION)
    .action((accountId: string, plan: string, { json }: { json?: true }) =>
      act(async () => {
        const changed = await withAdmin(({ accounts }) => accounts.setPlan(accountId, plan));
        output.data(formatValue(changed, json, [`Account ${changed.id} is on the plan ${changed.plan} now.`]));
      }),
    );
}

function addSignInLink(account: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  account
    .command('sign-in-link')
    .description('print a sign-in link that works once, within an hour')
    .argument('<accountId>', 'the account: acc_ and 20 characters')
    .option(...JSON_OPTION)
    .action((accountId: string, { json }: { json?: true }) =>
      act(async () => {
        const { url, expiresAt } = await withAdmin(async ({ accounts, signInUrl }) => {
          const { token, expiresAt } = await accounts.createSignInLink(accountId);
          return { url: signInUrl(token), expiresAt };
        });
        output.data(
          formatValue({ id: accountId, signInUrl: url, signInExpiresAt: expiresAt }, json, [
            describeLink(url, expiresAt),
          ]),
        );
      }),
    );
}

function describeLink(url: string, expiresAt: string): string {
  return `Sign-in link, good once until ${expiresAt}: ${url}`;
}
