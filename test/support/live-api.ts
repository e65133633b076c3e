import type { Scope } from './service.js';
import type { ScanReport } from '../../src/scanner/scan/scan.js';
import { createKeys } from '../../src/app/keys/keys.js';
import type { Database } from '../../src/store/database.js';
import { addAccount, addKey, addSite, scanReport, TestClock } from './accounts.js';
import { openServices } from './services.js';
import { startApi } from './start-api.js';

export type LiveApi = Awaited<ReturnType<typeof startLiveApi>>;

/** The API over the real service and a database; only the scan is a stand-in, by default one that reports at once. */
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

/** An account with a verified site and a key. */
export async function addCustomer(db: Database, plan = 'MONITOR') {
  const account = await addAccount(db, plan);
  const site = await addSite(db, account.id);
  return { account, site, key: await addKey(db, account.id) };
}

/** A key of the account that was good once. */
export async function addRevokedKey(db: Database, accountId: string): Promise<string> {
  const keys = createKeys({ db, clock: new TestClock() });
  const { apiKey, key } = await keys.create({ accountId, name: 'revoked' });
  await keys.revoke(apiKey.id);
  return key;
}
