import type { App } from '../../src/app/app.js';
import type { Config } from '../../src/config.js';
import { createServer, Lifecycle } from '../../src/platform/http/server.js';
import { createMetricsEndpoint } from '../../src/platform/http/metrics.js';
import { systemClock } from '../../src/platform/clock.js';
import type { Logger } from '../../src/platform/logging.js';
import { createMetrics, type Metrics } from '../../src/wiring/metrics.js';
import type { Database } from '../../src/store/database.js';
import { createApps } from '../../src/wiring/apps.js';
import { createAppRouter } from '../../src/wiring/router.js';
import type { Scanning } from '../../src/package/scanning.js';
import { overlayOfFile } from '../../src/scanner/client/stand-in.js';
import { createScanners } from '../../src/scanner/scan/scanner.js';
import { createServices } from '../../src/wiring/services.js';
import { DOCUMENT } from './contract.js';
import { TestWorker } from './queue.js';
import type { Scope } from './service.js';
import { createTestLogger } from './test-logger.js';

/** The service as it is put together for production, with every room, over a real database and real sockets of loopback. */
export interface WholeService {
  readonly services: App;
  readonly scanning: Scanning;
  readonly port: number;
  /** What was logged, one object a line. */
  readonly log: Record<string, unknown>[];
  /** Does every job that is due, until none is. */
  performJobs(): Promise<void>;
}

export interface WholeServiceOptions {
  readonly config: Config;
  readonly db: Database;
  /** How it reaches sites, by way of a name server of the test. */
  readonly openScanning: (deps: { readonly logger: Logger; readonly metrics: Metrics }) => Scanning;
}

/** Listens at the port of the configuration; both end with the test. */
export async function startWholeService(
  t: Pick<Scope, 'teardown'>,
  { config, db, openScanning }: WholeServiceOptions,
): Promise<WholeService> {
  const version = '0.0.0-test';
  const { logger, log } = createTestLogger();
  const lifecycle = new Lifecycle();
  const metrics = createMetrics({ version, role: 'all', isShown: false });
  const scanning = openScanning({ logger, metrics });
  const { scan, tryOverlay } = createScanners(scanning);
  const {
    app: services,
    queues,
    health,
  } = createServices({
    ...{ config, db, logger, scanning, role: 'all', version, metrics },
    // In this process, where tests see what scans send.
    scanners: {
      scan,
      scanFree: scan,
      tryFree: (target, path, file, onProgress) => tryOverlay(target, overlayOfFile(path, file), onProgress),
    },
  });
  const worker = new TestWorker(queues, { db, clock: systemClock });
  metrics.watch(health);
  const apps = await createApps(
    {
      ...{ config, db, logger, lifecycle, version, observeRequest: metrics.observeRequest },
      whyNotReady: async () => null,
      readDocument: () => Promise.resolve(JSON.stringify(DOCUMENT)),
    },
    services,
  );
  const token = config.metricsToken;
  const endpoint = token === null ? undefined : createMetricsEndpoint({ metrics, token, logger, lifecycle }).callback();
  const handle = createAppRouter({ ...apps, metrics: endpoint });
  const server = createServer({ handle, lifecycle, logger });
  const { port } = await server.listen(config.port, '127.0.0.1');
  t.teardown(async () => {
    await Promise.all([server.close(), services.close()]);
    await services.settle();
    await apps.close();
  });
  return { services, scanning, port, log, performJobs: () => worker.performAll() };
}
