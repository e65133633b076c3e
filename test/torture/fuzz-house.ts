import { siteRemoval } from '../support/removal.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CHECKS } from '../../src/scanner/checks/index.js';
import type { Clock } from '../../src/platform/clock.js';
import { createHookApp } from '../../src/app/automation/hook-app.js';
import { createApi } from '../../src/api/api.js';
import { createMetricsEndpoint } from '../../src/platform/http/metrics-endpoint.js';
import { createMcp } from '../../src/mcp/app.js';
import type { Lifecycle } from '../../src/platform/lifecycle.js';
import type { Logger } from '../../src/platform/logging.js';
import { createMetrics } from '../../src/wiring/metrics.js';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import type { Access } from '../../src/app/keys/access.js';
import { FreeScans } from '../../src/app/free-scan/free-scans.js';
import { createAppRouter } from '../../src/wiring/apps.js';
import { createPages } from '../../src/wiring/pages.js';
import { createRunWorker } from '../support/queue.js';
import { ManualRuns } from '../../src/app/runs/manual-runs.js';
import { createOwnership } from '../../src/app/sites/ownership.js';
import { createPasswords } from '../../src/app/accounts/passwords.js';
import { createRechecks } from '../support/rechecks.js';
import type { Runs } from '../../src/app/runs/runs.js';
import { createSignIn } from '../../src/app/accounts/sign-in.js';
import { createSites } from '../../src/app/sites/sites.js';
import { Slots } from '../../src/platform/slots.js';
import type { Database } from '../../src/store/database.js';
import { DOCUMENT } from '../support/contract.js';
import { PUBLIC_URL } from '../support/start-api.js';
import { visitNobody } from '../support/visit-site.js';
import { createAccountServices } from '../support/web.js';
import { noTrials } from '../support/no-trials.js';

/** What whoever asks for the metrics has to know. */
export const METRICS_TOKEN = 'a-token-for-the-metrics';

export interface HouseDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly scan: Scanner;
  /** The API's own, so that a fault can be put into them. */
  readonly access: Access;
  readonly runs: Runs;
}

/** Every room behind the front door, over real services; what would leave this machine is answered at once and by no site. */
export async function openHouse(deps: HouseDeps) {
  const { db, clock, logger, lifecycle, scan, access, runs } = deps;
  const sites = createSites({
    ...{ db, clock, sitesMaxOverride: 1_000_000 },
    vetSite: ({ hostname }) => !hostname.endsWith('.internal'),
  });
  const worker = createRunWorker({ db, clock, scan, slots: new Slots(400) });
  worker.listen();
  const ownership = createOwnership({ db, clock, sites, resolveTxt: async () => [], openVisit: visitNobody });
  const services = {
    ...{ sites, siteRemoval: siteRemoval({ db, clock }), runs, access },
    signIn: createSignIn({
      ...{ db, clock },
      passwords: createPasswords({ cost: { logN: 4, r: 1, p: 1 } }),
    }),
    ownership,
    manualRuns: new ManualRuns({ db, clock }),
    rechecks: createRechecks({ db, clock, scan, slots: new Slots(400) }),
    ...createAccountServices(db, clock),
    freeScans: new FreeScans({
      tryFile: noTrials,
      addressesOf: async ({ hostname }) => [hostname],
      ...{ db, clock, scan, slots: new Slots(400), scanConcurrency: 400 },
      vetSite: ({ hostname }) => !hostname.endsWith('.internal'),
    }),
  };
  const metrics = createMetrics({ version: '0.0.0', role: 'all', isShown: true });
  const { observeRequest } = metrics;
  const readiness = { whyNotReady: () => Promise.resolve(null) };
  const common = {
    ...{
      document: DOCUMENT,
      publicUrl: PUBLIC_URL,
      checks: CHECKS,
      version: '0.0.0',
      trustProxy: 1,
      contact: null,
      hasMail: true,
      isSignUpOpen: true,
      evidenceDays: 90,
    },
    ...{ clock, logger, lifecycle, observeRequest, readiness },
  };
  const mcp = createMcp({ ...services, ...common });
  const api = await createApi({ ...services, ...common });
  const web = await createPages({ ...services, ...common, db, mcpDocuments: mcp.documents });
  const metricsEndpoint = createMetricsEndpoint({ metrics, token: METRICS_TOKEN, logger, lifecycle });
  const handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = createAppRouter({
    ...{ api: api.callback(), web: web.callback(), mcp: mcp.handle },
    ...{ hooks: createHookApp({ ...services, ...common }).handle, metrics: metricsEndpoint.callback() },
  });
  return {
    handle,
    services,
    close: async () => {
      await mcp.close();
      await worker.settle();
      await services.freeScans.close();
    },
  };
}
