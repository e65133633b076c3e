import { CHECKS } from '../checks/index.js';
import type { Clock } from './clock.js';
import { COLLECTORS } from '../gather/collect/collectors.js';
import { createContext } from '../gather/context/context.js';
import { newRandomName } from '../gather/context/control.js';
import type { Guard } from '../gather/guard/guard.js';
import type { Resolver } from '../gather/guard/resolver.js';
import type { RefusalReason } from '../gather/guard/refusal.js';
import { AddressPlaces, type Neighbours } from '../gather/fetch/address-places.js';
import { NOTES } from '../notes/index.js';
import { openNetworkTransport } from '../gather/fetch/network-transport.js';
import type { ParsingTurns } from '../gather/fetch/parsing-turns.js';
import { openVisit } from '../gather/fetch/open-visit.js';
import type { ScanTarget } from '../gather/fetch/visit.js';
import { type OpenedVisit, scan, type ScanProgress, type ScanReport } from './scan.js';

export interface ScannerDeps {
  readonly guard: Guard;
  readonly resolver: Pick<Resolver, 'resolveAddresses'>;
  readonly clock: Clock;
  /** Other processes that scan too; by default none. */
  readonly neighbours?: Neighbours;
  /** The page that explains this scanner to site owners; part of the User-Agent. */
  readonly infoUrl?: string;
  /** For the log: why a target was refused. */
  readonly onRefused?: (url: URL, reason: RefusalReason) => void;
  /** The process's; by default each visit has its own. */
  readonly parsingTurns?: ParsingTurns;
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
  const places = new AddressPlaces(undefined, deps.neighbours);
  const open = (target: ScanTarget): OpenedVisit => openNetworkVisit(target, deps, places);
  return (target, onProgress, only) =>
    scan(target, {
      ...(only ? { checks: CHECKS.filter(({ id }) => only.includes(id)) } : { checks: CHECKS, notes: NOTES }),
      clock: deps.clock,
      openVisit: open,
      ...(onProgress && { onProgress }),
    });
}

/** A guarded visit over the real network, with the context that collectors work with. */
export function openNetworkVisit(
  target: ScanTarget,
  deps: ScannerDeps,
  places: AddressPlaces = new AddressPlaces(),
): OpenedVisit {
  const { guard, resolver, clock, infoUrl, onRefused, parsingTurns } = deps;
  const visit = openVisit({
    target,
    transport: openNetworkTransport({ guard, resolver, ...(parsingTurns && { parsingTurns }) }),
    gate: guard,
    places,
    ...(infoUrl && { infoUrl }),
    ...(onRefused && { onRefused }),
  });
  const context = createContext({
    target,
    visit,
    collectors: COLLECTORS,
    randomName: newRandomName,
    now: clock.now(),
  });
  return { visit, context, close: () => visit.close() };
}
