import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { ADDRESS_SCANS_MAX, HOST_SCANS_MAX } from '../app/free-scan/free-scan-charges.js';
import type { FreeScans } from '../app/free-scan/free-scans.js';
import type { FreeScan, FreeScanTicket } from '../app/free-scan/free-scan.js';
import { isStarved } from '../app/limits/starved-scans.js';
import { parseSiteOfPage } from '../app/sites/site-input.js';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { InputError, TooSoonError } from '../platform/input-error.js';
import type { Logger } from '../platform/logging.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Check } from '../scanner/verdict/check.js';
import { missing } from './arguments.js';
import { callerOf } from './relay.js';

export interface ScanCallDeps {
  readonly freeScans: Pick<FreeScans, 'start' | 'verify' | 'tryFile'>;
  readonly checks: readonly Check[];
  /** The service's base address, without a trailing slash. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The input by which tools are told the site. */
export const SITE_URL = z
  .string(missing('url'))
  .describe('The site: a host name such as example.com, or the address of any page of it.');

/** How many scans there are, for descriptions of tools of which each call is one. */
export const SCANS_MAX = `${ADDRESS_SCANS_MAX} fresh scans an hour for each network address, single checks and trials among them, and ${HOST_SCANS_MAX} for each host.`;

/** The limits of whole scans, for descriptions of tools that take the last result of this hour. */
export const LIMITS = `A host is scanned at most once an hour; sooner callers get the last result with its age. The first caller may repeat it after a minute, and so may anyone where there was no score. ${SCANS_MAX}`;

/** A scan, with what a tool says of it alongside the findings. */
export interface Scanned {
  readonly scan: FreeScan;
  /** The site, such as `https://www.example.com`. */
  readonly origin: string;
  /** Since it finished. */
  readonly ageS: number;
  /** False for an earlier result of this hour. */
  readonly isFresh: boolean;
}

/** Scans a site without a key, or takes the last result. The limits are those of the service, so that no batch of calls gets past them. */
export async function scanFor(
  { freeScans, clock, logger }: ScanCallDeps,
  url: string,
  { mcpReq, http }: ServerContext,
  show: (scanned: Scanned) => CallToolResult,
  isLastEnough = false,
): Promise<CallToolResult> {
  let ticket: FreeScanTicket;
  try {
    ticket = await freeScans.start({ site: url, clientAddress: callerOf(http?.req), isLastEnough });
  } catch (error) {
    if (!(error instanceof InputError)) logger.error({ cause: error }, 'cannot start free scan');
    return refusalOf(error);
  }
  const { origin } = parseSiteOfPage(url).origin;
  const { done, isFresh } = ticket;
  const tell = isFresh ? progressTo(mcpReq, ticket.hostname) : undefined;
  const stop = tell ? ticket.onProgress(tell) : () => undefined;
  const shown = done.then((scan) => {
    const ageS = Math.max(0, Math.floor((clock.now().getTime() - Date.parse(scan.finishedAt)) / 1000));
    return show({ scan, origin, ageS, isFresh });
  });
  try {
    return await Promise.race([shown, cancellationOf(mcpReq.signal)]);
  } catch (error) {
    return refusalOf(error);
  } finally {
    stop();
  }
}

/** A caller that has gone is not waited for; the scan continues for the next one, and this result is dropped. */
export function cancellationOf(signal: AbortSignal): Promise<CallToolResult> {
  return new Promise((resolve) => {
    const end = (): void => resolve(errorOf('The call was cancelled.'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** Sends each step to a client that asked for that. Its numbers only ever grow (MCP, "Progress"). */
export function progressTo(
  { _meta, notify }: ServerContext['mcpReq'],
  hostname: string,
): ((progress: ScanProgress) => void) | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = -1;
  const send = (progress: number, rest: { readonly total?: number; readonly message: string }): void => {
    if (progress <= last) return;
    last = progress;
    // A client that is gone by now needs none.
    notify({ method: 'notifications/progress', params: { progressToken, progress, ...rest } }).catch(() => undefined);
  };
  send(0, { message: `Scanning ${hostname}` });
  return ({ done, total, requestCount }) =>
    send(done, { total, message: `${done} of ${total} kinds of evidence gathered, ${requestCount} requests` });
}

export function refusalOf(error: unknown): CallToolResult {
  if (error instanceof TooSoonError) return waitOf(error.message, error.retryAfterS);
  if (error instanceof InputError) return errorOf(error.message);
  if (error instanceof ServiceError && error.code === 'overloaded' && error.retryAfterS !== undefined) {
    return waitOf(
      isStarved(error)
        ? `Other scans kept this one waiting at the site’s address. This scan was counted. Try again in ${error.retryAfterS} seconds.`
        : `The service is busy or restarting. This scan was not counted. Try again in ${error.retryAfterS} seconds.`,
      error.retryAfterS,
    );
  }
  return errorOf('The scan failed by a fault of the service, not of the site. Try again. It was not counted.');
}

/** With the time as data, too: clients hold no error against the schema of a tool's answers. */
function waitOf(reason: string, retryAfterS: number): CallToolResult {
  return {
    ...errorOf(reason),
    structuredContent: { retryAfterS },
  };
}

export function errorOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
