import { realpath } from 'node:fs/promises';
import { parsePageUrl } from '../app/sites/site-input.js';
import { InputError } from '../platform/errors.js';
import { parseLabel } from '../platform/label.js';
import { describeChosen } from '../scanner/artifacts/pages.js';
import type { HomePageFailure } from '../scanner/artifacts/evidence.js';
import { PreviewMovedError } from '../scanner/client/stand-in.js';
import type { ScanTarget } from '../scanner/client/visit.js';
import { describeNothingApplies } from '../scanner/report/no-score.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { OverlayComparison } from '../scanner/scan/recorded-scan.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import { writeRecording } from '../scanner/trace/har.js';
import type { Recording } from '../scanner/trace/recording.js';
import { RECORDING_LIMITS } from '../scanner/limits.js';
import { describeEvent } from '../scanner/trace/trace-line.js';
import type { Check } from '../scanner/verdict/check.js';
import { EXIT, type ExitCode, type LoadChecks, type Display, type Output } from './command.js';
import { listShortfalls, parseCheckIds, parseConditions } from './conditions.js';
import { checkSavePath, saveFile } from './files.js';
import { readOverlay } from './overlay.js';
import type { ScanFormat } from './public-types.js';
import { readReplay, replay } from './replay.js';
import { type Report, toDocument, type View } from './report/document.js';
import { SCAN_FORMATS } from './report/formats.js';
import { parseWithFile, readScanFile, refuseConflicts, type ScanOptions } from './scan-options.js';
import { prepareScan, parseTarget, type SiteAccess, readSiteFields, type ScanCommandDeps } from './site-access.js';

type OnProgress = (progress: ScanProgress) => void;

export interface ScanSetup {
  readonly loadChecks: LoadChecks;
  readonly output: Output;
  readonly createDeps: (access: SiteAccess) => Promise<ScanCommandDeps>;
  readonly readPassword: () => Promise<string>;
}

export async function runScan(
  address: string | undefined,
  given: ScanOptions,
  { loadChecks, output: terminal, createDeps, readPassword }: ScanSetup,
  version: string,
): Promise<ExitCode> {
  const checks = await loadChecks();
  // A recording names its site, so today's configuration file does not apply.
  const { url = '', ...file } = given.replay === undefined ? await readScanFile(given.config ?? null) : {};
  const options: ScanOptions = { ...file, ...given };
  parseWithFile(file, given.config, () => refuseConflicts(options));
  const replayed = options.replay === undefined ? null : await readReplay(options.replay, address);
  const requested = replayed?.run.origin ?? address ?? url;
  const input = { ...options, address: requested, pages: options.page, isLocal: given.local };
  const { site, target, access: baseAccess } = parseWithFile(file, given.config, () => parseTarget(input, '--page'));
  const conditions = parseWithFile(file, given.config, () => parseConditions(options, checks));
  const label = options.label === undefined ? undefined : parseLabel('--label', options.label);
  const view = parseView(options, checks, terminal.display);
  const output = options.quiet ? silence(terminal) : terminal;
  const earlier =
    options.compare === undefined ? null : await (await loadCompare()).readEarlierScan(options.compare, site);
  const savePath = await checkSavePath(options.save, '--save');
  const recordPath = await checkSavePath(options.record, '--record');
  const recordings = [recordPath, options.replay === undefined ? null : await realpath(options.replay)];
  if (savePath !== null && recordings.includes(savePath))
    throw new InputError('--save names the recording, which the report would replace. Name another file.');
  const access: SiteAccess = {
    ...baseAccess,
    ...(await readSiteFields(given, Boolean(address), readPassword)),
    ...(options.trace && { listeners: [(event) => output.note(describeEvent(event, target.origin))] }),
  };
  if (!replayed && parsePageUrl(requested) !== null)
    output.note(`The whole site is scanned, and this page of ${site.hostname} is one of the pages that are read.`);

  const onProgress = options.trace ? undefined : progressPrinter(output);
  const prepare = () => prepareScan(target.origin, access, createDeps);
  const { report, ...scanned }: Scanned = replayed
    ? { report: await replay(replayed, version, output, { ...access, onProgress }) }
    : await performScan(target, conditions.only, options.overlay, recordPath !== null, onProgress, prepare);
  if (recordPath !== null && scanned.recording) await saveRecording(recordPath, scanned.recording, version, output);
  noteUnreadPages(report, output);

  const trial = scanned.trial ? { before: toDocument(site, scanned.trial.before), note: scanned.trial.note } : null;
  const compared = trial?.before ?? earlier;
  const comparison = compared && (await loadCompare()).compareScans(compared, report);
  const shown: Report = {
    origin: target.origin.origin,
    document: toDocument(site, report, label),
    movedTo: report.movedTo,
    isLocal: access.local !== undefined,
    hasFields: access.siteFields !== undefined,
    comparison,
    trial,
    shortfalls: listShortfalls(conditions, report, comparison),
  };
  const write = (format: ScanFormat): string => SCAN_FORMATS[format](shown, view);
  await saveAndPrint(savePath, write, output, options.json ? 'json' : options.format);
  return conclude(shown, report.gap, output);
}

/** Imported only when needed, since loading zod takes a fifth of a scan's CPU. */
const loadCompare = () => import('./compare.js');

/** Prints the report even if it cannot be saved. */
async function saveAndPrint(
  path: string | null,
  write: (format: ScanFormat) => string,
  output: Output,
  format: ScanFormat,
): Promise<void> {
  try {
    if (path !== null) await saveFile(path, write('json'));
  } finally {
    output.data(write(format));
  }
}

function silence(output: Output): Output {
  return { data: () => undefined, note: (text) => output.note(text), progress: null, display: output.display };
}

function parseView(options: ScanOptions, checks: readonly Check[], display: Display): View {
  const { fix, fixes, onlyFailures = false, color = display.hasColour, json } = options;
  const format = json ? 'json' : options.format;
  const ids = fix === undefined ? [] : parseCheckIds('--fix', fix, checks);
  if (format !== 'table' && (fixes || fix !== undefined)) {
    throw new InputError(`--fix and --fixes work only with --format table: leave them out for ${format}.`);
  }
  if (format !== 'table' && format !== 'markdown' && onlyFailures) {
    throw new InputError('--only-failures works only with --format table and markdown: leave it out.');
  }
  return { ...display, hasColour: color, fixes: fixes ? 'all' : ids, showsOnlyFailures: onlyFailures };
}

interface Scanned {
  readonly report: ScanReport;
  readonly trial?: OverlayComparison;
  readonly recording?: Recording;
}

/** @param folder overlay files to try */
async function performScan(
  target: ScanTarget,
  only: readonly string[] | undefined,
  folder: string | undefined,
  isRecorded: boolean,
  onProgress: OnProgress | undefined,
  prepare: () => Promise<ScanCommandDeps>,
): Promise<Scanned> {
  const overlay = folder === undefined ? null : await readOverlay(folder);
  const { scan, record, tryOverlay } = await prepare();
  if (overlay) {
    const trial = await tryOverlay(target, overlay, onProgress).catch(rethrowMoved);
    return { report: trial.after, trial };
  }
  return isRecorded ? record(target, onProgress) : { report: await scan(target, onProgress, only).catch(rethrowMoved) };
}

/** @throws InputError if a preview redirects to https, otherwise `error` */
function rethrowMoved(error: unknown): never {
  throw error instanceof PreviewMovedError ? new InputError(error.message) : error;
}

async function saveRecording(path: string, recording: Recording, version: string, output: Output): Promise<void> {
  const file = writeRecording(recording, version);
  await saveFile(path, file);
  if (Buffer.byteLength(file) > RECORDING_LIMITS.bytesMax)
    output.note('The recording is larger than 64 MiB, so --replay cannot read it.');
}

function noteUnreadPages({ pages }: ScanReport, output: Output): void {
  output.progress?.('');
  for (const page of pages?.chosen ?? []) {
    if (!page.isRead) output.note(`${page.path} is ${describeChosen(page)}.`);
  }
}

/** Returns the exit code. Prints one line that explains a nonzero code, since some formats cannot. */
function conclude(
  { document, shortfalls, isLocal }: Report,
  gap: HomePageFailure | undefined,
  output: Output,
): ExitCode {
  const failure = typeof gap === 'object' && 'failure' in gap ? gap.failure : null;
  if (failure === 'tls_untrusted')
    output.note('To trust a certificate authority of your own, set NODE_EXTRA_CA_CERTS to its PEM file.');
  if (failure === 'target_refused' && isLocal)
    output.note('--local covers one origin. To scan the origin that it redirects to, name that one.');
  const noneScored = describeNothingApplies(document.findings);
  if (document.run.score === null && noneScored === null) {
    output.note('Nothing could be determined.');
    return EXIT.undetermined;
  }
  if (noneScored !== null) output.note(`No score: ${noneScored}.`);
  if (shortfalls.length === 0) return EXIT.ok;
  output.note(`Conditions not met: ${shortfalls.join('; ')}.`);
  return EXIT.notMet;
}

function progressPrinter({ progress }: Output): OnProgress | undefined {
  if (!progress) return undefined;
  return ({ done, total, requestCount }) => {
    progress(`scanning: ${done} of ${total} steps, ${requestCount} requests`);
  };
}
