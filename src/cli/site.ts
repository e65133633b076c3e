import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { FREQUENCIES, type Frequency, type Schedule } from '../app/automation/schedules.js';
import { LIST_LINES_MAX, type LineState, type ListLine } from '../app/sites/add-sites.js';
import type { OwnershipReport } from '../app/sites/ownership.js';
import type { OwnershipInstructions } from '../app/sites/proof.js';
import { InputError } from '../platform/errors.js';
import { countOf } from '../scanner/artifacts/counts.js';
import { decodeBody } from '../scanner/parsers/text.js';
import { PROGRAM } from '../scanner/report/program.js';
import { type AdminServices, commandFactory, operatorCommands, printLines, printList } from './admin.js';
import { EXIT } from './command.js';

const SITE = { '<siteId>': 'id of the site: site_ and 20 characters' };

const FREQUENCIES_BY_NAME: ReadonlyMap<string, Frequency | null> = new Map([
  ['off', null],
  ...(Object.keys(FREQUENCIES) as Frequency[]).map((frequency) => [frequency.toLowerCase(), frequency] as const),
]);
const FREQUENCY_NAMES = [...FREQUENCIES_BY_NAME.keys()].join(', ');

interface AddInput {
  readonly account: string;
  readonly site?: string;
  readonly file?: string;
  readonly json?: true;
}

const command = commandFactory<AdminServices>();

export const addSiteCommands = operatorCommands(
  { noun: 'site', about: 'manage sites' },
  {
    add: command(
      'add a site to an account and print how to verify its ownership, or add a list of sites',
      {
        required: { '--account <accountId>': 'the account that it belongs to' },
        optional: {
          '[site]': 'its host name, or an origin such as https://example.com:8443',
          '--file <file>': `a list of up to ${LIST_LINES_MAX} sites, one per line, with tags after each as #tag; - reads standard input; exit 2 if a line cannot be added`,
        },
      },
      async ({ sites, ownership }, { account: accountId, site, file, json }: AddInput) => {
        if (file !== undefined && site === undefined)
          return printOutcomes(await sites.addList(accountId, await readText(file)), json === true);
        if (site === undefined || file !== undefined) throw new InputError('Give one site, or a list with --file.');
        const added = await sites.add({ accountId, site });
        const instructions = await ownership.instructions(added);
        const lines = [`Site ${added.id} (${added.origin})`, ...describeInstructions(instructions, added.id)];
        return printLines({ ...added, ownership: instructions }, lines);
      },
    ),

    verify: command(
      'check the proof of ownership now; exit 1 if it is missing',
      { required: SITE, optional: { '--force': "verify without a proof, on the operator's word" } },
      async ({ sites, ownership }, { siteId, force }: { siteId: string; force?: true }) => {
        if (force) {
          const forced = await sites.markVerified(siteId, 'operator');
          return printLines(forced, [`Site ${forced.id} (${forced.hostname}) is verified by the operator.`]);
        }
        const report = await ownership.verify(await sites.get(siteId), 'operator');
        const exitCode = report.provedBy === null ? EXIT.notMet : EXIT.ok;
        return printLines({ ...report.site, ...report, site: undefined }, describeReport(report), exitCode);
      },
    ),

    list: command(
      'list the sites of an account',
      { required: { '--account <accountId>': 'the account' } },
      async ({ sites }, { account }: { account: string }) =>
        printList(await sites.list(account), {
          id: ({ id }) => id,
          verified: ({ verifiedBy }) => verifiedBy ?? 'no',
          origin: ({ origin }) => origin,
        }),
    ),
    schedule: command(
      'set how often a site is scanned automatically, within the limits of its plan',
      { required: { ...SITE, '<frequency>': FREQUENCY_NAMES } },
      async ({ sites, setSchedule }, { siteId, frequency: name }: { siteId: string; frequency: string }) => {
        const frequency = FREQUENCIES_BY_NAME.get(name);
        if (frequency === undefined) throw new InputError(`The frequency is one of: ${FREQUENCY_NAMES}.`);
        const { accountId, hostname, verifiedAt } = await sites.get(siteId);
        const schedule = await setSchedule({ accountId, siteId }, frequency);
        const lines = [`Site ${siteId} (${hostname}) ${describeSchedule(schedule)}`];
        if (verifiedAt === null) lines.push('Its ownership is not verified yet. Runs start once it is.');
        return printLines({ id: siteId, hostname, frequency, nextRunAt: schedule?.nextRunAt ?? null }, lines);
      },
    ),
    remove: command(
      'permanently remove a site and all its runs',
      { required: SITE },
      async ({ siteRemoval }, { siteId }: { siteId: string }) => {
        const removed = await siteRemoval.remove(siteId);
        return printLines(removed, [`Site ${removed.id} (${removed.hostname}) and its runs were removed.`]);
      },
    ),
  },
);

function describeSchedule(schedule: Schedule | null): string {
  if (schedule === null) return 'has no schedule.';
  return `runs ${FREQUENCIES[schedule.frequency].label}, next at ${schedule.nextRunAt}.`;
}

function describeInstructions({ dns, domain, file, meta }: OwnershipInstructions, siteId: string): string[] {
  return [
    'Prove that the domain is yours in one of these ways:',
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
      ({ method, isProof, expected, seen }) =>
        `  ${method.padEnd(6)}  ${isProof ? 'found' : 'not found'}: expected ${expected}; saw ${seen}`,
    ),
  ];
}

const LIST_BYTES_MAX = 1_000_000;

const STATE_WORDS: Readonly<Record<LineState, string>> = {
  added: 'added',
  unchecked: 'not looked up',
  existing: 'already added',
  duplicate: 'duplicate',
  refused: 'refused',
  'over-limit': 'over the limit',
};

/** Prints a table with the outcome of each line. Exit code 2 if a line could not be added. */
function printOutcomes(lines: readonly ListLine[], isJson: boolean) {
  const count = (...states: readonly LineState[]): number => lines.filter(({ state }) => states.includes(state)).length;
  const failed = count('refused', 'unchecked', 'over-limit');
  const added = `${countOf(count('added'), 'site')} added`;
  const printed = printList(lines, {
    line: ({ line }) => String(line),
    state: ({ state }) => STATE_WORDS[state],
    site: ({ hostname, shownAddress }) => hostname ?? shownAddress,
    id: ({ siteId }) => siteId ?? '',
    why: ({ why }) => why ?? '',
  });
  if (failed > 0) {
    const note = `${added}. Could not add ${countOf(failed, 'line')} of ${lines.length}: see the last column.`;
    return { ...printed, note, exitCode: EXIT.usage };
  }
  return isJson ? printed : { ...printed, note: `${added}.` };
}

/** @throws InputError if the file cannot be read, or is too long */
async function readText(file: string): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch((cause: unknown) => {
    throw new InputError(`--file: ${file} cannot be read: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}.`);
  });
  if (bytes.length > LIST_BYTES_MAX) {
    throw new InputError(`--file: the list is larger than 1 MB. Give at most ${LIST_LINES_MAX} addresses.`);
  }
  // Spreadsheets write UTF-16 with a byte order mark.
  return decodeBody(bytes, null).replace(/^\uFEFF/, '');
}
