import { Option } from 'commander';
import { REFUSALS, type RefusalReason } from '../domain/refusal.js';
import type { Check } from '../domain/check.js';
import { compareFindings } from '../domain/comparison.js';
import { InputError } from '../domain/input-error.js';
import { parseSiteInput } from '../domain/site-input.js';
import type { ScanProgress, ScanReport } from '../scan/scan.js';
import { type AddCommand, EXIT, type ExitCode, type Output } from './command.js';
import { readEarlierFindings } from './compare.js';
import { formatReport, type ScanDocument, type ScanFormat } from './scan-report.js';

export interface ScanCommandDeps {
  /** Why the guard refuses this target, or null. */
  readonly vetTarget: (origin: URL) => Promise<RefusalReason | null>;
  readonly scan: (origin: URL, onProgress?: (progress: ScanProgress) => void) => Promise<ScanReport>;
}

interface ScanOptions {
  readonly format: ScanFormat;
  readonly json?: true;
  readonly failUnder?: string;
  readonly failOn?: string;
  readonly compare?: string;
}

/** `scan`: one scan from this terminal; no database, no server. */
export function addScanCommand(
  checks: readonly Check[],
  createDeps: () => Promise<ScanCommandDeps>,
  output: Output,
): AddCommand {
  return (program, act) => {
    program
      .command('scan')
      .description('scan one site from this terminal; needs no database and no server')
      .argument('<url>', 'the site, such as https://example.com')
      .addOption(
        new Option('--format <format>', 'how to print the report')
          .choices(['table', 'json', 'markdown'])
          .default('table'),
      )
      .option('--json', 'the same as --format json')
      .option('--fail-under <score>', 'exit 1 if the score is below this (0 to 100)')
      .option('--fail-on <checks>', 'exit 1 if one of these checks fails (ids, comma-separated)')
      .option('--compare <file>', 'compare with an earlier --format json report; exit 1 on a new failure')
      .action((url: string, options: ScanOptions) => act(() => runScan(url, options, { checks, output, createDeps })));
  };
}

interface ScanSetup {
  readonly checks: readonly Check[];
  readonly output: Output;
  /** Called once the usage is found to be good. */
  readonly createDeps: () => Promise<ScanCommandDeps>;
}

async function runScan(
  url: string,
  options: ScanOptions,
  { checks, output, createDeps }: ScanSetup,
): Promise<ExitCode> {
  const { origin, hostname } = parseSiteInput(url);
  const bar = parseBar(options, checks);
  const earlier = options.compare === undefined ? null : await readEarlierFindings(options.compare);
  const deps = await createDeps();
  const refusal = await deps.vetTarget(origin);
  if (refusal !== null) throw new InputError(`${hostname} is refused: ${REFUSALS[refusal]}.`);

  const report = await deps.scan(origin, progressLine(output));
  output.progress?.('');
  const document = toDocument(hostname, report);
  const comparison = earlier && compareFindings(earlier, report.findings);
  output.data(formatReport(document, options.json ? 'json' : options.format, comparison));

  if (report.score === null) return EXIT.undetermined;
  const isBelow =
    report.score < bar.scoreMin ||
    report.findings.some(({ checkId, result }) => result === 'FAIL' && bar.checkIds.has(checkId)) ||
    (comparison?.newFailures.length ?? 0) > 0;
  return isBelow ? EXIT.belowBar : EXIT.ok;
}

function parseBar(
  { failUnder, failOn }: ScanOptions,
  checks: readonly Check[],
): { scoreMin: number; checkIds: ReadonlySet<string> } {
  if (failUnder !== undefined && !/^(100|[1-9]?[0-9])$/.test(failUnder)) {
    throw new InputError('--fail-under takes a whole number from 0 to 100.');
  }
  const checkIds = (failOn ?? '')
    .split(',')
    .map((id) => id.trim().toUpperCase())
    .filter((id) => id !== '');
  const unknown = checkIds.filter((id) => !checks.some((check) => check.id === id));
  if (unknown.length > 0) {
    throw new InputError(`--fail-on: there is no check ${unknown.join(', ')}. "agent-readiness checks" lists them.`);
  }
  return { scoreMin: Number(failUnder ?? 0), checkIds: new Set(checkIds) };
}

function progressLine({ progress }: Output): ((progress: ScanProgress) => void) | undefined {
  if (!progress) return undefined;
  return ({ done, total, requestCount }) => {
    progress(`scanning: ${done} of ${total} steps, ${requestCount} requests`);
  };
}

function toDocument(hostname: string, { score, startedAt, finishedAt, findings }: ScanReport): ScanDocument {
  return {
    site: { hostname },
    run: { score, startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() },
    findings,
  };
}
