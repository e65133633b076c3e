import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { openNetworkSession } from '../../../src/scanner/scan/scanner.js';
import type { Scope } from '../../support/service.js';
import { openServices } from '../../support/services.js';
import { Visitor } from '../../support/web.js';
import { webhooksOf } from '../../support/webhooks.js';
import { startWholeService } from '../../support/whole-service.js';
import type { World } from './world.js';

export type House = Awaited<ReturnType<typeof openHouse>>;

const forgetLimits = defineQuery<never>((sql) => sql('rate_windows').delete());

/** The whole service as it is wired, but for the name server that it asks. */
export async function openHouse(t: Pick<Scope, 'teardown'>, db: Database, world: World) {
  const { scanning } = world;
  const { clock, resolver } = scanning;
  const { services, port, performJobs, addMember } = await startWholeService(t, db, () => scanning);
  world.reach(port);
  const { accountId, key, token } = await addMember();
  const lax = openServices(db, {
    ...{ clock, sitesMaxOverride: 1_000_000, vetWebhook: async () => null, resolveTxt: resolver.resolveTxt },
    openVisit: async (target) => openNetworkSession(target, scanning),
  });
  let clients = 0;
  return {
    ...{ services, port, performJobs, accountId, key },
    /** A browser in which the account's holder is signed in. */
    member: new Visitor(port, `__Host-session=${token}`),
    webhooks: webhooksOf({ db, clock, hasMail: false, vetWebhook: services.vetWebhook }),
    /** Services that let every target in: as it was stored before its name began to lead elsewhere. */
    lax: { ...lax, webhooks: webhooksOf(lax) },
    /** Used runs outlive a site, and used tests a webhook; most targets are hosts of a few names. */
    async forgetLimits() {
      await db.run(forgetLimits({}));
    },
    /** The address of a client that never came before, as a proxy in front names it. */
    newClientAddress() {
      clients += 1;
      return `198.51.${clients >> 8}.${clients & 255}`;
    },
  };
}
