import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { FreeScan } from '../app/free-scan/free-scan-store.js';
import type { FreeScans } from '../app/free-scan/free-scans.js';
import { parseSiteOfPage } from '../app/sites/site-input.js';
import type { Clock } from '../platform/clock.js';
import { InputError, ServiceError } from '../platform/errors.js';
import type { Logger } from '../platform/logging.js';
import type { ScanProgress } from '../scanner/report/progress.js';
import type { Check } from '../scanner/verdict/check.js';

export interface ToolServices {
  readonly freeScans: Pick<FreeScans, 'start' | 'verify' | 'tryFile'>;
  readonly checks: readonly Check[];
  /** The service's base URL, without a trailing slash. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface ToolDefinition<Input extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodObject;
  /** True if the tool sends no request to a site. */
  readonly isOffline?: boolean;
  call(input: z.output<z.ZodObject<Input>>, context: ServerContext): CallToolResult | Promise<CallToolResult>;
}

/** Defines a tool. Its schema allows unknown arguments, because some clients add their own. */
export function defineTool<Input extends z.ZodRawShape>(definition: ToolDefinition<Input>) {
  const { name, title, description, input, output, isOffline = false, call } = definition;
  const config = {
    title,
    description,
    inputSchema: z.looseObject(input),
    outputSchema: output,
    annotations: { readOnlyHint: true, openWorldHint: !isOffline },
  };
  // Java's SDK reads a missing `isError` as null.
  const answer = async (args: unknown, context: ServerContext): Promise<CallToolResult> => ({
    isError: false,
    ...(await call(args as z.output<z.ZodObject<Input>>, context)),
  });
  return { name, title, description, register: (server: McpServer) => void server.registerTool(name, config, answer) };
}

/** Returns the option with the message for a missing argument. Other faults keep zod's messages. */
export function missingArgument(name: string): {
  readonly error: (issue: { readonly input?: unknown }) => string | undefined;
} {
  return { error: ({ input }) => (input === undefined ? `The argument "${name}" is missing.` : undefined) };
}

export const SITE_URL = z
  .string(missingArgument('url'))
  .describe('The site: a host name such as example.com, or the URL of any of its pages.');

/** Returns the schema of an argument that names one of these checks. */
export function checkIdSchema(checks: readonly Check[]) {
  const ids = checks.map(({ id }) => id);
  const error = (issue: { readonly input?: unknown }): string =>
    `${missingArgument('checkId').error(issue) ?? 'There is no such check.'} The checks are ${ids.join(', ')}.`;
  return z.enum(ids, { error });
}

export interface Scanned {
  readonly scan: FreeScan;
  /** Seconds since the scan finished. */
  readonly ageS: number;
  /** False for a stored result. */
  readonly isFresh: boolean;
}

/** Runs a free scan, or uses the last result. The service's limits apply, so that batches of calls cannot evade them. */
export function scanFor(
  services: ToolServices,
  url: string,
  context: ServerContext,
  show: (scanned: Scanned) => CallToolResult,
  acceptsCached = false,
): Promise<CallToolResult> {
  return respond(services, context, async (clientAddress) => {
    const onProgress = createProgressReporter(context, url);
    const { done, isFresh } = await services.freeScans.start({ site: url, clientAddress, acceptsCached, onProgress });
    if (isFresh) onProgress();
    // The service has logged a failure of the scan.
    return done.then((scan) => {
      const ageS = Math.max(0, Math.floor((services.clock.now().getTime() - Date.parse(scan.finishedAt)) / 1000));
      return show({ scan, ageS, isFresh });
    }, refusalResult);
  });
}

/** Carries the client's IP address to the tools. Never copied from the client's request, so that no client can forge it. */
export const CALLER_HEADER = 'x-caller';

function callerAddress(request: Request | undefined): string {
  const address = request?.headers.get(CALLER_HEADER);
  if (!address) throw new Error('a tool was called without a caller');
  return address;
}

/** Answers a call with the result of `work`, which gets the caller's IP address, or with a tool error. */
export async function respond(
  { logger }: ToolServices,
  context: ServerContext,
  work: (clientAddress: string) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await work(callerAddress(context.http?.req));
  } catch (error) {
    if (!(error instanceof InputError)) logger.error({ cause: error }, 'free scan failed');
    return refusalResult(error);
  }
}

/**
 * Returns a function that reports the start of a scan, then its steps, to a client that asked for its progress. The numbers only grow (MCP,
 * "Progress").
 */
export function createProgressReporter(
  { mcpReq: { _meta, notify, signal } }: ServerContext,
  url: string,
): (step?: ScanProgress) => void {
  const progressToken = _meta?.progressToken;
  let last = -1;
  const send = (progress: number, rest: { readonly total?: number; readonly message: string }): void => {
    if (progressToken === undefined || signal.aborted || progress <= last) return;
    last = progress;
    // The client may have disconnected.
    notify({ method: 'notifications/progress', params: { progressToken, progress, ...rest } }).catch(() => undefined);
  };
  return (step) => {
    send(0, { message: `Scanning ${parseSiteOfPage(url).hostname}` });
    if (!step) return;
    const { done, total, requestCount } = step;
    send(done, { total, message: `${done} of ${total} kinds of evidence gathered, ${requestCount} requests` });
  };
}

function refusalResult(error: unknown): CallToolResult {
  if (error instanceof InputError) return toolError(error.message, error.retryAfterS);
  if (error instanceof ServiceError && error.code === 'overloaded' && error.retryAfterS !== undefined) {
    const { retryAfterS } = error;
    const message = `The service is busy or restarting. This scan was not counted. Try again in ${retryAfterS} seconds.`;
    return toolError(message, retryAfterS);
  }
  return toolError('The scan failed because of a fault in the service, not the site. It was not counted. Try again.');
}

/** @param retryAfterS for programs. Clients do not validate errors against the output schema */
export function toolError(text: string, retryAfterS?: number): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  return { content, isError: true, ...(retryAfterS !== undefined && { structuredContent: { retryAfterS } }) };
}
