import type { ScanConfig } from '../config.js';
import type { RefusalReason } from '../net/refusal.js';
import type { Peers } from '../scanner/client/address-slots.js';
import { SCANNER_INFO_PATH } from '../scanner/artifacts/scanner.js';
import { MessageSigner } from '../scanner/artifacts/message-signer.js';
import { BodyRoom } from '../scanner/client/body-room.js';
import { ParsingTurns } from '../net/parsing-turns.js';
import { parseCidr } from '../net/address.js';
import { createGuard, type Endpoint } from '../net/guard.js';
import { createResolver, type Resolver } from '../net/resolver.js';
import { systemClock } from '../platform/clock.js';
import type { Logger } from '../platform/logging.js';
import type { ScannerDeps } from '../scanner/scan/scanner.js';

/** What a scan works with; the resolver also answers for TXT records. */
export type Scanning = ScannerDeps & { readonly resolver: Resolver };

export interface ScanningOptions {
  /** Other processes that scan too. */
  readonly peers?: Peers;
  /** Allowed alongside the operator's exceptions: our own origin in the demonstration. */
  readonly endpoints?: readonly Endpoint[];
  /** Counts what the guard refuses. */
  readonly onRefused?: (reason: RefusalReason) => void;
}

/** Where the scanner explains itself: null where no such page is served. */
export type ScanningConfig = Omit<ScanConfig, 'publicUrl'> & { readonly publicUrl: string | null };

export function createScanning(
  config: ScanningConfig,
  logger: Logger,
  { endpoints = [], onRefused, peers }: ScanningOptions = {},
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
    ...(peers && { peers }),
    keepsEvidence: config.evidenceDays > 0,
    ...(config.publicUrl !== null && identityOf(config.publicUrl, config.signingKey)),
    parsingTurns: new ParsingTurns(),
    bodies: new BodyRoom(),
    onRefused: (url, reason) => {
      logger.warn({ reason }, 'target refused');
      // The site chooses where links and redirects lead, so the host would carry its words into the log.
      logger.debug({ host: url.host, reason }, 'host of refused target');
      onRefused?.(reason);
    },
  };
}

function identityOf(agent: string, signingKey: ScanConfig['signingKey']): Pick<ScannerDeps, 'infoUrl' | 'signing'> {
  return {
    infoUrl: agent + SCANNER_INFO_PATH,
    ...(signingKey && { signing: { signer: new MessageSigner(signingKey), agent } }),
  };
}
