import type { FetchFailure } from '../../net/failure.js';
import type { UrlGate } from '../../net/url-gate.js';
import { isSameSite, siteKey } from '../artifacts/site-address.js';
import type { RequestBudget } from './budget.js';
import type { Listener } from './events.js';
import type { AskedRequest, Layer, SiteRequest } from './request.js';
import type { Fetched, AnonymousLimits } from './visit.js';

/** Replaces the User-Agent by our own for external sites. */
export function replaceUserAgent({
  origin,
  userAgent,
}: {
  readonly origin: URL;
  readonly userAgent: string;
}): Layer<AskedRequest, SiteRequest> {
  return async (asked, next) => {
    const isExternal = !isSameSite(asked.url, origin);
    const headers = isExternal ? { ...asked.headers, 'user-agent': userAgent } : asked.headers;
    return await next({ ...asked, headers, isExternal, address: asked.url.hostname });
  };
}

/** Refuses URLs that the guard does not allow, before any DNS lookup. */
export function applyGuard({ gate, listen }: { readonly gate: UrlGate; readonly listen: Listener }): Layer {
  return async (request, next) => {
    const reason = gate.vetUrl(request.url);
    if (reason === null) return await next(request);
    listen({ kind: 'refused', request, reason });
    return { failure: 'target_refused' };
  };
}

export interface Limits {
  readonly deadline: AbortSignal;
  readonly budget: RequestBudget;
  readonly anonymousLimits?: AnonymousLimits | undefined;
  readonly answersOffline: (request: SiteRequest) => boolean;
  readonly listen: Listener;
}

/** Enforces the limits of a run: time, total requests, and requests to external sites. */
export function enforceLimits({ deadline, budget, anonymousLimits, answersOffline, listen }: Limits): Layer {
  return async (request, next) => {
    const refuse = (failure: FetchFailure): Fetched => {
      listen({ kind: 'unsent', request, failure });
      return { failure };
    };
    if (deadline.aborted) return refuse('run_deadline');
    const { url, isExternal, isFurther, priority } = request;
    const isUnlimited = !isExternal || !anonymousLimits || answersOffline(request);
    const isAllowed =
      !isExternal || (budget.takeExternal() && (isUnlimited || (await anonymousLimits.mayRequestDomain(siteKey(url)))));
    if (!isAllowed) return refuse('foreign_spent');
    if (!budget.take(isFurther ? 'further' : 'first', priority)) return refuse('budget_spent');
    return await next(request);
  };
}
