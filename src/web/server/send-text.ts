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
import { findingsOn } from '../html/platform-fix.js';
import { formatUtc } from '../html/text.js';
import { queryOf } from './routes.js';
import type { WebContext } from './page.js';
import type { Readable } from 'node:stream';
import type { RunResponse } from '../../app/runs/run.js';

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
 * show. @param platform where the site runs, if that is known. @throws ServiceError not_found when that check did not fail
 */
export function sendForAgents(ctx: WebContext, found: ScanToDescribe, platform: Platform | null = null): void {
  const scan = { ...found, findings: findingsOn(platform, found.findings) };
  const asked = queryOf(ctx, 'check');
  const failure = scan.findings.find(({ checkId, result }) => checkId === asked && result === 'FAIL');
  if (asked !== '' && !failure) throw new ServiceError('not_found');
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.set('Cache-Control', ctx.state.session ? 'no-store' : 'private, no-cache');
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

/** Returns the name of a file about a run, without its ending: `www.example.com-run-12`. */
export function runFileName({ site, run }: Pick<RunResponse, 'site' | 'run'>): string {
  // A port's colon is not a character for the name of a file.
  return `${site.hostname.replaceAll(/[^a-z0-9.-]/g, '-')}-run-${run.number}`;
}

interface Download {
  readonly body: Buffer | string | Readable;
  readonly type: string;
  /** Only safe characters. */
  readonly name: string;
}

export function sendDownload(ctx: WebContext, { body, type, name }: Download): void {
  ctx.body = body;
  ctx.set('Content-Type', type);
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  ctx.set('Cache-Control', 'no-store');
}
