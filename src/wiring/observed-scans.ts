import type { ObserveLinkedEvents } from '../app/audit/audit-chain.js';
import type { ObserveBrokenChain } from '../app/runs/chain.js';
import type { RunHandlerObserver } from '../app/runs/run-handler.js';
import type { RunObserver } from '../app/runs/run-performer.js';
import type { Logger } from '../platform/logging.js';
import type { ScanMetrics } from '../app/runs/scan-metrics.js';
import type { ScanReport } from '../scanner/scan/scan.js';
import { PROGRAM } from '../scanner/report/program.js';

/** Has the scans without a key counted too: those with one are, where their runs are stored. */
export function observeFreeScans<Asked extends unknown[], Made>(
  perform: (...asked: Asked) => Promise<Made>,
  metrics: ScanMetrics,
  reportOf: (made: Made) => ScanReport,
): (...asked: Asked) => Promise<Made> {
  return async (...asked) => {
    const startedMs = performance.now();
    try {
      const made = await perform(...asked);
      metrics.freeScanFinished(reportOf(made), performance.now() - startedMs);
      return made;
    } catch (error) {
      metrics.freeScanFailed(error);
      throw error;
    }
  };
}

/** The operator's alarm: nothing else tells of it, since runs are stored and read all the same. */
export function observeChains(metrics: ScanMetrics, logger: Logger): ObserveBrokenChain {
  return (siteId, number) => {
    metrics.chainBroken();
    logger.error({ siteId, number }, `site chain broken: run "${PROGRAM} verify" with its id`);
  };
}

/** The heads of accounts' chains: kept elsewhere, the log is the operator's witness. */
export function observeEvents(metrics: ScanMetrics, logger: Logger): ObserveLinkedEvents {
  return ({ accountId, number, digest, isWhole }) => {
    logger.info({ accountId, number, digest }, 'account events linked');
    if (isWhole) return;
    metrics.chainBroken();
    logger.error({ accountId, number }, `account chain broken: run "${PROGRAM} verify" with its id`);
  };
}

/** Counts runs, and logs each that ends or fails: a line that says what an operator asks first. */
export function observeRuns(
  metrics: ScanMetrics,
  logger: Logger,
  onBrokenChain: ObserveBrokenChain,
): RunObserver & RunHandlerObserver {
  return {
    finished({ accountId, response, durationMs, requestCount, release, digest, supplementDigest, chainBrokenAt }) {
      metrics.finished(response, durationMs);
      const { site, run } = response;
      const { trigger, number, score } = run;
      const fields = { siteId: site.id, accountId, trigger, number, score };
      const ms = Math.round(durationMs);
      logger.info({ ...fields, release, ms, requests: requestCount, digest, supplementDigest }, 'run finished');
      if (chainBrokenAt !== null) onBrokenChain(site.id, chainBrokenAt);
    },
    failed: (trigger, error) => metrics.failed(trigger, error),
    flipped: (flips) => metrics.flipped(flips),
    retried({ siteId, trigger }, cause) {
      metrics.retried({ trigger });
      logger.warn({ siteId, trigger, cause }, 'queued run failed, retrying');
    },
    givenUp({ siteId, trigger }, cause) {
      metrics.givenUp({ trigger });
      logger.error({ siteId, trigger, cause }, 'queued run abandoned');
    },
  };
}
