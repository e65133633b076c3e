import { CHECKS } from '../checks/index.js';
import { type Config, readConfig } from '../config.js';
import { describeDemo, prepareDemo } from '../demo/first-start.js';
import { createApi } from '../http/api.js';
import type { ApiDocument } from '../http/contract.js';
import { createServer } from '../http/server.js';
import { createMcp } from '../mcp/app.js';
import { mcpDocumentsOf } from '../mcp/card.js';
import { systemClock as clock } from '../platform/clock.js';
import { Lifecycle } from '../platform/lifecycle.js';
import { createLogger, type Logger } from '../platform/logging.js';
import { nextStopSignal } from '../platform/stop-signals.js';
import type { Database } from '../store/database.js';
import { openDatabase } from '../store/open-database.js';
import { schemaStatus } from '../store/schema-status.js';
import { createWeb } from '../web/app.js';
import { SCHEMA_BEHIND, signInUrl } from './desk.js';
import { createFrontDoor, type Handle } from './front-door.js';
import { findOwnEndpoint } from './own-endpoint.js';
import { createScanning } from './scanning.js';
import { createServices, type Services } from './services.js';

export interface ServeOptions {
  /** Set up the demonstration, and let the scanner visit our own origin although it is on loopback. */
  readonly isDemo: boolean;
  readonly readDocument: () => Promise<string>;
  /** The package's own. */
  readonly version: string;
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
    await serveUntilStopped({ config, logger, db, ...options });
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
}

async function serveUntilStopped(serving: Serving): Promise<void> {
  const { config, logger, db, isDemo } = serving;
  const ownEndpoint = isDemo ? await findOwnEndpoint(config) : null;
  if (ownEndpoint) logger.info({ ...ownEndpoint }, 'the guard has an exception: our own origin may be scanned');
  const scanning = createScanning(config, logger, ownEndpoint ? [ownEndpoint] : []);
  const services = createServices({ config, db, logger, scanning, offerWork: () => undefined });
  const lifecycle = new Lifecycle();
  const rooms = await createRooms(serving, services, lifecycle);
  const server = createServer({ handle: rooms.handle, lifecycle, logger });
  const stopped = nextStopSignal();
  const { address, port } = await server.listen(config.port, config.host).catch((error: unknown) => {
    throw explainListening(error, config.port);
  });
  logger.info({ address, port, publicUrl: config.publicUrl }, 'listening');
  try {
    if (isDemo) await showDemo(serving, services);
    logger.info({ signal: await stopped }, 'stopping');
  } finally {
    await Promise.all([server.close(), services.close()]);
    await rooms.close();
  }
}

interface Rooms {
  readonly handle: Handle;
  close(): Promise<void>;
}

/** The rooms that answer requests, behind one door. */
async function createRooms(serving: Serving, services: Services, lifecycle: Lifecycle): Promise<Rooms> {
  const { config, logger, db, version } = serving;
  const { publicUrl, trustProxy, contact } = config;
  const document = JSON.parse(await serving.readDocument()) as ApiDocument;
  const isReady = async (): Promise<boolean> => (await schemaStatus(db)) === 'current';
  const common = { checks: CHECKS, publicUrl, version, clock, logger, lifecycle };
  const api = await createApi({ ...services, ...common, document, readiness: { isReady } });
  const mcpDocuments = mcpDocumentsOf({ publicUrl, version });
  const web = createWeb({ ...services, ...common, document, isReady, trustProxy, contact, mcpDocuments });
  const mcp = createMcp({ ...services, ...common, trustProxy });
  return {
    handle: createFrontDoor({ api: api.callback(), mcp: mcp.handle, web: web.callback() }),
    close: () => mcp.close(),
  };
}

async function showDemo({ config, print }: Serving, services: Services): Promise<void> {
  const demo = await prepareDemo(services, config.publicUrl);
  print(describeDemo(demo, config.publicUrl, signInUrl(config, demo.signInToken)));
}

function explainListening(error: unknown, port: number): unknown {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (!isTaken) return error;
  return new Error(`port ${port} is taken: stop what listens there, or set PORT to another`, { cause: error });
}
