import { accountData, housekeepingOf } from '../../support/removal.js';
import { createHash } from 'node:crypto';
import { type AuditHead, sweepEvents } from '../../../src/app/audit/audit-chain.js';
import { readEvents, recordEvent, recordWrongPassword } from '../../../src/app/audit/audit.js';
import { type EventsReport, verifyEvents } from '../../../src/app/audit/verify-events.js';
import { cleanUp } from '../../../src/app/data/housekeeping.js';
import { workOff } from '../../../src/queue/steps.js';
import type { Database } from '../../../src/store/database.js';
import { openDatabase } from '../../../src/store/open-database.js';
import { schemaStatus } from '../../../src/store/schema-status.js';
import { addAccount, TestClock } from '../../support/accounts.js';
import { separateRoles } from '../../support/database-roles.js';
import { onEachDatabase, onPostgres } from '../../support/databases.js';
import { dropGuards } from '../../support/drop-guards.js';
import { dateLinksBack, runPastGuard } from '../../support/past-links.js';
import { runCommand } from '../../support/program.js';
import { connectRaw } from '../../support/raw-connection.js';
import { insertRow, rowsOf } from '../../support/tables.js';

interface LinkRow {
  readonly account_id: string;
  readonly number: number;
  readonly event_id: string;
  readonly linked_at: string;
  readonly content: string;
  readonly before: string | null;
  readonly digest: string;
}

/** An account with `count` events, the creation of the account and of its link among them; none of them is linked. */
async function prepare(db: Database, count: number) {
  const clock = new TestClock();
  const { id: accountId } = await addAccount(db);
  const add = () => {
    clock.set(new Date(clock.time.getTime() + 1000).toISOString());
    return db.transaction(() => recordEvent({ accountId, event: 'signed_in', subject: 'password', now: clock.now() }));
  };
  for (let events = 2; events < count; events += 1) await add();
  const sweep = async () => {
    const heads: AuditHead[] = [];
    await workOff(
      sweepEvents(db, clock, (head) => heads.push(head)),
      Infinity,
    );
    return heads;
  };
  const links = async () =>
    ((await rowsOf(db, 'audit_chain')) as LinkRow[])
      .filter(({ account_id }) => account_id === accountId)
      .sort((a, b) => a.number - b.number);
  const verify = async (expected?: string): Promise<EventsReport> => {
    for await (const report of verifyEvents(db, { accountId, expected })) return report;
    throw new Error('no report');
  };
  return {
    ...{ clock, accountId, add, sweep, links, verify },
    cleanUp: () => workOff(cleanUp(db, new Date(), housekeepingOf(90)), Infinity),
    events: async () => (await readEvents(db, accountId)).events,
  };
}

onEachDatabase(async (t, engine) => {
  t.test('each event gets a link that holds it, and the one before, by the documented bytes', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, sweep, links, verify, events, add } = await prepare(db, 120);
    t.match(await verify(), { events: 0, head: null, unlinked: 120, verdict: 'proven' });
    const heads = await sweep();
    t.same(
      heads.map(({ number, isWhole }) => [number, isWhole]),
      [50, 100, 120].map((number) => [number, true]),
    );
    const byId = new Map((await events()).map((event) => [event.id, event]));
    let before = `first of ${accountId}`;
    let seen = 0;
    for (const { number, event_id, linked_at, content, digest } of await links()) {
      const event = byId.get(event_id);
      if (event) {
        seen += 1;
        t.equal(content, createHash('sha256').update(JSON.stringify(event)).digest('hex'));
      }
      const place = `agent-readiness activity chain 1\nfirst\n${accountId}\n${number}\n${event_id}\n${before}\n`;
      before = createHash('sha256').update(`${place}${linked_at}\n${content}\n`).digest('hex');
      t.equal(digest, before);
    }
    t.equal(seen, 100, 'a page of them');
    t.equal(heads.at(-1)?.digest, before);
    t.same(await sweep(), [], 'nothing is linked twice');
    await add();
    await sweep();
    t.match(await verify(before), { events: 121, verdict: 'proven', unlinked: 0, hasExpected: true });
    t.match(await verify('0'.repeat(64)), { hasExpected: false });
  });

  t.test('what the owner of the tables changes is found, and named', async (t) => {
    const third = '(SELECT event_id FROM audit_chain WHERE number = 3)';
    const cases: readonly [what: string, firstUnproven: number, ...sql: string[]][] = [
      ['a changed event', 3, `UPDATE audit_log SET address = '192.0.2.9' WHERE id = ${third}`],
      ['an event that is gone', 3, `DELETE FROM audit_log WHERE id = ${third}`],
      ['a changed link', 3, `UPDATE audit_chain SET digest = '${'0'.repeat(64)}' WHERE number = 3`],
      ['a link of an epoch that is not there', 5, `UPDATE audit_chain SET epoch = 999 WHERE number = 5`],
      ['a missing link', 3, `DELETE FROM audit_chain WHERE number = 3`],
      [
        'a link that was dated back',
        3,
        `UPDATE audit_chain SET linked_at = '2020-01-01T00:00:00.000Z' WHERE number = 3`,
      ],
      [
        'the first events gone',
        1,
        `DELETE FROM audit_log WHERE id IN (SELECT event_id FROM audit_chain WHERE number < 3)`,
      ],
      [
        'the beginning gone',
        3,
        `DELETE FROM audit_log WHERE id <> ${third}`,
        `DELETE FROM audit_chain WHERE number < 3`,
      ],
      ['all events gone', 1, `DELETE FROM audit_log`],
      [
        'all gone but a last link that was dated back',
        5,
        `DELETE FROM audit_log`,
        `DELETE FROM audit_chain WHERE number < 5`,
        `UPDATE audit_chain SET linked_at = '2020-01-01T00:00:00.000Z'`,
      ],
    ];
    for (const [what, firstUnproven, ...sql] of cases) {
      const db = await engine.openDb(t);
      const { sweep, verify } = await prepare(db, 5);
      await sweep();
      await dropGuards(db.url);
      const raw = await connectRaw(db.url);
      for (const statement of sql) await raw.exec(statement);
      t.match(await verify(), { verdict: 'broken', firstUnproven }, what);
      await raw.close();
    }
  });

  t.test('a broken last link is seen when the next events are linked, which goes on', async (t) => {
    const db = await engine.openDb(t);
    const { sweep, verify, add } = await prepare(db, 4);
    await sweep();
    const last = `(SELECT event_id FROM audit_chain WHERE number = 4)`;
    const change = `UPDATE audit_log SET event = 'signed_out' WHERE id = ${last}`;
    await runPastGuard(db.url, 'audit_log', 'audit_log_no_update', change);
    await add();
    t.match(await sweep(), [{ number: 5, isWhole: false }]);
    t.match(await verify(), { verdict: 'broken', firstUnproven: 4 });
  });

  t.test(
    'a year after its link an event goes, whatever it says of itself, and the chain begins after the last of them',
    async (t) => {
      const db = await engine.openDb(t);
      const { accountId, sweep, links, verify, cleanUp, events } = await prepare(db, 5);
      const old = { account_id: accountId, at: '2019-01-01T00:00:00.000Z', event: 'signed_in', actor: 'holder' };
      await insertRow(db, 'audit_log', { ...old, id: 'evt_old' });
      await sweep();
      await cleanUp();
      t.equal((await events()).length, 6, 'nothing is a year old, whatever is written in it');

      await dateLinksBack(db.url, accountId, (number) => (number <= 3 ? 366 : 364));
      await cleanUp();
      t.equal((await events()).length, 3);
      t.same(
        (await links()).map(({ number }) => number),
        [3, 4, 5, 6],
        'with the link of the last event that went',
      );
      t.match(await verify(), { events: 3, verdict: 'proven' });
      t.equal(await schemaStatus(db), 'current', 'the guards are as they were');
    },
  );

  t.test('with no event left the chain goes on from the digest of the last one', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, sweep, links, verify, cleanUp, add, events } = await prepare(db, 5);
    await sweep();
    await dateLinksBack(db.url, accountId, () => 366);
    const last = (await links()).at(-1);
    await cleanUp();
    t.same(await events(), []);
    t.match(await links(), [{ number: 5, digest: last?.digest }]);
    t.match(await verify(last?.digest), { events: 0, verdict: 'proven', head: last?.digest, hasExpected: true });
    await cleanUp();
    await add();
    t.match(await sweep(), [{ number: 6, isWhole: true }]);
    t.match(await links(), [{ number: 5 }, { number: 6, before: last?.digest }]);
    t.match(await verify(last?.digest), { events: 1, verdict: 'proven', hasExpected: true });
  });

  t.test('wrong passwords are one event once their hour is over, with the id that they were shown with', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, clock, sweep, verify, events, links } = await prepare(db, 2);
    clock.set('2026-03-15T12:30:00.000Z');
    for (let count = 0; count < 3; count += 1) await recordWrongPassword(db, accountId, clock.now());
    const [counted] = await events();
    t.match(counted, { event: 'wrong_password', actor: 'unknown', count: 3 });
    await sweep();
    t.equal((await rowsOf(db, 'audit_tallies')).length, 1, 'the hour goes on');
    clock.set('2026-03-15T13:00:00.000Z');
    await sweep();
    t.same(await rowsOf(db, 'audit_tallies'), []);
    t.same((await events())[0], counted);
    t.equal((await links()).at(-1)?.event_id, counted?.id);
    await recordWrongPassword(db, accountId, new Date('2026-03-15T12:59:59.999Z'));
    await sweep();
    t.match(await events(), { length: 4 }, 'one that comes late is an event of its own');
    t.match(await verify(), { verdict: 'proven', events: 4 });
  });

  t.test('a count with the id of an event that is there is dropped, and stops nothing', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, clock, sweep, verify } = await prepare(db, 3);
    await recordWrongPassword(db, accountId, clock.now());
    const [counted] = (await rowsOf(db, 'audit_tallies')) as { id: string }[];
    const event = { account_id: accountId, at: clock.now().toISOString(), event: 'signed_in', actor: 'holder' };
    await insertRow(db, 'audit_log', { ...event, id: counted?.id ?? '' });
    clock.set('2026-03-16T12:00:00.000Z');
    await sweep();
    t.same(await rowsOf(db, 'audit_tallies'), []);
    t.match(await verify(), { events: 4, unlinked: 0, verdict: 'proven' });
  });

  t.test('an account whose link is refused is named, and the others get theirs', async (t) => {
    const db = await engine.openDb(t);
    const accounts = [await prepare(db, 3), await prepare(db, 3), await prepare(db, 3)];
    const [first, second, third] = accounts.sort((a, b) => (a.accountId < b.accountId ? -1 : 1));
    if (!first || !second || !third) throw new Error('no accounts');
    await first.sweep();
    const linked = (await first.links())[0]?.event_id;
    const again = `INSERT INTO audit_unlinked (event_id, account_id) VALUES ('${linked}', '${first.accountId}')`;
    await runPastGuard(db.url, 'audit_unlinked', 'audit_unlinked_only_new', again);
    for (const { add } of accounts) await add();
    await t.rejects(first.sweep(), { message: `The events of ${first.accountId} got no links.` });
    t.match(await first.verify(), { events: 3, unlinked: 2 });
    for (const { verify } of [second, third]) t.match(await verify(), { events: 4, unlinked: 0, verdict: 'proven' });
  });

  t.test('events of before are shown next to the new ones, in order, and go as they went', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, clock, add, events, cleanUp, verify } = await prepare(db, 3);
    const first = clock.now().toISOString();
    await add();
    const earlier = { account_id: accountId, event: 'signed_out', actor: 'holder' };
    await insertRow(db, 'audit_events', { ...earlier, id: 'evt_between', at: first.replace('000Z', '500Z') });
    await insertRow(db, 'audit_events', { ...earlier, id: 'evt_old', at: '2020-01-01T00:00:00.000Z' });
    t.same((await events()).map(({ event }) => event).slice(0, 3), ['signed_in', 'signed_out', 'signed_in']);
    await cleanUp();
    t.notMatch(await events(), [{ id: 'evt_old' }]);
    t.match(await verify(), { events: 0, unlinked: 4 }, 'and have no link');
    const raw = await connectRaw(db.url);
    t.teardown(() => raw.close());
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      await raw.exec(`INSERT INTO audit_events (id, account_id, at, event, actor, address)
        VALUES ('evt_guess', '${accountId}', '2026-03-15T12:00:00.000Z', 'wrong_password', 'unknown', '${address}')
        ON CONFLICT (id) DO UPDATE SET count = audit_events.count + 1, at = excluded.at, address = excluded.address`);
    }
    t.match(await raw.read(`SELECT * FROM audit_events WHERE id = 'evt_guess'`), [{ count: 2, address: '192.0.2.2' }]);
    const change = raw.exec(`UPDATE audit_events SET event = 'signed_in'`);
    await t.rejects(change, { message: /^recorded events never change/ }, 'the log names what was refused');
  });

  t.test('what a clock ahead would clear away too soon holds up no other cleanup', async (t) => {
    const db = await engine.openDb(t);
    const { accountId } = await prepare(db, 2);
    const now = new Date(Date.now() + 3 * 86_400_000);
    const at = new Date(Date.now() - 363 * 86_400_000).toISOString();
    await insertRow(db, 'audit_events', {
      id: 'evt_x',
      account_id: accountId,
      at,
      event: 'signed_in',
      actor: 'holder',
    });
    await insertRow(db, 'ownership_days', { day: '2020-01-01' });
    await t.rejects(workOff(cleanUp(db, now, housekeepingOf(90)), Infinity), {
      message: /recorded events never change/,
    });
    t.same(await rowsOf(db, 'ownership_days'), []);
  });

  t.test('verify answers for accounts too, in JSON and by its exit code', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, sweep } = await prepare(db, 3);
    const [head] = await sweep();
    const environment = { DATABASE_URL: db.url };
    const all = await runCommand(['verify', '--json'], environment);
    t.match(all, { exitCode: 0 });
    t.match(JSON.parse(all.stdout), [{ account: accountId, events: 3, verdict: 'proven', unlinked: 0 }]);
    t.match(await runCommand(['verify', accountId, '--expect', head?.digest ?? ''], environment), {
      exitCode: 0,
      stdout:
        /^account {2,}events {2,}head {2,}verdict {2,}from link {2,}not linked yet\nacc_\w+ +3 +[0-9a-f]{64} +proven +- +0\n$/,
    });
    t.match(await runCommand(['verify', accountId, '--expect', '0'.repeat(64)], environment), {
      ...{ exitCode: 1, stderr: /older than a year/ },
    });
    await dropGuards(db.url);
    const raw = await connectRaw(db.url);
    await raw.exec(`DELETE FROM audit_log WHERE id = (SELECT event_id FROM audit_chain WHERE number = 2)`);
    await raw.close();
    t.match(await runCommand(['verify'], environment), { exitCode: 1, stdout: /BROKEN +2 +0\n/ });
    t.match(await runCommand(['verify', accountId, '--expect', 'x'], environment), { exitCode: 2 });
  });

  t.test('an account is removed with its events, also by a version that knows only the table of before', async (t) => {
    const db = await engine.openDb(t);
    const { accountId, sweep, links, clock, add } = await prepare(db, 60);
    await sweep();
    await add();
    await recordWrongPassword(db, accountId, clock.now());
    const raw = await connectRaw(db.url);
    t.teardown(() => raw.close());
    if (engine.name === 'sqlite') await raw.exec('PRAGMA foreign_keys = ON');
    await raw.exec(`UPDATE accounts SET removed_at = created_at WHERE id = '${accountId}'`);
    t.same(await sweep(), [], 'nothing of it is linked any more');
    await raw.exec(`DELETE FROM accounts WHERE id = '${accountId}'`);
    t.same(await links(), []);
    for (const table of ['audit_log', 'audit_unlinked', 'audit_tallies']) t.same(await rowsOf(db, table), [], table);
  });
});

onPostgres(async (t, engine) => {
  t.test('the role that serves links, clears away and removes what it may, by the function', async (t) => {
    const { serveUrl, ownerUrl } = await separateRoles(t, engine);
    const db = await openDatabase(serveUrl);
    t.teardown(() => db.close());
    const { accountId, sweep, links, verify, cleanUp, clock, add } = await prepare(db, 5);
    await recordWrongPassword(db, accountId, clock.now());
    await sweep();
    await add();
    t.match(await verify(), { events: 5, verdict: 'proven', unlinked: 1 });
    await dateLinksBack(ownerUrl, accountId, (number) => (number < 3 ? 366 : 1));
    await cleanUp();
    t.match(await verify(), { events: 3, verdict: 'proven' });
    await accountData({ db, clock }).remove(accountId);
    t.same(await links(), []);
    t.same(await rowsOf(db, 'audit_log'), []);
  });
});
