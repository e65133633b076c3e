import type { Finding } from '../../../scanner/verdict/finding.js';
import type { RunResponse } from '../../runs/run.js';
import type { RunLine } from '../../runs/run-lines.js';
import type { Schedule } from '../../automation/schedules.js';
import type { OwnershipInstructions } from '../../sites/ownership.js';
import type { Site } from '../../sites/site.js';
import { unicodeOf } from '../../../web/kit/components/mast.js';
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

/** A run as a table: one line for each finding, with what is known of the run on every line. */
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
] as const satisfies readonly (keyof RunLine)[];

/** Runs as a table: one line each, with a column for each check that any of them made. */
export function formatRunsAsCsv(runs: readonly RunLine[]): string {
  const checkIds = [...new Set(runs.flatMap(({ results }) => results.map(({ checkId }) => checkId)))];
  const rows = runs.map((run) => {
    const found = new Map(run.results.map(({ checkId, result }) => [checkId, result]));
    const name = [run.label?.label ?? null, run.label?.commit ?? null];
    return [...RUN_COLUMNS.map((column) => run[column]), ...name, ...checkIds.map((id) => found.get(id) ?? null)];
  });
  return formatCsv([[...RUN_COLUMNS, 'label', 'commit', ...checkIds], ...rows]);
}

/** How a spreadsheet knows UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

const SITE_COLUMNS = [
  ...['hostname', 'name', 'verifiedAt', 'tags', 'state', 'score', 'points', 'newFailures', 'fixed', 'toFix'],
  ...['latestRun', 'latestAt', 'schedule', 'nextRunAt', 'emailAlerts', 'siteId'],
];

/** What the list itself does not say of a site. */
export interface SiteSettings {
  readonly schedule: Schedule['effective'];
  readonly nextRunAt: string | null;
  readonly hasMail: boolean;
}

/**
 * The list of sites as a table: one line each. `name` is the host as people write it; `points`, `newFailures` and `fixed` are since the run
 * with a score before. @param settingsOf by site id
 */
export function formatSitesAsCsv(sites: readonly ListedSite[], settingsOf: (siteId: string) => SiteSettings): string {
  const rows = sites.map(({ site, state, judged, toFix, latestNumber, latestAt }): Cell[] => {
    const { hostname, verifiedAt, id } = site;
    const { score = null, change = null } = judged ?? {};
    const { points = null, newFailures = null, fixed = null } = change ?? {};
    const { schedule, nextRunAt, hasMail } = settingsOf(id);
    return [
      ...[hostname, unicodeOf(hostname), verifiedAt, site.tags.join(', '), state, score, points, newFailures, fixed],
      ...[toFix, latestNumber === 0 ? null : latestNumber, latestAt, schedule],
      // None runs before it is verified.
      ...[verifiedAt === null ? null : nextRunAt, hasMail ? 'on' : 'off', id],
    ];
  });
  return BYTE_ORDER_MARK + formatCsv([SITE_COLUMNS, ...rows]);
}

const PROOF_COLUMNS = [
  ...[
    'hostname',
    'name',
    'verifiedAt',
    'txtName',
    'txtValue',
    'domainTxtName',
    'domainTxtValue',
    'fileUrl',
    'fileText',
  ],
  ...['metaTag', 'siteId'],
];

/** What proves each of these sites where it is published, one line each: any one of the four will do. */
export function formatProofsAsCsv(proofs: readonly (readonly [Site, OwnershipInstructions])[]): string {
  const rows = proofs.map(([{ id, hostname, verifiedAt }, { dns, domain, file, meta }]): Cell[] => [
    ...[hostname, unicodeOf(hostname), verifiedAt, dns?.name ?? null, dns?.value ?? null],
    ...[domain?.name ?? null, domain?.value ?? null, file.url, file.body, meta.tag, id],
  ]);
  return BYTE_ORDER_MARK + formatCsv([PROOF_COLUMNS, ...rows]);
}

type Cell = string | number | boolean | null;

/** RFC 4180: cells in quotes, lines that end with CRLF, the last one too. Null is an empty cell. */
function formatCsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

/** What a spreadsheet would take for a formula (OWASP, "CSV Injection"), in full width too. */
const FORMULA_START = /^[\s\0]*[=+\-@|%＝＋－＠]/;

function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA_START.test(cell) || /^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return `"${text.replaceAll('"', '""')}"`;
}
