import type Router from '@koa/router';
import type Koa from 'koa';
import type { Test } from 'tap';
import type { Account } from '../../src/app/accounts/accounts.js';
import { createSignIn } from '../../src/app/accounts/sign-in.js';
import type { Context } from '../../src/app/context.js';
import { createServer, Lifecycle } from '../../src/platform/http/server.js';
import { Slots } from '../../src/platform/slots.js';
import { startNodeTimer, type StartTimer } from '../../src/platform/clock.js';
import { CHECKS } from '../../src/scanner/checks/index.js';
import type { Database } from '../../src/store/database.js';
import type { RouteDeps, WebState } from '../../src/web/server/page.js';
import { createPages } from '../../src/wiring/apps.js';
import { addAccount, TestClock } from './accounts.js';
import { DOCUMENT } from './contract.js';
import { Visitor } from './http-client.js';
import { TEST_PASSWORD } from './passwords.js';
import { createRechecks, createRunWorker } from './queue.js';
import { openServices } from './services.js';
import { createTestLogger } from './test-logger.js';

export type RunningWeb = Awaited<ReturnType<typeof startWeb>>;

/** Such as `POST /keys/:keyId/revoke`. */
export interface WebRoute {
  readonly method: string;
  readonly path: string;
}

export type WebOptions = Partial<Omit<RouteDeps, 'clock'>> &
  Partial<Pick<Context, 'scan' | 'scanFree' | 'vetSite' | 'resolveTxt' | 'openVisit'>> & { readonly clock?: TestClock };

/** Polling of twice a second is nearly immediate. */
const startQuickTimer: StartTimer = (action, delayMs) => startNodeTimer(action, delayMs / 100);

/** Starts the pages over real services and a database, on a free port of loopback, until the test ends. */
export async function startWeb(t: Pick<Test, 'teardown'>, db: Database, options: WebOptions = {}) {
  const { logger, log } = createTestLogger();
  const lifecycle = new Lifecycle();
  const services = openServices<TestClock>(db, { clock: new TestClock(), ...options, logger });
  const { clock, accounts, passwords } = services;
  const worker = createRunWorker({ ...services, slots: new Slots(20), startTimer: startQuickTimer }).listen();
  const rechecks = createRechecks(services);
  const deps: RouteDeps = {
    ...services,
    checks: CHECKS,
    document: DOCUMENT,
    mcpDocuments: { serverCard: {}, manifest: {}, catalogEntry: {} },
    trustProxy: 0,
    contact: null,
    isSignUpOpen: true,
    evidenceDays: 90,
    version: '0.0.0-test',
    lifecycle,
    ...options,
  };
  const app = await createPages(deps);
  const server = createServer({ handle: app.callback(), lifecycle, logger });
  const { port } = await server.listen(0, '127.0.0.1');
  /** Resolves when all started runs and rechecks have ended. */
  const runsSettled = async (): Promise<void> => {
    await worker.settle();
    await rechecks.settle();
  };
  t.teardown(async () => {
    await server.close();
    await runsSettled();
  });
  return {
    ...{ ...services, port, lifecycle, rechecks, runsSettled },
    log,
    routes: routesOf(app),
    newVisitor: () => new Visitor(port),
    /** Signs in a member, by default of a new account on MONITOR. */
    async newMember(given?: Account): Promise<Visitor & { readonly account: Account }> {
      const account = given ?? (await addAccount(db, 'MONITOR', clock));
      const link = await accounts.createSignInLink(account.id);
      const { token } = await createSignIn({ db, clock, passwords }).useLink({
        ...{ token: link.token, password: TEST_PASSWORD },
      });
      return Object.assign(new Visitor(port, `__Host-session=${token}`), { account });
    },
  };
}

/** Reads the routes of the application: its middleware names its router. */
function routesOf(app: Koa<WebState>): WebRoute[] {
  const routers = app.middleware.flatMap((middleware) => ('router' in middleware ? [middleware.router as Router] : []));
  return routers.flatMap(({ stack }) =>
    stack.flatMap(({ methods, path }) => methods.map((method) => ({ method, path: String(path) }))),
  );
}
