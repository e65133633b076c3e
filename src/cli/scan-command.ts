import { type Command, Option } from 'commander';
import { PROGRAM } from '../scanner/report/program.js';
import type { AddCommand } from './command.js';
import type { ScanFormat } from './public-types.js';
import type { ScanSetup } from './scan.js';
import type { ScanOptions } from './scan-options.js';

const HELP_AFTER = `
Each of --compare, --fail-under and --fail-on alone can cause exit code 1.
A check that could not be determined is not a failure.

Options that are not on the command line are read from agent-readiness.json in
the current folder, or from --config FILE:
{"url", "pages", "skip", "failUnder", "failOn"}.

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

/** Every option of `scan` in the order of the help, with its description. */
const OPTIONS: readonly (readonly [flags: string, description: string])[] = [
  ['--json', 'the same as --format json'],
  ['--fix <checks>', 'show how to fix these failures (ids, comma-separated)'],
  ['--fixes', 'show how to fix every failure'],
  ['--page <path>', 'read this page, such as /pricing, before others that the site links to (repeatable, up to 5)'],
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
  ['--save <file>', 'also write the json report to this file, whatever the --format; replaces the file'],
  ['--record <file>', 'also write all requests and responses to this file (HAR 1.2); replaces the file'],
  ['--replay <file>', 'judge a recording again, without a network'],
  ['--trace', 'print a line on stderr for each request: what needs it, and where the response came from'],
  ['--compare <file>', 'compare with an earlier json report; exit 1 if a check fails now that did not fail then'],
  ['--label <name>', 'name the scan in its reports, for example by the deployed commit'],
  ['--only <checks>', 'run only these checks, such as the one that you just fixed (ids, comma-separated)'],
  ['--skip <checks>', 'run all checks except these (ids, comma-separated)'],
  ['--config <file>', 'read options that are not on the command line from this file; agent-readiness.json by default'],
  ['--fail-under <score>', 'exit 1 if the score is below this (0 to 100)'],
  ['--fail-on <checks>', 'exit 1 if one of these checks fails, new or not (ids, comma-separated)'],
];

const REPEATABLE: readonly string[] = ['--page <path>', '--header <field>'];

export function defineScanCommand(program: Command): Command {
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

/** Adds `scan`, which loads the scanner only when it runs. */
export function addScanCommand(setup: ScanSetup): AddCommand {
  return (program, runAction) => {
    defineScanCommand(program).action((address: string | undefined, options: ScanOptions) =>
      runAction(async () => (await import('./scan.js')).runScan(address, options, setup, program.version() ?? '')),
    );
  };
}
