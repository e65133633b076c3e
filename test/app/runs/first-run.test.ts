import type { Test } from 'tap';
import { findOwnSite } from '../../../src/app/sites/site.js';
import { ownershipRecords, visitWithoutAnswers } from '../../support/visit-site.js';
import { addAccount, addSite } from '../../support/accounts.js';
import { onEitherDatabase, type TestEngine } from '../../support/databases.js';
import { jobsOf } from '../../support/queue.js';
import { updateRows } from '../../support/tables.js';
import { openServices } from '../../support/services.js';

/** A site that is not verified, at which every proof is found. */
async function prepare(t: Test, engine: TestEngine) {
  const db = await engine.openDb(t);
  const { id: accountId } = await addAccount(db);
  const { id: siteId } = await addSite(db, accountId, { isVerified: false });
  const published: string[] = [];
  const services = openServices(db, {
    resolveTxt: ownershipRecords(() => published),
    openVisit: async () => visitWithoutAnswers(),
  });
  const { sites, ownership } = services;
  const publish = async (id = siteId) => void published.push((await ownership.instructions(await sites.get(id))).token);
  const verify = async (id = siteId) => ownership.verify(await findOwnSite(db, { accountId, siteId: id }));
  return {
    ...{ ...services, publish, verify, at: { accountId, siteId } },
    manual: services.manualRuns,
    /** Takes away the proof, as a look that does not find it does. */
    lose: () => updateRows(db, 'sites', { id: siteId }, { verified_at: null, verified_by: null }),
  };
}

onEitherDatabase(async (t, engine) => {
  t.test('the first run of a site starts with the proof that it is its owner’s, and never twice', async (t) => {
    const { db, verify, publish, manual, at } = await prepare(t, engine);
    await verify();
    t.same(await jobsOf(db), [], 'none before it is proved');
    await publish();
    const reports = await Promise.all([verify(), verify(), verify()]);
    t.ok(reports.every(({ site }) => site.verifiedAt !== null));
    t.match(await jobsOf(db), [{ kind: 'MANUAL', key: at.siteId, queue: 'runs' }]);
    t.match((await manual.pendingRuns(at)).manual, { state: 'running' });
    await verify();
    t.equal((await jobsOf(db)).length, 1);
  });

  t.test('no run starts when a site is proved again after a run, nor by the operator’s word or check', async (t) => {
    const { db, ownership, verify, publish, runs, sites, lose, at } = await prepare(t, engine);
    await publish();
    await sites.markVerified(at.siteId, 'operator');
    await lose();
    t.equal((await ownership.verify(await sites.get(at.siteId), 'operator')).provedBy, 'dns');
    t.same(await jobsOf(db), []);
    await runs.start({ ...at, trigger: 'API' });
    await lose();
    t.equal((await verify()).provedBy, 'dns');
    t.same(await jobsOf(db), []);
  });

  t.test('a site whose day is used up, by one before it on this host, is verified without a run', async (t) => {
    const { db, sites, siteRemoval, runs, verify, publish, manual, at } = await prepare(t, engine);
    await sites.markVerified(at.siteId, 'operator');
    for (let count = 0; count < 10; count += 1) await runs.start({ ...at, trigger: 'MANUAL' });
    const own = await findOwnSite(db, at);
    await siteRemoval.removeOwn(own);
    const { id } = await sites.add({ ...at, site: own.origin });
    await publish(id);
    t.equal((await verify(id)).provedBy, 'dns');
    t.equal((await manual.pendingRuns({ siteId: id })).manual, null);
    await t.rejects(manual.start({ ...at, siteId: id }), { code: 'daily_runs_exceeded' });
  });
});
