import { isPublicAddress } from '../../net/address.js';
import type { Resolver } from '../../net/resolver.js';
import { excludeHosts, type Guard } from '../../net/guard.js';
import { openNetworkTransport } from '../../net/network-transport.js';
import { isSameHost, type RefusalReason } from '../../net/url-gate.js';
import type { EvidenceKind } from '../artifacts/evidence.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { CHECKS, NOTES } from '../checks/index.js';
import { Limiter } from '../client/limiter.js';
import type { Listener, ScanTarget } from '../client/visit.js';
import { sendToPreview, type Overlay, type Preview, createPreviewGate, withSiteFields } from '../client/stand-in.js';
import { newControlSeed } from '../probe/control.js';
import type { ScanProgress } from '../report/progress.js';
import { ExchangeLog, type ExchangeLogOptions } from '../trace/exchanges.js';
import type { Check } from '../verdict/check.js';
import { recordScan, type OverlayComparison, tryOverlay } from './recorded-scan.js';
import {
  type Clock,
  openSession,
  scan,
  type ScanDeps,
  type ScanReport,
  type ScanSession,
  type SessionOptions,
} from './scan.js';

export interface ScannerDeps {
  readonly guard: Guard;
  readonly resolver: Pick<Resolver, 'resolveAddresses'>;
  readonly clock: Clock;
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
  readonly includesEvidence?: boolean;
}

type OnProgress = (progress: ScanProgress) => void;

/**
 * Scans a site over the network. Resolves within the run's deadline, whatever the site does. `only` has the ids of the checks to run
 * (default: all). Gathers only the evidence that they need, and adds only notes about that evidence.
 */
export type Scanner = (target: ScanTarget, onProgress?: OnProgress, only?: readonly string[]) => Promise<ScanReport>;

/** The scans of a process, which share the limits per address. */
export interface Scanners {
  readonly scan: Scanner;
  /** Scans and records what a replay needs. */
  readonly record: (target: ScanTarget, onProgress?: OnProgress) => ReturnType<typeof recordScan>;
  /** Scans a site as it is, and as it would be with overlay files. */
  readonly tryOverlay: (target: ScanTarget, overlay: Overlay, onProgress?: OnProgress) => Promise<OverlayComparison>;
}

export function createScanners(deps: ScannerDeps): Scanners {
  const { clock } = deps;
  const limiter = new Limiter();
  return {
    scan: (target, onProgress, only) =>
      scan(openNetworkSession(target, deps, limiter), { clock, onProgress, ...(only && chooseChecks(only)) }),
    record: (target, onProgress) => recordScan(networkOptions(target, deps, limiter), { clock, onProgress }),
    tryOverlay: (target, overlay, onProgress) =>
      tryOverlay(networkOptions(target, deps, limiter), { clock, overlay, onProgress }),
  };
}

function chooseChecks(only: readonly string[]): Pick<ScanDeps, 'checks' | 'notes'> {
  const checks: readonly Check[] = CHECKS.filter(({ id }) => only.includes(id));
  // The home page is always requested.
  const gathered = new Set<EvidenceKind>(['home', ...checks.flatMap(({ needs, uses }) => [...needs, ...uses])]);
  const isChosen = (checkId: string | null): boolean => checkId === null || only.includes(checkId);
  const notes = NOTES.filter(({ checkId, uses }) => isChosen(checkId) && uses.every((kind) => gathered.has(kind)));
  return { checks, notes };
}

/** Opens a guarded visit over the network, with the context of the collectors. */
export function openNetworkSession(target: ScanTarget, deps: ScannerDeps, limiter = new Limiter()): ScanSession {
  return openSession(networkOptions(target, deps, limiter), deps.clock.now(), newControlSeed());
}

/**
 * Returns a function that tests if evidence may show a response: if it is from a public address or an allowed endpoint. In the operator's
 * networks, only the site's own host passes, so that no redirect or link reveals other hosts there.
 */
function evidenceFilter(guard: Guard, { origin }: ScanTarget): Required<ExchangeLogOptions>['isShown'] {
  return (address, url) =>
    isPublicAddress(address) ||
    guard.isExemptEndpoint(url) ||
    (guard.isExemptAddress(address) && isSameHost(url, origin));
}

function networkOptions(target: ScanTarget, deps: ScannerDeps, limiter: Limiter): SessionOptions {
  const { resolver, infoUrl, onRefused, preview, includesEvidence = false } = deps;
  const { origin, isOwnershipVerified, excludedHosts = [] } = target;
  const guard = excludeHosts(deps.guard, excludedHosts);
  const { addressRequestsMax: connectionsPerOrigin, wireBytesMax } = SCAN_LIMITS;
  const network = openNetworkTransport({ guard, resolver, limits: { connectionsPerOrigin, wireBytesMax } });
  const { servedBy = origin } = preview ?? {};
  const siteNetwork = deps.siteFields ? withSiteFields(network, servedBy, deps.siteFields) : network;
  const logRefusal: Listener = (event) => {
    if (event.kind === 'refused') onRefused?.(event.request.url, event.reason);
  };
  return {
    target,
    transport: preview ? sendToPreview(siteNetwork, preview) : siteNetwork,
    gate: preview ? createPreviewGate(guard, preview) : guard,
    limiter,
    ...(includesEvidence &&
      isOwnershipVerified && { log: new ExchangeLog({ origin, isShown: evidenceFilter(guard, target) }) }),
    ...(infoUrl && { infoUrl }),
    listeners: [logRefusal, ...(deps.listeners ?? [])],
  };
}
