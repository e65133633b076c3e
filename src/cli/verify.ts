import type { ChainReport } from '../app/runs/verify-chains.js';
import { type AddCommand, EXIT, type Output } from './command.js';
import { formatList, JSON_OPTION, type WithAdminServices } from './admin.js';

const VERDICTS = { proven: 'proven', unlinked: 'not linked yet', broken: 'BROKEN' } as const;

/** `verify`: whether every finished run is the one that was stored. */
export function addVerifyCommand(withAdmin: WithAdminServices, output: Output): AddCommand {
  return (program, act) => {
    program
      .command('verify')
      .description('compare every finished run with its link in the chain of its site; exit 1 for one without proof')
      .argument('[siteId]', 'the site: site_ and 20 characters; by default all sites')
      .option('--expect <digest>', 'the digest of a run of the site, from the log, its page or an export')
      .option(...JSON_OPTION)
      .action((siteId: string | undefined, { expect: expected, json }: { expect?: string; json?: true }) =>
        act(async () => {
          const reports = await withAdmin(({ verifyChains }) => collect(verifyChains({ siteId, expected })));
          output.data(
            formatList<ChainReport>(reports, json, {
              site: ({ site }) => site,
              runs: ({ runs }) => String(runs),
              head: ({ head }) => head ?? '-',
              verdict: ({ verdict }) => VERDICTS[verdict],
              'from run': ({ firstUnproven }) => String(firstUnproven ?? '-'),
              'notes, gains, release': describeCover,
              'last release': ({ releases }) => releases.at(-1)?.release ?? '-',
            }),
          );
          const isExpectedLost = reports.some(({ hasExpected }) => hasExpected === false);
          if (isExpectedLost)
            output.note('No run of the site has the expected digest: the chain was made anew, or cut off.');
          return isExpectedLost || reports.some(({ verdict }) => verdict !== 'proven') ? EXIT.belowBar : EXIT.ok;
        }),
      );
  };
}

/** From which run on what is kept beside the runs is in a chain, too. */
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
