import { createHook } from '../../../src/app/automation/deploy-hooks.js';
import { readConfig } from '../../../src/config.js';
import { TransportError } from '../../../src/net/failure.js';
import { createGuard } from '../../../src/net/guard.js';
import { systemClock as clock } from '../../../src/platform/clock.js';
import type { Database } from '../../../src/store/database.js';
import { TEST_PASSWORD } from '../../support/passwords.js';
import type { Scope } from '../../support/service.js';
import { PUBLIC_URL } from '../../support/start-api.js';
import { rowsOf } from '../../support/tables.js';
import { startWholeService } from '../../support/whole-service.js';

const METRICS_TOKEN = 'a-token-for-the-metrics';

export type House = Awaited<ReturnType<typeof openHouse>>;

/** The whole service on one port. No name resolves, so a scan ends at once. */
export async function openHouse(t: Pick<Scope, 'teardown'>, db: Database) {
  const config = readConfig({
    ...{ PUBLIC_URL, PORT: '0', TRUST_PROXY: '1', METRICS_TOKEN },
    ...{ SITES_MAX: '1000000', SCAN_CONCURRENCY: '40' },
  });
  const resolver = {
    resolveAddresses: () => Promise.reject(new TransportError('name_not_found')),
    resolveTxt: async () => [],
    isNameGone: async () => false,
  };
  const openScanning = () => ({ clock, guard: createGuard(), resolver });
  const { services, port, log } = await startWholeService(t, { config, db, openScanning });
  const { sites, accounts } = services;
  let count = 0;

  const addSite = async (accountId: string, isVerified = true): Promise<string> => {
    count += 1;
    const { id } = await sites.add({ accountId, site: `bytes${count}.example.com` });
    if (isVerified) await sites.markVerified(id, 'operator');
    return id;
  };
  return {
    port,
    addSite,
    /** Warnings, errors, and lines with an API key. */
    logFaults: () =>
      log.map((line) => JSON.stringify(line)).filter((line) => /"level":"(?:warn|error|fatal)"|ars_/.test(line)),
    /** Adds an account with a key, a session, a verified site with a run, an unverified site, and a deploy hook. */
    async addMember() {
      count += 1;
      const { account, signInLink } = await accounts.create({ email: `bytes${count}@example.com`, plan: 'SCALE' });
      const accountId = account.id;
      const siteId = await addSite(accountId);
      await services.runs.start({ accountId, siteId, trigger: 'MANUAL' });
      return {
        ...{ accountId, own: siteId, unverified: await addSite(accountId, false), metrics: METRICS_TOKEN },
        good: (await services.keys.create({ accountId, name: 'bytes' })).key,
        cookie: (await services.signIn.useLink({ token: signInLink.token, password: TEST_PASSWORD })).token,
        hook: await createHook({ db, clock }, { accountId, siteId }),
      };
    },
    async runsOf(siteId: string): Promise<number> {
      return ((await rowsOf(db, 'runs')) as { site_id: string }[]).filter((row) => row.site_id === siteId).length;
    },
  };
}
