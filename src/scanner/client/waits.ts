import { failureOf, type Transport } from '../../net/transport.js';
import type { VisitSlots } from './address-slots.js';
import type { CrawlPace } from './crawl-pace.js';
import type { Listener } from './events.js';
import type { Layer, SiteRequest } from './request.js';
import type { RunClock } from './run-clock.js';
import type { Pace } from './visit.js';

/** What is answered without a network waits for nothing. */
export function unlessKnown(isKnown: (request: SiteRequest) => boolean, layer: Layer): Layer {
  return (request, next) => (isKnown(request) ? next(request) : layer(request, next));
}

/** Keeps the pace that the site itself asks for. */
export function keepCrawlDelay(pace: CrawlPace): Layer {
  return async (request, next) => {
    if (request.isForeign) return await next(request);
    const leave = await pace.enter();
    try {
      return await next(request);
    } finally {
      leave();
    }
  };
}

/** Waits for the turn of strangers' scans at the address; the run's time stands still meanwhile: it is we who let it wait. */
export function keepPace(pace: Pace, clock: RunClock): Layer {
  return async (request, next) => {
    const ms = await pace.take(request.address);
    if (ms > 0) {
      clock.setPaced(true);
      await pace.wait(Math.min(ms, clock.countPaceLeftMs()), clock.deadline);
      clock.setPaced(false);
    }
    return await next(request);
  };
}

export interface Waiting {
  readonly deadline: AbortSignal;
  readonly listen: Listener;
}

/** Looks up where the request goes. What cannot be looked up fails at its connection. */
export function findAddress({ transport, deadline, listen }: Waiting & { readonly transport: Transport }): Layer {
  return async (request, next) => {
    const leave = (): void => listen({ kind: 'unsent', request, failure: 'run_deadline' });
    if (deadline.aborted) leave();
    // The run may end before the lookup does.
    else deadline.addEventListener('abort', leave);
    const address = await transport.addressOf?.(request.url);
    deadline.removeEventListener('abort', leave);
    if (deadline.aborted) return { failure: 'run_deadline' };
    return await next(address === undefined ? { ...request, address: request.url.hostname } : { ...request, address });
  };
}

/** Waits until one more request may be in flight to the address. */
export function waitForSlot({ slots, deadline, listen }: Waiting & { readonly slots: VisitSlots }): Layer {
  return async (request, next) => {
    const { address, isForeign, priority } = request;
    let release: () => void;
    try {
      release = await slots.acquire(address, isForeign, priority, deadline);
    } catch (error) {
      const failure = failureOf(error);
      listen({ kind: 'unsent', request, failure });
      return { failure };
    }
    try {
      const fetched = await next(request);
      if ('response' in fetched && [429, 503].includes(fetched.response.status)) slots.slowDown(address, isForeign);
      return fetched;
    } finally {
      release();
    }
  };
}
