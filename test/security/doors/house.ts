import { readConfig } from '../../../src/config.js';
import { type TestWebhooks, webhooksOf } from '../../support/webhooks.js';
import { createOwnership, type Ownership } from '../../../src/app/sites/ownership.js';
import { createSites, type Sites } from '../../../src/app/sites/sites.js';
import { openNetworkSession } from '../../../src/scanner/scan/scanner.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { TEST_PASSWORD } from '../../support/passwords.js';
import type { Scope } from '../../support/service.js';
import { Visitor } from '../../support/web.js';
import { startWholeService, type WholeService } from '../../support/whole-service.js';
import type { World } from './world.js';

/** The whole service as it is wired, but for the name server that it asks. */
export interface House extends Pick<WholeService, 'services' | 'port' | 'performJobs'> {
  /** The same tables, through services that let every target in: as it was stored before its name began to lead elsewhere. */
  readonly lax: { readonly sites: Sites; readonly ownership: Ownership; readonly webhooks: TestWebhooks };
  readonly webhooks: TestWebhooks;
  readonly accountId: string;
  readonly key: string;
  /** A browser in which the account's holder is signed in. */
  readonly member: Visitor;
  /** Used runs outlive a site, and used tests a webhook; most targets are hosts of a few names. */
  forgetLimits(): Promise<void>;
  /** The address of a client that never came before, as a proxy in front names it. */
  newClientAddress(): string;
}

export async function openHouse(t: Pick<Scope, 'teardown'>, db: Database, world: World): Promise<House> {
  const config = readConfig({
    ...{ PUBLIC_URL: 'https://readiness.test', PORT: '0' },
    ...{ TRUST_PROXY: '1', MONTHLY_QUOTA: '1000000', SITES_MAX: '1000000', SCAN_CONCURRENCY: '40' },
  });
  const { scanning } = world;
  const { clock } = scanning;
  const whole = await startWholeService(t, { config, db, openScanning: () => scanning });
  const { services, port, performJobs } = whole;
  world.reach(port);
  const { account, signInLink } = await services.accounts.create({ email: 'owner@example.com', plan: 'MONITOR' });
  const { token } = await services.signIn.useLink({ token: signInLink.token, password: TEST_PASSWORD });
  const member = new Visitor(port);
  member.cookie = `__Host-session=${token}`;
  const sites = createSites({ db, clock, vetSite: () => true, sitesMaxOverride: 1_000_000 });
  let clients = 0;
  return {
    ...{ services, port, member, performJobs, accountId: account.id },
    key: (await services.keys.create({ accountId: account.id, name: 'doors' })).key,
    webhooks: webhooksOf({ db, clock, hasMail: false, vetWebhook: services.vetWebhook }),
    lax: {
      sites,
      ownership: createOwnership({
        ...{ db, clock, sites },
        resolveTxt: (name) => scanning.resolver.resolveTxt(name),
        openVisit: async (target) => openNetworkSession(target, scanning),
      }),
      webhooks: webhooksOf({
        ...{ db, clock, hasMail: false },
        vetWebhook: () => Promise.resolve(null),
      }),
    },
    forgetLimits: async () => {
      await db.run(forgetLimits({}));
    },
    newClientAddress() {
      clients += 1;
      return `198.51.${clients >> 8}.${clients & 255}`;
    },
  };
}

const forgetLimits = defineQuery<never>((sql) => sql('rate_windows').delete());
