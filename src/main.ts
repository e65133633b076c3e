#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { CHECKS } from './checks/index.js';
import { addAccountCommands } from './cli/account.js';
import { addChecksCommand } from './cli/checks.js';
import type { AtDesk } from './cli/desk.js';
import { addKeyCommands } from './cli/key.js';
import { addMigrateCommand } from './cli/migrate.js';
import { addOpenapiCommand } from './cli/openapi.js';
import { runProgram } from './cli/program.js';
import { addScanCommand, type ScanCommandDeps } from './cli/scan.js';
import { addServeCommand } from './cli/serve.js';
import { addSiteCommands } from './cli/site.js';
import { createTerminalOutput } from './cli/terminal.js';
import { type Config, readConfig } from './config.js';
import { describeDemo, findDemoSite, prepareDemo } from './demo/first-start.js';
import { type DemoSite, startDemoSite } from './demo/server.js';
import { createGuard, type Guard } from './gather/guard/guard.js';
import { parseCidr } from './gather/guard/address-gate.js';
import { createResolver, type Resolver } from './gather/guard/resolver.js';
import { vetTarget } from './gather/guard/vet-target.js';
import { createApi } from './http/api.js';
import type { ApiDocument } from './http/contract.js';
import { Lifecycle } from './http/lifecycle.js';
import { createServer } from './http/server.js';
import { systemClock as clock } from './platform/clock.js';
import { createLogger, type Logger } from './platform/logging.js';
import { nextStopSignal } from './platform/stop-signals.js';
import { createScanner, openNetworkVisit, type ScannerDeps } from './scan/scanner.js';
import { createAccess } from './service/access.js';
import { createAccounts } from './service/accounts.js';
import { createKeys } from './service/keys.js';
import { createOwnership } from './service/ownership.js';
import { createRuns } from './service/runs.js';
import { createScanSlots } from './service/scan-slots.js';
import { createSites } from './service/sites.js';
import type { Database } from './store/database.js';
import { migrateDatabase } from './store/migrate.js';
import { openDatabase } from './store/open-database.js';
import { schemaStatus } from './store/schema-status.js';

const LOOPBACK = '127.0.0.1';
const PROJECT = new URL('..', import.meta.url);

const output = createTerminalOutput();

function readDocument(): Promise<string> {
  return readFile(new URL('generated/openapi.json', PROJECT), 'utf8');
}

async function readVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(new URL('package.json', PROJECT), 'utf8')) as { version: string };
  return manifest.version;
}

function openGuard({ scanAllowCidrs, scanAllowPorts }: Config, demoSite: DemoSite | null): Guard {
  return createGuard({
    allowCidrs: scanAllowCidrs.map(parseCidr).filter((cidr) => cidr !== null),
    allowPorts: scanAllowPorts,
    allowEndpoints: demoSite ? [{ address: LOOPBACK, port: demoSite.port }] : [],
  });
}

/** What a scan works with; the resolver also answers for TXT records. */
type Scanning = ScannerDeps & { readonly resolver: Resolver };

function scannerDeps(config: Config, guard: Guard, logger: Logger): Scanning {
  return {
    guard,
    resolver: createResolver(),
    clock,
    infoUrl: config.publicUrl,
    onRefused: (url, reason) => {
      logger.warn({ host: url.host, reason }, 'a target was refused');
    },
  };
}

/** The services that need no API: those of the operator's commands, and of the demonstration. */
function createDesk(db: Database, scanning: Scanning) {
  const accounts = createAccounts({ db, clock });
  const keys = createKeys({ db, clock });
  const sites = createSites({ db, clock, vetSite: async (origin) => (await vetTarget(scanning, origin)) === null });
  const ownership = createOwnership({
    sites,
    resolveTxt: async (name) => (await scanning.resolver.resolveTxt(name)).map((text) => [text]),
    openVisit: (target) => openNetworkVisit(target, scanning),
  });
  return { accounts, keys, sites, ownership };
}

const atDesk: AtDesk = async (work) => {
  const config = readConfig();
  const guard = openGuard(config, null);
  const db = await openDatabase(config.databaseUrl);
  try {
    const desk = createDesk(db, scannerDeps(config, guard, createLogger('silent')));
    return await work({ ...desk, signInUrl: (token) => `${config.publicUrl}/sign-in/${token}` });
  } finally {
    await db.close();
  }
};

async function serve({ isDemo }: { readonly isDemo: boolean }): Promise<void> {
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  if (config.scanAllowCidrs.length > 0 || config.scanAllowPorts.length > 0) {
    const { scanAllowCidrs, scanAllowPorts } = config;
    logger.warn({ scanAllowCidrs, scanAllowPorts }, 'the guard has exceptions: these targets may be scanned');
  }
  const db = await openDatabase(config.databaseUrl);
  if ((await schemaStatus(db)) === 'behind') {
    logger.error({}, 'the database lacks the current schema: run "agent-readiness migrate"; until then /readyz is 503');
  }
  const demoSite = isDemo ? await openDemoSite(config, db) : null;
  const guard = openGuard(config, demoSite);
  const scanning = scannerDeps(config, guard, logger);
  const slots = createScanSlots(config.scanConcurrency);
  const access = createAccess({ db, clock, monthlyQuotaOverride: config.monthlyQuota });
  const runs = createRuns({ db, clock, slots, scan: createScanner(scanning) });
  const lifecycle = new Lifecycle();
  const api = await createApi({
    access,
    runs,
    document: JSON.parse(await readDocument()) as ApiDocument,
    publicUrl: config.publicUrl,
    readiness: { isReady: async () => (await schemaStatus(db)) === 'current' },
    lifecycle,
    logger,
  });
  const server = createServer({ handle: api.callback(), lifecycle, logger });
  const stopped = nextStopSignal();
  const { address, port } = await server.listen(config.port, config.host);
  logger.info({ address, port, publicUrl: config.publicUrl }, 'listening');
  if (demoSite) {
    const demo = await prepareDemo({ ...createDesk(db, scanning), runs }, demoSite.origin);
    output.data(describeDemo(demo, config.publicUrl));
  }
  logger.info({ signal: await stopped }, 'stopping');
  await Promise.all([server.close(), slots.close(), demoSite?.close()]);
  await access.settle();
  await db.close();
  logger.info({}, 'stopped');
}

/** Serves the demonstration site where an earlier start served it; the first time on the port after our own. */
async function openDemoSite(config: Config, db: Database): Promise<DemoSite> {
  const desk = { accounts: createAccounts({ db, clock }), sites: createSites({ db, clock, vetSite: () => false }) };
  const earlier = await findDemoSite(desk);
  return startDemoSite(LOOPBACK, earlier ? Number(new URL(earlier.origin).port) : config.port + 1);
}

/** What `scan` works with: neither a database nor a server. */
function createOneScan(): Pick<ScanCommandDeps, 'vetTarget' | 'scan'> {
  const config = readConfig();
  const deps = scannerDeps(config, openGuard(config, null), createLogger('silent'));
  const scanner = createScanner(deps);
  return {
    vetTarget: (origin) => vetTarget(deps, origin),
    scan: (origin, onProgress) => scanner({ origin, isOwnershipVerified: false }, onProgress),
  };
}

const commands = [
  addServeCommand(serve),
  addMigrateCommand(() => migrateDatabase(readConfig().databaseUrl), output),
  addScanCommand(CHECKS, createOneScan, output),
  addAccountCommands(atDesk, output),
  addSiteCommands(atDesk, output),
  addKeyCommands(atDesk, output),
  addChecksCommand(CHECKS, output),
  addOpenapiCommand(readDocument, output),
];

process.exitCode = await runProgram(process.argv.slice(2), commands, output, await readVersion());
