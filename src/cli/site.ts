import type { OwnershipInstructions, OwnershipReport } from '../app/sites/ownership.js';
import { type Act, type AddCommand, EXIT, type Output } from './command.js';
import { type WithAdminServices, formatList, formatValue, JSON_OPTION } from './admin.js';
import { addSiteList } from './site-list.js';
import { addSchedule } from './site-schedule.js';
import { InputError } from '../platform/input-error.js';
import type { Command } from 'commander';
import { PROGRAM } from '../scanner/report/program.js';

/** `site add|verify|list|schedule|remove` */
export function addSiteCommands(withAdmin: WithAdminServices, output: Output): AddCommand {
  return (program, act) => {
    const site = program.command('site').description('manage sites');
    for (const add of [addAdd, addVerify, addList, addSchedule, addRemove]) add(site, act, withAdmin, output);
  };
}

interface AddOptions {
  readonly account: string;
  readonly file?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

function addAdd(site: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  site
    .command('add')
    .description('add a site to an account and print how to verify its ownership, or add a list of sites')
    .requiredOption('--account <accountId>', 'the account that it belongs to')
    .argument('[site]', 'its host name, or an origin such as https://example.com:8443')
    .option('--file <file>', 'many sites: one a line, or CSV; - reads standard input; exit 2 if a line cannot be added')
    .option('--dry-run', 'with --file: only say what would come of each line')
    .option(...JSON_OPTION)
    .action((address: string | undefined, { account, file, dryRun, json }: AddOptions) =>
      act(async () => {
        if (file !== undefined && address === undefined) {
          return addSiteList({ account, file, isDry: dryRun === true, json }, withAdmin, output);
        }
        if (address === undefined || file !== undefined) throw new InputError('Give one site, or a list by --file.');
        if (dryRun) throw new InputError('--dry-run goes with --file.');
        const { added, instructions } = await withAdmin(async ({ sites, ownership }) => {
          const added = await sites.add({ accountId: account, site: address });
          return { added, instructions: await ownership.instructions(added.id) };
        });
        const text = [`Site ${added.id} (${added.origin})`, ...describeInstructions(instructions, added.id)];
        output.data(formatValue({ ...added, ownership: instructions }, json, text));
        return EXIT.ok;
      }),
    );
}

function addVerify(site: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  site
    .command('verify')
    .description('check the proof of ownership now; exit 1 if it is missing')
    .argument('<siteId>', 'the site: site_ and 20 characters')
    .option('--force', "verify without a proof, on the operator's word")
    .option(...JSON_OPTION)
    .action((siteId: string, { force, json }: { force?: true; json?: true }) =>
      act(async () => {
        if (force) {
          const forced = await withAdmin(({ sites }) => sites.markVerified(siteId, 'operator'));
          output.data(
            formatValue(forced, json, [`Site ${forced.id} (${forced.hostname}) is verified by the operator.`]),
          );
          return EXIT.ok;
        }
        const report = await withAdmin(({ ownership }) => ownership.verify(siteId));
        output.data(formatValue({ ...report.site, ...report, site: undefined }, json, describeReport(report)));
        return report.provedBy === null ? EXIT.belowBar : EXIT.ok;
      }),
    );
}

function addList(site: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  site
    .command('list')
    .description('list the sites of an account')
    .requiredOption('--account <accountId>', 'the account')
    .option(...JSON_OPTION)
    .action(({ account, json }: { account: string; json?: true }) =>
      act(async () => {
        const sites = await withAdmin((services) => services.sites.list(account));
        type Listed = (typeof sites)[number];
        output.data(
          formatList<Listed>(sites, json, {
            id: ({ id }) => id,
            verified: ({ verifiedBy }) => verifiedBy ?? 'no',
            origin: ({ origin }) => origin,
          }),
        );
      }),
    );
}

function addRemove(site: Command, act: Act, withAdmin: WithAdminServices, output: Output): void {
  site
    .command('remove')
    .description('permanently remove a site and all its runs')
    .argument('<siteId>', 'the site: site_ and 20 characters')
    .option(...JSON_OPTION)
    .action((siteId: string, { json }: { json?: true }) =>
      act(async () => {
        const removed = await withAdmin(({ siteRemoval }) => siteRemoval.remove(siteId));
        output.data(formatValue(removed, json, [`Site ${removed.id} (${removed.hostname}) and its runs are removed.`]));
      }),
    );
}

function describeInstructions({ dns, domain, file, meta }: OwnershipInstructions, siteId: string): string[] {
  return [
    'Prove that the domain is yours by any one of these:',
    ...(dns ? [`  DNS   a TXT record at ${dns.name} with the value ${dns.value}`] : []),
    `  file  ${file.url} with the text ${file.body}`,
    `  meta  ${meta.tag} in the head of ${meta.url}`,
    ...(domain
      ? [`  all   a TXT record at ${domain.name} with the value ${domain.value}, for every name of ${domain.domain}`]
      : []),
    `Then: ${PROGRAM} site verify ${siteId}`,
  ];
}

function describeReport({ site, provedBy, attempts }: OwnershipReport): string[] {
  const verdict =
    provedBy === null
      ? `Site ${site.id} (${site.hostname}): no proof found${site.verifiedAt === null ? '' : '; its earlier verification remains valid'}.`
      : `Site ${site.id} (${site.hostname}) is verified.`;
  return [
    verdict,
    ...attempts.map(
      ({ way, isProof, expected, seen }) =>
        `  ${way.padEnd(6)}  ${isProof ? 'found' : 'not found'}: expected ${expected}; saw ${seen}`,
    ),
  ];
}
