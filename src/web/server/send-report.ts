import { describeReport, type ReportToDescribe } from '../../scanner/report/describe-report.js';
import type { WebContext } from './context.js';
import { formatUtc } from '../html/format.js';

/** Keeps an answer out of search engines. Sets a header as well as the page's meta element: Markdown has no head. */
export function noIndex(ctx: WebContext): void {
  ctx.set('X-Robots-Tag', 'noindex');
}

/** Answers with a report as Markdown. @param what where it comes from, in front of its time */
export function sendReportAsMarkdown(
  ctx: WebContext,
  report: ReportToDescribe & { readonly finishedAt: string },
  what: string,
): void {
  noIndex(ctx);
  ctx.set('Content-Type', 'text/markdown; charset=utf-8');
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.body = describeReport(report, `${what} ${formatUtc(report.finishedAt)}.`);
}
