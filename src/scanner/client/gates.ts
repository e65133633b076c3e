import type { FetchFailure } from '../../net/failure.js';
import type { UrlGate } from '../../net/url-gate.js';
import { isSameSite, siteKey } from '../artifacts/site-address.js';
import type { RequestBudget } from './budget.js';
import type { Listener } from './events.js';
import type { AskedRequest, Layer, SiteRequest } from './request.js';
import type { Fetched, Restraint } from './visit.js';

/** Who did not ask for this scan is asked under our own name only. */
export function tellOthersOurName({
  origin,
  userAgent,
}: {
  readonly origin: URL;
  readonly userAgent: string;
}): Layer<AskedRequest, SiteRequest> {
  return async (asked, next) => {
    const isForeign = !isSameSite(asked.url, origin);
    const headers = isForeign ? { ...asked.headers, 'user-agent': userAgent } : asked.headers;
    return await next({ ...asked, headers, isForeign, address: asked.url.hostname });
  };
}

/** Turns away what the guard refuses before anything is looked up. */
export function askGuard({ gate, listen }: { readonly gate: UrlGate; readonly listen: Listener }): Layer {
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
  readonly restraint?: Restraint | undefined;
  readonly isKnown: (request: SiteRequest) => boolean;
  readonly listen: Listener;
}

/** Sends no more than a run may: in its time, in all, and to the sites of others. */
export function keepLimits({ deadline, budget, restraint, isKnown, listen }: Limits): Layer {
  return async (request, next) => {
    const leave = (failure: FetchFailure): Fetched => {
      listen({ kind: 'unsent', request, failure });
      return { failure };
    };
    if (deadline.aborted) return leave('run_deadline');
    const { url, isForeign, isFurther, priority } = request;
    const isFree = !isForeign || !restraint || isKnown(request);
    const mayAsk = !isForeign || (budget.takeForeign() && (isFree || (await restraint.mayAskOther(siteKey(url)))));
    if (!mayAsk) return leave('foreign_spent');
    if (!budget.take(isFurther ? 'further' : 'first', priority)) return leave('budget_spent');
    return await next(request);
  };
}
