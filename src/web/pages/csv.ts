import { headlineOf } from '../../scanner/report/failures.js';
import type { ListedSite } from './sites-view.js';

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Marks UTF-8 for spreadsheets. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The list of sites as a table, a line for each site. */
export function formatSitesAsCsv(sites: readonly ListedSite[]): string {
  const rows = sites.map(({ site, state, lastScored, toFix, worstFailure, latestAt }) => {
    const worst = worstFailure && headlineOf({ ...worstFailure, title: null });
    return [site.hostname, state, lastScored?.score, toFix, worst, latestAt, site.tags.join(', ')];
  });
  const head = ['host', 'state', 'score', 'toFix', 'worstFailure', 'lastRun', 'tags'];
  return BYTE_ORDER_MARK + [head, ...rows].map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

/** Matches what a spreadsheet would run as a formula (OWASP, "CSV Injection"), full-width characters included. */
const FORMULA = /^(?:[\s\0]*[=+\-@|%＝＋－＠]|[\t\r\n])/;

/** RFC 4180. */
function formatCell(cell: string | number | null | undefined): string {
  const text = String(cell ?? '');
  return `"${text.replace(FORMULA, "'$&").replaceAll('"', '""')}"`;
}
