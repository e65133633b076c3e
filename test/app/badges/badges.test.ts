import { siteRemoval } from '../../support/removal.js';
import { Badges } from '../../../src/app/badges/badges.js';
import type { Database } from '../../../src/store/database.js';
import { onEachDatabase } from '../../support/databases.js';
import { asOwner } from '../../support/as-owner.js';
import { findOwnSite } from '../../../src/app/sites/own-site.js';
import { addScoredSite } from '../../support/scored-site.js';

/** A site, and the service of its badge. */
async function prepare(db: Database) {
  const site = await addScoredSite(db);
  return { ...site, badges: asOwner(db, new Badges({ db, clock: site.clock }), 'tokenOf') };
}

onEachDatabase(async (t, engine) => {
  t.test('the badge is off at first, and can be turned on, given a new address, and turned off', async (t) => {
    const { badges, at, finishRun } = await prepare(await engine.openDb(t));
    t.equal(await badges.tokenOf(at), null);
    const first = await badges.turnOn(at);
    t.equal(await badges.tokenOf(at), first, 'its address can be looked up');
    t.same(await badges.find(first), { score: null, findings: [] }, 'no run yet');
    await finishRun(72);
    const found = { score: 72, findings: [{ checkId: 'C-LLMS-01', result: 'PASS' }] };
    t.same(await badges.find(first), found);
    await finishRun(null);
    t.same(await badges.find(first), found, 'a run without a score says nothing of the site');
    const second = await badges.turnOn(at);
    t.equal(await badges.find(first), null, 'the address before stops working');
    await badges.turnOff(at);
    for (const token of [second, 'A'.repeat(43), '', 'x']) t.equal(await badges.find(token), null);
  });

  t.test('a badge goes with its site, and is nobody else’s', async (t) => {
    const db = await engine.openDb(t);
    const { badges, at, clock } = await prepare(db);
    const token = await badges.turnOn(at);
    const foreign = { ...at, accountId: 'acc_aaaaaaaaaaaaaaaaaaaa' };
    const attempts: (() => Promise<unknown>)[] = [
      () => badges.tokenOf(foreign),
      () => badges.turnOn(foreign),
      () => badges.turnOff(foreign),
    ];
    for (const attempt of attempts) await t.rejects(attempt(), { code: 'site_not_found' });
    t.equal(await badges.tokenOf(at), token);
    await siteRemoval({ db, clock }).removeOwn(await findOwnSite(db, at));
    t.equal(await badges.find(token), null);
  });
});
