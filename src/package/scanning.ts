import type { ScanConfig } from '../config.js';
import type { RefusalReason } from '../net/url-gate.js';
import { SCANNER_INFO_PATH } from '../scanner/artifacts/scanner.js';
import { parseCidr } from '../net/address.js';
import { createGuard, type Endpoint } from '../net/guard.js';
import { createResolver, type Resolver } from '../net/resolver.js';
import { systemClock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import type { ScannerDeps } from '../scanner/scan/scanner.js';

/** The dependencies of a scan. The resolver also looks up TXT records. */
export type Scanning = ScannerDeps & { readonly resolver: Resolver };

export interface ScanningOptions {
  /** Allowed in addition to the operator's exceptions: our own origin in the demo. */
  readonly endpoints?: readonly Endpoint[];
  readonly onRefused?: (reason: RefusalReason) => void;
}

/** `publicUrl` is null if no page explains the scanner. */
export type ScanningConfig = Omit<ScanConfig, 'publicUrl'> & { readonly publicUrl: string | null };

/** @param logger null if refused targets are not logged */
export function createScanning(
  config: ScanningConfig,
  logger: Logger | null,
  { endpoints = [], onRefused }: ScanningOptions = {},
): Scanning {
  const guard = createGuard({
    allowCidrs: config.scanAllowCidrs.map(parseCidr).filter((cidr) => cidr !== null),
    allowPorts: config.scanAllowPorts,
    allowEndpoints: endpoints,
  });
  return {
    guard,
    resolver: createResolver(),
    clock: systemClock,
    includesEvidence: config.evidenceDays > 0,
    ...(config.publicUrl !== null && { infoUrl: config.publicUrl + SCANNER_INFO_PATH }),
    onRefused: (url, reason) => {
      logger?.warn({ reason }, 'target refused');
      // The site chooses hosts by its links and redirects, so they appear only in the debug log.
      logger?.debug({ host: url.host, reason }, 'host of refused target');
      onRefused?.(reason);
    },
  };
}
