import { accountData, siteRemoval } from './removal.js';
import type Router from '@koa/router';
import type Koa from 'koa';
import type { Test } from 'tap';
import { CHECKS } from '../../src/scanner/checks/index.js';
import type { Clock } from '../../src/platform/clock.js';
import { createServer, Lifecycle } from '../../src/platform/http/server.js';
import type { Scanner } from '../../src/scanner/scan/scanner.js';
import { type Account, createAccounts } from '../../src/app/accounts/accounts.js';
import { readEvents } from '../../src/app/audit/audit.js';
import { History } from '../../src/app/runs/history.js';
import { createKeys } from '../../src/app/keys/keys.js';
import { ManualRuns } from '../../src/app/runs/queued-runs.js';
import { createMailedLinks } from '../../src/app/accounts/mails.js';
import { createOwnership } from '../../src/app/sites/ownership.js';
import { Exports } from '../../src/app/data/exports.js';
import { createPasswords } from '../../src/app/accounts/passwords.js';
import { createRunPerformer } from '../../src/app/runs/run-performer.js';
import { createRuns, type Runs } from '../../src/app/runs/runs.js';
import { Slots } from '../../src/platform/slots.js';
import { startNodeTimer, type StartTimer } from '../../src/platform/timer.js';
import { createSignIn, type SignIn } from '../../src/app/accounts/sign-in.js';
import { createSites, type Sites } from '../../src/app/sites/sites.js';
import type { Database } from '../../src/store/database.js';
import { createPages } from '../../src/wiring/apps.js';
import type { RouteDeps, WebState } from '../../src/web/server/page.js';
import { addAccount, RELEASE, scanReport, TestClock } from './accounts.js';
import { TEST_PASSWORD } from './passwords.js';
import { createRunWorker } from './queue.js';
import { createRechecks } from './rechecks.js';
import { createTestLogger } from './test-logger.js';
import { DOCUMENT } from './contract.js';
import { type HttpAnswer, type HttpRequest, send } from './http-client.js';

/** The public address of the pages in tests, by https unless said otherwise. */
export const WEB_URL = 'https://readiness.test';

/** The pages over real services and a database, on a free port of loopback, until the test ends. */
export interface RunningWeb {
  readonly db: Database;
  readonly clock: TestClock;
  readonly port: number;
  readonly lifecycle: Lifecycle;
  /** What was logged, one object a line. */
  readonly log: Record<string, unknown>[];
  readonly signIn: SignIn;
  readonly runs: Runs;
  readonly sites: Sites;
  readonly manualRuns: ManualRuns;
  readonly rechecks: ReturnType<typeof createRechecks>;
  /** Resolves when every run that was started has ended, and every check that is made again. */
  runsSettled(): Promise<void>;
  /** Every route of the pages, as the router has them. */
  readonly routes: readonly WebRoute[];
  /** A browser without anything remembered. */
  newVisitor(): Visitor;
  /** A browser in which the account's holder is signed in; a new account on MONITOR unless one is given. */
  newMember(account?: Account): Promise<Visitor & { readonly account: Account }>;
}

/** Such as `POST /keys/:keyId/revoke`. */
export interface WebRoute {
  readonly method: string;
  readonly path: string;
}

export interface WebOptions extends Partial<RouteDeps> {
  /** By default one that reports at once. */
  readonly scan?: Scanner;
  readonly vetSite?: (origin: URL) => boolean;
}

/** A client that keeps its cookies, and sends what a browser sends with its own forms. */
export class Visitor {
  #cookie: string | null = null;

  constructor(private readonly port: number) {}

  get(path: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.send(path, { headers: { accept: 'text/html', ...headers } });
  }

  post(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams(fields).toString();
    return this.send(path, { method: 'POST', headers: { accept: 'text/html', ...form, ...headers }, body });
  }

  /** The cookie of the session as it is sent; null when there is none. */
  get cookie(): string | null {
    return this.#cookie;
  }

  set cookie(cookie: string | null) {
    this.#cookie = cookie;
  }

  /** Any request, with the cookies. */
  async send(path: string, request: HttpRequest): Promise<HttpAnswer> {
    const headers = { ...request.headers, ...(this.#cookie !== null && { cookie: this.#cookie }) };
    const answer = await send(this.port, path, { ...request, headers });
    for (const line of (answer.headers['set-cookie'] ?? []) as readonly string[]) {
      const [pair = ''] = line.split(';', 1);
      this.#cookie = pair.endsWith('=') ? null : pair;
    }
    return answer;
  }
}

/** What is looked at twice a second is looked at at once. */
const startQuickTimer: StartTimer = (action, delayMs) => startNodeTimer(action, delayMs / 100);

/** Cheap passwords: what the real cost is, the tests of passwords look at. */
const CHEAP = createPasswords({ cost: { logN: 4, r: 1, p: 1 } });

export { TEST_PASSWORD };

const scanNothing = () => Promise.reject(new Error('this test scans nothing without a key'));

const NO_FREE_SCANS = {
  start: scanNothing,
  verify: scanNothing,
  tryFile: scanNothing,
  find: () => Promise.resolve(null),
  settle: () => Promise.resolve(),
} as unknown as RouteDeps['freeScans'];

/** What the holder of an account has, alongside sites and runs; nothing of it leaves this process. */
export function createAccountServices(db: Database, clock: Clock) {
  return {
    history: new History({ db, clock }),
    keys: createKeys({ db, clock }),
    mailedLinks: createMailedLinks({ db, clock }),
    accountData: accountData({ db, clock }),
    exports: new Exports(),
    readEvents: (accountId: string, before?: string) => readEvents(db, accountId, before),
    vetWebhook: async ({ protocol }: URL) => (protocol === 'https:' ? null : ('not_https' as const)),
  };
}

export async function startWeb(t: Pick<Test, 'teardown'>, db: Database, options: WebOptions = {}): Promise<RunningWeb> {
  const { scan = () => Promise.resolve(scanReport()), vetSite = () => true, ...overrides } = options;
  const clock = new TestClock();
  const { logger, log } = createTestLogger();
  const lifecycle = new Lifecycle();
  const sites = createSites({ db, clock, vetSite });
  const performRun = createRunPerformer({ db, clock, scan, slots: new Slots(20), release: RELEASE });
  const runs = createRuns({ db, clock, performRun });
  const signIn = createSignIn({ db, clock, passwords: CHEAP, hasMail: true });
  const worker = createRunWorker({ db, clock, scan, slots: new Slots(20), startTimer: startQuickTimer });
  worker.listen();
  const manualRuns = new ManualRuns({ db, clock });
  const rechecks = createRechecks({ db, clock, scan });
  const ownership = createOwnership({
    ...{ db, clock, sites },
    resolveTxt: () => Promise.resolve([]),
    openVisit: () => {
      throw new Error('this test visits nobody');
    },
  });
  const deps: RouteDeps = {
    signIn,
    sites,
    siteRemoval: siteRemoval({ db, clock }),
    ownership,
    manualRuns,
    ...createAccountServices(db, clock),
    freeScans: NO_FREE_SCANS,
    checks: CHECKS,
    document: DOCUMENT,
    mcpDocuments: { serverCard: {}, manifest: {}, registryEntry: {}, catalogEntry: {} },
    publicUrl: WEB_URL,
    trustProxy: 0,
    contact: null,
    hasMail: true,
    isSignUpOpen: true,
    evidenceDays: 90,
    version: '0.0.0-test',
    db,
    clock,
    logger,
    lifecycle,
    ...overrides,
  };
  const app = await createPages(deps);
  const server = createServer({ handle: app.callback(), lifecycle, logger });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(async () => {
    await server.close();
    await worker.settle();
    await rechecks.settle();
  });
  return {
    ...{ db, clock, port, lifecycle, log, signIn, runs, sites, manualRuns, rechecks, routes: routesOf(app) },
    runsSettled: async () => {
      await worker.settle();
      await rechecks.settle();
    },
    newVisitor: () => new Visitor(port),
    newMember: async (account) => signInMember(port, { db, clock }, account),
  };
}

/** What the application's router was given: its middleware says which router it is of. */
function routesOf(app: Koa<WebState>): WebRoute[] {
  const routers = app.middleware.flatMap((middleware) => ('router' in middleware ? [middleware.router as Router] : []));
  return routers.flatMap(({ stack }) =>
    stack.flatMap(({ methods, path }) => methods.map((method) => ({ method, path: String(path) }))),
  );
}

async function signInMember(
  port: number,
  { db, clock }: Pick<RunningWeb, 'db' | 'clock'>,
  given?: Account,
): Promise<Visitor & { readonly account: Account }> {
  const account = given ?? (await addAccount(db, 'MONITOR', clock));
  const link = await createAccounts({ db, clock }).createSignInLink(account.id);
  // Nobody waits for the mail that tells of it.
  const signIn = createSignIn({ db, clock, passwords: CHEAP });
  const { token } = await signIn.useLink({ token: link.token, password: TEST_PASSWORD });
  const visitor = new Visitor(port);
  visitor.cookie = `__Host-session=${token}`;
  return Object.assign(visitor, { account });
}
