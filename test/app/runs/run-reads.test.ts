import { createSiteRemoval } from '../../../src/app/data/removal.js';
import { createAccess } from '../../../src/app/keys/access.js';
import { CACHED_BYTES_MAX, RunReads, SIZE_WITH_CODINGS } from '../../../src/app/runs/run-reads.js';
import { Runs } from '../../../src/app/runs/runs.js';
import { packRun } from '../../../src/app/runs/run-bodies.js';
import type { Database } from '../../../src/store/database.js';
import { openDatabase } from '../../../src/store/open.js';
import { addAccount, addKey, TestClock, textOf } from '../../support/accounts.js';
import { changeDatabase } from '../../support/changed-database.js';
import { onEachDatabase, onSqlite } from '../../support/databases.js';
import { HeldTimers } from '../../support/held-timers.js';
import { createRunServices, openRuns } from '../../support/runs.js';

const clock = new TestClock();

/** The database, which notes how many bytes of bodies it answered with. */
function weigh(db: Database) {
  const answered: number[] = [];
  const weighed = changeDatabase(db, {
    async run(query) {
      const rows = await db.run(query);
      for (const row of rows as readonly unknown[] as readonly { readonly body?: Uint8Array | null }[]) {
        if ('body' in row && 'owner_id' in row) answered.push(row.body?.byteLength ?? 0);
      }
      return rows;
    },
  });
  return { db: weighed, answered };
}

/** A process over the database; `other` begins another. */
async function prepare(db: Database, count = 2) {
  const { db: weighed, answered } = weigh(db);
  const timers = new HeldTimers();
  const other = (of: Database) => createRunServices({ db: of, clock, startTimer: timers.start }).runs;
  const { account, at, start, runs } = await openRuns(weighed, { clock, startTimer: timers.start });
  const bodies: string[] = [];
  for (let number = 1; number <= count; number += 1) bodies.push(textOf((await start('SCHEDULED')).body));
  return { db, account, at, runs, other, answered, timers, bodies };
}

onEachDatabase(async (t, engine) => {
  t.test('a body is fetched once, and who may read it is asked each time', async (t) => {
    const { db, at, runs, answered, bodies } = await prepare(await engine.openDb(t));
    const stranger = await addAccount(db, 'MONITOR', clock);
    for (const isFetched of [true, false]) {
      for (const number of [1, 2]) t.equal(textOf((await runs.read({ ...at, number })).body), bodies[number - 1]);
      t.equal(textOf((await runs.read(at)).body), bodies[1]);
      const fetched = answered.splice(0).map((bytes) => bytes > 0);
      t.same(fetched, Array(3).fill(isFetched));
    }
    await t.rejects(runs.read({ ...at, accountId: stranger.id, number: 1 }), { code: 'site_not_owned' });
    await t.rejects(runs.read({ ...at, number: 3 }), { code: 'run_not_found' });
    const third = await runs.start({ ...at, trigger: 'SCHEDULED' });
    t.equal(textOf((await runs.read(at)).body), textOf(third.body), 'the latest is another one now');
  });

  t.test('a run of a removed site is 404 at once, in every process that holds it', async (t) => {
    const { db, at, runs, other } = await prepare(await engine.openDb(t));
    const elsewhere = await openDatabase(db.url);
    t.teardown(() => elsewhere.close());
    const second = other(elsewhere);
    for (const process of [runs, second]) {
      t.ok(await process.read({ ...at, number: 1 }));
      t.ok(await process.read(at));
    }
    await createSiteRemoval({ db, clock }).remove(at.siteId);
    for (const process of [runs, second]) {
      await t.rejects(process.read({ ...at, number: 1 }), { code: 'site_not_found' });
      await t.rejects(process.read(at), { code: 'site_not_found' });
    }
  });

  t.test('what is not read is held for a minute at most', async (t) => {
    const { at, runs, answered, timers } = await prepare(await engine.openDb(t));
    const read = async () => {
      await runs.read({ ...at, number: 1 });
      return (answered.splice(0).at(-1) ?? 0) > 0;
    };
    t.ok(await read());
    for (let period = 0; period < 3; period += 1) {
      timers.fire();
      t.notOk(await read(), 'held while it is read');
    }
    timers.fire();
    timers.fire();
    t.ok(await read(), 'gone');
    for (let period = 0; period < 3; period += 1) timers.fire();
    t.equal(timers.count, 0, 'and nothing is left to do');
  });

  t.test('reads that are charged together get the run that each asked for', async (t) => {
    const { db, at, account, bodies } = await prepare(await engine.openDb(t));
    const key = await addKey(db, account.id, clock);
    const access = createAccess({ db, clock });
    const reads = new Runs({ db, clock, performRun: () => Promise.reject(new Error('no run')) });
    const read = async (number: number) => {
      const asked = reads.prepareRead({ siteId: at.siteId, number });
      await access.admit(`Bearer ${key}`, asked);
      return textOf((await reads.read({ ...at, number }, asked)).body);
    };
    t.same(await Promise.all([1, 2, 1, 2].map(read)), [...bodies, ...bodies]);
    await access.settle();
    t.equal(reads.prepareRead({ siteId: 'site_\u0000', number: 1 }), undefined, 'what cannot be is not asked for');
    t.equal(reads.prepareRead({ siteId: at.siteId, number: Number.MAX_SAFE_INTEGER }), undefined);
  });
});

onSqlite(async (t, engine) => {
  t.test('no more is held than 32 MiB, with room for codings; the least recently read goes', async (t) => {
    const db = await engine.openDb(t);
    const body = Buffer.alloc(4 * 1024 * 1024, 'abc');
    const count = Math.floor(CACHED_BYTES_MAX / (body.byteLength * SIZE_WITH_CODINGS));
    const reads = new RunReads(db, new HeldTimers().start);
    const siteId = `site_${'a'.repeat(20)}`;
    const read = async (number: number) => {
      const asked = reads.prepareRead({ siteId, number });
      if (!asked) throw new Error('not a site');
      const isHeld = asked.cached !== undefined;
      const found = { request_index: 0, owner_id: 'acc_a', number, etag: `"${number}"` };
      asked.found = { ...found, body: isHeld ? null : packRun(body) };
      await reads.read({ accountId: 'acc_a', siteId, number }, asked);
    };
    const isHeld = (number: number) => reads.prepareRead({ siteId, number })?.cached !== undefined;
    for (let number = 1; number <= count; number += 1) await read(number);
    await read(1);
    await read(count + 1);
    t.same([1, 2, 3].map(isHeld), [true, false, true]);
  });
});
