import type { ScanCommandDeps } from '../cli/scan.js';
import { type Config, readConfig } from '../config.js';
import type { RefusalReason } from '../domain/refusal.js';
import { SCANNER_INFO_PATH } from '../domain/scanner.js';
import { parseCidr } from '../gather/guard/address-gate.js';
import { createGuard, type Endpoint } from '../gather/guard/guard.js';
import { createResolver, type Resolver } from '../gather/guard/resolver.js';
import { vetTarget } from '../gather/guard/vet-target.js';
import { systemClock } from '../platform/clock.js';
import { createLogger, type Logger } from '../platform/logging.js';
import { createScanner, type ScannerDeps } from '../scan/scanner.js';

/** What a scan works with; the resolver also answers for TXT records. */
export type Scanning = ScannerDeps & { readonly resolver: Resolver };

export interface ScanningOptions {
  /** Allowed beside the operator's exceptions: our own origin in the demonstration. */
  readonly endpoints?: readonly Endpoint[];
  /** Counts what the guard refuses. */
  readonly onRefused?: (reason: RefusalReason) => void;
}

export function createScanning(
  config: Config,
  logger: Logger,
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
    infoUrl: config.publicUrl + SCANNER_INFO_PATH,
    onRefused: (url, reason) => {
      logger.warn({ reason }, 'a target was refused');
      // Whoever is scanned chooses where links and redirects lead, so that the host would carry their words into the log.
      logger.debug({ host: url.host, reason }, 'the host of a refused target');
      onRefused?.(reason);
    },
  };
}

/** What `scan` works with: neither a database nor a server. */
export function createOneScan(): ScanCommandDeps {
  const scanning = createScanning(readConfig(), createLogger('silent'));
  const scanner = createScanner(scanning);
  return {
    vetTarget: (origin) => vetTarget(scanning, origin),
    scan: (origin, onProgress) => scanner({ origin, isOwnershipVerified: false }, onProgress),
  };
}
