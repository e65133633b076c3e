import { Gauge, Histogram, type Registry } from 'prom-client';

/** The apps that answer requests. */
export type AppName = 'api' | 'web' | 'mcp' | 'hooks' | 'metrics';

export interface AnsweredRequest {
  readonly method: string;
  /** The template of the matched path; null if none matched. */
  readonly route: string | null;
  readonly status: number;
  readonly durationMs: number;
}

/** Call it when a request begins; call the returned function once, when the request is answered. */
export type ObserveRequest = (app: AppName) => (answered: AnsweredRequest) => void;

/** Reads take milliseconds; a client may wait up to 70 s for a run. */
const BUCKETS_S = [0.005, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 5, 15, 60, 90];

/** Node knows three dozen methods; this bounds the series that a client can create by trying them all. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createRequestMetrics(register: Registry): ObserveRequest {
  const durations = new Histogram({
    name: 'agent_readiness_http_request_duration_seconds',
    help: 'Time to answer an HTTP request, by app, method, template of the path ("none" where none matched) and class of the status.',
    labelNames: ['app', 'method', 'route', 'status'] as const,
    buckets: BUCKETS_S,
    registers: [register],
  });
  const inFlight = new Map<AppName, number>();
  new Gauge({
    name: 'agent_readiness_http_requests_in_flight',
    help: 'HTTP requests that are being answered, by app.',
    labelNames: ['app'] as const,
    registers: [register],
    collect() {
      for (const [app, count] of inFlight) this.set({ app }, count);
    },
  });
  return (app) => {
    inFlight.set(app, (inFlight.get(app) ?? 0) + 1);
    return ({ method, route, status, durationMs }) => {
      inFlight.set(app, (inFlight.get(app) ?? 0) - 1);
      const labels = {
        app,
        method: METHODS.has(method) ? method : 'other',
        route: route ?? 'none',
        status: `${Math.floor(status / 100)}xx`,
      };
      durations.observe(labels, durationMs / 1000);
    };
  };
}
