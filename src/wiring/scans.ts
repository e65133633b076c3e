import { FREE_SCANS } from '../app/free-scan/free-scan-slots.js';
import type { RunHandlerObserver } from '../app/runs/run-handler.js';
import type { RunObserver } from '../app/runs/run-performer.js';
import type { ScanMetrics } from '../app/runs/scan-metrics.js';
import { ServiceError } from '../platform/errors.js';
import type { Role } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging.js';
import { Slots } from '../platform/slots.js';
import { OutOfResources } from '../scanner/artifacts/out-of-resources.js';
import type { ScanReport } from '../scanner/scan/scan.js';

/** One of this many slots is reserved for free scans: accounts may use all others. */
const FREE_SHARE = 8;

/** The slots that all scans of a process share. A worker performs no free scans, and reserves none for them. */
export function createScanSlots(role: Role, scanConcurrency: number): Slots {
  if (role === 'worker') return new Slots(scanConcurrency);
  const reserved = { owner: FREE_SCANS, slots: Math.floor(scanConcurrency / FREE_SHARE) };
  return new Slots(scanConcurrency, { reserved });
}

/** Refuses as overloaded where our own limits cost evidence. The cause distinguishes it from a scan that never began. */
export function refuseOverload<Asked extends unknown[], Made>(
  scan: (...asked: Asked) => Promise<Made>,
): (...asked: Asked) => Promise<Made> {
  return async (...asked) => {
    try {
      return await scan(...asked);
    } catch (error) {
      throw error instanceof OutOfResources ? new ServiceError('overloaded', { cause: error }) : error;
    }
  };
}

/** Counts scans without a key; others are counted when their runs are stored. */
export function observeFreeScans<Asked extends unknown[], Made>(
  perform: (...asked: Asked) => Promise<Made>,
  metrics: ScanMetrics,
  reportOf: (made: Made) => ScanReport,
): (...asked: Asked) => Promise<Made> {
  return async (...asked) => {
    const startedMs = performance.now();
    try {
      const made = await perform(...asked);
      metrics.finished('FREE', reportOf(made), performance.now() - startedMs);
      return made;
    } catch (error) {
      metrics.failed('FREE', error);
      throw error;
    }
  };
}

/** Counts runs, and logs each that ends or fails. */
export function observeRuns(metrics: ScanMetrics, logger: Logger): RunObserver & RunHandlerObserver {
  return {
    finished({ accountId, response, durationMs, requestCount, release, gap }) {
      const { site, run, findings } = response;
      const { trigger, number, score } = run;
      metrics.finished(trigger, { score, findings, gap }, durationMs);
      const fields = { siteId: site.id, accountId, trigger, number, score };
      const ms = Math.round(durationMs);
      logger.info({ ...fields, release, ms, requests: requestCount }, 'run finished');
    },
    failed: (trigger, error) => metrics.failed(trigger, error),
    retried({ siteId, trigger }, cause) {
      metrics.retried(trigger);
      logger.warn({ siteId, trigger, cause }, 'queued run failed, retrying');
    },
    givenUp({ siteId, trigger }, cause) {
      metrics.givenUp(trigger);
      logger.error({ siteId, trigger, cause }, 'queued run abandoned');
    },
  };
}
