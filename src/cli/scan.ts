import { Option } from 'commander';
import { InputError } from '../platform/input-error.js';
import { REFUSALS, type RefusalReason } from '../net/refusal.js';
import type { Check } from '../scanner/verdict/check.js';
import { isPageAddress, parseSiteInput } from '../app/sites/site-input.js';
import type { Listener } from '../scanner/client/events.js';
import type { Recording } from '../scanner/trace/recording.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import { type Bar, listShortfalls, parseBar, parseCheckIds } from './bar.js';
import { type AddCommand, EXIT, type ExitCode, type LoadChecks, type Output } from './command.js';
import { compareScans, readEarlierScan } from './compare.js';
import type { EarlierRun } from './earlier-run.js';
import { type Report, toDocument } from './report/document.js';
import type { ScanFormat } from './report/format-names.js';
import { checkSavePath, saveFile } from './save.js';
import { PROGRAM } from '../scanner/report/program.js';

export interface ScanCommandDeps {
  /** Why the guard refuses this target; null if it does not. */
  readonly vetTarget: (origin: URL) => Promise<RefusalReason | null>;
  readonly scan: (origin: URL, onProgress?: OnProgress, only?: readonly string[]) => Promise<ScanReport>;
  readonly record: (
    origin: URL,
    onProgress?: OnProgress,
  ) => Promise<{ readonly report: ScanReport; readonly recording: Recording }>;
}

type OnProgress = (progress: ScanProgress) => void;

interface ScanOptions {
  readonly format: ScanFormat;
  readonly json?: true;
  readonly save?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly trace?: true;
  readonly compare?: string;
  readonly only?: string;
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
};

const HELP_AFTER = `
Each of --compare, --fail-under and --fail-on alone can cause exit code 1.
A check that could not be determined is not a failure.

Exit codes:
  0  the scan finished and met every condition
  1  a new failure, a score below --fail-under, or a failure of a check in --fail-on
  2  wrong usage, or a site that must not be scanned; nothing was scanned
  3  nothing could be determined: the site was down, or refused the scanner
  4  an internal error

Examples:
  ${PROGRAM} scan example.com
  ${PROGRAM} scan example.com --format agent
  ${PROGRAM} scan example.com --only C-LLMS-01
  ${PROGRAM} scan example.com --save today.json
  ${PROGRAM} scan example.com --compare yesterday.json --save today.json --format markdown
  ${PROGRAM} scan example.com --record example.warc.gz
  ${PROGRAM} scan --replay example.warc.gz
  ${PROGRAM} scan example.com --only C-BOT-01 --trace
  ${PROGRAM} scan example.com --fail-on C-BOT-01,C-LLMS-01 --format junit > agent-readiness.xml`;

/** `scan`: runs one scan from this terminal, without a database or a server. */
export function addScanCommand(
  loadChecks: LoadChecks,
  createDeps: (listen?: Listener) => Promise<ScanCommandDeps>,
  output: Output,
): AddCommand {
  return (program, act) => {
    program
      .command('scan')
      .description('scan one site from this terminal, without a database or a server')
      .argument(
        '[url]',
        'the site: a host name, an origin such as https://example.com, or the address of one of its pages',
      )
      .addOption(
        new Option(
          '--format <format>',
          'what to print: a table for people, json for programs, markdown for a pull request or a job summary, agent for a coding agent that fixes the failures, junit for the test reports of a CI system',
        )
          .choices(Object.keys(FORMATS))
          .default('table'),
      )
      .option('--json', 'the same as --format json')
      .option('--save <file>', 'also write the json report to this file, independent of --format; replaces it')
      .option('--record <file>', 'also write what was asked and answered to this file (WARC, gzip); replaces it')
      .option('--replay <file>', 'judge what --record wrote again, without a network')
      .option('--trace', 'say on stderr of each request which part of the scan asks, and what became of it')
      .option(
        '--compare <file>',
        'compare with an earlier json report; exit 1 if a check fails now that did not fail then',
      )
      .option('--only <checks>', 'make only these checks, such as the one that was just fixed (ids, comma-separated)')
      .option('--fail-under <score>', 'exit 1 if the score is below this (0 to 100)')
      .option('--fail-on <checks>', 'exit 1 if one of these checks fails, new or not (ids, comma-separated)')
      .addHelpText('after', HELP_AFTER)
      .action((url: string | undefined, options: ScanOptions) =>
        act(() => runScan(url, options, { loadChecks, output, createDeps, version: program.version() ?? '' })),
      );
  };
}

interface ScanSetup {
  readonly loadChecks: LoadChecks;
  readonly output: Output;
  /** Called once the arguments are valid. */
  readonly createDeps: (listen?: Listener) => Promise<ScanCommandDeps>;
  /** Of this package. */
  readonly version: string;
}

async function runScan(url: string | undefined, options: ScanOptions, setup: ScanSetup): Promise<ExitCode> {
  const { loadChecks, output } = setup;
  const source = options.replay === undefined ? null : await readSource(url, options, options.replay);
  const asked = source?.run.origin ?? url ?? '';
  const { origin, hostname } = parseSiteInput(asked);
  const isPage = isPageAddress(asked);
  const checks = await loadChecks();
  const bar = parseBar(options, checks);
  const only = parseOnly(options, checks);
  const earlier = options.compare === undefined ? null : await readEarlierScan(options.compare);
  const savePath = options.save === undefined ? null : await checkSavePath(options.save, '--save');
  if (isPage) output.note(`A site is scanned as a whole: this is a page of ${hostname}.`);
  const recordPath = options.record === undefined ? null : await checkSavePath(options.record, '--record');
  const trace = options.trace && (await traceTo(output, origin));
  const scanned = source
    ? await judgeAgain(source, setup, trace)
    : await scanSite({ origin, hostname, recordPath, only }, setup, trace);
  output.progress?.('');
  const report = toReport(origin, scanned, earlier, bar);
  const { SCAN_FORMATS } = await import('./report/formats.js');
  try {
    if (savePath !== null) await saveFile(savePath, SCAN_FORMATS.json(report));
  } finally {
    output.data(SCAN_FORMATS[options.json ? 'json' : options.format](report, output.look));
  }
  return conclude(report, output);
}

/** @returns undefined for all checks */
function parseOnly({ only, record, replay }: ScanOptions, checks: readonly Check[]): readonly string[] | undefined {
  if (only === undefined) return undefined;
  if (record !== undefined || replay !== undefined) {
    throw new InputError('--only scans again, for single checks: it goes with neither --record nor --replay.');
  }
  return parseCheckIds('--only', only, checks);
}

/** @throws InputError when the file is of another site, or no record */
async function readSource(url: string | undefined, options: ScanOptions, file: string): Promise<Recording> {
  if (options.record !== undefined) {
    throw new InputError('--replay asks no site, so there is nothing for --record to write. Give one of the two.');
  }
  const recording = await (await import('./replay.js')).readReplay(file);
  const { hostname } = parseSiteInput(recording.run.origin);
  if (url !== undefined && parseSiteInput(url).hostname !== hostname) {
    throw new InputError(`--replay: ${file} is the record of ${hostname}. Leave the address out, or give that one.`);
  }
  return recording;
}

async function judgeAgain(
  recording: Recording,
  { output, version }: ScanSetup,
  trace: Listener | undefined,
): Promise<ScanReport> {
  const warn = (sentence: string): void => {
    output.progress?.('');
    output.note(sentence);
  };
  return (await import('./replay.js')).replay(
    recording,
    version,
    warn,
    trace ? { listeners: [trace] } : { onProgress: progressLine(output) },
  );
}

interface ScanTask {
  readonly origin: URL;
  readonly hostname: string;
  /** Where to record the scan; null if it is not recorded. */
  readonly recordPath: string | null;
  readonly only: readonly string[] | undefined;
}

async function scanSite(
  { origin, hostname, recordPath, only }: ScanTask,
  setup: ScanSetup,
  trace: Listener | undefined,
): Promise<ScanReport> {
  const { vetTarget, scan, record } = await setup.createDeps(trace);
  const refusal = await vetTarget(origin);
  if (refusal !== null) throw new InputError(`${hostname} is refused: ${REFUSALS[refusal]}.`);
  const onProgress = trace ? undefined : progressLine(setup.output);
  if (recordPath === null) return scan(origin, onProgress, only);
  const { report, recording } = await record(origin, onProgress);
  const { writeRecording } = await import('../scanner/trace/write-warc.js');
  await saveFile(recordPath, writeRecording(recording));
  return report;
}

function toReport(origin: URL, scanned: ScanReport, earlier: EarlierRun | null, bar: Bar): Report {
  const comparison = earlier && compareScans(earlier, scanned.findings);
  const shortfalls = listShortfalls(bar, scanned, comparison);
  return {
    origin: origin.origin,
    document: toDocument(origin.host, scanned),
    movedTo: scanned.movedTo,
    comparison,
    shortfalls,
  };
}

/** Returns the exit code. Prints one line that explains a nonzero code, which formats for programs may have no place for. */
function conclude({ document, shortfalls }: Report, output: Output): ExitCode {
  if (document.run.score === null) {
    output.note('Nothing could be determined.');
    return EXIT.undetermined;
  }
  if (shortfalls.length === 0) return EXIT.ok;
  output.note(`Below the bar: ${shortfalls.join('; ')}.`);
  return EXIT.belowBar;
}

/** Lines about each request, in place of the progress. */
async function traceTo(output: Output, origin: URL): Promise<Listener> {
  const { describeEvent } = await import('../scanner/trace/trace-line.js');
  return (event) => output.note(describeEvent(event, origin));
}

function progressLine({ progress }: Output): OnProgress | undefined {
  if (!progress) return undefined;
  return ({ done, total, requestCount }) => {
    progress(`scanning: ${done} of ${total} steps, ${requestCount} requests`);
  };
}
