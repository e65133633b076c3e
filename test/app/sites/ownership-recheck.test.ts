import { proofConsequences } from '../../../src/app/app.js';
import { ServiceError } from '../../../src/platform/errors.js';
import { addJob } from '../../../src/queue/jobs.js';
import { readEvents } from '../../../src/app/audit/audit.js';
import { callHook, createHook } from '../../../src/app/automation/deploy-hooks.js';
import { planSchedules, setSchedule } from '../../../src/app/automation/schedules.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { createRuns } from '../../../src/app/runs/runs.js';
import { createOwnership } from '../../../src/app/sites/ownership.js';
import { recheckOwnership } from '../../../src/app/sites/ownership-recheck.js';
import { createSites } from '../../../src/app/sites/sites.js';
import { Slots } from '../../../src/platform/slots.js';
import { ResponseHeaders } from '../../../src/net/transport.js';
import { detectChallenge } from '../../../src/scanner/client/challenge.js';
import type { Fetched } from '../../../src/scanner/client/visit.js';
import type { Database } from '../../../src/store/database.js';
import { ownershipRecords, visitBy } from '../../support/txt-records.js';
import { addAccount, scanReport, TestClock, tokenOf } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { createRunWorker, jobsOf } from '../../support/queue.js';
import { createTestLogger } from '../../support/test-logger.js';
import { findOwnSite } from '../../../src/app/sites/site.js';

type VerifiedBy = Parameters<ReturnType<typeof createSites>['markVerified']>[1];

/** What the site of a test answers at the file and at its home page, and the DNS: a status, a body, a redirect, or a failure. */
interface World {
  txt: readonly string[] | 'no answer';
  file: number | string | URL;
  home: number | string | URL;
}

const NOTHING: World = { txt: [], file: 404, home: '<title>Shop</title>' };
const DOWN: World = { txt: 'no answer', file: 503, home: 503 };

function fetched(url: URL, answer: World['file']): Fetched {
  if (answer === 0) return { failure: 'connect_timeout' };
  const status = typeof answer === 'number' ? answer : answer instanceof URL ? 302 : 200;
  const headers = new ResponseHeaders(answer instanceof URL ? [['Location', answer.href]] : []);
  const body = Buffer.from(typeof answer === 'string' ? answer : '');
  const challenge = detectChallenge({ status, headers, body });
  return { response: { status, url, hops: [], headers, body, byteCount: body.length, isOverLimit: false, challenge } };
}

async function prepare(db: Database, by: VerifiedBy = 'file', hostname = 'shop.example.com') {
  const clock = new TestClock();
  const { logger, log } = createTestLogger();
  const sites = createSites({ db, clock, vetSite: () => true });
  const account = await addAccount(db, 'MONITOR', clock);
  const { id: siteId } = await sites.add({ accountId: account.id, site: hostname });
  const site = await sites.markVerified(siteId, by);
  const token = await tokenOf(db, site);
  const world: World = { ...NOTHING };
  const asked: string[] = [];
  const ownership = createOwnership({
    db,
    clock,
    sites,
    resolveTxt: ownershipRecords(() => {
      if (world.txt === 'no answer') throw new Error('no answer');
      return world.txt;
    }),
    openVisit: async () =>
      visitBy(async (url) => {
        asked.push(url.href);
        return fetched(url, url.pathname === '/' ? world.home : world.file);
      }),
  });
  const dns = { isNameGone: async () => false, answersControl: async () => true };
  const deps = {
    db,
    clock,
    logger,
    ownership,
    dns,
    consequences: proofConsequences(true),
  };
  /** Has the sites that are due checked at a time. */
  const recheckAt = async (iso: string, answers: Partial<World> = NOTHING) => {
    clock.set(iso);
    Object.assign(world, NOTHING, answers);
    await recheckOwnership(deps);
    return sites.get(siteId);
  };
  return { db, clock, log, sites, account, siteId, token, asked, ownership, world, deps, recheckAt };
}

onEitherDatabase(async (t, engine) => {
  t.test('ownership ends if the proof is absent on two days; the first check comes after 30 days', async (t) => {
    const { recheckAt, asked, account, siteId, log, deps } = await prepare(await engine.openDb(t));
    await recheckAt('2026-04-14T11:59:59.999Z');
    t.same(asked, []);
    t.match(await recheckAt('2026-04-14T12:00:00.000Z'), { verifiedBy: 'file', ownershipLostAt: null });
    t.equal(asked.length, 2);
    t.match(await recheckAt('2026-04-15T11:59:59.999Z'), { verifiedBy: 'file' });
    t.equal(asked.length, 2, 'not sooner than a day later');
    t.match(await recheckAt('2026-04-15T12:00:00.000Z'), {
      ...{ verifiedAt: null, verifiedBy: null, ownershipLostAt: '2026-04-15T12:00:00.000Z' },
    });
    const { events } = await readEvents(deps.db, account.id);
    t.match(events[0], { event: 'ownership_lost', subject: 'shop.example.com', actor: 'service', address: null });
    t.match(log, [{ level: 'warn', siteId, accountId: account.id }]);
    await recheckAt('2026-07-15T12:00:00.000Z');
    t.equal(asked.length, 4, 'what is not verified is not asked');
  });

  t.test('only a certain absence ends the ownership within days', async (t) => {
    const db = await engine.openDb(t);
    const challenge = '<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/x"></script>';
    const stays: [by: VerifiedBy, answers: Partial<World>][] = [
      ['dns', { txt: 'no answer' }],
      ['dns', DOWN],
      ...[0, 401, 403, 429, 500, 503, challenge].map((file): [VerifiedBy, Partial<World>] => ['file', { file }]),
      ['file', { file: new URL('https://shop.example.com/.well-known/agent-readiness-verification.txt') }],
      ['meta', { home: 503 }],
      ['meta', { home: challenge }],
      ['operator', NOTHING],
    ];
    const goes: [by: VerifiedBy, answers: Partial<World>][] = [
      ['dns', { ...DOWN, txt: [] }],
      ['dns', { txt: ['of another account'] }],
      ['file', { ...DOWN, file: 410 }],
      ['file', { file: 'another text' }],
      ['file', { file: new URL('https://www.example.org/') }],
      ['file', { file: new URL('http://shop.example.com/') }],
      ['meta', { file: 503, home: 404 }],
      ['meta', { home: '<meta name="agent-readiness-verification" content="another">' }],
    ];
    for (const [isLost, cases] of [[false, stays] as const, [true, goes] as const]) {
      for (const [by, answers] of cases) {
        const { recheckAt } = await prepare(db, by);
        for (const day of [14, 15, 16]) await recheckAt(`2026-04-${day}T12:00:00.000Z`, answers);
        const { verifiedAt } = await recheckAt('2026-04-16T13:00:00.000Z', answers);
        t.equal(
          verifiedAt === null,
          isLost,
          `${by} ${String(answers.txt)} ${String(answers.file)} ${String(answers.home)}`,
        );
      }
    }
  });

  t.test('a proof found by another way resets the count', async (t) => {
    const { recheckAt, token } = await prepare(await engine.openDb(t));
    await recheckAt('2026-04-14T12:00:00.000Z');
    t.match(await recheckAt('2026-04-15T12:00:00.000Z', { txt: [token] }), { verifiedBy: 'dns' });
    await recheckAt('2026-05-15T12:00:00.000Z', { txt: [] });
    t.match(await recheckAt('2026-05-16T11:00:00.000Z', { txt: [] }), { verifiedBy: 'dns' });
  });

  t.test('no run starts without ownership; verifying again restores everything', async (t) => {
    const db = await engine.openDb(t);
    const { recheckAt, clock, sites, account, siteId, token, ownership, world } = await prepare(db);
    const scan = async () => scanReport();
    const performRun = createRunPerformer({ db, clock, scan, slots: new Slots(1) });
    const runs = createRuns({ db, clock, performRun });
    const own = { accountId: account.id, siteId };
    const hook = await createHook({ db, clock }, own);
    await setSchedule({ db, clock }, own, 'DAILY');
    await runs.start({ ...own, trigger: 'API' });
    await recheckAt('2026-04-14T12:00:00.000Z');
    const due = { account_id: account.id, site_id: siteId, run_after: clock.now().toISOString() };
    const queued = { queue: 'runs', kind: 'MANUAL', key: siteId, ...due } as const;
    await db.transaction((tx) => addJob(tx, queued, clock.now()));
    await recheckAt('2026-04-15T12:00:00.000Z');
    const refusal = { name: 'ServiceError', code: 'domain_not_verified' };
    await t.rejects(runs.start({ ...own, trigger: 'API' }), refusal);
    await t.rejects(callHook({ db, clock }, hook, 0), refusal);
    await planSchedules({ db, clock });
    await createRunWorker({ db, clock, scan }).performAll();
    t.same(await jobsOf(db), [], 'what was queued is dropped');
    t.match(await runs.latest(own), { number: 1 }, 'what was found can be read');

    world.file = token;
    t.match(await ownership.verify(await findOwnSite(db, own)), { provedBy: 'file', site: { ownershipLostAt: null } });
    t.match((await runs.start({ ...own, trigger: 'API' })).number, 2);
    await callHook({ db, clock }, hook, 0);
    clock.set('2026-04-17T12:00:00.000Z');
    await planSchedules({ db, clock });
    t.same((await jobsOf(db)).map(({ kind }) => kind).sort(), ['POST_DEPLOY', 'SCHEDULED']);
    t.match(await recheckAt('2026-05-15T11:00:00.000Z'), { verifiedBy: 'file' }, 'due 30 days after that');
    t.match(await sites.get(siteId), { verifiedAt: '2026-04-15T12:00:00.000Z' });
  });

  t.test('many sites are checked a few at a time; a fault of ours ends no ownership', async (t) => {
    const { recheckAt, sites, account, asked, deps, clock, log } = await prepare(await engine.openDb(t));
    for (let count = 0; count < 12; count += 1) {
      const { id } = await sites.add({ accountId: account.id, site: `s${count}.example.com` });
      await sites.markVerified(id, 'file');
    }
    let [atOnce, atOnceMax, looked] = [0, 0, 0];
    const checkProof: typeof deps.ownership.checkProof = async (site) => {
      atOnceMax = Math.max(atOnceMax, (atOnce += 1));
      looked += 1;
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      if (site.hostname === 's3.example.com') throw new ServiceError('internal_error');
      return [];
    };
    clock.set('2026-04-14T12:00:00.000Z');
    await recheckOwnership({ ...deps, ownership: { checkProof } });
    t.same([looked, atOnceMax], [13, 5]);
    t.match(log, [{ msg: 'ownership check failed' }]);
    t.ok((await sites.list(account.id)).every(({ verifiedAt }) => verifiedAt !== null));
    await recheckAt('2026-04-14T13:00:00.000Z');
    t.same(asked, [], 'nobody is asked again before a day is over');
  });

  t.test('a check does not overwrite a site that was verified or removed in the meantime', async (t) => {
    const { recheckAt, sites, siteId, deps, clock } = await prepare(await engine.openDb(t));
    await recheckAt('2026-04-14T12:00:00.000Z');
    clock.set('2026-04-15T12:00:00.000Z');
    const checkProof: typeof deps.ownership.checkProof = async (site) => {
      const attempts = await deps.ownership.checkProof(site);
      await sites.markVerified(siteId, 'operator');
      return attempts;
    };
    await recheckOwnership({ ...deps, ownership: { checkProof } });
    t.match(await sites.get(siteId), { verifiedBy: 'operator', ownershipLostAt: null });
  });
});
