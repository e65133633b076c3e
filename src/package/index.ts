/** The exports of the package. Their declarations must not import other packages, see src/build/package.ts. */
import type { DescribedCheck, EarlierRun, ScanDocument, ScanFormat } from '../cli/public-types.js';
import { describeCheck } from '../cli/describe-check.js';
import { compareScans, toEarlierRun } from '../cli/compare.js';
import { SCAN_FORMATS } from '../cli/report/formats.js';
import { createReport, toDocument } from '../cli/report/document.js';
import { parseCheckIds } from '../cli/conditions.js';
import { prepareScan, parseTarget } from '../cli/site-access.js';
import { readScanConfig } from '../config.js';
import { InputError } from '../platform/errors.js';
import { parseLabel } from '../platform/label.js';
import { CHECKS as REGISTRY } from '../scanner/checks/index.js';
import type { Finding } from '../scanner/verdict/finding.js';
import { createOneScan } from './one-scan.js';

export type { DescribedCheck, EarlierRun, Finding, ScanDocument, ScanFormat };

export interface ScanOptions {
  /** Ids of the checks to run; by default all. */
  readonly only?: readonly string[];
  /** Pages to read first, such as `/pricing`, at most 5, as with `--page`. */
  readonly pages?: readonly string[];
  /** True to scan your own server at this loopback or private address, as with `--local`. */
  readonly local?: boolean;
  /** Origin of the site whose preview this is, such as `https://www.example.com`, as with `--as`. */
  readonly as?: string;
  /** Name of the scan in its reports, such as the deployed commit, as with `--label`. */
  readonly label?: string;
  readonly onProgress?: (progress: {
    readonly done: number;
    readonly total: number;
    readonly requestCount: number;
  }) => void;
}

export interface RenderOptions {
  /** By default `table`. */
  readonly format?: ScanFormat;
  /** Origin to write into the fixes; by default that of the report. */
  readonly origin?: string;
  /** True for a server that only you can reach, as with `--local`. */
  readonly local?: boolean;
  /** Earlier run to compare with. */
  readonly earlier?: EarlierRun;
  /** True for ANSI colours in a table; by default false. */
  readonly colour?: boolean;
  /** True for Unicode in a table; by default ASCII. */
  readonly unicode?: boolean;
}

export const CHECKS: readonly DescribedCheck[] = REGISTRY.map(describeCheck);

/**
 * Scans one site over the network, within 45 seconds and 150 requests. Resolves whatever the site answers. Reads `SCAN_ALLOW_CIDRS` and
 * `SCAN_ALLOW_PORTS` from the environment, as the command line does.
 * @param site a host name, an origin such as `https://example.com`, or the address of a page
 * @throws an Error with the name InputError if an option or address is wrong or refused; its message says what to do
 */
export async function scan(site: string, options: ScanOptions = {}): Promise<ScanDocument> {
  const { pages, local, as, label, onProgress } = options;
  if (typeof (site as unknown) !== 'string') throw new InputError('Give scan() the site as text, such as example.com.');
  for (const [name, text] of Object.entries({ as, label } as Record<string, unknown>))
    if (text !== undefined && typeof text !== 'string') throw new InputError(`${name}: give text.`);
  const parsedLabel = label === undefined ? undefined : parseLabel('label', label);
  const parsed = parseTarget({ address: site, as, pages, isLocal: local }, 'pages');
  const unknown = options.only?.filter((id) => !CHECKS.some((check) => check.id === id.trim().toUpperCase())) ?? [];
  if (unknown.length > 0) throw new InputError(`only: unknown check ${unknown.join(', ')}. CHECKS lists them.`);
  const only = options.only && parseCheckIds('only', options.only.join(','), REGISTRY);
  const { site: described, target, access } = parsed;
  const { scan: visit } = await prepareScan(target.origin, access, (siteAccess) =>
    createOneScan(readScanConfig(), siteAccess),
  );
  return toDocument(described, await visit(target, onProgress, only), parsedLabel);
}

/**
 * Renders a report in one of the formats of the command line.
 * @throws an Error with the name InputError if the format is unknown, or `document` or `earlier` is not a report
 */
export function renderReport(document: ScanDocument, options: RenderOptions = {}): string {
  const { format = 'table', earlier, colour = false, unicode = false } = options;
  if (!Object.hasOwn(SCAN_FORMATS, format)) {
    throw new InputError(`format: ${format} is unknown. Give one of ${Object.keys(SCAN_FORMATS).join(', ')}.`);
  }
  const { site, run, notes, gains } = (document as Partial<ScanDocument> | undefined) ?? {};
  if (!toEarlierRun(document) || !site || !run || !Array.isArray(notes) || !Array.isArray(gains)) {
    throw new InputError('renderReport() takes a report that scan() returned.');
  }
  const { hostname, origin: scanned = `https://${hostname}`, judgedAs = scanned } = document.site;
  const { origin = judgedAs, local = false } = options;
  // A report may come from an untrusted author, who could otherwise inject text.
  if (URL.parse(origin)?.origin !== origin) {
    throw new InputError('origin, or the site of the report, is not an origin such as https://example.com.');
  }
  const comparison = earlier ? compareScans(vetEarlier(earlier), document) : null;
  const report = createReport(origin, document, { isLocal: local, comparison });
  return SCAN_FORMATS[format](report, { hasColour: colour, isUnicode: unicode });
}

/** Validates a run, which may come from an untrusted author. */
function vetEarlier(run: EarlierRun): EarlierRun {
  const vetted = toEarlierRun(run);
  if (!vetted) throw new InputError('earlier is neither a report of scan() nor a response of the API.');
  return vetted;
}
