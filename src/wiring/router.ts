import { METRICS_PATH } from '../platform/http/metrics.js';
import { pathOf } from '../platform/http/request.js';
import type { Handle } from '../platform/http/server.js';

/** The probe app answers the paths of omitted apps with 404. */
export interface AppHandlers {
  /** `/healthz` and `/readyz`. */
  readonly probes: Handle;
  /** `/api/…` */
  readonly api?: Handle;
  /** `/mcp` itself; below it there are pages. */
  readonly mcp?: Handle;
  /** `/hooks/…`, which deployments call. */
  readonly hooks?: Handle;
  /** Everything else. */
  readonly web?: Handle;
  /** `/metrics`; by default an unknown path. */
  readonly metrics?: Handle | undefined;
}

/** Routes each request to an app by its path as it was sent. */
export function createAppRouter({
  probes,
  api = probes,
  mcp = probes,
  hooks = probes,
  web = probes,
  metrics = web,
}: AppHandlers): Handle {
  return (request, response) => {
    const path = pathOf(request.url ?? '');
    // The API answers targets that are no path, such as the * of OPTIONS.
    if (path === '' || path === '/api' || path.startsWith('/api/')) return api(request, response);
    if (path === '/healthz' || path === '/readyz') return probes(request, response);
    if (path === METRICS_PATH) return metrics(request, response);
    if (path.startsWith('/hooks/')) return hooks(request, response);
    return (path === '/mcp' ? mcp : web)(request, response);
  };
}
