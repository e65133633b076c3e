import type { Test } from 'tap';
import { createApi } from '../../src/api/api.js';
import type { ApiServices } from '../../src/api/operation.js';
import type { Admission } from '../../src/app/keys/access.js';
import { createKeys } from '../../src/app/keys/keys.js';
import type { StartedRun } from '../../src/app/runs/runs.js';
import { ServiceError } from '../../src/platform/errors.js';
import { entityTagOf } from '../../src/platform/http/answer.js';
import { type CheckReadiness, createAppRouter, createProbeApp } from '../../src/platform/http/app.js';
import { createServer, Lifecycle } from '../../src/platform/http/server.js';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import type { Database } from '../../src/store/database.js';
import { addAccount, addKey, addSite, scanReport, TestClock } from './accounts.js';
import { DOCUMENT } from './contract.js';
import { type HttpRequest, send } from './http-client.js';
import type { Scope } from './service.js';
import { openServices, PUBLIC_URL } from './services.js';
import { createTestLogger } from './test-logger.js';

interface StartDeps
  extends Pick<ApiServices, 'access' | 'runs'>, Partial<Pick<ApiServices, 'observeRequest' | 'clock' | 'contact'>> {
  readonly checkReadiness?: CheckReadiness;
  readonly graceMs?: number;
}

/** Starts the API and the probes. */
export async function startApi(
  t: Pick<Scope, 'teardown'>,
  { graceMs, checkReadiness = async () => null, ...deps }: StartDeps,
) {
  const { logger, log } = createTestLogger();
  const lifecycle = new Lifecycle();
  const app = await createApi({
    document: DOCUMENT,
    publicUrl: PUBLIC_URL,
    lifecycle,
    logger,
    clock: new TestClock(),
    ...deps,
  });
  const [api, probes] = [app.callback(), createProbeApp({ ...deps, lifecycle, logger }, checkReadiness).callback()];
  const handle = createAppRouter({ probes, api, mcp: api, hooks: api, web: api });
  const options = { handle, lifecycle, logger };
  const server = createServer(graceMs === undefined ? options : { ...options, graceMs });
  const { port } = await server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  return {
    ...{ port, server, lifecycle },
    log,
    send: (path: string, request?: HttpRequest) => send(port, path, request),
  };
}

export type LiveApi = Awaited<ReturnType<typeof startLiveApi>>;

/** Starts the API over the real service and a database. Only the scan is a stand-in. */
export async function startLiveApi(
  t: Pick<Scope, 'teardown'>,
  db: Database,
  monthlyQuotaOverride: number | null = null,
  scan: () => Promise<ScanReport> = () => Promise.resolve(scanReport()),
) {
  const { access, runs, clock } = openServices(db, { monthlyQuotaOverride, scan });
  t.teardown(() => access.settle());
  return { ...(await startApi(t, { access, runs, clock })), db, clock };
}

/** Adds an account with a verified site and a key. */
export async function addCustomer(db: Database, plan = 'MONITOR') {
  const account = await addAccount(db, plan);
  const site = await addSite(db, account.id);
  return { account, site, key: await addKey(db, account.id) };
}

export async function addRevokedKey(db: Database, accountId: string): Promise<string> {
  const keys = createKeys({ db, clock: new TestClock() });
  const { apiKey, key } = await keys.create({ accountId, name: 'revoked' });
  await keys.revoke(apiKey.id);
  return key;
}

export const SITE_ID = `site_${'a'.repeat(20)}`;
const NOW = new TestClock().now();
/** A key that the fake access accepts. */
export const GOOD = { Authorization: 'Bearer good' };

/** No serializer writes a run in this way, so an answer with these bytes was not rewritten. */
const RUN_BODY = Buffer.from(
  `{ "site": {"id": "${SITE_ID}", "hostname": "www.example.com"}, "findings": [],
  "run": {"number": 3, "reference": "CR-000003", "score": null, "trigger": "API",
  "startedAt": "2026-01-02T03:04:05.000Z", "finishedAt": "2026-01-02T03:04:06.000Z"} }`,
);

export const RUN: StartedRun = {
  ...{ siteId: SITE_ID, number: 3, body: RUN_BODY, etag: entityTagOf(RUN_BODY), isReplay: false },
  daily: { policy: 'day', limit: 5, remaining: 3, at: NOW },
};

type FakeDeps = Partial<Omit<StartDeps, 'runs'>> & { readonly runs?: Partial<StartDeps['runs']> };

/** Starts the API over stand-ins of access and runs. */
export async function startFakeApi(t: Test, { runs, ...given }: FakeDeps = {}) {
  const ledger = { used: 0 };
  const api = await startApi(t, {
    access: { admit: (authorization) => Promise.resolve(admit(authorization, ledger)) },
    runs: {
      start: () => Promise.resolve(RUN),
      read: () => Promise.resolve(RUN),
      prepareRead: () => undefined,
      ...runs,
    },
    ...given,
  });
  return {
    ...api,
    /** How many requests were charged and not refunded. */
    charges: () => ledger.used,
  };
}

const LIMIT = 100;

function admit(authorization: string | undefined, ledger: { used: number }): Admission {
  if (authorization === undefined) throw new ServiceError('missing_api_key');
  if (authorization !== GOOD.Authorization) throw new ServiceError('invalid_api_key');
  ledger.used += 1;
  const rest = () => ({ policy: 'month', limit: LIMIT, remaining: Math.max(0, LIMIT - ledger.used), at: NOW }) as const;
  const refund = () => {
    ledger.used -= 1;
    return Promise.resolve(rest());
  };
  return { accountId: 'acc_a', keyId: 'key_a', rateLimit: rest(), refund };
}
