import { createHook } from '../../../src/app/automation/deploy-hooks.js';
import { TransportError } from '../../../src/net/failure.js';
import { createGuard } from '../../../src/net/guard.js';
import { systemClock as clock } from '../../../src/platform/clock.js';
import type { Database } from '../../../src/store/database.js';
import type { Scope } from '../../support/service.js';
import { rowsOf } from '../../support/tables.js';
import { startWholeService } from '../../support/whole-service.js';

export type House = Awaited<ReturnType<typeof openHouse>>;

/** The whole service on one port. No name resolves, so a scan ends at once. */
export async function openHouse(t: Pick<Scope, 'teardown'>, db: Database) {
  const resolver = {
    resolveAddresses: () => Promise.reject(new TransportError('name_not_found')),
    resolveTxt: async () => [],
    isNameGone: async () => false,
  };
  const openScanning = () => ({ clock, guard: createGuard(), resolver });
  const { services, port, log, metricsToken, ...service } = await startWholeService(t, db, openScanning);
  let count = 0;

  const addSite = async (accountId: string, isVerified = true): Promise<string> => {
    count += 1;
    const { id } = await services.sites.add({ accountId, site: `bytes${count}.example.com` });
    if (isVerified) await services.sites.markVerified(id, 'operator');
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
      const { accountId, key, token } = await service.addMember();
      const siteId = await addSite(accountId);
      await services.runs.start({ accountId, siteId, trigger: 'MANUAL' });
      return {
        ...{ accountId, own: siteId, unverified: await addSite(accountId, false), metrics: metricsToken },
        ...{ good: key, cookie: token, hook: await createHook({ db, clock }, { accountId, siteId }) },
      };
    },
    async runsOf(siteId: string): Promise<number> {
      return ((await rowsOf(db, 'runs')) as { site_id: string }[]).filter((row) => row.site_id === siteId).length;
    },
  };
}
