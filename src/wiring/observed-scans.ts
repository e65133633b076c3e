import type { ScanMetrics } from '../platform/scan-metrics.js';
import type { Scanner } from '../scanner/scan/scanner.js';

/** Has the scans without a key counted too: those with one are, where their runs are stored. */
export function observeFreeScans(scan: Scanner, metrics: ScanMetrics): Scanner {
  return async (target, onProgress) => {
    const startedMs = performance.now();
    try {
      const report = await scan(target, onProgress);
      metrics.freeScanFinished(report, performance.now() - startedMs);
      return report;
    } catch (error) {
      metrics.freeScanFailed(error);
      throw error;
    }
  };
}
