import type { Test } from 'tap';
import { BADGE, publish } from '../../../src/app/publications/publications.js';
import type { Database } from '../../../src/store/database.js';
import { ownershipRecords } from '../../support/txt-records.js';
import { scanReport, TestClock, tokenOf } from '../../support/accounts.js';
import { laterThan } from '../../../src/platform/clock.js';
import { digestSecretToken, newId, newSecretToken } from '../../../src/platform/ids.js';
import { finding } from '../../support/findings.js';
import { addDelivery, addFullAccount, STORED_SECRETS } from '../../support/full-account.js';
import { insertRow, rowsOf, tablesOf } from '../../support/tables.js';
import { visitNobody } from '../../support/visit-site.js';
import { startWeb, Visitor, type WebRoute } from '../../support/web.js';

/**
 * The pages with an account that has something of everything, so that every address of the router leads to something, and every
 * form would do something.
 */
export async function openHouse(t: Test, db: Database) {
  const clock = new TestClock();
  const person = await addFullAccount(db, clock, { runCount: 1 });
  const failing = [finding({ checkId: 'C-LLMS-01', result: 'FAIL' })];
  const web = await startWeb(t, db, {
    clock,
    // What is found can be accepted, and checked again.
    scan: async () => ({ ...scanReport(0), findings: failing }),
    scanFree: async () => scanReport(),
    // Whoever asks is shown a proof: a check that another site's form could start would be seen.
    resolveTxt: ownershipRecords(async () => [await tokenOf(db, unverified)]),
    openVisit: visitNobody,
  });
  const { accounts, freeScans, sites } = web;
  const [site] = person.sites;
  if (!site) throw new Error('the account has no site');
  const unverified = await sites.add({ accountId: person.accountId, site: 'new.example.com' });
  const at = { accountId: person.accountId, siteId: site.id };
  await web.runs.start({ ...at, trigger: 'SCHEDULED' });
  const deliveryId = await addDelivery(db, {
    ...{ accountId: person.accountId, siteId: null, webhookId: person.webhookId, now: clock.now().toISOString() },
  });
  await freeScans.start({ site: 'shop.example.com', clientAddress: '192.0.2.1' });
  await freeScans.close();
  const offId = newId('wh');
  const now = clock.now().toISOString();
  await insertRow(db, 'webhooks', {
    ...{ id: offId, account_id: person.accountId, url: 'https://off.example.com/', secret: STORED_SECRETS.webhook },
    ...{ created_at: now, disabled_at: now },
  });
  const report = await publish({ db, clock }, at, { kind: 'report', number: null });
  const [session] = await web.signIn.listSessions(person.accountId);
  const values: Readonly<Record<string, string>> = {
    ...{ siteId: site.id, number: '2', keyId: person.keyId, webhookId: person.webhookId, deliveryId },
    ...{ sessionId: session?.id ?? '', hostname: 'shop.example.com', checkId: 'C-LLMS-01', errorType: 'MISSING' },
  };
  const tokens: Readonly<Record<string, () => Promise<string>>> = {
    '/sign-in/:token': async () => (await accounts.createSignInLink(person.accountId)).token,
    '/sign-up/:token': async () => {
      const token = newSecretToken();
      const expires_at = laterThan(clock.now(), 3_600_000);
      await insertRow(db, 'sign_in_links', { digest: digestSecretToken(token), email: 'new@example.com', expires_at });
      return token;
    },
    '/badges/:token.svg': () => publish({ db, clock }, at, BADGE),
    '/reports/:token': async () => report,
    '/reports/:token/markdown': async () => report,
  };
  return {
    ...{ ...web, person, site },
    newHolder: () => new Visitor(web.port, `__Host-session=${person.session.token}`),
    /** What was written since the dump, and what is gone: the names of the tables. */
    async changesSince(before: readonly string[], without: readonly string[] = []): Promise<string[]> {
      const after = await dumpDatabase(db, without);
      const changed = [
        ...before.filter((row) => !after.includes(row)),
        ...after.filter((row) => !before.includes(row)),
      ];
      return changed.map((row) => row.split(' ', 1)[0] ?? '');
    },
    /** The address of a route, with what leads somewhere in the place of its parameters. */
    async addressOf({ path }: WebRoute): Promise<string> {
      const token = path.includes(':token') ? await tokens[path]?.() : undefined;
      const filled = path.replace(/:(\w+)/g, (_, name: string) => {
        const value = name === 'token' ? token : (SPECIAL[path]?.(unverified.id, offId) ?? values[name]);
        if (value === undefined) throw new Error(`nobody says what ${name} of ${path} is`);
        return value;
      });
      return path.endsWith('/compare') ? `${filled}?from=1&to=2` : filled;
    },
  };
}

/** Where the form of a route does nothing more to what is as it should be. */
const SPECIAL: Readonly<Record<string, (unverifiedSiteId: string, disabledWebhookId: string) => string>> = {
  '/sites/:siteId/verify': (siteId) => siteId,
  '/alerts/webhooks/:webhookId/enable': (_, webhookId) => webhookId,
};

/** Everything in the database, but for the columns that are left out: one text a row. */
export async function dumpDatabase(db: Database, without: readonly string[] = []): Promise<string[]> {
  const dumped: string[] = [];
  for (const table of await tablesOf(db)) {
    for (const row of await rowsOf(db, table)) {
      const kept = Object.entries(row).filter(([name]) => !without.includes(`${table}.${name}`));
      dumped.push(`${table} ${JSON.stringify(Object.fromEntries(kept))}`);
    }
  }
  return dumped.sort();
}
