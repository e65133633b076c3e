import type { Transport } from '../../net/transport.js';
import type { UrlGate } from '../../net/url-gate.js';
import type { VisitSlots } from './address-slots.js';
import type { RequestBudget } from './budget.js';
import type { CrawlPace } from './crawl-pace.js';
import type { Listener } from './events.js';
import { exchange } from './exchange.js';
import { applyGuard, enforceLimits, replaceUserAgent } from './gates.js';
import type { FetchMemo } from './memo.js';
import { followRedirects } from './redirects.js';
import type { Ask, AskedRequest, Layer, SiteRequest } from './request.js';
import { type Pause, retry } from './retries.js';
import type { RunClock } from './run-clock.js';
import type { SiteMove } from './site-move.js';
import type { AnonymousLimits } from './visit.js';
import { resolveAddress, respectCrawlDelay, limitPace, skipIfOffline, waitForSlot } from './waits.js';

/** Everything the layers of one visit use. */
export interface ChainDeps {
  /** Origin of the scanned site. */
  readonly origin: URL;
  /** Our own User-Agent. */
  readonly userAgent: string;
  readonly clock: RunClock;
  readonly deadline: AbortSignal;
  readonly pause: Pause;
  readonly move: SiteMove;
  readonly hopsMax: number;
  readonly memo: FetchMemo;
  readonly gate: UrlGate;
  readonly budget: RequestBudget;
  readonly anonymousLimits: AnonymousLimits | undefined;
  readonly crawlPace: CrawlPace;
  readonly slots: VisitSlots;
  readonly transport: Transport;
  readonly answersOffline: (request: SiteRequest) => boolean;
  /** Time limit of one try; see ExchangeOptions. */
  readonly tryMs: number;
  readonly watch: Layer | undefined;
  readonly listen: Listener;
}

/**
 * Builds the chain of layers that every request passes on its way to the socket. The layers after the redirects run for each hop, those
 * from the guard on for each try. The guard (net/guard.ts) acts at three points. `applyGuard` vets the URL before any DNS lookup.
 * `resolveAddress` makes net/connector.ts resolve and vet the addresses and pick one. Once connected, the connector compares the peer with
 * it. A refused address fails when connecting.
 */
export function composeChain(deps: ChainDeps): Ask<AskedRequest> {
  const layers: readonly (Layer | undefined)[] = [
    deps.watch,
    deps.memo.answer,
    retry(deps),
    applyGuard(deps),
    enforceLimits(deps),
    ...[
      respectCrawlDelay(deps.crawlPace),
      resolveAddress(deps),
      deps.anonymousLimits && limitPace(deps.anonymousLimits.pace, deps.clock),
      waitForSlot(deps),
    ].map((layer) => layer && skipIfOffline(deps.answersOffline, layer)),
  ];
  // The chain ends in net/network-transport.ts and net/connector.ts.
  const send = layers.reduceRight<Ask>(
    (next, layer) => (layer ? (request) => layer(request, next) : next),
    exchange(deps),
  );
  const withUserAgent = replaceUserAgent(deps);
  const follow = followRedirects(deps);
  return (asked) => follow(asked, (hop) => withUserAgent(hop, send));
}
