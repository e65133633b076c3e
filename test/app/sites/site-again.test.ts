import type { Test } from 'tap';
import type { Trigger } from '../../../src/app/runs/run.js';
import { findOwnSite, type SiteOfAccount } from '../../../src/app/sites/site.js';
import { callHook, createHook } from '../../../src/app/automation/deploy-hooks.js';
import { setSchedule } from '../../../src/app/automation/schedules.js';
import { BADGE, publish } from '../../../src/app/publications/publications.js';
import type { Database } from '../../../src/store/database.js';
import { addAccount } from '../../support/accounts.js';
import { changeDatabase } from '../../support/changed-database.js';
import { dailyRunsRow } from '../../support/daily-runs.js';
import { onEachDatabase, onPostgres, type TestEngine } from '../../support/databases.js';
import { connectRaw, insertion, untilBlocked } from '../../support/raw-connection.js';
import { openServices } from '../../support/services.js';
import { insertRow } from '../../support/tables.js';

async function prepare(t: Test, engine: TestEngine) {
  const db = await engine.openDb(t);
  const services = openServices(db);
  const { sites, siteRemoval, runs } = services;
  const { id: accountId } = await addAccount(db);
  const add = async (site: string, account = accountId) => {
    const { id: siteId } = await sites.add({ accountId: account, site });
    await sites.markVerified(siteId, 'operator');
    return { accountId: account, siteId };
  };
  const remove = async (siteId: string) => siteRemoval.removeOwn(await findOwnSite(db, { accountId, siteId }));
  /** Starts as many runs as it may. @returns how many that were */
  const useUp = async (at: SiteOfAccount, trigger: Trigger) => {
    for (let count = 0; ; count += 1) {
      const started: unknown = await runs.start({ ...at, trigger }).catch((error: unknown) => error);
      if (!(started instanceof Error)) continue;
      t.match(started, { code: 'daily_runs_exceeded' });
      return count;
    }
  };
  const removeAndAdd = async ({ siteId }: SiteOfAccount, site: string) => {
    await remove(siteId);
    return add(site);
  };
  return { ...services, accountId, add, remove, useUp, removeAndAdd };
}

/** Calls `act` just before the database is asked for the `nth` time. */
function interrupted(db: Database, nth: number, act: () => Promise<unknown>): Database {
  let count = 0;
  const step = async (): Promise<void> => {
    count += 1;
    if (count === nth) await act();
  };
  return changeDatabase(db, {
    run: async (query) => step().then(() => db.run(query)),
    transaction: async (work) => step().then(() => db.transaction(work)),
  });
}

onEachDatabase(async (t, engine) => {
  t.test('a site that is removed and added again continues with the runs of its day, by either scheme', async (t) => {
    const { db, clock, accountId, runs, add, useUp, removeAndAdd } = await prepare(t, engine);
    let at = await add('shop.example.com');
    let got = 0;
    for (const site of ['http://shop.example.com', 'https://shop.example.com', 'http://shop.example.com:443']) {
      await runs.start({ ...at, trigger: 'API' });
      got += 1;
      at = await removeAndAdd(at, site);
    }
    got += await useUp(at, 'API');
    t.equal(await useUp(at, 'MANUAL'), 10);
    await insertRow(db, 'rate_windows', dailyRunsRow(accountId, 'shop.example.com', 'POST_DEPLOY', 24));
    at = await removeAndAdd(at, 'shop.example.com');
    got += await useUp(at, 'API');
    t.equal(got, 5, 'API runs of the day');
    t.equal(await useUp(at, 'MANUAL'), 0);
    const token = await createHook({ db, clock }, at);
    await t.rejects(callHook({ db, clock }, token, 0), { code: 'daily_runs_exceeded' });

    const stranger = await addAccount(db);
    t.equal(await useUp(await add('shop.example.com', stranger.id), 'API'), 5, 'of another account');
    t.equal(await useUp(await add('https://shop.example.com:8443'), 'API'), 5, 'at another port');
    clock.set('2026-03-16T00:00:00.000Z');
    t.equal(await useUp(await removeAndAdd(at, 'shop.example.com'), 'API'), 5, 'on another day');
  });

  t.test('a host has one site, by http or by https', async (t) => {
    const { add, remove } = await prepare(t, engine);
    for (const [site, other] of Object.entries({
      'https://a.example.com': 'http://a.example.com',
      'http://b.example.com': 'https://b.example.com',
      'http://c.example.com:8080': 'https://c.example.com:8080',
      'https://d.example.com:80': 'http://d.example.com',
      'http://e.example.com:443': 'http://e.example.com',
    })) {
      const { siteId } = await add(site);
      await t.rejects(add(other), { name: 'InputError', message: `has this host, as ${site}.` });
      await t.rejects(add(site), { name: 'InputError', message: /already has this site/ });
      await remove(siteId);
      await add(other);
    }
    for (const site of ['https://a.example.com:8443', 'http://c.example.com', 'http://80.example.com']) await add(site);
  });

  t.test('a setting for a site that is removed at the same time is refused as for an unknown site', async (t) => {
    const { db, clock, add, remove } = await prepare(t, engine);
    for (const setUp of [
      (at: SiteOfAccount, db: Database) => publish({ db, clock }, at, BADGE),
      (at: SiteOfAccount, db: Database) => createHook({ db, clock }, at),
      (at: SiteOfAccount, db: Database) => setSchedule({ db, clock }, at, 'DAILY'),
    ]) {
      for (const nth of [1, 2, 3]) {
        const at = await add('shop.example.com');
        const watched = interrupted(db, nth, () => remove(at.siteId));
        const refusal: unknown = await setUp(at, watched).catch((error: unknown) => error);
        // Without a refusal the site went afterwards, or is still there.
        if (!(refusal instanceof Error)) await remove(at.siteId).catch(() => null);
        else t.match(refusal, { code: 'site_not_found' }, `${String(setUp)}, step ${nth}`);
      }
    }
  });
});

onPostgres(async (t, engine) => {
  t.test('a run that is admitted while its site is removed counts for the day', async (t) => {
    const { db, accountId, add, useUp, remove } = await prepare(t, engine);
    const { siteId } = await add('shop.example.com');
    const admission = await connectRaw(db.url);
    t.teardown(() => admission.close());
    await admission.exec(`BEGIN; SELECT id FROM sites WHERE id = '${siteId}' FOR KEY SHARE`);
    await admission.exec(insertion('rate_windows', dailyRunsRow(accountId, 'shop.example.com', 'API', 1)));
    const removed = remove(siteId);
    await untilBlocked(db.url, removed);
    await admission.exec('COMMIT');
    await removed;
    t.equal(await useUp(await add('shop.example.com'), 'API'), 4);
  });
});
