import type { EventsReport } from '../app/audit/verify-events.js';
import type { ChainReport } from '../app/runs/verify-chains.js';
import { type AddCommand, EXIT, type Output } from './command.js';
import { formatList, JSON_OPTION, type WithAdminServices } from './admin.js';
import { formatJson } from './table.js';

const VERDICTS = { proven: 'proven', unlinked: 'not linked yet', broken: 'BROKEN' } as const;

/** `verify`: whether every finished run, and every event of an account, is the one that was stored. */
export function addVerifyCommand(withAdmin: WithAdminServices, output: Output): AddCommand {
  return (program, act) => {
    program
      .command('verify')
      .description(
        'compare every finished run, and the activity of accounts, with their chains; exit 1 for what is not proven',
      )
      .argument('[id]', 'a site or an account: site_ or acc_ and 20 characters; by default all')
      .option('--expect <digest>', 'a digest of this chain, from the log, the page of a run or an export')
      .option(...JSON_OPTION)
      .action((id: string | undefined, { expect: expected, json }: { expect?: string; json?: true }) =>
        act(async () => {
          const isAccount = id?.startsWith('acc_');
          const [sites, accounts] = await withAdmin(async ({ verifyChains, verifyEvents }) => [
            isAccount ? [] : await collect(verifyChains({ siteId: id, expected })),
            id === undefined || isAccount ? await collect(verifyEvents({ accountId: id, expected })) : [],
          ]);
          const reports = [...sites, ...accounts];
          output.data(json ? formatJson(reports) : formatReports(sites, accounts));
          const isExpectedLost = reports.some(({ hasExpected }) => hasExpected === false);
          if (isExpectedLost)
            output.note(
              'Nothing in the chain has the expected digest: it was made again, or cut off, or is of an event older than a year.',
            );
          return isExpectedLost || reports.some(({ verdict }) => verdict !== 'proven') ? EXIT.belowBar : EXIT.ok;
        }),
      );
  };
}

/** A table of the sites, and one of the accounts. */
function formatReports(sites: readonly ChainReport[], accounts: readonly EventsReport[]): string {
  const ofSites = formatList<ChainReport>(sites, false, {
    site: ({ site }) => site,
    runs: ({ runs }) => String(runs),
    head: ({ head }) => head ?? '-',
    verdict: ({ verdict }) => VERDICTS[verdict],
    'from run': ({ firstUnproven }) => String(firstUnproven ?? '-'),
    'notes, gains, release': describeCover,
    'last release': ({ releases }) => releases.at(-1)?.release ?? '-',
  });
  const ofAccounts = formatList<EventsReport>(accounts, false, {
    account: ({ account }) => account,
    events: ({ events }) => String(events),
    head: ({ head }) => head ?? '-',
    verdict: ({ verdict }) => VERDICTS[verdict],
    'from link': ({ firstUnproven }) => String(firstUnproven ?? '-'),
    'not linked yet': ({ unlinked }) => String(unlinked),
  });
  if (accounts.length === 0) return ofSites;
  return sites.length === 0 ? ofAccounts : `${ofSites}\n${ofAccounts}`;
}

/** From which run on what is kept alongside the runs is in a chain, too. */
function describeCover({ runs, coveredFrom, isSupplementBroken }: ChainReport): string {
  if (isSupplementBroken) return 'BROKEN';
  if (runs === 0) return '-';
  return coveredFrom === null ? 'not covered' : `covered from run ${coveredFrom}`;
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
