import { createApi } from '../../../src/api/api.js';
import { createAccounts } from '../../../src/app/accounts/accounts.js';
import { createPasswords } from '../../../src/app/accounts/passwords.js';
import { createSignIn } from '../../../src/app/accounts/sign-in.js';
import { createHook, createHookApp } from '../../../src/app/automation/deploy-hooks.js';
import { FreeScans } from '../../../src/app/free-scan/free-scans.js';
import { createAccess } from '../../../src/app/keys/access.js';
import { createKeys } from '../../../src/app/keys/keys.js';
import { ManualRuns } from '../../../src/app/runs/queued-runs.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { createOwnership } from '../../../src/app/sites/ownership.js';
import { createSites } from '../../../src/app/sites/sites.js';
import { createMcp } from '../../../src/mcp/app.js';
import { createMetricsEndpoint } from '../../../src/platform/http/metrics.js';
import { createServer, Lifecycle } from '../../../src/platform/http/server.js';
import { createLogger } from '../../../src/platform/logging.js';
import { Slots } from '../../../src/platform/slots.js';
import { CHECKS } from '../../../src/scanner/checks/index.js';
import type { Database } from '../../../src/store/database.js';
import { createAppRouter } from '../../../src/wiring/router.js';
import { createMetrics } from '../../../src/wiring/metrics.js';
import { createPages } from '../../../src/wiring/apps.js';
import { scanReport, TestClock } from '../../support/accounts.js';
import { DOCUMENT } from '../../support/contract.js';
import { noTrials } from '../../support/no-trials.js';
import { TEST_PASSWORD } from '../../support/passwords.js';
import { createRunWorker } from '../../support/queue.js';
import { createRechecks } from '../../support/rechecks.js';
import { siteRemoval } from '../../support/removal.js';
import { PUBLIC_URL } from '../../support/start-api.js';
import { rowsOf } from '../../support/tables.js';
import { visitNobody } from '../../support/visit-site.js';
import { createAccountServices } from '../../support/web.js';

const METRICS_TOKEN = 'a-token-for-the-metrics';

export type House = Awaited<ReturnType<typeof openHouse>>;

/** The API, pages, MCP, hooks and metrics at one port, over real services; a scan reports at once. */
export async function openHouse(db: Database) {
  const clock = new TestClock();
  const logFaults: string[] = [];
  const logger = createLogger('info', {
    write: (line) => {
      if (/"level":"(?:warn|error|fatal)"|ars_/.test(line)) logFaults.push(line.slice(0, 2_000));
    },
  });
  const lifecycle = new Lifecycle();
  const scan = () => Promise.resolve(scanReport());
  const vetSite = ({ hostname }: URL): boolean => !hostname.endsWith('.internal');
  const slots = new Slots(400);
  const sites = createSites({ db, clock, sitesMaxOverride: 1_000_000, vetSite });
  const keys = createKeys({ db, clock });
  const accounts = createAccounts({ db, clock });
  const worker = createRunWorker({ db, clock, scan, slots });
  worker.listen();
  createRechecks({ db, clock, scan, slots });
  const access = createAccess({ db, clock });
  const services = {
    ...{ sites, access, siteRemoval: siteRemoval({ db, clock }), manualRuns: new ManualRuns({ db, clock }) },
    runs: createRuns({ db, clock, performRun: createRunPerformer({ db, clock, scan, slots }) }),
    signIn: createSignIn({ db, clock, passwords: createPasswords({ cost: { logN: 4, r: 1, p: 1 } }) }),
    ownership: createOwnership({ db, clock, sites, resolveTxt: async () => [], openVisit: visitNobody }),
    ...createAccountServices(db, clock),
    freeScans: new FreeScans({
      ...{ db, clock, scan, slots, scanConcurrency: 400, tryFile: noTrials, vetSite },
      addressesOf: async ({ hostname }) => [hostname],
    }),
  };
  const metrics = createMetrics({ version: '0.0.0', role: 'all', isShown: true });
  const common = {
    ...{ document: DOCUMENT, publicUrl: PUBLIC_URL, checks: CHECKS, version: '0.0.0', trustProxy: 1, contact: null },
    ...{ hasMail: true, isSignUpOpen: true, evidenceDays: 90, clock, logger, lifecycle },
    ...{ observeRequest: metrics.observeRequest, whyNotReady: async () => null },
  };
  const mcp = createMcp({ ...services, ...common });
  const api = await createApi({ ...services, ...common });
  const pages = createPages({ ...services, ...common, db, mcpDocuments: mcp.documents });
  const metricsEndpoint = createMetricsEndpoint({ metrics, token: METRICS_TOKEN, logger, lifecycle });
  const route = createAppRouter({
    ...{ api: api.callback(), web: pages.callback(), mcp: mcp.handle },
    ...{ hooks: createHookApp({ ...common, db }).handle, metrics: metricsEndpoint.callback() },
  });
  const pending = new Set<Promise<void>>();
  const handle: typeof route = (request, response) => {
    const handled = route(request, response).finally(() => pending.delete(handled));
    pending.add(handled);
    return handled;
  };
  const server = createServer({ handle, lifecycle, logger });
  const { port } = await server.listen(0, '127.0.0.1');
  let count = 0;

  const addSite = async (accountId: string, isVerified = true): Promise<string> => {
    count += 1;
    const { id } = await sites.add({ accountId, site: `bytes${count}.example.com` });
    if (isVerified) await sites.markVerified(id, 'operator');
    return id;
  };
  return {
    ...{ port, logFaults, addSite },
    /** An account with a key, a session, a verified site with a run, one that is not verified, and a deploy hook. */
    async addMember() {
      count += 1;
      const { account } = await accounts.create({ email: `bytes${count}@example.com`, plan: 'SCALE' });
      const [accountId, siteId] = [account.id, await addSite(account.id)];
      const { token } = await accounts.createSignInLink(accountId);
      await services.runs.start({ accountId, siteId, trigger: 'MANUAL' });
      return {
        ...{ accountId, own: siteId, unverified: await addSite(accountId, false), metrics: METRICS_TOKEN },
        good: (await keys.create({ accountId, name: 'bytes' })).key,
        cookie: (await services.signIn.useLink({ token, password: TEST_PASSWORD })).token,
        hook: await createHook({ db, clock }, { accountId, siteId }),
      };
    },
    async runsOf(siteId: string): Promise<number> {
      return ((await rowsOf(db, 'runs')) as { site_id: string }[]).filter((row) => row.site_id === siteId).length;
    },
    /** Resolves once everything that was begun for clients that are gone has ended. */
    settle: () => Promise.all(pending),
    async close(): Promise<void> {
      await server.close();
      await mcp.close();
      await worker.settle();
      await services.freeScans.close();
      await access.settle();
    },
  };
}
