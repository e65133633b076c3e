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
import type { Ask, Layer } from './request.js';
import { type Pause, retry } from './retries.js';
import type { RunClock } from './run-clock.js';
import type { SiteMove } from './site-move.js';
import type { Restraint } from './visit.js';
import { findAddress, keepCrawlDelay, keepPace, waitForSlot } from './waits.js';

/** What the layers of one run work with. */
export interface Run {
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
  /** See ExchangeOptions. */
  readonly tryMs: number;
  readonly watch: Layer | undefined;
  readonly listen: Listener;
}

/**
 * The way of a request from the part of a run that asks to the socket, and of its answer back. What comes later in this list happens
 * for each hop, and from the guard on for each try.
 */
export function composeChain(run: Run): Ask {
  const { transport, deadline } = run;
  const layers: readonly (Layer | undefined)[] = [
    followRedirects(run),
    tellOthersOurName(run),
    run.watch,
    run.memo.answer,
    retry(run),
    askGuard(run),
    keepLimits(run),
    keepCrawlDelay(run.crawlPace),
    findAddress(transport),
    run.restraint && keepPace(run.restraint.pace, run.clock),
    waitForSlot(run.slots, deadline),
  ];
  // Beyond: net/network-transport.ts, and net/connector.ts, which vets the address that it connects to.
  return layers.reduceRight<Ask>((next, layer) => (layer ? (request) => layer(request, next) : next), exchange(run));
}
