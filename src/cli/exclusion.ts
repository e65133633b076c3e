import { type AdminServices, commandsOf, operatorCommands, printLines, printList } from './admin.js';

const command = commandsOf<AdminServices>();
const HOST = { '<host>': 'its name, such as example.com' };

export const addExclusionCommands = operatorCommands(
  { noun: 'exclusion', about: 'leave hosts alone whose owners ask not to be scanned' },
  {
    add: command(
      'stop scanning a host and every name below it, and delete its cached and public results',
      { required: HOST },
      async ({ excludedHosts }, { host: address }: { host: string }) => {
        const { host, siteIds } = await excludedHosts.add(address);
        const sites = siteIds.length === 0 ? 'No site was verified.' : `No longer verified: ${siteIds.join(', ')}`;
        return printLines({ host, siteIds }, [`${host} is not scanned any more. ${sites}`]);
      },
    ),
    remove: command(
      'let a host be scanned again; its sites have to be verified again',
      { required: HOST },
      async ({ excludedHosts }, { host }: { host: string }) => {
        const removed = await excludedHosts.remove(host);
        return printLines(removed, [`${removed.host} may be scanned again.`]);
      },
    ),
    list: command('list the hosts that are not scanned', {}, async ({ excludedHosts }) =>
      printList(await excludedHosts.list(), { host: ({ host }) => host, since: ({ excludedAt }) => excludedAt }),
    ),
  },
);
