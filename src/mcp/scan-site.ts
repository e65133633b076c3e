import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Check } from '../scanner/findings/check.js';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { InputError, TooSoonError } from '../platform/input-error.js';
import { ERROR_TYPES, PILLARS, RESULTS } from '../scanner/findings/vocabulary.js';
import type { Logger } from '../platform/logging.js';
import { ADDRESS_SCANS_MAX } from '../app/free-scan/free-scan-charges.js';
import { isStarved } from '../app/limits/starved-scans.js';
import type { FreeScans, FreeScanTicket } from '../app/free-scan/free-scans.js';
import { describePillars } from './explain-check.js';
import { callerOf } from './relay.js';
import { describeScan } from './report.js';

export interface ScanSiteDeps {
  readonly freeScans: Pick<FreeScans, 'start'>;
  readonly checks: readonly Check[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Scans a site without a key. The limits are those of the service, so that no batch of calls gets past them. */
export function scanSite(deps: ScanSiteDeps) {
  return {
    name: 'scan_site',
    config: {
      title: 'Scan a site',
      description: `Scans a public web site for agent readiness: ${deps.checks.length} checks of what AI agents need to find, read, trust and use it (llms.txt, sitemap, robots.txt, structured data, MCP and other machine endpoints). Takes up to a minute. A host is scanned at most once an hour; sooner callers get the last result with its age. ${ADDRESS_SCANS_MAX} fresh scans an hour for each network address.`,
      inputSchema: z.object({
        url: z.string().describe('The site: a host name such as example.com, or the address of any page of it.'),
      }),
      outputSchema: outputSchema(deps.checks),
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    call: async ({ url }: { readonly url: string }, { mcpReq, http }: ServerContext): Promise<CallToolResult> => {
      let ticket: FreeScanTicket;
      try {
        ticket = await deps.freeScans.start({ site: url, clientAddress: callerOf(http?.req) });
      } catch (error) {
        if (!(error instanceof InputError)) deps.logger.error({ cause: error }, 'a free scan could not be started');
        return refusalOf(error);
      }
      const stop = sendProgress(ticket, mcpReq);
      try {
        return await Promise.race([resultOf(ticket, deps.clock), cancellationOf(mcpReq.signal)]);
      } catch (error) {
        return refusalOf(error);
      } finally {
        stop();
      }
    },
  };
}

/** The contract's Finding, with when the scan was. It stays open, since fields may be added. */
function outputSchema(checks: readonly Check[]) {
  const enumOf = <K extends string>(values: Readonly<Record<K, string>>) => z.enum(Object.keys(values) as K[]);
  const time = z.string().describe('ISO 8601, UTC.');
  const finding = z.looseObject({
    checkId: z.enum(checks.map(({ id }) => id)),
    pillar: enumOf(PILLARS).nullable().describe(describePillars()),
    scored: z.boolean().describe('Whether it counts towards the score.'),
    result: enumOf(RESULTS),
    errorType: enumOf(ERROR_TYPES).nullable().describe('Set when result is FAIL.'),
    detail: z.string().nullable().describe('What was observed; never content of the site.'),
    title: z.string().nullable(),
    explanation: z.string().nullable(),
    fix: z.string().nullable(),
  });
  const note = z.looseObject({
    id: z.string(),
    checkId: z.string().nullable().describe('The check that it is about; null for the whole scan.'),
    text: z.string(),
    standard: z.string(),
    url: z.string(),
  });
  return z.looseObject({
    hostname: z.string(),
    score: z.int().min(0).max(100).nullable().describe('Null, which is not zero: nothing could be determined.'),
    startedAt: time,
    finishedAt: time,
    ageS: z.int().min(0).describe('Seconds since it finished.'),
    isFresh: z.boolean().describe('False for an earlier result of this hour.'),
    findings: z.array(finding),
    notes: z.array(note).describe('Advice beside the findings: no proven defects, never scored.'),
  });
}

async function resultOf({ done, isFresh }: FreeScanTicket, clock: Clock): Promise<CallToolResult> {
  const scan = await done;
  const ageS = Math.max(0, Math.floor((clock.now().getTime() - Date.parse(scan.finishedAt)) / 1000));
  const { hostname, score, startedAt, finishedAt, findings, notes = [] } = scan;
  return {
    content: [{ type: 'text', text: describeScan({ scan, ageS, isFresh }) }],
    structuredContent: { hostname, score, startedAt, finishedAt, ageS, isFresh, findings, notes },
  };
}

/** A caller that has gone is not waited for; the scan continues for the next one, and this result is dropped. */
function cancellationOf(signal: AbortSignal): Promise<CallToolResult> {
  return new Promise((resolve) => {
    const end = (): void => resolve(errorOf('The call was cancelled.'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

/** Sends each step to a client that asked for that. Its numbers only ever grow (MCP, "Progress"). */
function sendProgress(ticket: FreeScanTicket, { _meta, notify }: ServerContext['mcpReq']): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined || !ticket.isFresh) return () => undefined;
  let last = -1;
  const send = (progress: number, rest: { readonly total?: number; readonly message: string }): void => {
    if (progress <= last) return;
    last = progress;
    // A client that is gone by now needs none.
    notify({ method: 'notifications/progress', params: { progressToken, progress, ...rest } }).catch(() => undefined);
  };
  send(0, { message: `Scanning ${ticket.hostname}` });
  return ticket.onProgress(({ done, total, requestCount }) =>
    send(done, { total, message: `${done} of ${total} kinds of evidence gathered, ${requestCount} requests` }),
  );
}

function refusalOf(error: unknown): CallToolResult {
  if (error instanceof TooSoonError) return errorOf(`${error.message} (retry after ${error.retryAfterS} seconds)`);
  if (error instanceof InputError) return errorOf(error.message);
  if (error instanceof ServiceError && error.code === 'overloaded') {
    const seconds = error.retryAfterS;
    return errorOf(
      isStarved(error)
        ? `Other scans kept this one waiting at the site’s address. Try again in ${seconds} seconds. This scan was counted.`
        : `The service is busy or restarting. Try again in ${seconds} seconds. This scan was not counted.`,
    );
  }
  return errorOf('The scan failed by a fault of the service, not of the site. Try again. It was not counted.');
}

function errorOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
