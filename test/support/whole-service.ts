import { type Config, readConfig } from '../../src/config.js';
import { createServer, Lifecycle } from '../../src/platform/http/server.js';
import { createAppRouter, createMetricsEndpoint, createProbeApp } from '../../src/platform/http/app.js';
import { systemClock } from '../../src/platform/clock.js';
import type { Logger } from '../../src/platform/logging.js';
import { createMetrics, type Metrics } from '../../src/wiring/metrics.js';
import type { Database } from '../../src/store/database.js';
import { createApps } from '../../src/wiring/apps.js';
import type { Scanning } from '../../src/package/scanning.js';
import { overlayOfFile } from '../../src/scanner/client/stand-in.js';
import { createScanners } from '../../src/scanner/scan/scanner.js';
import { createServices } from '../../src/wiring/services.js';
import { DOCUMENT } from './contract.js';
import { TEST_PASSWORD } from './passwords.js';
import { TestWorker } from './queue.js';
import type { Scope } from './service.js';
import { PUBLIC_URL } from './services.js';
import { createTestLogger } from './test-logger.js';

const METRICS_TOKEN = 'a-token-for-the-metrics';

/**
 * Starts the service as it is put together for production, with every room, over a real database and real sockets of loopback.
 * @param openScanning returns how it reaches sites, by way of a name server of the test
 */
export async function startWholeService(
  t: Pick<Scope, 'teardown'>,
  db: Database,
  openScanning: (deps: { readonly config: Config; readonly logger: Logger; readonly metrics: Metrics }) => Scanning,
  environment: Readonly<Record<string, string>> = {},
) {
  const config = readConfig({
    ...{ PUBLIC_URL, PORT: '0', TRUST_PROXY: '1', METRICS_TOKEN, MONTHLY_QUOTA: '1000000' },
    ...{ SITES_MAX: '1000000', SCAN_CONCURRENCY: '40', ...environment },
  });
  const version = '0.0.0-test';
  const { logger, log } = createTestLogger();
  const lifecycle = new Lifecycle();
  const metrics = createMetrics({ version, role: 'all', isExposed: false });
  const scanning = openScanning({ config, logger, metrics });
  const { scan, tryOverlay } = createScanners(scanning);
  const {
    context,
    app: services,
    queues,
  } = createServices({
    ...{ config, db, logger, scanning, role: 'all', version, metrics },
    // Scans run in this process, where tests see what they send.
    scanners: {
      scan,
      scanFree: scan,
      tryFile: (target, path, file, onProgress) => tryOverlay(target, overlayOfFile(path, file), onProgress),
    },
  });
  const worker = new TestWorker(queues, { db, clock: systemClock });
  const http = { observeRequest: metrics.observeRequest, logger, lifecycle, trustProxy: config.trustProxy };
  const readDocument = () => Promise.resolve(JSON.stringify(DOCUMENT));
  const apps = await createApps({ context, app: services, http, config, readDocument });
  const handle = createAppRouter({
    ...apps.handlers,
    probes: createProbeApp(http, async () => null).callback(),
    metrics: createMetricsEndpoint(http, metrics, METRICS_TOKEN).callback(),
  });
  const server = createServer({ handle, lifecycle, logger });
  const { port } = await server.listen(config.port, '127.0.0.1');
  t.teardown(async () => {
    await Promise.all([server.close(), services.close()]);
    await services.settle();
    await apps.close();
  });
  let memberCount = 0;
  return {
    ...{ services, scanning, port, metricsToken: METRICS_TOKEN },
    log,
    performJobs: () => worker.performAll(),
    /** Adds an account with a key and a session. */
    async addMember() {
      memberCount += 1;
      const { account, signInLink } = await services.accounts.create({
        ...{ email: `member${memberCount}@example.com`, plan: 'SCALE' },
      });
      const accountId = account.id;
      const { key } = await services.keys.create({ accountId, name: 'test' });
      const { token } = await services.signIn.useLink({ token: signInLink.token, password: TEST_PASSWORD });
      return { accountId, key, token };
    },
  };
}
