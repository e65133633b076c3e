import { readEvents } from '../../../src/app/audit/audit.js';
import { callHook, createHook } from '../../../src/app/automation/deploy-hooks.js';
import { queueDueRuns, setSchedule } from '../../../src/app/automation/schedules.js';
import { describeDeadlines, type ProofProblem } from '../../../src/app/sites/missing-proof.js';
import type { ProofMethod } from '../../../src/app/sites/proof.js';
import { findOwnSite } from '../../../src/app/sites/site.js';
import { addJob } from '../../../src/queue/jobs.js';
import { scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { evidenceFor } from '../../support/reports.js';
import { openProofs, type ProofState } from './proofs.js';
import { createRechecks, createRunWorker, jobsOf } from '../../support/queue.js';
import { openServices } from '../../support/services.js';
import { insertRow, rowsOf } from '../../support/tables.js';

const SHOP = 'shop.example.com';
const OTHER = 'other.example.org';

const LOST = { verifiedAt: null, verifiedBy: null, missingProof: null };

/** What checks on some days find, and the site afterwards. The last check decides which of the three ends applies. */
const SCRIPTS: readonly (readonly [steps: string, after: object, method?: ProofMethod])[] = [
  ['1-29 unread', { verifiedBy: 'file', missingProof: { days: 29 } }],
  ['1-30 unread', { ...LOST, ownershipLostAt: '2026-05-13T12:00:30.000Z' }],
  ['1-2 gone', { verifiedBy: 'file', missingProof: { days: 2 } }],
  ['1-3 gone', LOST],
  ['1-2 gone', { missingProof: { days: 2 } }, 'dns'],
  ['1-3 gone', LOST, 'dns'],
  ['1-10 unread, 11 absent', LOST],
  ['1 absent, 2 unread', { verifiedBy: 'file', missingProof: { days: 2 } }],
  ['1 absent, 2 gone', { verifiedBy: 'file', missingProof: { days: 2 } }],
  ['1 gone, 2 absent', LOST],
  // No process ran for weeks.
  ['1-2 unread, 60 unread', { missingProof: { days: 3 } }],
  // A fault of ours.
  ['1 unread, 2-9 fault, 10 unread', { missingProof: { days: 2 } }],
  ['1-20 unread, 21 found, 61-62 unread', { missingProof: { days: 2 } }],
  ['1 absent, 2 found in DNS, 32 absent', { verifiedBy: 'dns', missingProof: { days: 1 } }],
  ['1-20 unread, 21 verified again, 61-62 unread', { verifiedBy: 'file', missingProof: { days: 2 } }],
  ['1-29 unread, 30 verified by the operator, 31-33 unread', { verifiedBy: 'operator', missingProof: null }],
  // A day counts if anything answers, or else DNS for the operator's control name.
  ['1 unread, 2 silent', { missingProof: { days: 2 } }],
  ['1 unread, 2 no answer at all, 3-4 silent', { missingProof: { days: 1 } }],
  // Overdue.
  ['402 unread', { missingProof: { days: 1, since: '2027-05-20T12:06:42.000Z' } }],
  // A clock that was ahead.
  ['400 unread, 1-3 unread', { missingProof: { days: 4 } }],
];

/** Parses the days of a script and what happens on each. */
function stepsOf(script: string): (readonly [day: number, what: string])[] {
  return script.split(', ').flatMap((step) => {
    const [, from = '', to = from, what = ''] = /^(\d+)(?:-(\d+))? (.*)$/.exec(step) ?? [];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => [Number(from) + index, what] as const);
  });
}

onEitherDatabase(async (t, engine) => {
  t.test('what the checks of some days mean for a site', async (t) => {
    for (const [script, after, method = 'file'] of SCRIPTS) {
      const proofs = await openProofs(await engine.openDb(t), [SHOP, OTHER], { method });
      const { lookOn, siteOf, idOf, sites, log, world } = proofs;
      for (const [day, what] of stepsOf(script)) {
        if (what === 'verified again') await sites.markVerified(idOf(SHOP), 'file');
        else if (what === 'verified by the operator') await sites.markVerified(idOf(SHOP), 'operator');
        else if (what === 'no answer at all') world.controlAnswers = false;
        else await lookOn(day, { [SHOP]: what as ProofState });
      }
      t.match(await siteOf(SHOP), after, `${script} ${method}`);
      t.match(await siteOf(OTHER), { verifiedBy: method, missingProof: null }, 'another site');
      const losses = log.filter(({ msg }) => msg === 'site ownership lost');
      t.equal(losses.length, 'verifiedAt' in after ? 1 : 0, script);
      for (const loss of losses) t.match(loss, { level: 'warn', siteId: idOf(SHOP), reason: script.split(' ').at(-1) });
    }
  });

  t.test('a proof is looked for after 30 days, then daily; the end of ownership is an event', async (t) => {
    const db = await engine.openDb(t);
    const { lookOn, recheck, states, siteOf, asked, account, clock } = await openProofs(db, [SHOP]);
    const at = async (iso: string) => {
      clock.set(iso);
      asked.length = 0;
      await recheck();
      return asked.length;
    };
    states.set(SHOP, 'absent');
    t.equal(await at('2026-04-14T11:59:59.999Z'), 0);
    t.equal(await at('2026-04-14T12:00:00.000Z'), 1);
    t.equal(await at('2026-04-15T11:59:59.999Z'), 0);
    await lookOn(2);
    t.match(await siteOf(SHOP), { ...LOST, ownershipLostAt: '2026-04-15T12:00:02.000Z' });
    const { events } = await readEvents(db, account.id);
    t.match(events[0], { event: 'ownership_lost', subject: SHOP, actor: 'service', address: null });
    t.equal(await at('2026-07-15T12:00:00.000Z'), 0, 'a site that is not verified is not asked');
  });

  t.test('no run starts without ownership; verifying again restores everything', async (t) => {
    const { db, lookOn, idOf, account, clock, sites, siteOf } = await openProofs(await engine.openDb(t), [SHOP]);
    const own = { accountId: account.id, siteId: idOf(SHOP) };
    const { runs } = openServices(db, { clock });
    const hook = await createHook({ db, clock }, own);
    await setSchedule({ db, clock }, own, 'DAILY');
    await runs.start({ ...own, trigger: 'API' });
    await lookOn(1, { [SHOP]: 'absent' });
    const due = { account_id: account.id, site_id: own.siteId, run_after: clock.now().toISOString() };
    const queued = { queue: 'runs', kind: 'MANUAL', key: own.siteId, ...due } as const;
    await db.transaction((tx) => addJob(tx, queued, clock.now()));
    await lookOn(2);
    const refusal = { name: 'ServiceError', code: 'domain_not_verified' };
    await t.rejects(runs.start({ ...own, trigger: 'API' }), refusal);
    await t.rejects(callHook({ db, clock }, hook, 0), refusal);
    await queueDueRuns({ db, clock });
    await createRunWorker({ db, clock, scan: async () => scanReport() }).performAll();
    t.same(await jobsOf(db), [], 'what was queued is dropped');
    t.match(await runs.read(own), { number: 1 }, 'what was found can be read');

    t.match(await sites.markVerified(own.siteId, 'file'), { ownershipLostAt: null });
    t.match((await runs.start({ ...own, trigger: 'API' })).number, 2);
    await callHook({ db, clock }, hook, 0);
    clock.set('2026-04-17T12:00:00.000Z');
    await queueDueRuns({ db, clock });
    t.same((await jobsOf(db)).map(({ kind }) => kind).sort(), ['POST_DEPLOY', 'SCHEDULED']);
    await lookOn(31);
    t.match(await siteOf(SHOP), { verifiedBy: 'file', missingProof: null }, 'due 30 days after that');
  });

  t.test('five sites are checked at a time; a fault of ours stops no other', async (t) => {
    const hosts = Array.from({ length: 13 }, (_, index) => `s${index}.example.com`);
    const { lookOn, deps, log, asked } = await openProofs(await engine.openDb(t), hosts);
    let [atOnce, atOnceMax] = [0, 0];
    const { checkProof } = deps.ownership;
    deps.ownership.checkProof = async (site) => {
      atOnceMax = Math.max(atOnceMax, (atOnce += 1));
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      return checkProof(site);
    };
    await lookOn(1, { 's3.example.com': 'fault' });
    t.same([asked.length, atOnceMax], [13, 5]);
    t.match(log, [{ msg: 'ownership check failed' }]);
  });

  t.test('a check does not overwrite a site that was verified in the meantime', async (t) => {
    const { lookOn, deps, sites, siteOf, idOf } = await openProofs(await engine.openDb(t), [SHOP]);
    await lookOn(1, { [SHOP]: 'absent' });
    const { checkProof } = deps.ownership;
    deps.ownership.checkProof = async (site) => {
      await sites.markVerified(idOf(SHOP), 'operator');
      return checkProof(site);
    };
    await lookOn(2);
    t.match(await siteOf(SHOP), { verifiedBy: 'operator', ownershipLostAt: null });
  });

  t.test('each site that the record of a domain verified has its own days and messages', async (t) => {
    const shops = ['a.example.com', 'b.example.com'];
    const db = await engine.openDb(t);
    const { lookOn, states, siteOf, messages } = await openProofs(db, [...shops, OTHER], { method: 'domain' });
    for (const host of shops) states.set(host, 'absent');
    await lookOn(1);
    const [first, ...others] = await messages();
    const proof = { dnsName: '_agent-readiness.example.com' };
    t.match(first?.event, { type: 'site.proof_unread', data: { problem: 'absent', proof } });
    t.match(first?.mail, { subject: /^[ab]\.example\.com /, text: ' _agent-readiness.example.com ' });
    t.equal(others.length, 1);
    await lookOn(2);
    for (const host of shops) t.match(await siteOf(host), { verifiedAt: null }, host);
    t.match(await siteOf(OTHER), { verifiedBy: 'domain' });
    const [, , lost, ...more] = await messages();
    t.match(lost?.event, { type: 'site.ownership_lost', data: { reason: 'absent' } });
    t.match(lost?.mail, { subject: /^[ab]\.example\.com / });
    t.equal(more.length, 1);
  });

  t.test('until the ownership ends, runs and rechecks work as before; then evidence is deleted', async (t) => {
    const { db, lookOn, states, idOf, account, clock } = await openProofs(await engine.openDb(t), [SHOP, OTHER]);
    const siteId = idOf(SHOP);
    const verified: boolean[] = [];
    const scan = async (target: { readonly isOwnershipVerified: boolean }) => {
      verified.push(target.isOwnershipVerified);
      const [finding] = scanReport().findings;
      const findings = finding ? [{ ...finding, checkId: 'C-BOT-03', result: 'FAIL' as const }] : [];
      return { ...scanReport(), findings, evidence: evidenceFor('C-BOT-03') };
    };
    const { runs } = openServices(db, { clock, scan });
    const rechecks = createRechecks({ db, clock, scan });
    states.set(SHOP, 'unread');
    for (let day = 1; day <= 29; day += 1) await lookOn(day);
    const own = { accountId: account.id, siteId };
    await runs.start({ ...own, trigger: 'SCHEDULED' });
    await rechecks.start(await findOwnSite(db, own), 'C-BOT-03');
    await rechecks.settle();
    t.same(verified, [true, true]);
    t.equal((await rowsOf(db, 'run_evidence')).length, 2);
    await lookOn(30);
    t.same(await rowsOf(db, 'run_evidence'), []);
  });

  t.test('the owner gets a message on days 1, 23, 28 and 30, which names the DNS record first', async (t) => {
    const { lookOn, states, messages, idOf } = await openProofs(await engine.openDb(t), [SHOP, OTHER]);
    states.set(SHOP, 'unread');
    const told: [day: number, subject: string][] = [];
    for (let day = 1; day <= 31; day += 1) {
      await lookOn(day);
      const last = (await messages()).at(told.length);
      if (last) told.push([day, last.mail.subject]);
    }
    t.match(told, [
      [1, /^shop\.example\.com .* 29 days\b/],
      [23, /^shop\.example\.com .* 7 days\b/],
      [28, /^shop\.example\.com .* 2 days\b/],
      [30, `${SHOP} is no longer verified`],
    ]);
    const [first, , , last] = await messages();
    t.match(last?.event, { type: 'site.ownership_lost', data: { site: { hostname: SHOP }, reason: 'unread' } });
    const { text } = first?.mail ?? { text: '' };
    t.ok(text.indexOf(`_agent-readiness.${SHOP}`) < text.indexOf('/.well-known/'), 'the DNS record first');
    t.match(text, `https://readiness.test/sites/${idOf(SHOP)}/verify`);
    t.match(last?.mail.text, '30 days');
    t.equal((await messages()).length, 4);
  });

  t.test('messages say what was seen; webhooks get them if there is no mail server', async (t) => {
    const cases: [problem: ProofProblem, daysLeft: number, hasMail: boolean, end: RegExp][] = [
      ['unread', 29, true, /\b29 days\b/],
      ['absent', 1, true, /\b1 day\b/],
      ['gone', 2, true, /\b2 days\b/],
      ['absent', 1, false, /\b1 day\b/],
    ];
    for (const [problem, daysLeft, hasMail, end] of cases) {
      const db = await engine.openDb(t);
      const { lookOn, states, messages, account } = await openProofs(db, [SHOP, OTHER], { hasMail });
      const hook = { account_id: account.id, url: 'https://a.example/', secret: 's', created_at: '2026-01-01' };
      await insertRow(db, 'webhooks', { ...hook, id: 'wh_1' });
      await insertRow(db, 'webhooks', { ...hook, id: 'wh_off', disabled_at: '2026-01-02' });
      states.set(SHOP, problem);
      await lookOn(1);
      const data = { problem, countedDays: 1, daysLeft };
      const webhookId = hasMail ? null : 'wh_1';
      t.match(await messages(), [{ webhookId, event: { type: 'site.proof_unread', data }, mail: { text: end } }]);
    }
    t.match(describeDeadlines({ days: 3 }), /\b27 days .* day 2 .* day 3 /);
  });

  t.test('a name is gone only if neither the host nor its record name exists', async (t) => {
    for (const gone of [SHOP, `_agent-readiness.${SHOP}`]) {
      const { lookOn, states, siteOf, deps } = await openProofs(await engine.openDb(t), [SHOP]);
      deps.dns.isNameGone = async (name) => name === gone;
      states.set(SHOP, 'unread');
      for (const day of [1, 2, 3]) await lookOn(day);
      t.match(await siteOf(SHOP), { missingProof: { days: 3 } });
    }
  });

  t.test('a day counts once, also with two processes or several checks', async (t) => {
    const db = await engine.openDb(t);
    const { lookOn, recheck, states, siteOf, messages, clock } = await openProofs(db, [SHOP, OTHER]);
    states.set(SHOP, 'unread');
    await lookOn(1);
    clock.time = new Date(clock.time.getTime() + 86_400_000);
    await Promise.all([recheck(), recheck()]);
    await recheck();
    t.match(await siteOf(SHOP), { missingProof: { days: 2 } });
    t.equal((await messages()).length, 1);
  });
});
