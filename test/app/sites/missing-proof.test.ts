import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { describeDeadline, describeDeadlines } from '../../../src/app/sites/ownership-recheck.js';
import { findOwnSite } from '../../../src/app/sites/own-site.js';
import type { ProofProblem } from '../../../src/app/sites/ownership-recheck.js';
import { createRechecks } from '../../support/rechecks.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { defineQuery } from '../../../src/store/query.js';
import { scanReport } from '../../support/accounts.js';
import { changeDatabase, watchStatements } from '../../support/changed-database.js';
import { onEitherDatabase } from '../../support/databases.js';
import { evidenceFor } from '../../support/evidence.js';
import { openProofs } from '../../support/proofs.js';
import { insertRow, rowsOf } from '../../support/tables.js';

const SHOP = 'shop.example.com';
const OTHER = 'other.example.org';

const setDue = defineQuery<never, { id: string; proof_due_at: string }>((sql, { id, proof_due_at }) =>
  sql('sites').where({ id }).update({ proof_due_at }),
);

/** The same database, whose transactions end by a kill after so many statements. */
function dieWithin(db: Database, statements: number): Database {
  return changeDatabase(db, {
    transaction: (work, durability) => {
      let count = 0;
      const dying = watchStatements(db, () => {
        if (count === statements) throw new Error('killed');
        count += 1;
      });
      return dying.transaction(work, durability);
    },
  });
}

onEitherDatabase(async (t, engine) => {
  t.test('ownership ends on day 30 if the proof cannot be read', async (t) => {
    const { lookOn, states, siteOf, idOf, asked, log, db } = await openProofs(await engine.openDb(t), [SHOP, OTHER]);
    states.set(SHOP, 'unread');
    await insertRow(db, 'schedules', { site_id: idOf(SHOP), frequency: 'DAILY', next_run_at: '2027-01-01' });
    for (let day = 1; day <= 29; day += 1) {
      await lookOn(day);
      t.ok(asked.includes(SHOP), `asked on day ${day}`);
      t.match(await siteOf(SHOP), { verifiedBy: 'file', missingProof: { days: day } });
    }
    await lookOn(30);
    const lost = {
      verifiedAt: null,
      verifiedBy: null,
      missingProof: null,
      ownershipLostAt: '2026-05-13T12:00:30.000Z',
    };
    t.match(await siteOf(SHOP), lost);
    t.match(await siteOf(OTHER), { verifiedBy: 'file', missingProof: null });
    t.match(log, [{ level: 'warn', reason: 'unread', siteId: idOf(SHOP) }]);
    t.equal((await rowsOf(db, 'schedules')).length, 1, 'nothing but evidence is deleted');
  });

  t.test('the operator has one site: a day counts if anything answers, or else DNS for the control name', async (t) => {
    const { lookOn, states, siteOf, world } = await openProofs(await engine.openDb(t), [SHOP]);
    states.set(SHOP, 'unread');
    await lookOn(1);
    t.match(await siteOf(SHOP), { missingProof: { days: 1 } });
    t.equal(world.controlsAsked, 0, 'the site answered');
    states.set(SHOP, 'silent');
    await lookOn(2);
    t.match(await siteOf(SHOP), { missingProof: { days: 2 } });
    world.controlAnswers = false;
    for (const day of [3, 4]) await lookOn(day);
    t.match(await siteOf(SHOP), { missingProof: { days: 2 } }, 'nothing answers: the fault may be ours');
    t.equal(world.controlsAsked, 3);
  });

  t.test('each site that the record of a domain verified has its own days and messages', async (t) => {
    const shops = ['a.example.com', 'b.example.com'];
    const db = await engine.openDb(t);
    const { lookOn, states, siteOf, messages } = await openProofs(db, [...shops, OTHER], { method: 'domain' });
    for (const host of shops) states.set(host, 'absent');
    await lookOn(1);
    const [first, ...others] = await messages();
    const proof = { dnsName: '_agent-readiness.example.com' };
    t.match(first?.event, { type: 'site.proof_unread', data: { problem: 'absent', domain: 'example.com', proof } });
    t.match(first?.mail, {
      subject: /^example\.com .* 1 day\b/,
      text: ' _agent-readiness.example.com ',
    });
    t.equal(others.length, 1);
    await lookOn(2);
    for (const host of shops) t.match(await siteOf(host), { verifiedAt: null }, host);
    t.match(await siteOf(OTHER), { verifiedBy: 'domain' });
    const [, , lost, ...more] = await messages();
    t.match(lost?.event, { type: 'site.ownership_lost', data: { reason: 'absent', domain: 'example.com' } });
    t.match(lost?.mail, {
      subject: 'example.com is no longer verified',
      text: 'other sites',
    });
    t.equal(more.length, 1);
  });

  t.test('until the ownership ends, runs and rechecks work as before; then evidence is deleted', async (t) => {
    const db = await engine.openDb(t);
    const { lookOn, states, idOf, account, clock } = await openProofs(db, [SHOP, OTHER]);
    const siteId = idOf(SHOP);
    const verified: boolean[] = [];
    const scan = async (target: { readonly isOwnershipVerified: boolean }) => {
      verified.push(target.isOwnershipVerified);
      const [finding] = scanReport().findings;
      const findings = finding ? [{ ...finding, checkId: 'C-BOT-03', result: 'FAIL' as const }] : [];
      return { ...scanReport(), findings, evidence: evidenceFor('C-BOT-03') };
    };
    const slots = new Slots(1);
    const performRun = createRunPerformer({ db, clock, scan, slots });
    const rechecks = createRechecks({ db, clock, scan, slots });
    states.set(SHOP, 'unread');
    for (let day = 1; day <= 29; day += 1) await lookOn(day);
    const site = await findOwnSite(db, { accountId: account.id, siteId });
    await performRun({ site, trigger: 'SCHEDULED' });
    await rechecks.start(site, 'C-BOT-03');
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
      [1, /^shop\.example\.com\D+$/],
      [23, /^shop\.example\.com .* 7 days\b/],
      [28, /^shop\.example\.com .* 2 days\b/],
      [30, `${SHOP} is no longer verified`],
    ]);
    const [first, , , last] = await messages();
    const { text } = first?.mail ?? { text: '' };
    t.ok(text.indexOf(`_agent-readiness.${SHOP}`) < text.indexOf('/.well-known/'), 'the DNS record first');
    t.match(text, `https://readiness.test/sites/${idOf(SHOP)}/verify`);
    t.match(last?.mail.text, '30 days');
    t.equal((await messages()).length, 4);
  });

  t.test('messages go to webhooks only if the operator has no mail server', async (t) => {
    for (const hasMail of [false, true]) {
      const db = await engine.openDb(t);
      const { lookOn, states, messages, account } = await openProofs(db, [SHOP, OTHER], { hasMail });
      const hook = { account_id: account.id, url: 'https://hooks.example.com/', secret: 's', created_at: '2026-01-01' };
      await insertRow(db, 'webhooks', { ...hook, id: 'wh_1' });
      await insertRow(db, 'webhooks', { ...hook, id: 'wh_off', disabled_at: '2026-01-02' });
      states.set(SHOP, 'absent');
      for (const day of [1, 2]) await lookOn(day);
      const webhookId = hasMail ? null : 'wh_1';
      t.match(await messages(), [
        { webhookId, event: { type: 'site.proof_unread', data: { problem: 'absent', countedDays: 1, daysLeft: 1 } } },
        { webhookId, event: { type: 'site.ownership_lost', data: { site: { hostname: SHOP }, reason: 'absent' } } },
      ]);
    }
  });

  t.test('ownership ends on day 3 if the name does not exist', async (t) => {
    for (const method of ['file', 'dns'] as const) {
      const db = await engine.openDb(t);
      const { lookOn, states, siteOf, messages } = await openProofs(db, [SHOP, OTHER], { method });
      states.set(SHOP, 'gone');
      for (const day of [1, 2]) await lookOn(day);
      t.match(await siteOf(SHOP), { verifiedBy: method, missingProof: { days: 2 } });
      await lookOn(3);
      t.match(await siteOf(SHOP), { verifiedAt: null });
      t.match((await messages()).at(-1)?.mail.text, /\b3 days, shop\.example\.com .* DNS/);
    }
  });

  t.test('messages say what was seen, and how many days are left', async (t) => {
    const rows: [problem: ProofProblem, daysLeft: number, end: RegExp][] = [
      ['unread', 29, /\b29 days\b/],
      ['absent', 1, /\bday\b/],
      ['gone', 2, /\b2 more days\b/],
    ];
    for (const [problem, daysLeft, end] of rows) {
      t.match(describeDeadline(problem, daysLeft), end);
      const { lookOn, states, messages } = await openProofs(await engine.openDb(t), [SHOP, OTHER]);
      states.set(SHOP, problem);
      await lookOn(1);
      const [first] = await messages();
      t.match(first?.event, { type: 'site.proof_unread', data: { problem, countedDays: 1, daysLeft } });
      t.match(first?.mail.text, describeDeadline(problem, daysLeft));
    }
    t.match(describeDeadlines({ since: '', days: 3 }), /\b27 days .* day 2 .* day 3 /);
  });

  t.test('a name is gone only if neither the host nor its record name exists', async (t) => {
    for (const gone of [SHOP, `_agent-readiness.${SHOP}`]) {
      const { lookOn, states, siteOf, deps } = await openProofs(await engine.openDb(t), [SHOP, OTHER]);
      deps.dns.isNameGone = async (name) => name === gone;
      states.set(SHOP, 'unread');
      for (const day of [1, 2, 3, 4, 5]) await lookOn(day);
      t.match(await siteOf(SHOP), { verifiedBy: 'file', missingProof: { days: 5 } });
    }
  });

  t.test('sites verified by the operator are not checked', async (t) => {
    const { lookOn, states, siteOf, sites, idOf, asked } = await openProofs(await engine.openDb(t), [SHOP, OTHER]);
    states.set(SHOP, 'unread');
    for (let day = 1; day <= 29; day += 1) await lookOn(day);
    await sites.markVerified(idOf(SHOP), 'operator');
    for (const day of [30, 31, 32]) await lookOn(day);
    t.notOk(asked.includes(SHOP));
    t.match(await siteOf(SHOP), { verifiedBy: 'operator', missingProof: null });
  });

  t.test('an overdue site starts at day 1', async (t) => {
    const db = await engine.openDb(t);
    const { lookOn, states, siteOf, idOf, clock } = await openProofs(db, [SHOP, OTHER]);
    clock.set('2027-05-20T00:00:00.000Z');
    await db.run(setDue({ id: idOf(SHOP), proof_due_at: '2027-05-20T11:00:00.000Z' }));
    states.set(SHOP, 'unread');
    await lookOn(402);
    t.match(await siteOf(SHOP), { verifiedBy: 'file', missingProof: { days: 1, since: clock.now().toISOString() } });
    await lookOn(403);
    t.match(await siteOf(SHOP), { missingProof: { days: 2 } });
  });

  t.test('days without a check do not count: no process ran, or our check failed', async (t) => {
    const { lookOn, states, siteOf, world } = await openProofs(await engine.openDb(t), [SHOP, OTHER]);
    states.set(SHOP, 'unread');
    for (const day of [1, 2, 60]) await lookOn(day);
    t.match(await siteOf(SHOP), { missingProof: { days: 3 } });
    states.set(SHOP, 'fault');
    for (const day of [61, 62, 63]) await lookOn(day);
    t.equal(world.controlsAsked, 0);
    states.set(SHOP, 'unread');
    for (const day of [64, 65]) await lookOn(day);
    t.match(await siteOf(SHOP), { missingProof: { days: 5 } }, 'days 1, 2, 60, 64 and 65');
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

  t.test('a crash while a day is stored stores nothing, and the site is checked again', async (t) => {
    const db = await engine.openDb(t);
    const { lookOn, recheck, states, siteOf, deps, messages } = await openProofs(db, [SHOP, OTHER]);
    states.set(SHOP, 'unread');
    for (const statements of [1, 2, 3]) {
      deps.db = dieWithin(db, statements);
      await t.rejects(lookOn(1), { message: 'killed' });
    }
    deps.db = db;
    t.match(await siteOf(SHOP), { missingProof: null });
    await recheck();
    await recheck();
    t.match(await siteOf(SHOP), { missingProof: { days: 1 } });
    t.equal((await messages()).length, 1);
  });

  t.test('a site that is verified or found again starts at zero', async (t) => {
    for (const how of ['verified', 'found'] as const) {
      const { lookOn, states, siteOf, sites, idOf } = await openProofs(await engine.openDb(t), [SHOP, OTHER]);
      states.set(SHOP, 'unread');
      for (let day = 1; day <= 20; day += 1) await lookOn(day);
      if (how === 'verified') await sites.markVerified(idOf(SHOP), 'file');
      else {
        states.set(SHOP, 'found');
        await lookOn(21);
      }
      t.match(await siteOf(SHOP), { verifiedBy: 'file', missingProof: null });
      states.set(SHOP, 'unread');
      for (const day of [61, 62]) await lookOn(day);
      t.match(await siteOf(SHOP), { missingProof: { days: 2 } });
    }
  });

  t.test('a clock that was ahead delays no check for long', async (t) => {
    const { lookOn, states, siteOf } = await openProofs(await engine.openDb(t), [SHOP, OTHER]);
    states.set(SHOP, 'unread');
    await lookOn(400);
    for (const day of [1, 2, 3]) await lookOn(day);
    t.match(await siteOf(SHOP), { verifiedBy: 'file', missingProof: { days: 4 } });
  });
});
