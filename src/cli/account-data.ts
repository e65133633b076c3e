import type { Command } from 'commander';
import { countOf } from '../platform/counts.js';
import { InputError } from '../platform/input-error.js';
import type { Holdings } from '../app/data/account-data.js';
import type { Act, Output } from './command.js';
import { type WithAdminServices, formatValue, JSON_OPTION } from './admin.js';

/** `account export` */
export function addExport(account: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  account
    .command('export')
    .description('print everything stored about an account, one JSON value per line')
    .argument('<accountId>', 'the account: acc_ and 20 characters')
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

/** The same values as one JSON array, still streamed. */
async function* asList(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
  let before = '[';
  for await (const line of lines) {
    yield before + line.trimEnd();
    before = ',\n';
  }
  yield ']\n';
}

/** `account remove` */
export function addRemove(account: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  account
    .command('remove')
    .description('permanently remove an account with its sites, runs, keys and webhooks')
    .argument('<accountId>', 'the account: acc_ and 20 characters')
    .option('--confirm <email>', 'the e-mail address of the account, to confirm that it is the right one')
    .option(...JSON_OPTION)
    .action((accountId: string, { confirm, json }: { confirm?: string; json?: true }) =>
      act(async () => {
        const removed = await withAdmin(async ({ accountData }) => {
          const holdings = await accountData.holdings(accountId);
          const { email } = holdings.account;
          if (confirm?.trim().toLowerCase() !== email) throw notConfirmed(holdings);
          await accountData.remove(accountId);
          return holdings;
        });
        const { account, ...counts } = removed;
        output.data(
          formatValue({ ...account, removed: counts }, json, [
            `Account ${account.id} (${account.email}) is removed, with ${describe(removed)}.`,
          ]),
        );
      }),
    );
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
  const words = Object.entries(counts).map(([noun, count]) => countOf(count, noun));
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
