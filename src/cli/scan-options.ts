import { type Command, Option } from 'commander';
import { PROGRAM } from '../scanner/report/program.js';
import type { ScanFormat } from './report/format-names.js';

/** What commander reads of a `scan` on the command line. */
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
  readonly cleanUrls?: true;
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

/** What writes them is loaded with the first report: it knows the texts of all checks, for which other commands need not wait. */
const FORMATS: Readonly<Record<ScanFormat, true>> = {
  table: true,
  json: true,
  markdown: true,
  agent: true,
  junit: true,
  html: true,
  github: true,
};

const HELP_AFTER = `
Each of --compare, --fail-under and --fail-on alone can cause exit code 1.
A check that could not be determined is not a failure.

Where the folder has an agent-readiness.json, or with --config FILE, what is not
given here is taken from it: {"url", "pages", "skip", "failUnder", "failOn"}.

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
  ${PROGRAM} scan example.com --record example.warc.gz
  ${PROGRAM} scan --replay example.warc.gz
  ${PROGRAM} scan example.com --only C-BOT-01 --trace
  ${PROGRAM} scan example.com --fail-on C-BOT-01,C-LLMS-01 --format junit > agent-readiness.xml`;

/** `scan` with its options and help, without what it does. */
export function describeScan(program: Command): Command {
  return program
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
        .choices(Object.keys(FORMATS))
        .default('table'),
    )
    .option('--json', 'the same as --format json')
    .option('--fix <checks>', 'also say how to fix these failures (ids, comma-separated)')
    .option('--fixes', 'also say how to fix every failure')
    .option(
      '--page <path>',
      'read this page of the site, such as /pricing, before others that it links (repeatable, up to 5)',
      (path: string, given: readonly string[] | undefined) => [...(given ?? []), path],
    )
    .option(
      '--overlay <folder>',
      'scan the site as it is, and as if the files of this folder were served: what would change',
    )
    .option('--clean-urls', 'with --overlay: about.html is served at /about, too')
    .option('--as <origin>', 'judge a preview as if it were this site: what it says of that origin is of its own')
    .option('--local', 'scan a server of your own, at the loopback or private address that is given here')
    .option(
      '--header <field>',
      "send this to the site's own origin, such as 'X-Preview: token'; not recorded unless the site repeats it (repeatable)",
      (field: string, given: readonly string[] | undefined) => [...(given ?? []), field],
    )
    .option(
      '--basic <user>',
      'sign in as this user (HTTP Basic); the password is asked for, or taken from SCAN_PASSWORD',
    )
    .option('--only-failures', 'print nothing but the score and the failures')
    .option('--quiet', 'print nothing on stdout, and no progress: for the exit code, or with --save')
    .option('--color', 'in colours, even where stdout is not a terminal')
    .option('--no-color', 'without colours')
    .option('--save <file>', 'also write the json report to this file, independent of --format; replaces it')
    .option('--record <file>', 'also write what was asked and answered to this file (WARC, gzip); replaces it')
    .option('--replay <file>', 'judge what --record wrote again, without a network')
    .option('--trace', 'say on stderr of each request which part of the scan asks, and what became of it')
    .option(
      '--compare <file>',
      'compare with an earlier json report; exit 1 if a check fails now that did not fail then',
    )
    .option('--label <name>', 'name the scan in its reports, such as by the commit that is deployed')
    .option('--only <checks>', 'make only these checks, such as the one that was just fixed (ids, comma-separated)')
    .option('--skip <checks>', 'make all checks but these (ids, comma-separated)')
    .option('--config <file>', 'take from this file what is not given here; by default agent-readiness.json')
    .option('--fail-under <score>', 'exit 1 if the score is below this (0 to 100)')
    .option('--fail-on <checks>', 'exit 1 if one of these checks fails, new or not (ids, comma-separated)')
    .addHelpText('after', HELP_AFTER);
}
