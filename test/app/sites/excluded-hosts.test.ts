import { EXCLUDED } from '../../../src/app/sites/excluded-hosts.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount, addSite, scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { finishRun } from '../../support/runs.js';
import { openServices } from '../../support/services.js';
import { insertRow, rowsOf } from '../../support/tables.js';

const REFUSED = { name: 'InputError', message: EXCLUDED };

async function prepare(db: Database) {
  let scanCount = 0;
  const scan = async () => {
    scanCount += 1;
    return scanReport();
  };
  const { id: accountId } = await addAccount(db);
  return { ...openServices(db, { scan, scanFree: scan }), accountId, scanCount: () => scanCount };
}

onEitherDatabase(async (t, engine) => {
  t.test('an excluded host, and each name below it, cannot be added, verified or scanned', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, sites, ownership, freeScans, excludedHosts, runs, clock, scanCount } = await prepare(db);
    const own = await addSite(db, accountId, { hostname: 'example-shop.com' });
    const below = await addSite(db, accountId, { hostname: 'http://www.example-shop.com:8080' });
    const others = ['my-example-shop.com', 'example-shop.com.other.org'];
    const other = await addSite(db, accountId, { hostname: others[0] ?? '' });

    const { host, siteIds } = await excludedHosts.add('https://Example-Shop.com/prices');
    t.equal(host, 'example-shop.com');
    t.same([...siteIds].sort(), [own.id, below.id].sort());
    for (const { id } of [own, below]) {
      t.match(await sites.get(id), { verifiedAt: null, ownershipLostAt: clock.now().toISOString() });
      await t.rejects(runs.start({ accountId, siteId: id, trigger: 'API' }), { code: 'domain_not_verified' });
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

    t.match(await runs.start({ accountId, siteId: other.id, trigger: 'API' }), { number: 1 });
    for (const site of others) await (await freeScans.start({ site, clientAddress: '192.0.2.7' })).done;
    t.equal(scanCount(), 3);
  });

  t.test('cached and public results of an excluded host are deleted, those of other hosts are not', async (t) => {
    const { db, accountId, clock, excludedHosts } = await prepare(await engine.openDb(t));
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
    await excludedHosts.add('example-shop.com');
    for (const table of ['free_scans', 'run_evidence']) t.equal((await rowsOf(db, table)).length, 1, table);
    t.match(await rowsOf(db, 'free_scans'), [{ hostname: hosts[2] }]);
    const tokens = (await rowsOf(db, 'publications')).map((row) => (row as { token: string }).token);
    t.same(tokens.sort(), ['badge 2', 'report 2']);
  });

  t.test('excluded hosts are listed, and can be verified again after the exclusion ends', async (t) => {
    const { db, accountId, sites, clock, excludedHosts } = await prepare(await engine.openDb(t));
    const { id } = await addSite(db, accountId, { hostname: 'example-shop.com' });
    t.same((await excludedHosts.add('example-shop.com')).siteIds, [id]);
    const excludedAt = clock.now().toISOString();
    clock.set('2026-03-16T12:00:00.000Z');
    t.same((await excludedHosts.add('example-shop.com')).siteIds, [], 'a second time changes nothing');
    t.same(await excludedHosts.list(), [{ host: 'example-shop.com', excludedAt }]);
    t.same(await excludedHosts.remove('example-shop.com'), { host: 'example-shop.com' });
    t.same(await excludedHosts.list(), []);
    t.match(await sites.get(id), { verifiedAt: null });
    t.match(await sites.markVerified(id, 'dns'), { verifiedBy: 'dns', ownershipLostAt: null });
    await t.rejects(excludedHosts.remove('example-shop.com'), { name: 'InputError', message: /is not excluded/ });
    for (const input of ['', 'ftp://example-shop.com', 'ex_ample.com']) {
      await t.rejects(excludedHosts.add(input), { name: 'InputError' }, input);
    }
  });
});
