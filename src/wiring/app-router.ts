import type { IncomingMessage, ServerResponse } from 'node:http';
import { METRICS_PATH } from '../platform/http/metrics-endpoint.js';
import { pathOf } from '../platform/http/request-target.js';

/** Answers a request; resolves when it is done, whether or not its client is still there. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface AppHandlers {
  /** `/api/…` and the probes. */
  readonly api: Handle;
  /** `/mcp` itself: what lies below it are pages. */
  readonly mcp: Handle;
  /** `/hooks/…`: what deployments call. */
  readonly hooks: Handle;
  /** Everything else. */
  readonly web: Handle;
  /** `/metrics`; left out where the operator does not want it: then it is an unknown path. */
  readonly metrics?: Handle | undefined;
}

const OF_THE_API = /^\/(api\/|api$|healthz$|readyz$)/;

/** Hands each request to the app that answers it, by its path as it was sent. */
export function createAppRouter({ api, mcp, hooks, web, metrics = web }: AppHandlers): Handle {
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    // What is not a path, such as the * of OPTIONS, is the API's to answer.
    if (path === '' || OF_THE_API.test(path)) return api(request, response);
    if (path === METRICS_PATH) return metrics(request, response);
    if (path.startsWith('/hooks/')) return hooks(request, response);
    return (path === '/mcp' ? mcp : web)(request, response);
  };
}
