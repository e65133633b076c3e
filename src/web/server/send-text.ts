import { ServiceError } from '../../platform/errors.js';
import { answer, entityTagOf } from '../../platform/http/answer.js';
import {
  describeFailureForAgents,
  describeForAgents,
  describeReport,
  type ReportToDescribe,
  type ScanToDescribe,
} from '../../scanner/report/describe-report.js';
import { formatUtc } from '../html/format.js';
import { queryOf, type WebContext } from './context.js';

export interface TextDocument {
  readonly type: string;
  readonly text: string;
  readonly cacheControl: string;
}

/** Sends a public text with CORS and an entity tag. */
export function sendDocument(ctx: WebContext, { type, text, cacheControl }: TextDocument): void {
  const body = Buffer.from(text);
  ctx.set('Access-Control-Allow-Origin', '*');
  ctx.set('Cache-Control', cacheControl);
  ctx.set('ETag', entityTagOf(body));
  answer(ctx, 200, type, body);
}

/**
 * Answers with what a coding agent needs to fix the failures of a scan, or the one that `check` names: as plain text, which browsers
 * show. @throws ServiceError not_found when that check did not fail
 */
export function sendForAgents(ctx: WebContext, scan: ScanToDescribe): void {
  const asked = queryOf(ctx, 'check');
  const failure = scan.findings.find(({ checkId, result }) => checkId === asked && result === 'FAIL');
  if (asked !== '' && !failure) throw new ServiceError('not_found');
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.set('Cache-Control', ctx.state.viewer ? 'no-store' : 'private, no-cache');
  ctx.body = failure ? describeFailureForAgents(failure, scan) : describeForAgents(scan);
}

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
