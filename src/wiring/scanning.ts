import type { ScanCommandDeps } from '../cli/scan.js';
import type { Config } from '../config.js';
import { OutOfResources } from '../scanner/evidence/failure.js';
import type { RefusalReason } from '../scanner/gather/guard/refusal.js';
import { SCANNER_INFO_PATH } from '../scanner/evidence/scanner.js';
import { ParsingTurns } from '../scanner/gather/fetch/parsing-turns.js';
import type { Post } from '../scanner/gather/fetch/post.js';
import type { ScanTarget } from '../scanner/gather/fetch/visit.js';
import { parseCidr } from '../scanner/gather/guard/address-gate.js';
import { createGuard, type Endpoint } from '../scanner/gather/guard/guard.js';
import { createResolver, type Resolver } from '../scanner/gather/guard/resolver.js';
import { vetTarget } from '../scanner/gather/guard/vet-target.js';
import { systemClock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { createLogger, type Logger } from '../platform/logging.js';
import type { OpenedVisit } from '../scanner/scan/scan.js';
import type { Scanner, ScannerDeps } from '../scanner/scan/scanner.js';
import { makeLazy } from './lazy.js';

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
    parsingTurns: new ParsingTurns(),
    onRefused: (url, reason) => {
      logger.warn({ reason }, 'a target was refused');
      // Whoever is scanned chooses where links and redirects lead, so that the host would carry their words into the log.
      logger.debug({ host: url.host, reason }, 'the host of a refused target');
      onRefused?.(reason);
    },
  };
}

// What visits sites, judges them and posts to receivers is loaded when there is something to do: it is a third of the program, and what
// answers readers, or the operator at the terminal, needs none of it.
const loadScanner = makeLazy(() => import('../scanner/scan/scanner.js'));

/** The scanner of this process, made at its first scan. */
export function createLazyScanner(scanning: Scanning): Scanner {
  const scanner = makeLazy(async () => (await loadScanner()).createScanner(scanning));
  return async (target, onProgress) => {
    try {
      return await (
        await scanner()
      )(target, onProgress);
    } catch (error) {
      throw error instanceof OutOfResources ? new ServiceError('overloaded') : error;
    }
  };
}

/** A guarded visit without a scan; whoever opens it closes it. */
export async function openLazyVisit(target: ScanTarget, scanning: Scanning): Promise<OpenedVisit> {
  return (await loadScanner()).openNetworkVisit(target, scanning);
}

/** What posts to the addresses that account holders gave, made at the first message. */
export function createLazyPoster(scanning: Scanning): Post {
  const poster = makeLazy(async () => (await import('../scanner/gather/fetch/post.js')).createPoster(scanning));
  return async (request) => (await poster())(request);
}

/** What `scan` works with: neither a database nor a server. */
export function createOneScan(config: Config): ScanCommandDeps {
  const scanning = createScanning(config, createLogger('silent'));
  const scanner = createLazyScanner(scanning);
  return {
    vetTarget: (origin) => vetTarget(scanning, origin),
    scan: (origin, onProgress) => scanner({ origin, isOwnershipVerified: false }, onProgress),
  };
}
