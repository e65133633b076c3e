import { pageOf, parseSiteInput } from '../app/sites/site-input.js';
import { InputError } from '../platform/input-error.js';
import { parseLabel } from '../platform/label.js';
import { describeChosen } from '../scanner/artifacts/chosen-pages.js';
import type { Listener } from '../scanner/client/request.js';
import type { Overlay } from '../scanner/client/stand-in.js';
import type { HomePageFailure } from '../scanner/artifacts/evidence.js';
import { describeNoneScored } from '../scanner/report/no-score.js';
import type { Trial } from '../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import type { Recording } from '../scanner/trace/recording.js';
import type { Check } from '../scanner/verdict/check.js';
import { listShortfalls, parseBar, parseCheckIds } from './bar.js';
import { type AddCommand, EXIT, type ExitCode, type LoadChecks, type Look, type Output } from './command.js';
import { checkSavePath, saveFile } from './files.js';
import type { ScanFormat } from './public-types.js';
import { describeSite, describeTrial, type Report, toDocument, type View } from './report/document.js';
import { describeScan, parseWithFile, readScanFile, refuseConflicts, type ScanOptions } from './scan-options.js';
import {
  type OnProgress,
  openReach,
  pagesAt,
  parseJudgedAs,
  parsePages,
  type Reach,
  reachOf,
  readSiteFields,
  refuseMoved,
  type ScanCommandDeps,
  type ScanTask,
} from './scan-reach.js';

/** `scan`: runs one scan from this terminal, without a database or a server. */
export function addScanCommand(
  loadChecks: LoadChecks,
  createDeps: (reach: Reach) => Promise<ScanCommandDeps>,
  output: Output,
  readPassword: () => Promise<string>,
): AddCommand {
  return (program, act) => {
    describeScan(program).action((url: string | undefined, options: ScanOptions) =>
      act(() =>
        runScan(url, options, { loadChecks, output, createDeps, readPassword, version: program.version() ?? '' }),
      ),
    );
  };
}

interface ScanSetup {
  readonly loadChecks: LoadChecks;
  readonly output: Output;
  /** Called once the arguments are valid. */
  readonly createDeps: (reach: Reach) => Promise<ScanCommandDeps>;
  /** For `--basic`. */
  readonly readPassword: () => Promise<string>;
  /** Version of this package. */
  readonly version: string;
}

/** Reads the arguments and the configuration file, and checks whether they go together. @throws InputError */
async function readArguments(address: string | undefined, given: ScanOptions, checks: readonly Check[]) {
  // A recording names its site, so the file of today does not apply.
  const { url = address, ...file } = given.replay === undefined ? await readScanFile(given.config ?? null) : {};
  const options = { ...file, ...given };
  parseWithFile(file, given.config, () => refuseConflicts(options));
  const recording =
    options.replay === undefined ? null : await (await import('./replay.js')).readReplay(options.replay, address);
  const asked = recording?.run.origin ?? address ?? url ?? '';
  const { origin, hostname } = parseSiteInput(asked);
  const judgedAs = options.as === undefined ? null : parseJudgedAs(options.as);
  const label = options.label === undefined ? undefined : parseLabel('--label', options.label);
  const parsed = parseWithFile(file, given.config, () => {
    const pages = recording ? [] : parsePages(asked, origin, options.page ?? [], '--page');
    const only = parseOnly(options, checks);
    return { pages, only, bar: parseBar(options, checks, only) };
  });
  return { ...parsed, options, recording, asked, origin, hostname, judgedAs, label };
}

async function runScan(address: string | undefined, given: ScanOptions, setup: ScanSetup): Promise<ExitCode> {
  const checks = await setup.loadChecks();
  const { options, recording, asked, origin, hostname, judgedAs, label, pages, only, bar } = await readArguments(
    address,
    given,
    checks,
  );
  const site = judgedAs ?? origin;
  const view = parseView(options, checks, setup.output.look);
  const output = options.quiet ? silence(setup.output) : setup.output;
  const named = describeSite({ origin, hostname }, judgedAs);
  const earlier =
    options.compare === undefined ? null : await (await comparing()).readEarlierScan(options.compare, named);
  const savePath = options.save === undefined ? null : await checkSavePath(options.save, '--save');
  const recordPath = options.record === undefined ? null : await checkSavePath(options.record, '--record');
  const reach: Reach = {
    ...reachOf(origin, judgedAs, given.local),
    ...(await readSiteFields(given, Boolean(address), setup.readPassword)),
    ...(options.trace && { listen: await traceTo(output, site) }),
  };
  const overlay =
    options.overlay === undefined
      ? null
      : await (await import('./overlay.js')).readOverlay(options.overlay, options.cleanUrls);
  if (!recording && pageOf(asked) !== null)
    output.note(`A site is scanned as a whole: this page of ${hostname} is among those that are read.`);
  const task = { origin: site, pages: pagesAt(judgedAs, pages), only };
  const { report: scanned, trial = null } = await (recording
    ? judgeAgain(recording, { ...setup, output }, reach.listen)
    : performScan(task, { overlay, recordPath, reach }, { ...setup, output }).catch(refuseMoved));
  noteUnread(scanned, output);
  const before = trial && toDocument(named, trial.before);
  const since = before ?? earlier;
  const comparison = since && (await comparing()).compareScans(since, scanned);
  const report: Report = {
    origin: site.origin,
    document: toDocument(named, scanned, label),
    movedTo: scanned.movedTo,
    reach: { isLocal: reach.local !== undefined, hasFields: reach.siteFields !== undefined },
    comparison,
    ...(trial && { trial: describeTrial(trial) }),
    shortfalls: listShortfalls(bar, scanned, comparison),
  };
  const { formatTrial, SCAN_FORMATS } = await import('./report/formats.js');
  const write = (format: ScanFormat): string =>
    format === 'json' && trial && before
      ? formatTrial(before, report.document, trial.assumed)
      : SCAN_FORMATS[format](report, view);
  try {
    if (savePath !== null) await saveFile(savePath, write('json'));
  } finally {
    output.data(write(options.json ? 'json' : options.format));
  }
  return conclude(report, scanned.gap, output);
}

const comparing = () => import('./compare.js');

/** Says which chosen pages were not read, and why. */
function noteUnread({ pages }: ScanReport, output: Output): void {
  output.progress?.('');
  for (const page of pages?.chosen ?? []) {
    if (page.came !== 'read') output.note(`${page.path} is ${describeChosen(page)}.`);
  }
}

/** Discards the report and the progress; notes still explain how a scan ends. */
function silence(output: Output): Output {
  return { data: () => undefined, note: (text) => output.note(text), progress: null, look: output.look };
}

/** @returns the checks to run; undefined for all */
function parseOnly({ only, skip }: ScanOptions, checks: readonly Check[]): readonly string[] | undefined {
  if (only === undefined && skip === undefined) return undefined;
  const chosen = only === undefined ? checks.map(({ id }) => id) : parseCheckIds('--only', only, checks);
  const skipped = skip === undefined ? [] : parseCheckIds('--skip', skip, checks);
  const left = chosen.filter((id) => !skipped.includes(id));
  if (left.length === 0) throw new InputError('--skip leaves no check to run. Name fewer.');
  return left;
}

function parseView(options: ScanOptions, checks: readonly Check[], look: Look): View {
  const { fix, fixes, onlyFailures = false, color = look.hasColour, json } = options;
  const format = json ? 'json' : options.format;
  const ids = fix === undefined ? [] : parseCheckIds('--fix', fix, checks);
  if (format !== 'table' && (fixes || fix !== undefined)) {
    throw new InputError(`--fix and --fixes work only with --format table: leave them out for ${format}.`);
  }
  if (format !== 'table' && format !== 'markdown' && onlyFailures) {
    throw new InputError('--only-failures works only with --format table and markdown: leave it out.');
  }
  return { ...look, hasColour: color, fixes: fixes ? 'all' : ids, isOnlyFailures: onlyFailures };
}

/** A scan, and what it was compared with if files were tried. */
interface Scanned {
  readonly report: ScanReport;
  readonly trial?: Trial;
}

async function judgeAgain(recording: Recording, { output, version }: ScanSetup, trace?: Listener): Promise<Scanned> {
  const watching = { ...(trace && { listeners: [trace] }), onProgress: progressOf(output, trace) };
  return (await import('./replay.js')).replay(recording, version, output, watching);
}

interface Performance {
  /** Files to try; null for none. */
  readonly overlay: Overlay | null;
  /** File for the recording; null if there is none. */
  readonly recordPath: string | null;
  readonly reach: Reach;
}

async function performScan(
  task: ScanTask,
  { overlay, recordPath, reach }: Performance,
  { output, createDeps }: ScanSetup,
): Promise<Scanned> {
  const { scan, record, tryOverlay } = await openReach(task.origin, reach, createDeps);
  const onProgress = progressOf(output, reach.listen);
  if (overlay) {
    const trial = await tryOverlay(task, overlay, onProgress);
    return { report: trial.after, trial };
  }
  if (recordPath === null) return { report: await scan(task, onProgress) };
  const { report, recording } = await record(task, onProgress);
  const { writeRecording } = await import('../scanner/trace/har.js');
  await saveFile(recordPath, writeRecording(recording));
  return { report };
}

/** Returns the exit code. Prints one line that explains a nonzero code, since formats for programs may have no place for it. */
function conclude(report: Report, gap: HomePageFailure | undefined, output: Output): ExitCode {
  const { document, shortfalls } = report;
  const hint = hintFor(report, gap);
  if (hint !== null) output.note(hint);
  const noneScored = describeNoneScored(document.findings);
  if (document.run.score === null && noneScored === null) {
    output.note('Nothing could be determined.');
    return EXIT.undetermined;
  }
  if (noneScored !== null) output.note(`No score: ${noneScored}.`);
  if (shortfalls.length === 0) return EXIT.ok;
  output.note(`Below the bar: ${shortfalls.join('; ')}.`);
  return EXIT.belowBar;
}

/** Returns a hint about a failure that only the command line can fix; null if there is none. */
function hintFor({ reach }: Report, gap: HomePageFailure | undefined): string | null {
  const failure = typeof gap === 'object' && 'failure' in gap ? gap.failure : null;
  if (failure === 'tls_untrusted')
    return 'To trust a certificate authority of your own, set NODE_EXTRA_CA_CERTS to its PEM file.';
  return failure === 'target_refused' && reach?.isLocal
    ? '--local covers one origin. To scan the one that it redirects to, give that address.'
    : null;
}

/** Prints a line about each request, in place of the progress. */
async function traceTo(output: Output, origin: URL): Promise<Listener> {
  const { describeEvent } = await import('../scanner/trace/trace-line.js');
  return (event) => output.note(describeEvent(event, origin));
}

/** Returns what shows the progress; undefined without a terminal, or if a trace is printed. */
function progressOf({ progress }: Output, trace: Listener | undefined): OnProgress | undefined {
  if (!progress || trace) return undefined;
  return ({ done, total, requestCount }) => {
    progress(`scanning: ${done} of ${total} steps, ${requestCount} requests`);
  };
}
