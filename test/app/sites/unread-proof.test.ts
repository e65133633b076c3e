import { siteRemoval } from '../../support/removal.js';
import { createBacklog } from '../../../src/app/data/backlog.js';
import { FEATURES } from '../../../src/app/features.js';
import { Rechecks } from '../../../src/app/triage/rechecks.js';
import { createRateLimits } from '../../../src/app/limits/rate-limits.js';
import { createRunPerformer } from '../../../src/app/runs/run-performer.js';
import { Slots } from '../../../src/platform/slots.js';
import type { Database } from '../../../src/store/database.js';
import { describeEnd } from '../../../src/app/sites/unread-proof-words.js';
import type { OwnershipWay } from '../../../src/app/sites/ownership.js';
import { claimDue, retryJob } from '../../../src/queue/jobs.js';
import type { Transaction } from '../../../src/store/transaction.js';
import { bringRecordForward } from '../../../src/app/sites/domain-record-statements.js';
import { changeDatabase } from '../../support/changed-database.js';
import { defineQuery } from '../../../src/store/query.js';
import { scanReport } from '../../support/accounts.js';
import { onEachDatabase } from '../../support/databases.js';
import { evidenceFor } from '../../support/evidence.js';
import { openProofs, type ProofState } from '../../support/proofs.js';
import { insertRow, rowsOf } from '../../support/tables.js';
import { findOwnSite } from '../../../src/app/sites/own-site.js';

const SHOP = 'shop.example.com';
const WITNESS = 'witness.example.org';

const setDue = defineQuery<never, { id: string; proof_due_at: string }>((sql, { id, proof_due_at }) =>
  sql('sites').where({ id }).update({ proof_due_at }),
);

const forgetDays = defineQuery<never>((sql) => sql('ownership_days').delete());

/** So many hosts, each of a registrable domain of its own. */
function hostsOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `www.shop-${index}.com`);
}

/** The same database, whose transactions end by a kill after so many statements. */
function dieWithin(db: Database, statements: number): Database {
  function* cut<T>(steps: Transaction<T>): Transaction<T> {
    let step = steps.next([]);
    for (let count = 0; !step.done; count += 1) {
      if (count === statements) throw new Error('killed');
      step = steps.next(yield step.value);
    }
    return step.value;
  }
  return changeDatabase(db, { transaction: (work) => db.transaction(() => cut(work())) });
}

onEachDatabase(async (t, engine) => {
  t.test('a proof that cannot be read costs the ownership after 30 counted days, and no sooner', async (t) => {
    const { lookOn, states, siteOf, idOf, asked, log, db } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
    states.set(SHOP, 'unread');
    await insertRow(db, 'schedules', { site_id: idOf(SHOP), frequency: 'DAILY', next_run_at: '2027-01-01' });
    for (let day = 1; day <= 30; day += 1) {
      await lookOn(day);
      t.ok(asked.includes(SHOP), `asked on day ${day}`);
      t.match(await siteOf(SHOP), { verifiedBy: 'file', unreadProof: { days: day - 1 } });
    }
    await lookOn(31);
    const lost = { verifiedAt: null, verifiedBy: null, unreadProof: null, ownershipLostAt: '2026-05-14T12:00:31.000Z' };
    t.match(await siteOf(SHOP), lost);
    t.match(await siteOf(WITNESS), { verifiedBy: 'file', unreadProof: null });
    t.match(log, [{ level: 'warn', reason: 'unread', siteId: idOf(SHOP) }]);
    t.equal((await rowsOf(db, 'schedules')).length, 1, 'nothing but evidence is deleted');
    t.same(await rowsOf(db, 'unread_proofs'), []);
  });

  t.test('whatever the reasons, and however they change, the days add up', async (t) => {
    const { lookOn, states, siteOf } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
    const reasons: ProofState[] = ['unread', 'gone', 'unread', 'unread'];
    for (let day = 1; day <= 7; day += 1) {
      states.set(SHOP, reasons[day % 4] ?? 'unread');
      await lookOn(day);
    }
    t.match(await siteOf(SHOP), { unreadProof: { days: 6 } });
  });

  t.test('a day counts only where the proof of another registrable domain was seen', async (t) => {
    const cousin = 'blog.example.com';
    const { lookOn, states, siteOf, world } = await openProofs(await engine.openDb(t), [SHOP, cousin, WITNESS]);
    states.set(SHOP, 'unread').set(WITNESS, 'unread');
    for (const day of [1, 2, 3]) await lookOn(day);
    t.match(await siteOf(SHOP), { unreadProof: { days: 0 } }, 'one of the same domain shows nothing');
    t.match(await siteOf(WITNESS), { unreadProof: { days: 2 } }, 'what was found of the other one does');
    t.equal(world.controlsAsked, 0, 'a name is not a proof while there are other domains');
    states.set(WITNESS, 'found');
    for (const day of [4, 5]) await lookOn(day);
    t.match(await siteOf(SHOP), { unreadProof: { days: 1 } });
  });

  t.test('a witness that is not due is asked, and loses nothing where it shows nothing', async (t) => {
    const { lookOn, states, siteOf, asked, sites, account, clock } = await openProofs(await engine.openDb(t), [SHOP]);
    clock.set('2026-04-10T12:00:00.000Z');
    const { id } = await sites.add({ accountId: account.id, site: WITNESS });
    await sites.markVerified(id, 'dns');
    states.set(SHOP, 'unread').set(WITNESS, 'absent');
    await lookOn(1);
    t.same(asked, [SHOP, WITNESS]);
    t.match(await sites.get(id), { verifiedBy: 'dns', unreadProof: null });
    states.set(WITNESS, 'found');
    for (const day of [2, 3]) await lookOn(day);
    t.match(await siteOf(SHOP), { unreadProof: { days: 1 } });
    t.match(await sites.get(id), { verifiedBy: 'file' }, 'a proof that it shows is kept');
  });

  t.test('where all sites are of one domain, the control name stands for the witness', async (t) => {
    const { lookOn, states, siteOf, world } = await openProofs(await engine.openDb(t), [SHOP, 'blog.example.com']);
    states.set(SHOP, 'unread');
    for (const day of [1, 2]) await lookOn(day);
    t.match(await siteOf(SHOP), { unreadProof: { days: 1 } });
    world.controlResolves = false;
    for (const day of [3, 4]) await lookOn(day);
    t.match(await siteOf(SHOP), { unreadProof: { days: 2 } }, 'day 3 does not count');
  });

  t.test('a site that has not shown its proof for 30 days is not a witness that others wait for', async (t) => {
    const { lookOn, states, siteOf } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
    states.set(SHOP, 'unread').set(WITNESS, 'unread');
    for (const day of [1, 2, 30]) await lookOn(day);
    t.match(await siteOf(SHOP), { unreadProof: { days: 0 } });
    for (const day of [32, 33]) await lookOn(day);
    t.match(await siteOf(SHOP), { unreadProof: { days: 1 } });
  });

  t.test('where over 5 % and more than 3 fail newly on a day, it counts for none and alarms', async (t) => {
    for (const [count, failing, isVoid] of [
      [20, 4, true],
      [80, 4, false],
      [10, 3, false],
    ] as const) {
      const db = await engine.openDb(t);
      const hosts = hostsOf(count);
      const { lookOn, states, siteOf, log, clock, messages } = await openProofs(db, hosts);
      for (const host of hosts.slice(0, failing)) states.set(host, 'unread');
      await lookOn(1);
      const told = (await messages()).length;
      const backlog = await createBacklog({ db, clock, features: FEATURES })();
      t.same(backlog?.ownership_void_days, [{ value: isVoid ? 1 : 0 }], 'seen on the same day');
      for (const day of [2, 3]) await lookOn(day);
      const alarms = log.filter(({ level }) => level === 'error');
      t.same(alarms.length, isVoid ? 1 : 0, `${failing} of ${count}`);
      if (isVoid) t.match(alarms, [{ day: '2026-04-14', asked: count, newlyUnread: failing }]);
      for (const host of hosts.slice(0, failing)) {
        t.match(await siteOf(host), { unreadProof: { days: isVoid ? 1 : 2 } }, 'day 2 is not news');
      }
      t.equal(told, failing, 'everybody is told at once');
      t.equal((await messages()).length, failing, 'and once');
    }
  });

  t.test('the record of a domain is one proof: one of its sites counts, and one message tells of all', async (t) => {
    const shops = Array.from({ length: 30 }, (_, index) => `s${index}.example.com`);
    const hosts = [...shops, ...hostsOf(10)];
    const db = await engine.openDb(t);
    const { lookOn, states, sites, account, log, messages } = await openProofs(db, hosts, { way: 'domain' });
    for (const host of shops) states.set(host, 'absent');
    await lookOn(1);
    t.match(await rowsOf(db, 'ownership_days'), [{ day: '2026-04-14', asked: 11, newly_unread: 1 }]);
    const domain = 'example.com';
    const proof = { dnsName: '_agent-readiness.example.com' };
    const [first, ...others] = await messages();
    t.match(first?.event, { type: 'site.proof_unread', data: { problem: 'absent', domain, proof } });
    t.match(first?.mail, {
      subject: 'example.com is no longer verified in 1 day, unless we find your proof of ownership',
      text: 'Publish the TXT record at _agent-readiness.example.com again.',
    });
    t.same(others, []);
    await lookOn(2);
    t.match(
      (await rowsOf(db, 'ownership_days')).filter((row) => 'day' in row && row.day === '2026-04-15'),
      [{ asked: 1, newly_unread: 0 }],
      'the witness alone',
    );
    const lost = (await sites.list(account.id)).filter(({ verifiedAt }) => verifiedAt === null);
    t.same(lost.map(({ hostname }) => hostname).sort(), [...shops].sort(), 'the day counts, and costs them all');
    t.same(
      log.filter(({ level }) => level === 'error'),
      [],
    );
    const [, second, ...more] = await messages();
    t.match(second?.event, { type: 'site.ownership_lost', data: { reason: 'absent', domain } });
    t.match(second?.mail, {
      subject: 'example.com is no longer verified',
      text: 'the sites that it verified are lost as their days run out',
    });
    t.same(more, []);
  });

  t.test('what the lost record of a domain verified is looked at on one day, and told once', async (t) => {
    const later = 'later.example.com';
    const db = await engine.openDb(t);
    const opened = await openProofs(db, [SHOP, later, WITNESS], { way: 'domain' });
    const { lookOn, recheck, states, siteOf, idOf, messages } = opened;
    await db.run(setDue({ id: idOf(later), proof_due_at: '2026-05-10T12:00:00.000Z' }));
    states.set(SHOP, 'absent').set(later, 'absent');
    await lookOn(1);
    await recheck();
    t.match(await siteOf(later), { unreadProof: { problem: 'absent' } });
    await lookOn(2);
    for (const host of [SHOP, later]) t.match(await siteOf(host), { verifiedAt: null }, host);
    t.match(await siteOf(WITNESS), { verifiedBy: 'domain' });
    t.same(
      (await messages()).map(({ event }) => event.type),
      ['site.proof_unread', 'site.ownership_lost'],
    );
  });

  t.test('what is due already is not brought forward again, nor another domain with the record of one', async (t) => {
    const db = await engine.openDb(t);
    const [own, due, other] = ['www.a_b.com', 'blog.a_b.com', 'www.axb.com'];
    const { account, idOf } = await openProofs(db, [own, due, other], { way: 'domain' });
    for (const host of [own, other]) await db.run(setDue({ id: idOf(host), proof_due_at: '2026-05-10T12:00:00.000Z' }));
    await db.run(setDue({ id: idOf(due), proof_due_at: '2026-04-10T12:00:00.000Z' }));
    await db.run(bringRecordForward({ account_id: account.id, domain: 'a_b.com', now: '2026-04-14T12:00:00.000Z' }));
    await db.run(bringRecordForward({ account_id: account.id, domain: 'a_b.com', now: '2026-04-14T12:00:01.000Z' }));
    const rows = (await rowsOf(db, 'sites')) as readonly { readonly hostname: string; readonly proof_due_at: string }[];
    t.same(Object.fromEntries(rows.map(({ hostname, proof_due_at }) => [hostname, proof_due_at])), {
      [own]: '2026-04-14T12:00:00.000Z',
      [due]: '2026-04-10T12:00:00.000Z',
      [other]: '2026-05-10T12:00:00.000Z',
    });
  });

  t.test('a site whose days run out later than those of its record is told of by itself', async (t) => {
    const db = await engine.openDb(t);
    const [early, late] = ['a.example.com', 'b.example.com'];
    const { lookOn, states, idOf, messages, siteOf } = await openProofs(db, [early, late, WITNESS], { way: 'domain' });
    await db.run(setDue({ id: idOf(late), proof_due_at: '2026-05-04T12:00:00.000Z' }));
    states.set(early, 'unread').set(late, 'unread');
    const told: [day: number, event: string, hostname: string][] = [];
    for (let day = 1; day <= 51; day += 1) {
      await lookOn(day);
      for (const { event } of (await messages()).slice(told.length))
        told.push([day, event.type, (event.data as { site: { hostname: string } }).site.hostname]);
      if (day === 31) {
        t.match(await siteOf(early), { verifiedAt: null });
        t.match(await siteOf(late), { unreadProof: { daysLeft: 20 } });
      }
    }
    t.same(
      told.filter(([day]) => day > 30),
      [
        [31, 'site.ownership_lost', early],
        [44, 'site.proof_unread', late],
        [49, 'site.proof_unread', late],
        [51, 'site.ownership_lost', late],
      ],
    );
  });

  t.test('a webhook of one site hears of that site, and one of all sites of the record once', async (t) => {
    const shops = ['a.example.com', 'b.example.com', 'c.example.com'];
    const db = await engine.openDb(t);
    const opened = await openProofs(db, [...shops, WITNESS], { hasMail: false, way: 'domain' });
    const { lookOn, states, messages, account, idOf } = opened;
    const hook = { account_id: account.id, url: 'https://hooks.example.com/', secret: 's', created_at: '2026-01-01' };
    await insertRow(db, 'webhooks', { ...hook, id: 'wh_all' });
    for (const host of shops) {
      states.set(host, 'absent');
      await insertRow(db, 'webhooks', { ...hook, id: `wh_${host}`, site_id: idOf(host) });
    }
    for (const day of [1, 2]) await lookOn(day);
    const told = (await messages()).map(({ webhookId, event }) => `${webhookId} ${event.type}`).sort();
    const each = ['wh_a.example.com', 'wh_all', 'wh_b.example.com', 'wh_c.example.com'];
    t.same(
      told,
      each.flatMap((id) => [`${id} site.ownership_lost`, `${id} site.proof_unread`]),
    );
  });

  t.test('2 % of slow sites on each day lose nothing', async (t) => {
    const db = await engine.openDb(t);
    const hosts = hostsOf(50);
    const { lookOn, states, sites, account, log } = await openProofs(db, hosts);
    for (let day = 1; day <= 35; day += 1) {
      states.clear();
      states.set(hosts[day] ?? '', 'unread');
      await lookOn(day);
    }
    const all = await sites.list(account.id);
    t.same(
      all.filter(({ verifiedAt }) => verifiedAt === null),
      [],
    );
    t.same(Math.max(...all.map(({ unreadProof }) => unreadProof?.days ?? 0)), 0);
    t.same(log, []);
  });

  t.test('after 7 counted days a run sends no other name and keeps no evidence, nor does a check again', async (t) => {
    const db = await engine.openDb(t);
    const { lookOn, states, idOf, account, clock } = await openProofs(db, [SHOP, WITNESS]);
    const siteId = idOf(SHOP);
    const origin = `https://${SHOP}`;
    const verified: boolean[] = [];
    const scan = async (target: { readonly isOwnershipVerified: boolean }) => {
      verified.push(target.isOwnershipVerified);
      const [finding] = scanReport().findings;
      const findings = finding ? [{ ...finding, checkId: 'C-BOT-03', result: 'FAIL' as const }] : [];
      return { ...scanReport(), findings, evidence: evidenceFor('C-BOT-03') };
    };
    const slots = new Slots(1);
    const performRun = createRunPerformer({ db, clock, scan, slots });
    const rechecks = new Rechecks({ db, clock, scan, slots, rateLimits: createRateLimits({ db, clock }) });
    const run = async () => {
      await performRun({ accountId: account.id, siteId, origin, trigger: 'SCHEDULED' });
      await rechecks.start(await findOwnSite(db, { accountId: account.id, siteId }), 'C-BOT-03');
      await rechecks.settle();
      return { verified: verified.splice(0), kept: (await rowsOf(db, 'run_evidence')).length };
    };
    states.set(SHOP, 'unread');
    for (let day = 1; day <= 7; day += 1) await lookOn(day);
    t.same(await run(), { verified: [true, true], kept: 2 }, 'six have counted');
    await lookOn(8);
    t.same(await run(), { verified: [false, false], kept: 2 }, 'what was kept before stays');
    states.set(SHOP, 'found');
    await lookOn(9);
    t.same(await run(), { verified: [true, true], kept: 4 });
  });

  t.test('the owner is told at once, at 7, and 7 and 2 days before the end, the DNS record first', async (t) => {
    const { lookOn, states, messages, idOf } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
    states.set(SHOP, 'unread');
    const told: [day: number, subject: string][] = [];
    for (let day = 1; day <= 31; day += 1) {
      await lookOn(day);
      const last = (await messages()).at(told.length);
      if (last) told.push([day, last.mail.subject]);
    }
    t.same(told, [
      [1, `${SHOP}: we could not find your proof of ownership`],
      [8, `${SHOP} is no longer verified in 23 days, unless we find your proof of ownership`],
      [24, `${SHOP} is no longer verified in 7 days, unless we find your proof of ownership`],
      [29, `${SHOP} is no longer verified in 2 days, unless we find your proof of ownership`],
      [31, `${SHOP} is no longer verified`],
    ]);
    const [first, , , , last] = await messages();
    const { text } = first?.mail ?? { text: '' };
    t.ok(text.indexOf(`_agent-readiness.${SHOP}`) < text.indexOf('/.well-known/'), 'the DNS record first');
    t.match(text, `https://readiness.test/sites/${idOf(SHOP)}/verify`);
    t.match(last?.mail.text, 'On 30 days we could not read the proof');
    t.equal((await messages()).length, 5);
  });

  t.test('without mail the webhooks are told; with mail they are not', async (t) => {
    for (const hasMail of [false, true]) {
      const db = await engine.openDb(t);
      const { lookOn, states, messages, account } = await openProofs(db, [SHOP, WITNESS], { hasMail });
      const hook = { account_id: account.id, url: 'https://hooks.example.com/', secret: 's', created_at: '2026-01-01' };
      await insertRow(db, 'webhooks', { ...hook, id: 'wh_1' });
      await insertRow(db, 'webhooks', { ...hook, id: 'wh_off', disabled_at: '2026-01-02' });
      states.set(SHOP, 'absent');
      for (const day of [1, 2]) await lookOn(day);
      const webhookId = hasMail ? null : 'wh_1';
      t.match(await messages(), [
        { webhookId, event: { type: 'site.proof_unread', data: { problem: 'absent', countedDays: 0, daysLeft: 1 } } },
        { webhookId, event: { type: 'site.ownership_lost', data: { site: { hostname: SHOP }, reason: 'absent' } } },
      ]);
    }
  });

  t.test('workers of version 0.2.0, which cannot word the notice, leave its mail alone', async (t) => {
    const { lookOn, states, db, clock } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
    states.set(SHOP, 'unread');
    await lookOn(1);
    t.equal(await claimDue(db, 'deliveries', clock.now()), null, 'the one queue of messages that they know');
    const claimed = await claimDue(db, 'notices', clock.now());
    t.match(claimed, { kind: 'MAIL', attempts: 1 });
    if (!claimed) return;
    await db.transaction(() => retryJob(claimed, { runAfter: clock.now() }));
    t.equal(await claimDue(db, 'deliveries', clock.now()), null, 'nor after a failed attempt');
  });

  t.test('a name that does not exist, on 3 counted days, costs the ownership', async (t) => {
    const { lookOn, states, siteOf, messages } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
    states.set(SHOP, 'gone');
    for (const day of [1, 2, 3]) await lookOn(day);
    t.match(await siteOf(SHOP), { verifiedBy: 'file', unreadProof: { days: 2 } });
    await lookOn(4);
    t.match(await siteOf(SHOP), { verifiedAt: null });
    t.match((await messages()).at(-1)?.mail.text, 'On 3 days the DNS answered that shop.example.com does not exist');
  });

  t.test('page, mail and webhook say the same of each state, with the days that are left', async (t) => {
    const db = await engine.openDb(t);
    const rows: [days: ProofState[], problem: string, countedDays: number, daysLeft: number, end: string][] = [
      [['unread'], 'unread', 0, 30, 'After 7 days without it, runs do not try'],
      [['absent'], 'absent', 0, 1, 'If it is still not there when we look a day later, the site is no longer verified'],
      [['gone'], 'gone', 0, 3, 'If the name does not exist on 3 more days, the site is no longer verified'],
      [['gone', 'gone'], 'gone', 1, 2, 'If the name does not exist on 2 more days, the site is no longer verified'],
      // What was read otherwise before counts, but is not what the owner has to fix.
      [['unread', 'unread', 'absent'], 'absent', 2, 1, 'If it is still not there when we look a day later'],
      [['unread', 'gone'], 'gone', 1, 3, 'If the name does not exist on 3 more days'],
      [['absent', 'unread'], 'unread', 1, 29, 'After 7 days without it, runs do not try'],
      [Array<ProofState>(8).fill('unread'), 'unread', 7, 23, 'In 23 days the site is no longer verified'],
    ];
    for (const [days, problem, countedDays, daysLeft, end] of rows) {
      const { lookOn, states, siteOf, idOf, messages, deps } = await openProofs(db, [SHOP, WITNESS]);
      for (const [index, state] of days.entries()) {
        states.set(SHOP, state);
        await lookOn(index + 1);
      }
      const name = days.join(' ');
      const { unreadProof } = await siteOf(SHOP);
      t.match(unreadProof, { problem, days: countedDays, daysLeft }, name);
      t.match(unreadProof && describeEnd(unreadProof).join(' '), end, name);
      const last = (await messages()).at(-1);
      // An owner who was told lately is told again only where the end has come near.
      if (last?.event.type === 'site.proof_unread' && last.event.data.countedDays === countedDays) {
        t.match(last.event.data, { problem, daysLeft }, name);
        t.match(last.mail.text, end, name);
      }
      for (const host of [SHOP, WITNESS]) await siteRemoval(deps).remove(idOf(host));
      await db.run(forgetDays({}));
    }
  });

  t.test('an end that comes near sooner than by the days is told', async (t) => {
    const { lookOn, states, messages } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
    const told: [day: number, subject: string][] = [];
    const days: ProofState[] = ['unread', 'unread', 'absent', 'unread', 'gone', 'gone', 'gone', 'gone'];
    for (const [index, state] of days.entries()) {
      states.set(SHOP, state);
      await lookOn(index + 1);
      const last = (await messages()).at(told.length);
      if (last) told.push([index + 1, last.mail.subject]);
    }
    const unless = 'unless we find your proof of ownership';
    t.same(told, [
      [1, `${SHOP}: we could not find your proof of ownership`],
      [3, `${SHOP} is no longer verified in 1 day, ${unless}`],
      [6, `${SHOP} is no longer verified in 2 days, ${unless}`],
      [8, `${SHOP} is no longer verified`],
    ]);
  });

  t.test('an end that came near on a day that may not count is told on the next one', async (t) => {
    const { lookOn, states, messages, deps } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
    deps.names.resolvesControl = async () => false;
    const days: [shop: ProofState, witness: ProofState][] = [
      ['unread', 'found'],
      ['absent', 'unread'],
      ['absent', 'found'],
      ['absent', 'found'],
    ];
    const told: [day: number, subject: string][] = [];
    for (const [index, [shop, witness]] of days.entries()) {
      states.set(SHOP, shop).set(WITNESS, witness);
      await lookOn(index + 1);
      for (const { mail } of (await messages()).filter(({ mail }) => mail.subject.startsWith(SHOP)).slice(told.length))
        told.push([index + 1, mail.subject]);
    }
    t.same(told, [
      [1, `${SHOP}: we could not find your proof of ownership`],
      [3, `${SHOP} is no longer verified in 1 day, unless we find your proof of ownership`],
      [4, `${SHOP} is no longer verified`],
    ]);
  });

  t.test('which day costs the ownership of a proof that is certainly not there', async (t) => {
    const db = await engine.openDb(t);
    const found: ProofState[] = ['found', 'found', 'found', 'found', 'found'];
    const blindAtFirst: ProofState[] = ['unread', 'found', 'found', 'found', 'found'];
    const rows: [
      way: OwnershipWay,
      shop: ProofState[],
      witness: ProofState[],
      voidDay: boolean,
      lostOn: number | null,
    ][] = [
      ['dns', ['absent', 'absent'], found, false, 2],
      ['dns', ['gone', 'gone', 'gone', 'gone'], found, false, 4],
      ['file', ['gone', 'gone', 'gone', 'gone'], found, false, 4],
      ['dns', ['gone', 'absent', 'absent'], found, false, 3],
      ['dns', ['absent', 'gone', 'absent'], found, false, 3],
      // What was seen on a day that counts for nobody costs nothing.
      ['dns', ['absent', 'absent', 'absent'], blindAtFirst, false, 3],
      ['dns', ['absent', 'absent', 'absent'], found, true, 3],
      ['file', ['absent', 'absent', 'absent'], found, true, 3],
      ['dns', ['gone', 'gone', 'gone', 'gone', 'gone'], found, true, 5],
      ['dns', ['absent', 'absent', 'absent', 'absent'], ['unread', 'unread', 'unread', 'unread'], false, null],
    ];
    for (const [way, shop, witness, isVoid, lostOn] of rows) {
      const others = hostsOf(isVoid ? 4 : 0);
      const { lookOn, states, siteOf, deps, idOf } = await openProofs(db, [SHOP, WITNESS, ...others], { way });
      deps.names.resolvesControl = async () => false;
      for (const host of others) states.set(host, 'unread');
      let lost: number | null = null;
      for (const [index, state] of shop.entries()) {
        states.set(SHOP, state).set(WITNESS, witness[index] ?? 'found');
        await lookOn(index + 1);
        if ((await siteOf(SHOP)).verifiedAt === null) lost ??= index + 1;
      }
      t.equal(lost, lostOn, `${way} ${shop.join(' ')}${isVoid ? ', of which the first is void' : ''}`);
      for (const host of [SHOP, WITNESS, ...others]) await siteRemoval(deps).remove(idOf(host));
      await db.run(forgetDays({}));
    }
  });

  t.test('a name whose record name exists, or the other way round, is not gone', async (t) => {
    for (const gone of [SHOP, `_agent-readiness.${SHOP}`]) {
      const { lookOn, states, siteOf, deps } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
      deps.names.isGone = async (name) => name === gone;
      states.set(SHOP, 'unread');
      for (const day of [1, 2, 3, 4, 5]) await lookOn(day);
      t.match(await siteOf(SHOP), { verifiedBy: 'file', unreadProof: { days: 4 } });
    }
  });

  t.test('the word of the operator is exempt', async (t) => {
    const { lookOn, states, siteOf, sites, idOf, asked } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
    states.set(SHOP, 'unread');
    for (let day = 1; day <= 29; day += 1) await lookOn(day);
    await sites.markVerified(idOf(SHOP), 'operator');
    for (const day of [30, 31, 32]) await lookOn(day);
    t.notOk(asked.includes(SHOP));
    t.match(await siteOf(SHOP), { verifiedBy: 'operator', unreadProof: null });
  });

  t.test('a site that is overdue already begins at day 1', async (t) => {
    const db = await engine.openDb(t);
    const { lookOn, states, siteOf, idOf, clock } = await openProofs(db, [SHOP, WITNESS]);
    clock.set('2027-05-20T00:00:00.000Z');
    // As the version before left it: put off by a day, again and again.
    await db.run(setDue({ id: idOf(SHOP), proof_due_at: '2027-05-20T11:00:00.000Z' }));
    states.set(SHOP, 'unread');
    await lookOn(402);
    t.match(await siteOf(SHOP), { verifiedBy: 'file', unreadProof: { days: 0, since: clock.now().toISOString() } });
    await lookOn(403);
    t.match(await siteOf(SHOP), { unreadProof: { days: 1 } });
  });

  t.test('days on which nobody was asked do not count: no process ran, or we failed', async (t) => {
    const { lookOn, states, siteOf } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
    states.set(SHOP, 'unread');
    for (const day of [1, 2, 60]) await lookOn(day);
    t.match(await siteOf(SHOP), { unreadProof: { days: 2 } });
    states.set(SHOP, 'fault');
    for (const day of [61, 62, 63]) await lookOn(day);
    states.set(SHOP, 'unread');
    for (const day of [64, 65]) await lookOn(day);
    t.match(await siteOf(SHOP), { unreadProof: { days: 4 } }, 'days 60 and 64');
  });

  t.test('a day that is looked at twice counts once, also by two processes at once', async (t) => {
    const db = await engine.openDb(t);
    const { lookOn, recheck, states, siteOf, idOf, messages, clock } = await openProofs(db, [SHOP, WITNESS]);
    states.set(SHOP, 'unread');
    await lookOn(1);
    clock.time = new Date(clock.time.getTime() + 86_400_000);
    await Promise.all([recheck(), recheck()]);
    await db.run(setDue({ id: idOf(SHOP), proof_due_at: clock.now().toISOString() }));
    t.match(await siteOf(SHOP), { unreadProof: null }, 'what another version has put off begins again');
    for (const day of [3, 4]) await lookOn(day);
    t.match(await siteOf(SHOP), { unreadProof: { days: 1 } });
    t.equal((await messages()).length, 2);
  });

  t.test('a crash while a day is written leaves nothing of it, and the site is asked again', async (t) => {
    const db = await engine.openDb(t);
    const { lookOn, recheck, states, siteOf, deps, messages } = await openProofs(db, [SHOP, WITNESS]);
    states.set(SHOP, 'unread');
    await lookOn(1);
    for (const statements of [1, 2, 3, 4]) {
      deps.db = dieWithin(db, statements);
      await t.rejects(lookOn(2), { message: 'killed' });
    }
    deps.db = db;
    t.match(await siteOf(SHOP), { unreadProof: { days: 0 } });
    await recheck();
    await recheck();
    t.match(await siteOf(SHOP), { unreadProof: { days: 1 } });
    t.equal((await messages()).length, 1);
  });

  t.test('verified again, or found again, a site begins with nothing counted', async (t) => {
    for (const how of ['verified', 'found'] as const) {
      const { lookOn, states, siteOf, sites, idOf } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
      states.set(SHOP, 'unread');
      for (let day = 1; day <= 20; day += 1) await lookOn(day);
      if (how === 'verified') await sites.markVerified(idOf(SHOP), 'file');
      else {
        states.set(SHOP, 'found');
        await lookOn(21);
      }
      t.match(await siteOf(SHOP), { verifiedBy: 'file', unreadProof: null });
      states.set(SHOP, 'unread');
      for (const day of [61, 62]) await lookOn(day);
      t.match(await siteOf(SHOP), { unreadProof: { days: 1 } });
    }
  });

  t.test('a clock that was ahead puts no site off for long', async (t) => {
    const { lookOn, states, siteOf } = await openProofs(await engine.openDb(t), [SHOP, WITNESS]);
    states.set(SHOP, 'unread');
    await lookOn(400);
    for (const day of [1, 2, 3]) await lookOn(day);
    t.match(await siteOf(SHOP), { verifiedBy: 'file', unreadProof: { days: 2 } });
  });
});
