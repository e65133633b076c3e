import { Option } from 'commander';
import type { Check } from '../domain/check.js';
import type { ScanProgress, ScanReport } from '../scan/scan.js';
import { type AddCommand, EXIT, type ExitCode, type Output, UsageError } from './command.js';
import { compareFindings, readEarlierFindings } from './compare.js';
import { formatReport, type ScanDocument, type ScanFormat } from './scan-report.js';

export interface ScanCommandDeps {
  readonly checks: readonly Check[];
  /** Why the guard refuses this target, in words for the operator, or null. */
  readonly vetTarget: (origin: URL) => Promise<string | null>;
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
export function addScanCommand(deps: ScanCommandDeps, output: Output): AddCommand {
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
      .option('--fail-under <score>', 'exit 1 when the score is below this (0 to 100)')
      .option('--fail-on <checks>', 'exit 1 when one of these checks fails: ids, comma-separated')
      .option('--compare <file>', 'an earlier --format json: exit 1 on a new failure')
      .action((url: string, options: ScanOptions) => act(() => runScan(url, options, deps, output)));
  };
}

async function runScan(url: string, options: ScanOptions, deps: ScanCommandDeps, output: Output): Promise<ExitCode> {
  const origin = parseTarget(url);
  const bar = parseBar(options, deps.checks);
  const earlier = options.compare === undefined ? null : await readEarlierFindings(options.compare);
  const refusal = await deps.vetTarget(origin);
  if (refusal !== null) throw new UsageError(`${origin.host} is refused: ${refusal}`);

  const report = await deps.scan(origin, progressLine(output));
  output.progress?.('');
  const document = toDocument(origin, report);
  const comparison = earlier && compareFindings(earlier, report.findings);
  output.data(formatReport(document, options.json ? 'json' : options.format, comparison));

  if (report.score === null) return EXIT.undetermined;
  const isBelow =
    report.score < bar.scoreMin ||
    report.findings.some(({ checkId, result }) => result === 'FAIL' && bar.checkIds.has(checkId)) ||
    (comparison?.newFailures.length ?? 0) > 0;
  return isBelow ? EXIT.belowBar : EXIT.ok;
}

function parseTarget(text: string): URL {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || url.hostname === '')
    throw new UsageError(`"${text}" is no address. Give a site such as https://example.com.`);
  if (!/^https?:$/.test(url.protocol)) throw new UsageError('Only http and https sites can be scanned.');
  if (url.username || url.password) throw new UsageError('Leave the user name and password out of the address.');
  if (url.pathname !== '/' || url.search || url.hash) {
    throw new UsageError(`A scan is of a whole site, not of one page. Give ${url.origin}.`);
  }
  return url;
}

function parseBar(
  { failUnder, failOn }: ScanOptions,
  checks: readonly Check[],
): { scoreMin: number; checkIds: ReadonlySet<string> } {
  if (failUnder !== undefined && !/^(100|[1-9]?[0-9])$/.test(failUnder)) {
    throw new UsageError('--fail-under takes a whole number from 0 to 100.');
  }
  const checkIds = (failOn ?? '')
    .split(',')
    .map((id) => id.trim().toUpperCase())
    .filter((id) => id !== '');
  const unknown = checkIds.filter((id) => !checks.some((check) => check.id === id));
  if (unknown.length > 0) {
    throw new UsageError(`--fail-on: there is no check ${unknown.join(', ')}. "agent-readiness checks" lists them.`);
  }
  return { scoreMin: Number(failUnder ?? 0), checkIds: new Set(checkIds) };
}

function progressLine({ progress }: Output): ((progress: ScanProgress) => void) | undefined {
  if (!progress) return undefined;
  return ({ done, total, requestCount }) => {
    progress(`scanning: ${done} of ${total} kinds of evidence, ${requestCount} requests`);
  };
}

function toDocument(origin: URL, { score, startedAt, finishedAt, findings }: ScanReport): ScanDocument {
  return {
    site: { hostname: origin.host },
    run: { score, startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() },
    findings,
  };
}
