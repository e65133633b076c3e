import { METRICS_PATH } from '../platform/http/metrics.js';
import { pathOf } from '../platform/http/request.js';
import type { Handle } from '../platform/http/server.js';

export interface AppHandlers {
  /** `/api/…` and the probes. */
  readonly api: Handle;
  /** `/mcp` itself; below it there are pages. */
  readonly mcp: Handle;
  /** `/hooks/…`, which deployments call. */
  readonly hooks: Handle;
  /** Everything else. */
  readonly web: Handle;
  /** `/metrics`; by default an unknown path. */
  readonly metrics?: Handle | undefined;
}

const API_PATHS = /^\/(api\/|api$|healthz$|readyz$)/;

/** Routes each request to an app by its path as it was sent. */
export function createAppRouter({ api, mcp, hooks, web, metrics = web }: AppHandlers): Handle {
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    // The API answers targets that are no path, such as the * of OPTIONS.
    if (path === '' || API_PATHS.test(path)) return api(request, response);
    if (path === METRICS_PATH) return metrics(request, response);
    if (path.startsWith('/hooks/')) return hooks(request, response);
    return (path === '/mcp' ? mcp : web)(request, response);
  };
}
