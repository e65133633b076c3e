import { CHECKS, NOTES } from '../checks/index.js';
import type { Clock } from './clock.js';
import { newControlSeed } from '../probe/control.js';
import type { Guard } from '../../net/guard.js';
import type { Resolver } from '../../net/resolver.js';
import type { RefusalReason } from '../../net/refusal.js';
import type { BodyRoom } from '../client/body-room.js';
import { AddressSlots, type Peers } from '../client/address-slots.js';
import { SCAN_LIMITS } from '../artifacts/scanner.js';
import { isPublicAddress } from '../../net/address.js';
import { openNetworkTransport } from '../../net/network-transport.js';
import { withSiteFields } from '../../net/site-fields.js';
import { askPreview, type Preview, vetPreview } from '../../net/preview.js';
import { isSameHost } from '../../net/url-gate.js';
import type { ParsingTurns } from '../../net/parsing-turns.js';
import type { Listener } from '../client/events.js';
import type { Signing } from '../client/site-signing.js';
import type { ScanTarget } from '../client/visit.js';
import { openSession, type SessionOptions } from './open-session.js';
import { ExchangeLog, type ExchangeLogOptions } from '../trace/exchanges.js';
import type { Overlay } from '../trace/overlay.js';
import { type Trial, tryOverlay } from './overlay-scan.js';
import { recordScan } from './recorded-scan.js';
import type { ScanProgress } from '../report/progress.js';
import { type ScanSession, scan, type ScanReport } from './scan.js';

export interface ScannerDeps {
  readonly guard: Guard;
  readonly resolver: Pick<Resolver, 'resolveAddresses'>;
  readonly clock: Clock;
  /** Other processes that scan too; by default none. */
  readonly peers?: Peers;
  /** The process's, where several scanners share them; by default each has its own. */
  readonly slots?: AddressSlots;
  /** The page that explains this scanner to site owners; part of the User-Agent. */
  readonly infoUrl?: string;
  /** With what requests are signed where a site asks for it; by default none are. */
  readonly signing?: Signing;
  /** For the log: why a target was refused. */
  readonly onRefused?: (url: URL, reason: RefusalReason) => void;
  /** The process's; by default each visit has its own. */
  readonly parsingTurns?: ParsingTurns;
  /** The process's; by default each visit has its own. */
  readonly bodies?: BodyRoom;
  /** They hear what becomes of each request. */
  readonly listeners?: readonly Listener[];
  /** Header fields for the site's own origin, such as those that open a protected preview; names in lower case. */
  readonly siteFields?: Readonly<Record<string, string>>;
  /** The site is asked there instead, and the header fields go there. */
  readonly preview?: Preview;
  /** Whether reports of sites whose ownership is verified carry the evidence behind their failures; by default they do not. */
  readonly keepsEvidence?: boolean;
}

/**
 * Scans a site over the real network. Resolves within the run's deadline, whatever the site does. `only` names the checks that are made,
 * by default all; then there are no notes, and only what these checks need is asked for.
 */
export type Scanner = (
  target: ScanTarget,
  onProgress?: (progress: ScanProgress) => void,
  only?: readonly string[],
) => Promise<ScanReport>;

/** Creates the scanner of a process: all its scans share the limit of each address. */
export function createScanner(deps: ScannerDeps): Scanner {
  const slots = deps.slots ?? new AddressSlots(undefined, deps.peers);
  const open = (target: ScanTarget, startedAt: Date): ScanSession => openNetworkSession(target, deps, slots, startedAt);
  return (target, onProgress, only) =>
    scan(target, {
      ...(only ? { checks: CHECKS.filter(({ id }) => only.includes(id)) } : { checks: CHECKS, notes: NOTES }),
      clock: deps.clock,
      openSession: open,
      ...(onProgress && { onProgress }),
    });
}

/** A scan that is recorded on its way. Resolves as a {@link Scanner} does. */
export type RecordingScanner = (
  target: ScanTarget,
  onProgress?: (progress: ScanProgress) => void,
) => ReturnType<typeof recordScan>;

/** @param version of this package */
export function createRecordingScanner(deps: ScannerDeps, version: string): RecordingScanner {
  const { clock } = deps;
  return (target, onProgress) =>
    recordScan(networkOptions(target, deps, new AddressSlots()), {
      ...{ clock, version },
      ...(onProgress && { onProgress }),
    });
}

/** A scan of a site as it is, and as it would be with files. Rejects as a {@link Scanner} does. */
export type TryingScanner = (
  target: ScanTarget,
  overlay: Overlay,
  onProgress?: (progress: ScanProgress) => void,
) => Promise<Trial>;

/** @param version of this package */
export function createTryingScanner(deps: ScannerDeps, version: string): TryingScanner {
  const { clock } = deps;
  return (target, overlay, onProgress) =>
    tryOverlay(networkOptions(target, deps, deps.slots ?? new AddressSlots(undefined, deps.peers)), {
      ...{ clock, version, overlay },
      ...(onProgress && { onProgress }),
    });
}

/** A guarded visit over the real network, with the context that collectors work with. */
export function openNetworkSession(
  target: ScanTarget,
  deps: ScannerDeps,
  slots: AddressSlots = new AddressSlots(),
  now: Date = deps.clock.now(),
): ScanSession {
  return openSession(networkOptions(target, deps, slots), now, newControlSeed());
}

/**
 * What is on the public internet. In the operator's own networks, which they let everybody scan, only the very host of the site, so that
 * neither a redirect nor a link shows anything else there; and what a demonstration serves of itself.
 */
function isShownBy(guard: Guard, { origin }: ScanTarget): Required<ExchangeLogOptions>['isShown'] {
  return (address, url) =>
    isPublicAddress(address) ||
    guard.isExceptedEndpoint(url) ||
    (guard.isExceptedAddress(address) && isSameHost(url, origin));
}

/** What the network may be used for: as the page about the scanner says. */
const WIRE_LIMITS = {
  connectionsPerOrigin: SCAN_LIMITS.addressRequestsMax,
  wireBytesMax: SCAN_LIMITS.wireBytesMax,
};

function networkOptions(target: ScanTarget, deps: ScannerDeps, slots: AddressSlots): SessionOptions {
  const { guard, resolver, infoUrl, signing, onRefused, parsingTurns, bodies, preview, keepsEvidence = false } = deps;
  const { origin, isOwnershipVerified } = target;
  const network = openNetworkTransport({ guard, resolver, limits: WIRE_LIMITS, ...(parsingTurns && { parsingTurns }) });
  const { servedBy = origin } = preview ?? {};
  const own = deps.siteFields ? withSiteFields(network, servedBy, deps.siteFields) : network;
  const hearRefusal: Listener = (event) => {
    if (event.kind === 'refused') onRefused?.(event.request.url, event.reason);
  };
  return {
    target,
    transport: preview ? askPreview(own, preview) : own,
    gate: preview ? vetPreview(guard, preview) : guard,
    slots,
    ...(keepsEvidence &&
      isOwnershipVerified && { log: new ExchangeLog({ origin, isShown: isShownBy(guard, target) }) }),
    ...(bodies && { bodies }),
    ...(infoUrl && { infoUrl }),
    ...(signing && { signing }),
    listeners: [hearRefusal, ...(deps.listeners ?? [])],
  };
}
