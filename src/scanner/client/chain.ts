import type { Transport } from '../../net/transport.js';
import type { UrlGate } from '../../net/url-gate.js';
import type { VisitSlots } from './address-slots.js';
import type { RequestBudget } from './budget.js';
import type { CrawlPace } from './crawl-pace.js';
import type { Listener } from './events.js';
import { exchange } from './exchange.js';
import { askGuard, keepLimits, tellOthersOurName } from './gates.js';
import type { FetchMemo } from './memo.js';
import { followRedirects } from './redirects.js';
import type { Ask, AskedRequest, Layer, SiteRequest } from './request.js';
import { type Pause, retry } from './retries.js';
import type { RunClock } from './run-clock.js';
import type { SiteMove } from './site-move.js';
import type { SiteSigning } from './site-signing.js';
import type { Restraint } from './visit.js';
import { findAddress, keepCrawlDelay, keepPace, unlessKnown, waitForSlot } from './waits.js';

/** What the layers of one visit work with. */
export interface ChainDeps {
  /** The site's. */
  readonly origin: URL;
  /** Our own honest name. */
  readonly userAgent: string;
  readonly clock: RunClock;
  readonly deadline: AbortSignal;
  readonly pause: Pause;
  readonly move: SiteMove;
  readonly hopsMax: number;
  readonly memo: FetchMemo;
  readonly gate: UrlGate;
  readonly budget: RequestBudget;
  readonly restraint: Restraint | undefined;
  readonly crawlPace: CrawlPace;
  readonly slots: VisitSlots;
  readonly transport: Transport;
  /** See {@link Transport.isKnown}. */
  readonly isKnown: (request: SiteRequest) => boolean;
  /** Where the operator has a key. */
  readonly signing: SiteSigning | undefined;
  /** See ExchangeOptions. */
  readonly tryMs: number;
  readonly watch: Layer | undefined;
  readonly listen: Listener;
}

/**
 * The way of a request from the part of a run that asks to the socket, and of its answer back. What comes after the redirects happens for
 * each hop, and from the guard on for each try. The guard (net/guard.ts) acts at three points: `askGuard` vets the URL before anything is
 * looked up; `findAddress` makes net/connector.ts look up and vet the addresses, of which one is chosen; and once connected, the connector
 * compares the peer with it. A refused address fails at its connection.
 */
export function composeChain(deps: ChainDeps): Ask<AskedRequest> {
  const layers: readonly (Layer | undefined)[] = [
    deps.watch,
    deps.memo.answer,
    retry(deps),
    deps.signing?.askAgain,
    askGuard(deps),
    keepLimits(deps),
    ...[
      keepCrawlDelay(deps.crawlPace),
      findAddress(deps),
      deps.restraint && keepPace(deps.restraint.pace, deps.clock),
      waitForSlot(deps),
    ].map((layer) => layer && unlessKnown(deps.isKnown, layer)),
  ];
  // Beyond: net/network-transport.ts and net/connector.ts.
  const ask = layers.reduceRight<Ask>(
    (next, layer) => (layer ? (request) => layer(request, next) : next),
    exchange(deps),
  );
  const tellName = tellOthersOurName(deps);
  const follow = followRedirects(deps);
  return (asked) => follow(asked, (hop) => tellName(hop, ask));
}
