import { type WithAdminServices, formatList, formatValue, JSON_OPTION } from './admin.js';
import type { AddCommand, Output } from './command.js';

/** `exclusion add|remove|list` */
export function addExclusionCommands(withAdmin: WithAdminServices, output: Output): AddCommand {
  return (program, act) => {
    const exclusion = program.command('exclusion').description('leave hosts alone whose owners ask not to be scanned');
    exclusion
      .command('add')
      .description('stop scanning a host and every name below it, at once: its sites are no longer verified')
      .argument('<host>', 'its name, such as example.com')
      .option(...JSON_OPTION)
      .action((address: string, { json }: { json?: true }) =>
        act(async () => {
          const { host, siteIds } = await withAdmin(({ excludedHosts }) => excludedHosts.add(address));
          const sites = siteIds.length === 0 ? 'No site was verified.' : `No longer verified: ${siteIds.join(', ')}`;
          output.data(formatValue({ host, siteIds }, json, [`${host} is not scanned any more. ${sites}`]));
        }),
      );
    exclusion
      .command('remove')
      .description('let a host be scanned again; its sites have to be verified again')
      .argument('<host>', 'its name, such as example.com')
      .option(...JSON_OPTION)
      .action((address: string, { json }: { json?: true }) =>
        act(async () => {
          const removed = await withAdmin(({ excludedHosts }) => excludedHosts.remove(address));
          output.data(formatValue(removed, json, [`${removed.host} may be scanned again.`]));
        }),
      );
    exclusion
      .command('list')
      .description('list the hosts that are not scanned')
      .option(...JSON_OPTION)
      .action(({ json }: { json?: true }) =>
        act(async () => {
          const hosts = await withAdmin(({ excludedHosts }) => excludedHosts.list());
          type Listed = (typeof hosts)[number];
          output.data(formatList<Listed>(hosts, json, { host: ({ host }) => host, since: (one) => one.excludedAt }));
        }),
      );
  };
}
