import { parseLabel } from '../platform/label.js';
import { InputError } from '../platform/input-error.js';
import type { Check } from '../scanner/verdict/check.js';
import { pageOf, parseSiteInput } from '../app/sites/site-input.js';
import { describeChosen } from '../scanner/artifacts/chosen-pages.js';
import type { Listener } from '../scanner/client/events.js';
import type { Recording } from '../scanner/trace/recording.js';
import type { Overlay } from '../scanner/trace/overlay.js';
import type { Trial } from '../scanner/scan/overlay-scan.js';
import { describeNoneScored } from '../scanner/report/no-score.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import { type Bar, listShortfalls, parseBar, parseCheckIds } from './bar.js';
import { type AddCommand, EXIT, type ExitCode, type LoadChecks, type Look, type Output } from './command.js';
import { compareScans, readEarlierScan } from './compare.js';
import type { EarlierRun } from './earlier-run.js';
import { describeSite, type Report, toDocument } from './report/document.js';
import { parseWithFile, readScanFile } from './scan-config.js';
import type { OnProgress, Reach, ScanCommandDeps, ScanTask } from './scan-deps.js';
import type { ScanFormat } from './report/format-names.js';
import type { ScanDocument } from './report/scan-document.js';
import { describeScan, type ScanOptions } from './scan-options.js';
import { pagesAt, parsePages } from './scan-pages.js';
import { openReach, parseJudgedAs, readReach } from './scan-reach.js';
import type { View } from './report/view.js';
import { checkSavePath, saveFile } from './save.js';
import { describeTrial, formatTrial, refuseWithOverlay } from './try-overlay.js';

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
  /** Of this package. */
  readonly version: string;
}

async function runScan(address: string | undefined, given: ScanOptions, setup: ScanSetup): Promise<ExitCode> {
  const { loadChecks } = setup;
  // A record says what was scanned, and a file of today nothing of it.
  const { url = address, ...file } = given.replay === undefined ? await readScanFile(given.config ?? null) : {};
  const options = { ...file, ...given };
  const source = options.replay === undefined ? null : await readSource(address, options, options.replay);
  const asked = source?.run.origin ?? address ?? url ?? '';
  const { origin, hostname } = parseSiteInput(asked);
  const judgedAs = parseJudgedAs(options);
  const label = options.label === undefined ? undefined : parseLabel('--label', options.label);
  const site = judgedAs ?? origin;
  const checks = await loadChecks();
  const { pages, only, bar } = parseWithFile(file, given.config, () => {
    const pages = source ? [] : parsePages({ asked, origin, pages: options.page, name: '--page' });
    refuseWithOverlay(options);
    const only = parseMade(options, checks);
    return { pages, only, bar: parseBar(options, checks, only) };
  });
  const view = parseView(options, checks, setup.output.look);
  const output = options.quiet ? silence(setup.output) : setup.output;
  const earlier = options.compare === undefined ? null : await readEarlierScan(options.compare);
  const savePath = options.save === undefined ? null : await checkSavePath(options.save, '--save');
  const recordPath = options.record === undefined ? null : await checkSavePath(options.record, '--record');
  const trace = options.trace && (await traceTo(output, site));
  const reach = await readReach(
    { origin, isNamed: Boolean(address), site: judgedAs },
    given,
    setup.readPassword,
    trace,
  );
  const overlay = options.overlay === undefined ? null : await openOverlay(options.overlay, options.cleanUrls);
  if (!source && pageOf(asked) !== null)
    output.note(`A site is scanned as a whole: this page of ${hostname} is among those that are read.`);
  const task = { origin: site, pages: await pagesAt(judgedAs, pages), only };
  const work = { ...setup, output };
  const trial = overlay && (await tryFiles(task, overlay, work, reach));
  const scanned =
    trial?.after ?? (source ? await judgeAgain(source, work, trace) : await scanSite(task, recordPath, work, reach));
  output.progress?.('');
  for (const page of scanned.pages?.chosen ?? [])
    if (page.came !== 'read') output.note(`${page.path} is ${describeChosen(page)}.`);
  const named = describeSite({ origin, hostname }, judgedAs);
  const before = trial && toDocument(named, trial.before);
  const report = toReport(site, toDocument(named, scanned, label), {
    ...{ scanned, earlier: before ?? earlier, bar, trial, reach },
  });
  const format = options.json ? 'json' : options.format;
  const { SCAN_FORMATS } = await import('./report/formats.js');
  const write = (format: ScanFormat): string => {
    if (format === 'json' && trial && before) return formatTrial(before, report.document, trial.assumed);
    return SCAN_FORMATS[format](report, view);
  };
  try {
    if (savePath !== null) await saveFile(savePath, write('json'));
  } finally {
    output.data(write(format));
  }
  return conclude(report, output);
}

/** Why a scan ends as it does is still said. */
function silence(output: Output): Output {
  return { data: () => undefined, note: (text) => output.note(text), progress: null, look: output.look };
}

/** @returns the checks to make; undefined for all */
function parseMade(options: ScanOptions, checks: readonly Check[]): readonly string[] | undefined {
  const { only, skip, record, replay } = options;
  if (only === undefined && skip === undefined) return undefined;
  if (record !== undefined || replay !== undefined) {
    throw new InputError('--only and --skip scan again, for some checks: they go with neither --record nor --replay.');
  }
  const chosen = only === undefined ? checks.map(({ id }) => id) : parseCheckIds('--only', only, checks);
  const skipped = skip === undefined ? [] : parseCheckIds('--skip', skip, checks);
  const left = chosen.filter((id) => !skipped.includes(id));
  if (left.length === 0) throw new InputError('--skip leaves no check to make: name fewer.');
  return left;
}

function parseView(options: ScanOptions, checks: readonly Check[], look: Look): View {
  const { fix, fixes, onlyFailures = false, color = look.hasColour, json } = options;
  const format = json ? 'json' : options.format;
  const ids = fix === undefined ? [] : parseCheckIds('--fix', fix, checks);
  if (format !== 'table' && (fixes || fix !== undefined)) {
    throw new InputError(`--fix and --fixes are for --format table: ${format} has what it has of fixes anyway.`);
  }
  if (format !== 'table' && format !== 'markdown' && onlyFailures) {
    throw new InputError('--only-failures is for --format table and markdown: leave it out.');
  }
  return { ...look, hasColour: color, fixes: fixes ? 'all' : ids, isOnlyFailures: onlyFailures };
}

/** @throws InputError when the file is of another site, or no record */
async function readSource(url: string | undefined, options: ScanOptions, file: string): Promise<Recording> {
  if (options.config !== undefined) {
    throw new InputError('--replay takes nothing from a file: leave --config out, and give the conditions here.');
  }
  if (options.page !== undefined) {
    throw new InputError('--replay reads the pages of its record: leave --page out.');
  }
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

async function openOverlay(folder: string, isClean = false): Promise<Overlay> {
  return (await import('./overlay-folder.js')).readOverlay(folder, isClean);
}

async function tryFiles(task: ScanTask, overlay: Overlay, setup: ScanSetup, reach: Reach): Promise<Trial> {
  const { tryOverlay } = await openReach(task.origin, reach, setup.createDeps);
  return tryOverlay(task, overlay, reach.listen ? undefined : progressLine(setup.output));
}

/** @param recordPath where to record the scan; null if it is not recorded */
async function scanSite(
  task: ScanTask,
  recordPath: string | null,
  setup: ScanSetup,
  reach: Reach,
): Promise<ScanReport> {
  const { scan, record } = await openReach(task.origin, reach, setup.createDeps);
  const onProgress = reach.listen ? undefined : progressLine(setup.output);
  if (recordPath === null) return scan(task, onProgress);
  const { report, recording } = await record(task, onProgress);
  const { writeRecording } = await import('../scanner/trace/write-warc.js');
  await saveFile(recordPath, writeRecording(recording));
  return report;
}

interface Judged {
  readonly scanned: ScanReport;
  readonly earlier: EarlierRun | null;
  readonly bar: Bar;
  readonly trial: Trial | null;
  readonly reach: Reach;
}

function toReport(origin: URL, document: ScanDocument, { scanned, earlier, bar, trial, reach }: Judged): Report {
  const comparison = earlier && compareScans(earlier, scanned);
  return {
    origin: origin.origin,
    document,
    movedTo: scanned.movedTo,
    reach: { isLocal: reach.local !== undefined, hasFields: reach.siteFields !== undefined },
    comparison,
    ...(trial && { trial: describeTrial(trial) }),
    shortfalls: listShortfalls(bar, scanned, comparison),
  };
}

/** Returns the exit code. Prints one line that explains a nonzero code, which formats for programs may have no place for. */
function conclude({ document, shortfalls }: Report, output: Output): ExitCode {
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
