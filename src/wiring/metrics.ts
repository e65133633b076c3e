import type { Config } from '../config.js';
import type { Role } from '../platform/role.js';
import { createMetricsEndpoint } from '../platform/http/metrics-endpoint.js';
import { createServer } from '../platform/http/server.js';
import { Lifecycle } from '../platform/lifecycle.js';
import type { Logger } from '../platform/logging.js';
import { createMetrics, type Metrics } from './process-metrics.js';
import type { Handle } from './app-router.js';
import { listenOn } from './listen.js';

/** Few read the metrics, and none of them is a stranger; their connections are of those that the process keeps to itself. */
const SCRAPERS = { total: 32, perAddress: 32 };

type MetricsConfig = Pick<Config, 'metricsToken' | 'metricsPort'>;

export interface ShowingMetrics {
  readonly config: MetricsConfig & Pick<Config, 'host'>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** The metrics of a serving process; the process itself is measured only where the metrics are on. */
export function createProcessMetrics(
  { metricsToken, metricsPort }: MetricsConfig,
  { version, role }: { readonly version: string; readonly role: Role },
): Metrics {
  return createMetrics({ version, role, isShown: metricsToken !== null || metricsPort !== null });
}

/** `/metrics` at the port of everything else; undefined where no token is set. */
export function createMetricsApp(
  { config, metrics, logger }: ShowingMetrics,
  lifecycle: Lifecycle,
): Handle | undefined {
  const token = config.metricsToken;
  return token === null ? undefined : createMetricsEndpoint({ metrics, token, logger, lifecycle }).callback();
}

/** `/metrics` at a separate port, if METRICS_PORT is set. */
export interface MetricsServer {
  /** Resolves once it listens. */
  open(): Promise<void>;
  /** Opened or not. */
  close(): Promise<void>;
}

export function createMetricsServer({ config, metrics, logger }: ShowingMetrics): MetricsServer {
  const { host, metricsPort } = config;
  if (metricsPort === null) return { open: () => Promise.resolve(), close: () => Promise.resolve() };
  // Its end is not the end of the process, which can be watched while it stops.
  const lifecycle = new Lifecycle();
  const endpoint = createMetricsEndpoint({ metrics, token: null, logger, lifecycle });
  const server = createServer({ handle: endpoint.callback(), lifecycle, logger, connections: SCRAPERS });
  return {
    async open() {
      const { address, port } = await listenOn(server, { host, port: metricsPort, variable: 'METRICS_PORT' });
      logger.info({ address, port }, 'metrics listening');
    },
    close: () => server.close(),
  };
}
