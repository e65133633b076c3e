import { CHECKS, NOTES } from '../checks/index.js';
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
 * Scans a site as it is, then again with files in place of what it answers at their paths: of the site no more is asked than they lead to.
 * @param openAgain opens a transport like that of the options, which the first scan closes
 * @throws as `scan`
 */
export async function tryOverlay(
  options: SessionOptions,
  openAgain: () => Transport,
  deps: RecordDeps & { readonly overlay: Overlay },
): Promise<Trial> {
  const { overlay, clock, onProgress } = deps;
  const { report: before, recording } = await recordScan(options, deps);
  const transport = new OverlayTransport({ network: openAgain(), recording, overlay });
  const after = await scan(options.target, {
    ...{ checks: CHECKS, notes: NOTES, clock },
    // The same names of controls, so that their answers are known.
    openSession: (_target, now) => openSession({ ...options, transport }, now, recording.run.controlSeed),
    ...(onProgress && { onProgress }),
  });
  return { before, after, assumed: transport.assumed };
}
