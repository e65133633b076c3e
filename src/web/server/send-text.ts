import { ServiceError } from '../../platform/errors.js';
import { answer, entityTagOf } from '../../platform/http/answer.js';
import {
  describeFailureForAgents,
  describeForAgents,
  describeReport,
  type ReportToDescribe,
  type ScanToDescribe,
} from '../../scanner/report/describe-report.js';
import type { Platform } from '../../scanner/verdict/fix-parts.js';
import { adaptScan } from '../html/platform-fix.js';
import { formatUtc } from '../html/text.js';
import { queryOf } from './routes.js';
import type { WebContext } from './page.js';
import type { Readable } from 'node:stream';

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
 * Sends the failures of a scan, or of the check in the query, to a coding agent: as plain text, which browsers show.
 * @param platform where the site runs; null if unknown. @throws ServiceError not_found if that check did not fail
 */
export function sendForAgents(ctx: WebContext, original: ScanToDescribe, platform: Platform | null = null): void {
  const scan = adaptScan(platform, original);
  const chosenId = queryOf(ctx, 'check');
  const failure = scan.findings.find(({ checkId, result }) => checkId === chosenId && result === 'FAIL');
  if (chosenId !== '' && !failure) throw new ServiceError('not_found');
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.set('Cache-Control', ctx.state.session ? 'no-store' : 'private, no-cache');
  ctx.body = failure ? describeFailureForAgents(failure, scan) : describeForAgents(scan);
}

/** Keeps an answer out of search engines. Sets a header as well as the page's meta element: Markdown has no head. */
export function noIndex(ctx: WebContext): void {
  ctx.set('X-Robots-Tag', 'noindex');
}

/** Sends a report as Markdown. @param source words before its time, such as `Result of a free scan of` */
export function sendReportAsMarkdown(
  ctx: WebContext,
  report: ReportToDescribe & { readonly finishedAt: string },
  source: string,
): void {
  noIndex(ctx);
  ctx.set('Content-Type', 'text/markdown; charset=utf-8');
  ctx.set('Cache-Control', 'private, no-cache');
  ctx.body = describeReport(report, `${source} ${formatUtc(report.finishedAt)}.`);
}

interface Download {
  readonly body: Buffer | string | Readable;
  readonly type: string;
  /** File name. It is not escaped, so it has safe characters only. */
  readonly name: string;
}

export function sendDownload(ctx: WebContext, { body, type, name }: Download): void {
  ctx.body = body;
  ctx.set('Content-Type', type);
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  ctx.set('Cache-Control', 'no-store');
}
