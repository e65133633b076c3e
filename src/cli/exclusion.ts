import { adminCommands, printLines, printList, type WithAdminServices } from './admin.js';
import type { AddCommand, Output } from './command.js';

const HOST = { '<host>': 'its name, such as example.com' };

/** `exclusion add|remove|list` */
export function addExclusionCommands(withAdmin: WithAdminServices, output: Output): AddCommand {
  return (program, act) => {
    const exclusion = program.command('exclusion').description('leave hosts alone whose owners ask not to be scanned');
    const add = adminCommands(exclusion, act, output);
    add(
      'add',
      'stop scanning a host and every name below it, and delete its cached and public results',
      { required: HOST },
      async ({ host: address }: { readonly host: string }) => {
        const { host, siteIds } = await withAdmin(({ excludedHosts }) => excludedHosts.add(address));
        const sites = siteIds.length === 0 ? 'No site was verified.' : `No longer verified: ${siteIds.join(', ')}`;
        return printLines({ host, siteIds }, [`${host} is not scanned any more. ${sites}`]);
      },
    );
    add(
      'remove',
      'let a host be scanned again; its sites have to be verified again',
      { required: HOST },
      async ({ host }: { readonly host: string }) => {
        const removed = await withAdmin(({ excludedHosts }) => excludedHosts.remove(host));
        return printLines(removed, [`${removed.host} may be scanned again.`]);
      },
    );
    add('list', 'list the hosts that are not scanned', {}, async () =>
      printList(await withAdmin(({ excludedHosts }) => excludedHosts.list()), {
        host: ({ host }) => host,
        since: ({ excludedAt }) => excludedAt,
      }),
    );
  };
}
