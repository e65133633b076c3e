import { CHECKS, NOTES } from '../checks/index.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import type { Transport } from '../../net/transport.js';
import type { Assumption, Overlay } from '../trace/overlay.js';
import { OverlayTransport } from '../trace/overlay-transport.js';
import { openSession, type SessionOptions } from './open-session.js';
import { type RecordDeps, recordScan } from './recorded-scan.js';
import { scan, type ScanReport } from './scan.js';

/** A site as it is, and as it would be. */
export interface Trial {
  readonly before: ScanReport;
  readonly after: ScanReport;
  readonly assumed: readonly Assumption[];
}

/**
 * Scans a site as it is, then again with files in place of what it answers at their paths: of the site no more is asked than they lead to,
 * and both together keep to the limits of one scan on requests and bytes.
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
    const transport = new OverlayTransport({ network, recording, overlay, requestsMax });
    const after = await scan(options.target, {
      ...{ checks: CHECKS, notes: NOTES, clock },
      // The same names of controls, so that their answers are known.
      openSession: (_target, now) => openSession({ ...options, transport }, now, recording.run.controlSeed),
      ...(onProgress && { onProgress }),
    });
    return { before, after, assumed: transport.assumed };
  } finally {
    await options.transport.close();
  }
}

/** For the second scan: its names, connections and bytes are those of the first. */
function keepOpen(transport: Transport): Transport {
  return {
    exchange: (request) => transport.exchange(request),
    addressOf: async (url) => (await transport.addressOf?.(url)) ?? url.hostname,
    close: () => Promise.resolve(),
  };
}
