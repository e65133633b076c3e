import { FreeScans } from '../../../src/app/free-scan/free-scans.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { EXCLUDED, excludeHost, includeHost, listExcludedHosts } from '../../../src/app/sites/excluded-hosts.js';
import { createOwnership } from '../../../src/app/sites/ownership.js';
import { createSites } from '../../../src/app/sites/sites.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, scanReport, TestClock } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { finishRun } from '../../support/finish-run.js';
import { insertRow, rowsOf } from '../../support/tables.js';
import { noTrials } from '../../support/no-trials.js';

const REFUSED = { name: 'InputError', message: EXCLUDED };
const NO_VISIT = () => Promise.reject(new Error('nobody is visited'));

async function prepare(db: Database) {
  const clock = new TestClock();
  const { id: accountId } = await addAccount(db);
  const sites = createSites({ db, clock, vetSite: () => true });
  let scanCount = 0;
  const scan = async () => {
    scanCount += 1;
    return scanReport();
  };
  const slots = new Slots(10);
  const runs = createRuns({ db, clock, performRun: createRunPerformer({ db, clock, scan, slots }) });
  return {
    ...{ db, accountId, sites, clock },
    ownership: createOwnership({ db, clock, sites, resolveTxt: () => Promise.resolve([]), openVisit: NO_VISIT }),
    freeScans: new FreeScans({
      tryFile: noTrials,
      ...{ db, clock, scan, slots, scanConcurrency: 10, vetSite: () => true },
      ...{ addressesOf: async ({ hostname }) => [hostname] },
    }),
    start: (siteId: string) => runs.start({ accountId, siteId, trigger: 'API' }),
    scanCount: () => scanCount,
  };
}

onEitherDatabase(async (t, engine) => {
  t.test('an excluded host, and each name below it, cannot be added, verified or scanned', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, sites, ownership, freeScans, clock, start, scanCount } = await prepare(db);
    const own = await addSite(db, accountId, { hostname: 'example-shop.com' });
    const below = await addSite(db, accountId, { hostname: 'http://www.example-shop.com:8080' });
    const others = ['my-example-shop.com', 'example-shop.com.other.org'];
    const other = await addSite(db, accountId, { hostname: others[0] ?? '' });

    const { host, siteIds } = await excludeHost({ db, clock }, 'https://Example-Shop.com/prices');
    t.equal(host, 'example-shop.com');
    t.same([...siteIds].sort(), [own.id, below.id].sort());
    for (const { id } of [own, below]) {
      t.match(await sites.get(id), { verifiedAt: null, ownershipLostAt: clock.now().toISOString() });
      await t.rejects(start(id), { code: 'domain_not_verified' });
      await t.rejects(ownership.verify(await sites.get(id), 'operator'), REFUSED);
      await t.rejects(sites.markVerified(id, 'operator'), REFUSED, 'not even by force');
    }
    for (const site of ['example-shop.com', 'a.b.example-shop.com', 'example-shop.com:8443']) {
      await t.rejects(sites.add({ accountId, site: `https://new.${site}` }), REFUSED, site);
      await t.rejects(freeScans.start({ site: `https://${site}/page`, clientAddress: '192.0.2.7' }), REFUSED, site);
      const asked = { site: `https://${site}`, clientAddress: '192.0.2.7', checkIds: ['C-LLMS-01'] };
      await t.rejects(freeScans.verify(asked), REFUSED, site);
    }
    t.equal(scanCount(), 0);

    t.match(await start(other.id), { number: 1 });
    for (const site of others) await (await freeScans.start({ site, clientAddress: '192.0.2.7' })).done;
    t.equal(scanCount(), 3);
  });

  t.test('cached and public results of an excluded host are deleted, those of other hosts are not', async (t) => {
    const { db, accountId, clock } = await prepare(await engine.openDb(t));
    const at = clock.now().toISOString();
    const hosts = ['example-shop.com', 'www.example-shop.com:8443', 'my-example-shop.com'];
    for (const [index, hostname] of hosts.entries()) {
      const { id: site_id } = await addSite(db, accountId, { hostname: `http://${hostname}` });
      await finishRun({ db, clock }, { accountId, siteId: site_id }, []);
      const times = { finished_at: at, body: Buffer.from('{}') };
      await insertRow(db, 'free_scans', { hostname, started_at: at, ...times });
      for (const kind of ['badge', 'report'])
        await insertRow(db, 'publications', { site_id, kind, number: 0, token: `${kind} ${index}`, created_at: at });
      const evidence = { check_id: '', stored_at: at, evidence: Buffer.from('x'), account_id: accountId, bytes: 1 };
      await insertRow(db, 'run_evidence', { site_id, number: 1, ...evidence });
    }
    await excludeHost({ db, clock }, 'example-shop.com');
    for (const table of ['free_scans', 'run_evidence']) t.equal((await rowsOf(db, table)).length, 1, table);
    t.match(await rowsOf(db, 'free_scans'), [{ hostname: hosts[2] }]);
    const tokens = (await rowsOf(db, 'publications')).map((row) => (row as { token: string }).token);
    t.same(tokens.sort(), ['badge 2', 'report 2']);
  });

  t.test('excluded hosts are listed, and can be verified again after the exclusion ends', async (t) => {
    const { db, accountId, sites, clock } = await prepare(await engine.openDb(t));
    const { id } = await addSite(db, accountId, { hostname: 'example-shop.com' });
    t.same((await excludeHost({ db, clock }, 'example-shop.com')).siteIds, [id]);
    const excludedAt = clock.now().toISOString();
    clock.set('2026-03-16T12:00:00.000Z');
    t.same((await excludeHost({ db, clock }, 'example-shop.com')).siteIds, [], 'a second time changes nothing');
    t.same(await listExcludedHosts(db), [{ host: 'example-shop.com', excludedAt }]);
    t.same(await includeHost({ db }, 'example-shop.com'), { host: 'example-shop.com' });
    t.same(await listExcludedHosts(db), []);
    t.match(await sites.get(id), { verifiedAt: null });
    t.match(await sites.markVerified(id, 'dns'), { verifiedBy: 'dns', ownershipLostAt: null });
    await t.rejects(includeHost({ db }, 'example-shop.com'), { name: 'InputError', message: /is not excluded/ });
    for (const input of ['', 'ftp://example-shop.com', 'ex_ample.com']) {
      await t.rejects(excludeHost({ db, clock }, input), { name: 'InputError' }, input);
    }
  });
});
