import { failureOf, type Transport } from '../../net/transport.js';
import type { VisitSlots } from './address-slots.js';
import type { CrawlPace } from './crawl-pace.js';
import type { Listener } from './events.js';
import type { Layer, SiteRequest } from './request.js';
import type { RunClock } from './run-clock.js';
import type { Pace } from './visit.js';

/** Skips a layer for requests that the transport answers without the network. */
export function skipIfOffline(answersOffline: (request: SiteRequest) => boolean, layer: Layer): Layer {
  return (request, next) => (answersOffline(request) ? next(request) : layer(request, next));
}

/** Applies the `Crawl-delay` of the site's robots.txt. */
export function respectCrawlDelay(pace: CrawlPace): Layer {
  return async (request, next) => {
    if (request.isExternal) return await next(request);
    const release = await pace.acquire();
    try {
      return await next(request);
    } finally {
      release();
    }
  };
}

/** Rate-limits anonymous scans. Pauses the run's clock, since the delay is ours. */
export function limitPace(pace: Pace, clock: RunClock): Layer {
  return async (request, next) => {
    const ms = await pace.take(request.address);
    if (ms > 0) {
      clock.setPaced(true);
      await pace.wait(Math.min(ms, clock.measurePaceLeftMs()), clock.deadline);
      clock.setPaced(false);
    }
    return await next(request);
  };
}

export interface Waiting {
  readonly deadline: AbortSignal;
  readonly listen: Listener;
}

/** Resolves the address that the request goes to. A name that cannot be resolved fails when connecting. */
export function resolveAddress({ transport, deadline, listen }: Waiting & { readonly transport: Transport }): Layer {
  return async (request, next) => {
    const onAbort = (): void => listen({ kind: 'unsent', request, failure: 'run_deadline' });
    if (deadline.aborted) onAbort();
    // The run may end before the lookup does.
    else deadline.addEventListener('abort', onAbort);
    const address = await transport.addressOf?.(request.url);
    deadline.removeEventListener('abort', onAbort);
    if (deadline.aborted) return { failure: 'run_deadline' };
    return await next(address === undefined ? { ...request, address: request.url.hostname } : { ...request, address });
  };
}

/** Waits until one more request may be in flight to the address. */
export function waitForSlot({ slots, deadline, listen }: Waiting & { readonly slots: VisitSlots }): Layer {
  return async (request, next) => {
    const { address, isExternal, priority } = request;
    let release: () => void;
    try {
      release = await slots.acquire(address, isExternal, priority, deadline);
    } catch (error) {
      const failure = failureOf(error);
      listen({ kind: 'unsent', request, failure });
      return { failure };
    }
    try {
      const fetched = await next(request);
      if ('response' in fetched && [429, 503].includes(fetched.response.status)) slots.slowDown(address, isExternal);
      return fetched;
    } finally {
      release();
    }
  };
}
