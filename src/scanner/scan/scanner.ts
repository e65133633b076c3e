import { CHECKS, NOTES } from '../checks/index.js';
import type { EvidenceKind } from '../artifacts/evidence.js';
import type { Check } from '../verdict/check.js';
import type { Clock } from './clock.js';
import { newControlSeed } from '../probe/control.js';
import { excludeHosts, type Guard } from '../../net/guard.js';
import type { Resolver } from '../../net/connect.js';
import { Limiter } from '../client/limiter.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { isPublicAddress } from '../../net/address.js';
import { openNetworkTransport } from '../../net/network-transport.js';
import { isSameHost, type RefusalReason } from '../../net/url-gate.js';
import type { Listener } from '../client/request.js';
import type { ScanTarget } from '../client/visit.js';
import { openSession, type SessionOptions, type ScanDeps, type ScanSession, scan, type ScanReport } from './scan.js';
import { ExchangeLog, type ExchangeLogOptions } from '../trace/exchanges.js';
import { askPreview, type Overlay, type Preview, vetPreview, withSiteFields } from '../client/stand-in.js';
import { type Trial, tryOverlay } from './recorded-scan.js';
import { recordScan } from './recorded-scan.js';
import type { ScanProgress } from '../report/progress.js';

export interface ScannerDeps {
  readonly guard: Guard;
  readonly resolver: Pick<Resolver, 'resolveAddresses'>;
  readonly clock: Clock;
  /** Set to share the limits per address with other scanners. */
  readonly limiter?: Limiter;
  /** The page that explains this scanner to site owners; part of the User-Agent. */
  readonly infoUrl?: string;
  /** For the log: why a target was refused. */
  readonly onRefused?: (url: URL, reason: RefusalReason) => void;
  /** Observers of each request. */
  readonly listeners?: readonly Listener[];
  /** Header fields for the site's own origin, such as those that open a protected preview; names in lower case. */
  readonly siteFields?: Readonly<Record<string, string>>;
  /** A server that receives the site's requests, with the header fields, instead of the site. */
  readonly preview?: Preview;
  /** True to include the evidence behind failures in reports of verified owners. Default: false. */
  readonly keepsEvidence?: boolean;
}

/**
 * Scans a site over the network. Resolves within the run's deadline, whatever the site does. `only` has the ids of the checks to run
 * (default: all); only the evidence that they need is collected, with the notes that it allows.
 */
export type Scanner = (
  target: ScanTarget,
  onProgress?: (progress: ScanProgress) => void,
  only?: readonly string[],
) => Promise<ScanReport>;

/** Creates the scanner of a process, whose scans share the limits per address. */
export function createScanner(deps: ScannerDeps): Scanner {
  const limiter = deps.limiter ?? new Limiter();
  const open = (target: ScanTarget, startedAt: Date): ScanSession =>
    openNetworkSession(target, deps, limiter, startedAt);
  return (target, onProgress, only) =>
    scan(target, {
      ...chooseChecks(only),
      clock: deps.clock,
      openSession: open,
      ...(onProgress && { onProgress }),
    });
}

function chooseChecks(only: readonly string[] | undefined): Pick<ScanDeps, 'checks' | 'notes'> {
  if (!only) return { checks: CHECKS, notes: NOTES };
  const checks: readonly Check[] = CHECKS.filter(({ id }) => only.includes(id));
  // The home page is always requested.
  const read = new Set<EvidenceKind>(['home', ...checks.flatMap(({ needs, uses }) => [...needs, ...uses])]);
  const isAbout = (checkId: string | null): boolean => checkId === null || only.includes(checkId);
  return {
    checks,
    notes: NOTES.filter(({ checkId, rule }) => isAbout(checkId) && rule.uses.every((kind) => read.has(kind))),
  };
}

/** Scans and records what a replay needs. Resolves like a {@link Scanner}. */
export type RecordingScanner = (
  target: ScanTarget,
  onProgress?: (progress: ScanProgress) => void,
) => ReturnType<typeof recordScan>;

/** @param version of this package */
export function createRecordingScanner(deps: ScannerDeps, version: string): RecordingScanner {
  const { clock } = deps;
  return (target, onProgress) =>
    recordScan(networkOptions(target, deps, new Limiter()), {
      clock,
      version,
      ...(onProgress && { onProgress }),
    });
}

/** Scans a site as it is, and as it would be with overlay files. Rejects like a {@link Scanner}. */
export type OverlayScanner = (
  target: ScanTarget,
  overlay: Overlay,
  onProgress?: (progress: ScanProgress) => void,
) => Promise<Trial>;

/** @param version of this package */
export function createOverlayScanner(deps: ScannerDeps, version: string): OverlayScanner {
  const { clock } = deps;
  return (target, overlay, onProgress) =>
    tryOverlay(networkOptions(target, deps, deps.limiter ?? new Limiter()), {
      clock,
      version,
      overlay,
      ...(onProgress && { onProgress }),
    });
}

/** Opens a guarded visit over the network, with the context of the collectors. */
export function openNetworkSession(
  target: ScanTarget,
  deps: ScannerDeps,
  limiter: Limiter = new Limiter(),
  now: Date = deps.clock.now(),
): ScanSession {
  return openSession(networkOptions(target, deps, limiter), now, newControlSeed());
}

/**
 * Returns a test for responses that evidence may show: from public addresses and allowed endpoints. In the operator's own networks,
 * only those of the site's own host, so that no redirect or link reveals other hosts there.
 */
function evidenceFilter(guard: Guard, { origin }: ScanTarget): Required<ExchangeLogOptions>['isShown'] {
  return (address, url) =>
    isPublicAddress(address) ||
    guard.isExceptedEndpoint(url) ||
    (guard.isExceptedAddress(address) && isSameHost(url, origin));
}

/** Network limits, as published on the page about the scanner. */
const WIRE_LIMITS = {
  connectionsPerOrigin: SCAN_LIMITS.addressRequestsMax,
  wireBytesMax: SCAN_LIMITS.wireBytesMax,
};

function networkOptions(target: ScanTarget, deps: ScannerDeps, limiter: Limiter): SessionOptions {
  const { resolver, infoUrl, onRefused, preview, keepsEvidence = false } = deps;
  const { origin, isOwnershipVerified, excludedHosts = [] } = target;
  const guard = excludeHosts(deps.guard, excludedHosts);
  const network = openNetworkTransport({ guard, resolver, limits: WIRE_LIMITS });
  const { servedBy = origin } = preview ?? {};
  const own = deps.siteFields ? withSiteFields(network, servedBy, deps.siteFields) : network;
  const logRefusal: Listener = (event) => {
    if (event.kind === 'refused') onRefused?.(event.request.url, event.reason);
  };
  return {
    target,
    transport: preview ? askPreview(own, preview) : own,
    gate: preview ? vetPreview(guard, preview) : guard,
    limiter,
    ...(keepsEvidence &&
      isOwnershipVerified && { log: new ExchangeLog({ origin, isShown: evidenceFilter(guard, target) }) }),
    ...(infoUrl && { infoUrl }),
    listeners: [logRefusal, ...(deps.listeners ?? [])],
  };
}
