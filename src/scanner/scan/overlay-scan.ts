import { CHECKS, NOTES } from '../checks/index.js';
import { SCAN_LIMITS, scannerUserAgent } from '../artifacts/scanner.js';
import type { Transport } from '../../net/transport.js';
import { type Assumption, type Overlay, serveOverlay } from '../client/stand-in.js';
import { answerFrom } from '../trace/replay-transport.js';
import { openSession, type SessionOptions, scan, type ScanReport } from './scan.js';
import { type RecordDeps, recordScan } from './recorded-scan.js';

/** Reports of a site without and with the overlay. */
export interface Trial {
  readonly before: ScanReport;
  readonly after: ScanReport;
  readonly assumed: readonly Assumption[];
}

/**
 * Scans a site as it is, then again with overlay files in place of its own. The second scan only sends requests that the first did not,
 * and both together stay within one scan's limits of requests and bytes.
 * @throws as `scan`
 */
export async function tryOverlay(
  options: SessionOptions,
  deps: RecordDeps & { readonly overlay: Overlay },
): Promise<Trial> {
  const { overlay, clock, onProgress } = deps;
  const network = keepOpen(options.transport);
  try {
    const { report: before, recording } = await recordScan({ ...options, transport: network }, deps);
    const requestsMax = Math.max(0, SCAN_LIMITS.requestsMax - before.requestCount);
    const assumed = new Map<string, Assumption>();
    const transport = serveOverlay(answerFrom(recording, network, requestsMax), {
      site: options.target.origin,
      overlay,
      userAgent: scannerUserAgent(options.infoUrl),
      onAssumed: (assumption) => void assumed.set(assumption.path, assumed.get(assumption.path) ?? assumption),
    });
    const after = await scan(options.target, {
      checks: CHECKS,
      notes: NOTES,
      clock,
      // The same control paths, so that their responses are already recorded.
      openSession: (_target, now) => openSession({ ...options, transport }, now, recording.run.controlSeed),
      ...(onProgress && { onProgress }),
    });
    return { before, after, assumed: [...assumed.values()] };
  } finally {
    await options.transport.close();
  }
}

/** Ignores `close`, so that the second scan shares DNS names, connections and the byte limit with the first. */
function keepOpen(transport: Transport): Transport {
  return {
    exchange: (request) => transport.exchange(request),
    addressOf: async (url) => (await transport.addressOf?.(url)) ?? url.hostname,
    close: () => Promise.resolve(),
  };
}
