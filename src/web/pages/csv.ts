import type { Finding } from '../../scanner/verdict/finding.js';
import type { RunResponse } from '../../app/runs/run.js';
import type { RunSummary } from '../../app/runs/run-rows.js';
import type { Schedule } from '../../app/automation/schedules.js';
import type { OwnershipInstructions } from '../../app/sites/proof.js';
import { unicodeOf } from '../html/page-header.js';
import type { ListedSite } from './sites-view.js';

const FINDING_COLUMNS = [
  'checkId',
  'pillar',
  'scored',
  'result',
  'errorType',
  'detail',
  'title',
  'explanation',
  'fix',
] as const satisfies readonly (keyof Finding)[];

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** One line per finding, with the run's data on each. */
export function formatRunAsCsv({ site, run, findings }: RunResponse): string {
  const runCells = [site.hostname, run.number, run.reference, run.score, run.startedAt];
  const rows = findings.map((finding) => [...runCells, ...FINDING_COLUMNS.map((column) => finding[column])]);
  return formatCsv([['hostname', 'run', 'reference', 'score', 'startedAt', ...FINDING_COLUMNS], ...rows]);
}

const RUN_COLUMNS = [
  'number',
  'reference',
  'score',
  'trigger',
  'startedAt',
  'finishedAt',
] as const satisfies readonly (keyof RunSummary)[];

/** One line per run, with a column for each check. @param read reads the runs; called twice */
export async function* formatRunsAsCsv(read: () => AsyncIterable<RunSummary>): AsyncGenerator<string, void> {
  const checkIds = new Set<string>();
  for await (const { findings } of read()) {
    for (const { checkId } of findings) checkIds.add(checkId);
    // Lets the reader pause between the slices of an export.
    yield '';
  }
  yield formatCsv([[...RUN_COLUMNS, 'label', 'commit', ...checkIds]]);
  for await (const run of read()) {
    const found = new Map(run.findings.map(({ checkId, result }) => [checkId, result]));
    const name = [run.label?.label ?? null, run.label?.commit ?? null];
    const checks = [...checkIds].map((id) => found.get(id) ?? null);
    yield formatCsv([[...RUN_COLUMNS.map((column) => run[column]), ...name, ...checks]]);
  }
}

/** Marks UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = '\uFEFF';

const SITE_COLUMNS = [
  ...['hostname', 'name', 'verifiedAt', 'tags', 'state', 'score', 'points', 'newFailures', 'fixed', 'toFix'],
  ...['latestRun', 'latestAt', 'schedule', 'nextRunAt', 'emailAlerts', 'siteId'],
  ...['txtName', 'txtValue', 'domainTxtName', 'domainTxtValue', 'fileUrl', 'fileText', 'metaTag'],
];

/** The first line of the table of sites. */
export function formatSitesHead(): string {
  return BYTE_ORDER_MARK + formatCsv([SITE_COLUMNS]);
}

/** Data of a site that the list does not have. */
export interface SiteSettings {
  readonly schedule: Schedule['effective'];
  readonly nextRunAt: string | null;
  readonly hasMail: boolean;
  /** What to publish; null for a site that was removed in the meantime. */
  readonly ways: OwnershipInstructions | null;
}

/**
 * A site's line in the table of sites. `name` is the host as people write it; `points`, `newFailures` and `fixed` are since the run with a score
 * before.
 */
export function formatSiteAsCsv(
  { site, state, judged, toFix, latestNumber, latestAt }: ListedSite,
  { schedule, nextRunAt, hasMail, ways }: SiteSettings,
): string {
  const { hostname, verifiedAt, id } = site;
  const { score = null, change = null } = judged ?? {};
  const { points = null, newFailures = null, fixed = null } = change ?? {};
  const { dns = null, domain = null, file = null, meta = null } = ways ?? {};
  const row: Cell[] = [
    ...[hostname, unicodeOf(hostname), verifiedAt, site.tags.join(', '), state, score, points, newFailures, fixed],
    ...[toFix, latestNumber === 0 ? null : latestNumber, latestAt, schedule],
    // An unverified site does not run.
    ...[verifiedAt === null ? null : nextRunAt, hasMail ? 'on' : 'off', id],
    ...[dns?.name ?? null, dns?.value ?? null, domain?.name ?? null, domain?.value ?? null],
    ...[file?.url ?? null, file?.body ?? null, meta?.tag ?? null],
  ];
  return formatCsv([row]);
}

type Cell = string | number | boolean | null;

/** RFC 4180, with CRLF after each line. Null is an empty cell. */
function formatCsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

/** Matches what a spreadsheet would run as a formula (OWASP, "CSV Injection"), full-width characters included. */
const FORMULA_START = /^[\s\0]*[=+\-@|%＝＋－＠]/;

function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA_START.test(cell) || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
