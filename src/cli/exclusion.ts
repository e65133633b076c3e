import { type AdminServices, commandFactory, operatorCommands, printLines, printList } from './admin.js';

const command = commandFactory<AdminServices>();
const HOST = { '<host>': 'name of the host, such as example.com' };

export const addExclusionCommands = operatorCommands(
  { noun: 'exclusion', about: 'exclude hosts whose owners ask not to be scanned' },
  {
    add: command(
      'stop scanning a host and every name below it, and delete its cached and public results',
      { required: HOST },
      async ({ excludedHosts }, { host: address }: { host: string }) => {
        const { host, siteIds } = await excludedHosts.add(address);
        const sites = siteIds.length === 0 ? 'No site was affected.' : `No longer verified: ${siteIds.join(', ')}`;
        return printLines({ host, siteIds }, [`${host} is no longer scanned. ${sites}`]);
      },
    ),
    remove: command(
      'allow scans of a host again; its sites must be verified again',
      { required: HOST },
      async ({ excludedHosts }, { host }: { host: string }) => {
        const removed = await excludedHosts.remove(host);
        return printLines(removed, [`${removed.host} may be scanned again.`]);
      },
    ),
    list: command('list the excluded hosts', {}, async ({ excludedHosts }) =>
      printList(await excludedHosts.list(), { host: ({ host }) => host, since: ({ excludedAt }) => excludedAt }),
    ),
  },
);
