import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { FreeScans } from '../app/free-scan/free-scans.js';
import type { FreeScan } from '../app/free-scan/free-scan.js';
import { CAPS } from '../app/limits/caps.js';
import { parseSiteOfPage } from '../app/sites/site-input.js';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { InputError, TooSoonError } from '../platform/input-error.js';
import type { Logger } from '../platform/logging.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Check } from '../scanner/verdict/check.js';
import { missing } from './arguments.js';
import { callerOf } from './relay.js';

export interface ToolServices {
  readonly freeScans: Pick<FreeScans, 'start' | 'verify' | 'tryFile'>;
  readonly checks: readonly Check[];
  /** The service's base address, without a trailing slash. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The site to scan. */
export const SITE_URL = z
  .string(missing('url'))
  .describe('The site: a host name such as example.com, or the address of any page of it.');

/** The limits of all tools. Only one description names them, since each repetition costs every conversation tokens. */
export const LIMITS = `A host is scanned at most once an hour; sooner callers get the last result with its age. The first caller may repeat it after a minute, and so may anyone where there was no score. All tools together: ${CAPS['free-scan'].max.address} fresh scans an hour for each network address, and ${CAPS['host-scans'].total?.max} for each host.`;

/** A scan and its age. */
export interface Scanned {
  readonly scan: FreeScan;
  /** The site, such as `https://www.example.com`. */
  readonly origin: string;
  /** Since it finished. */
  readonly ageS: number;
  /** False for an earlier result of this hour. */
  readonly isFresh: boolean;
}

/** Scans a site without a key, or uses the last result. The limits are those of the service, so that no batch of calls evades them. */
export function scanFor(
  services: ToolServices,
  url: string,
  context: ServerContext,
  show: (scanned: Scanned) => CallToolResult,
  acceptsCached = false,
): Promise<CallToolResult> {
  const { freeScans, clock } = services;
  return respond(services, context, async (clientAddress) => {
    const ticket = await freeScans.start({ site: url, clientAddress, acceptsCached });
    const { hostname, done, isFresh } = ticket;
    const { origin } = parseSiteOfPage(url).origin;
    const report = isFresh ? progressTo(context, hostname) : undefined;
    const stop = report ? ticket.onProgress(report) : () => undefined;
    context.mcpReq.signal.addEventListener('abort', stop, { once: true });
    const shown = done.then((scan) => {
      const ageS = Math.max(0, Math.floor((clock.now().getTime() - Date.parse(scan.finishedAt)) / 1000));
      return show({ scan, origin, ageS, isFresh });
    }, refusalOf);
    return shown.finally(stop);
  });
}

/**
 * Answers a call with the result of `work`, or with a tool error: for a refusal, a fault of ours, or if the caller cancels. A scan then
 * continues for the next caller.
 * @param work gets the caller's IP address
 */
export async function respond(
  { logger }: ToolServices,
  context: ServerContext,
  work: (clientAddress: string) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await Promise.race([work(callerOf(context.http?.req)), cancellationOf(context)]);
  } catch (error) {
    if (!(error instanceof InputError)) logger.error({ cause: error }, 'free scan failed');
    return refusalOf(error);
  }
}

function cancellationOf({ mcpReq: { signal } }: ServerContext): Promise<CallToolResult> {
  return new Promise((resolve) => {
    const end = (): void => resolve(errorOf('The call was cancelled.'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** Reports progress to a client that asked for it. The numbers only grow (MCP, "Progress"). */
export function progressTo(
  { mcpReq: { _meta, notify } }: ServerContext,
  hostname: string,
): ((progress: ScanProgress) => void) | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = -1;
  const send = (progress: number, rest: { readonly total?: number; readonly message: string }): void => {
    if (progress <= last) return;
    last = progress;
    // The client may have disconnected.
    notify({ method: 'notifications/progress', params: { progressToken, progress, ...rest } }).catch(() => undefined);
  };
  send(0, { message: `Scanning ${hostname}` });
  return ({ done, total, requestCount }) =>
    send(done, { total, message: `${done} of ${total} kinds of evidence gathered, ${requestCount} requests` });
}

function refusalOf(error: unknown): CallToolResult {
  if (error instanceof TooSoonError) return waitOf(error.message, error.retryAfterS);
  if (error instanceof InputError) return errorOf(error.message);
  if (error instanceof ServiceError && error.code === 'overloaded' && error.retryAfterS !== undefined) {
    return waitOf(
      `The service is busy or restarting. This scan was not counted. Try again in ${error.retryAfterS} seconds.`,
      error.retryAfterS,
    );
  }
  return errorOf('The scan failed by a fault of the service, not of the site. Try again. It was not counted.');
}

/** Also gives the time as data: clients do not validate errors against the output schema. */
function waitOf(reason: string, retryAfterS: number): CallToolResult {
  return { ...errorOf(reason), structuredContent: { retryAfterS } };
}

export function errorOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
