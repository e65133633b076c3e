import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { InputError } from '../platform/input-error.js';
import { PROGRAM } from '../scanner/report/program.js';
import { parseJson } from './files.js';
import type { ScanFormat } from './public-types.js';

export interface ScanOptions {
  readonly format: ScanFormat;
  readonly json?: true;
  readonly save?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly trace?: true;
  readonly page?: readonly string[];
  readonly compare?: string;
  readonly label?: string;
  readonly only?: string;
  readonly skip?: string;
  readonly fix?: string;
  readonly fixes?: true;
  readonly onlyFailures?: true;
  readonly overlay?: string;
  readonly as?: string;
  readonly local?: true;
  readonly header?: readonly string[];
  readonly basic?: string;
  readonly quiet?: true;
  readonly color?: boolean;
  readonly config?: string;
  readonly failUnder?: string;
  readonly failOn?: string;
}

const HELP_AFTER = `
Each of --compare, --fail-under and --fail-on alone can cause exit code 1.
A check that could not be determined is not a failure.

Options that are not given here are read from agent-readiness.json in the current
folder, or from --config FILE: {"url", "pages", "skip", "failUnder", "failOn"}.

Exit codes:
  0  the scan finished and met every condition
  1  a new failure, a score below --fail-under, or a failure of a check in --fail-on
  2  wrong usage, or a site that must not be scanned; nothing was scanned
  3  nothing could be determined: the site was down, or refused the scanner
  4  an internal error

Examples:
  ${PROGRAM} scan example.com
  ${PROGRAM} scan example.com --fix C-LLMS-01
  ${PROGRAM} scan example.com --page /pricing --page /docs/start
  ${PROGRAM} scan example.com --format agent
  ${PROGRAM} scan --local http://localhost:4000
  ${PROGRAM} scan example.com --overlay ./public
  ${PROGRAM} scan https://preview.example.net --as https://www.example.com
  ${PROGRAM} scan example.com --only C-LLMS-01
  ${PROGRAM} scan example.com --save today.json
  ${PROGRAM} scan example.com --compare yesterday.json --save today.json --format markdown
  ${PROGRAM} scan example.com --format html > report.html
  ${PROGRAM} scan example.com --record example.har
  ${PROGRAM} scan --replay example.har
  ${PROGRAM} scan example.com --only C-BOT-01 --trace
  ${PROGRAM} scan example.com --fail-on C-BOT-01,C-LLMS-01 --format junit > agent-readiness.xml`;

const FORMATS: readonly ScanFormat[] = ['table', 'json', 'markdown', 'agent', 'junit', 'html', 'github'];

/** Every option of `scan` in the order of its help, with its description. */
const OPTIONS: readonly (readonly [flags: string, description: string])[] = [
  ['--json', 'the same as --format json'],
  ['--fix <checks>', 'show how to fix these failures (ids, comma-separated)'],
  ['--fixes', 'show how to fix every failure'],
  ['--page <path>', 'read this page of the site, such as /pricing, before others that it links (repeatable, up to 5)'],
  ['--overlay <folder>', 'show what would change if the site served the files of this folder'],
  ['--as <origin>', 'judge a preview as if it were this site: requests for that origin go to the preview'],
  ['--local', 'scan your own server at this loopback or private address'],
  [
    '--header <field>',
    "send this header field to the site's own origin, such as 'X-Preview: token'; not recorded unless the site repeats it (repeatable)",
  ],
  ['--basic <user>', 'sign in as this user (HTTP Basic); asks for the password, or reads SCAN_PASSWORD'],
  ['--only-failures', 'print only the score and the failures'],
  ['--quiet', 'print nothing on stdout, and no progress: for the exit code, or with --save'],
  ['--color', 'use colours, even if stdout is not a terminal'],
  ['--no-color', 'use no colours'],
  ['--save <file>', 'also write the json report to this file, whatever the --format; replaces it'],
  ['--record <file>', 'also write all requests and responses to this file (HAR 1.2); replaces it'],
  ['--replay <file>', 'judge a recording again, without network'],
  ['--trace', 'print a line on stderr for each request: what needs it, and where the response came from'],
  ['--compare <file>', 'compare with an earlier json report; exit 1 if a check fails now that did not fail then'],
  ['--label <name>', 'name the scan in its reports, for example by the deployed commit'],
  ['--only <checks>', 'run only these checks, such as the one that you just fixed (ids, comma-separated)'],
  ['--skip <checks>', 'run all checks except these (ids, comma-separated)'],
  ['--config <file>', 'read options that are not given here from this file; by default agent-readiness.json'],
  ['--fail-under <score>', 'exit 1 if the score is below this (0 to 100)'],
  ['--fail-on <checks>', 'exit 1 if one of these checks fails, new or not (ids, comma-separated)'],
];

const REPEATABLE: readonly string[] = ['--page <path>', '--header <field>'];

export function describeScan(program: Command): Command {
  const command = program
    .command('scan')
    .description('scan one site from this terminal, without a database or a server')
    .argument(
      '[url]',
      'the site: a host name, an origin such as https://example.com, or the address of one of its pages',
    )
    .addOption(
      new Option(
        '--format <format>',
        'what to print: a table for people, json for programs, markdown for a pull request or a job summary, agent for a coding agent that fixes the failures, junit for the test reports of a CI system, html for a page in one file, github for annotations of a workflow',
      )
        .choices(FORMATS)
        .default('table'),
    );
  for (const [flags, description] of OPTIONS) {
    const option = new Option(flags, description);
    if (REPEATABLE.includes(flags)) {
      option.argParser((value: string, given: readonly string[] | undefined) => [...(given ?? []), value]);
    }
    command.addOption(option);
  }
  return command.addHelpText('after', HELP_AFTER);
}

type Name = keyof ScanOptions;

const CONFLICTS: readonly (readonly [names: readonly Name[], others: readonly Name[], reason: string])[] = [
  [['config'], ['replay'], '--replay reads no configuration file: leave --config out, and give the conditions here.'],
  [['page'], ['replay'], '--replay reads the pages of its recording: leave --page out.'],
  [['record'], ['replay'], '--record cannot be combined with --replay.'],
  [['as'], ['record', 'replay'], '--as cannot be combined with --record or --replay.'],
  [['local', 'header', 'basic'], ['replay'], '--replay cannot be combined with --local, --header or --basic.'],
  [['only', 'skip'], ['record', 'replay'], '--only and --skip cannot be combined with --record or --replay.'],
];

const NOT_WITH_OVERLAY = ['record', 'replay', 'compare', 'only', 'skip'] as const;

/** @throws InputError for options that exclude each other */
export function refuseConflicts(options: ScanOptions): void {
  const isGiven = (name: Name): boolean => options[name] !== undefined;
  for (const [names, others, reason] of CONFLICTS) {
    if (names.some(isGiven) && others.some(isGiven)) throw new InputError(reason);
  }
  const others = NOT_WITH_OVERLAY.filter(isGiven);
  if (options.overlay !== undefined && others.length > 0) {
    throw new InputError(`--overlay compares the whole site with itself: leave --${others.join(' and --')} out.`);
  }
}

const SCAN_CONFIG = 'agent-readiness.json';

type FileOptions = Partial<Pick<ScanOptions, 'page' | 'skip' | 'failUnder' | 'failOn'>> & { readonly url?: string };

const FORM = '{"url": text, "pages": [paths], "skip": [ids], "failUnder": number, "failOn": [ids]}';

/**
 * Reads options from the configuration file. It comes with the source of a site, perhaps in a pull request from outside, so it can
 * neither open a private network nor send a header.
 * @param file null: {@link SCAN_CONFIG}, if it exists
 * @throws InputError
 */
export async function readScanFile(file: string | null): Promise<FileOptions> {
  const path = file ?? SCAN_CONFIG;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (file === null && (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new InputError(`--config: ${path} cannot be read. Give a file of the form ${FORM}.`);
  });
  if (text === null) return {};
  const { z } = await import('zod');
  const ids = z.array(z.string()).transform((list) => list.join(','));
  const form = z
    .strictObject({
      url: z.string(),
      pages: z.array(z.string()),
      skip: ids,
      failUnder: z.number().transform(String),
      failOn: ids,
    })
    .partial();
  const read = form.safeParse(parseJson(text));
  if (!read.success) throw new InputError(`--config: ${path} is not of the form ${FORM}; each part may be left out.`);
  const { pages: page, ...rest } = read.data;
  return Object.fromEntries(Object.entries({ ...rest, page }).filter(([, value]) => value !== undefined));
}

/** Calls `parse`. Its errors name the configuration file, since the wrong option may come from there. */
export function parseWithFile<Parsed>(fromFile: object, file: string | undefined, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    const parts = Object.keys(fromFile).map((part) => (part === 'page' ? 'pages' : part));
    if (!(error instanceof InputError) || parts.length === 0) throw error;
    throw new InputError(`${error.message} ${file ?? SCAN_CONFIG} counts too: it has ${parts.join(', ')}.`);
  }
}
