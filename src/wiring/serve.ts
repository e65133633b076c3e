import { type Config, readConfig } from '../config.js';
import { describeDemo, findDemoSite, prepareDemo } from '../demo/first-start.js';
import { type DemoSite, startDemoSite } from '../demo/server.js';
import { createApi } from '../http/api.js';
import type { ApiDocument } from '../http/contract.js';
import { Lifecycle } from '../http/lifecycle.js';
import { createServer } from '../http/server.js';
import { systemClock as clock } from '../platform/clock.js';
import { createLogger, type Logger } from '../platform/logging.js';
import { nextStopSignal } from '../platform/stop-signals.js';
import { createScanner } from '../scan/scanner.js';
import { createAccess } from '../service/access.js';
import { createAccounts } from '../service/accounts.js';
import { createReturns } from '../service/returns.js';
import { createRuns, type Runs } from '../service/runs.js';
import { createScanSlots } from '../service/scan-slots.js';
import { createSites } from '../service/sites.js';
import type { Database } from '../store/database.js';
import { openDatabase } from '../store/open-database.js';
import { schemaStatus } from '../store/schema-status.js';
import { createDesk, SCHEMA_BEHIND } from './desk.js';
import { createScanning, type Scanning } from './scanning.js';

const LOOPBACK = '127.0.0.1';

export interface ServeOptions {
  /** Set up the demonstration, and serve its site. */
  readonly isDemo: boolean;
  readonly readDocument: () => Promise<string>;
  /** For a person at the terminal. */
  readonly print: (text: string) => void;
}

/** Starts the service; resolves when a signal has stopped it and everything is closed. */
export async function serve(options: ServeOptions): Promise<void> {
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  const db = await openDatabase(config.databaseUrl);
  try {
    await announce(config, db, logger);
    const demoSite = options.isDemo ? await openDemoSite(config, db) : null;
    try {
      await serveUntilStopped({ config, logger, db, demoSite, ...options });
    } finally {
      await demoSite?.close();
    }
  } finally {
    await db.close();
  }
  logger.info({}, 'stopped');
}

async function announce(config: Config, db: Database, logger: Logger): Promise<void> {
  const { scanAllowCidrs, scanAllowPorts } = config;
  if (scanAllowCidrs.length > 0 || scanAllowPorts.length > 0) {
    logger.warn({ scanAllowCidrs, scanAllowPorts }, 'the guard has exceptions: these targets may be scanned');
  }
  if ((await schemaStatus(db)) === 'behind') logger.error({}, `${SCHEMA_BEHIND}; until then /readyz is 503`);
}

interface Serving extends ServeOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly db: Database;
  readonly demoSite: DemoSite | null;
}

async function serveUntilStopped(serving: Serving): Promise<void> {
  const { config, logger, db, demoSite } = serving;
  const scanning = createScanning(config, logger, demoSite ? [{ address: LOOPBACK, port: demoSite.port }] : []);
  const slots = createScanSlots(config.scanConcurrency);
  const returns = createReturns(db);
  const access = createAccess({ db, clock, returns, monthlyQuotaOverride: config.monthlyQuota });
  const runs = createRuns({ db, clock, returns, slots, scan: createScanner(scanning) });
  const lifecycle = new Lifecycle();
  const api = await createApi({
    access,
    runs,
    document: JSON.parse(await serving.readDocument()) as ApiDocument,
    publicUrl: config.publicUrl,
    readiness: { isReady: async () => (await schemaStatus(db)) === 'current' },
    lifecycle,
    logger,
  });
  const server = createServer({ handle: api.callback(), lifecycle, logger });
  const stopped = nextStopSignal();
  const { address, port } = await server.listen(config.port, config.host).catch((error: unknown) => {
    throw explainListening(error, config.port);
  });
  logger.info({ address, port, publicUrl: config.publicUrl }, 'listening');
  try {
    if (demoSite) await showDemo(serving, demoSite, runs, scanning);
    logger.info({ signal: await stopped }, 'stopping');
  } finally {
    await Promise.all([server.close(), slots.close()]);
    await access.settle();
    await returns.settle();
  }
}

async function showDemo(
  { db, config, print }: Serving,
  { origin }: DemoSite,
  runs: Runs,
  scanning: Scanning,
): Promise<void> {
  print(describeDemo(await prepareDemo({ ...createDesk(db, scanning), runs }, origin), config.publicUrl));
}

/** Serves the demonstration site where an earlier start served it; the first time on the port after our own. */
async function openDemoSite(config: Config, db: Database): Promise<DemoSite> {
  const earlier = await findDemoSite({
    accounts: createAccounts({ db, clock }),
    sites: createSites({ db, clock, vetSite: () => false }),
  });
  const port = earlier ? Number(new URL(earlier.origin).port) : config.port + 1;
  return startDemoSite(LOOPBACK, port).catch((error: unknown) => {
    throw explainListening(error, port);
  });
}

function explainListening(error: unknown, port: number): unknown {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (!isTaken) return error;
  return new Error(`port ${port} is taken: stop what listens there, or set PORT to another`, { cause: error });
}
