import type { Test } from 'tap';
import { formatReference } from '../../src/app/runs/run.js';
import { createAccess } from '../../src/app/keys/access.js';
import { createRunPerformer } from '../../src/app/runs/run-performer.js';
import { createRuns, type Runs } from '../../src/app/runs/runs.js';
import { createSlots } from '../../src/platform/slots.js';
import type { Database } from '../../src/store/database.js';
import { migrateDatabase } from '../../src/store/migrate.js';
import { MIGRATIONS } from '../../src/store/migrations/index.js';
import { openDatabase } from '../../src/store/open-database.js';
import { schemaStatus } from '../../src/store/schema-status.js';
import { scanReport, TestClock, textOf } from '../support/accounts.js';
import { onEachDatabase } from '../support/databases.js';
import { connectRaw, type RawConnection, type Row } from '../support/raw-connection.js';
import { type ReleasedData, writeReleasedData } from '../support/released-data.js';
import {
  createReleasedSchema,
  describeSchema,
  RELEASED_SCHEMAS,
  type ReleasedSchema,
} from '../support/released-schemas.js';

const NAMES = MIGRATIONS.map(({ name }) => name);
/** A key's monthly requests on the plan MONITOR. */
const QUOTA = 10_000;

function createTestRuns(db: Database): Runs {
  const clock = new TestClock();
  const performRun = createRunPerformer({ db, clock, scan: async () => scanReport(), slots: createSlots(1) });
  return createRuns({ db, clock, performRun });
}

/** The tables that each schema brought. */
const NEW_TABLES: Readonly<Record<ReleasedSchema, readonly string[]>> = {
  '0001-initial': 'accounts sites runs api_keys key_usage run_budgets ownership_tokens sign_in_links'.split(' '),
  '0002-application': ['sessions', 'rate_windows', 'free_scans'],
  '0003-automation': ['schedules', 'queued_runs', 'deploy_hooks', 'badges', 'alert_states', 'webhooks', 'deliveries'],
};

/** Every row of the tables that there are up to `schema`, by the columns that they have now. */
async function readTables(raw: RawConnection, schema: ReleasedSchema): Promise<ReadonlyMap<string, readonly Row[]>> {
  const schemas = RELEASED_SCHEMAS.slice(0, RELEASED_SCHEMAS.indexOf(schema) + 1);
  const rows = new Map<string, readonly Row[]>();
  for (const table of schemas.flatMap((each) => NEW_TABLES[each])) {
    rows.set(table, await raw.read(`SELECT * FROM ${table} ORDER BY 1, 2`));
  }
  return rows;
}

/** The same rows by the columns of `before` only: a later schema may have more. */
function pickColumns(before: readonly Row[], now: readonly Row[]): Row[] {
  const columns = Object.keys(before[0] ?? {});
  return now.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
}

onEachDatabase(async (t, engine) => {
  for (const [index, schema] of RELEASED_SCHEMAS.entries()) {
    t.test(`the migrations up to ${schema} still make what they made when it was released`, async (t) => {
      const [now, then] = [await engine.newUrl(t), await engine.newUrl(t)];
      await migrateDatabase(now, MIGRATIONS.slice(0, index + 1));
      await createReleasedSchema(then, engine.name, schema);
      t.same(
        await describeSchema(now, engine.name),
        await describeSchema(then, engine.name),
        'a released migration never changes: add another at the end',
      );
    });

    t.test(`a database of ${schema} comes to the current schema with all that it holds`, async (t) => {
      const url = await engine.newUrl(t);
      await createReleasedSchema(url, engine.name, schema);
      const data = await writeReleasedData(url, schema, 'first');
      const raw = await connectRaw(url);
      t.teardown(() => raw.close());
      const db = await openDatabase(url);
      t.teardown(() => db.close());
      t.equal(await schemaStatus(db), 'behind');

      const before = await readTables(raw, schema);
      t.same(await migrateDatabase(url), NAMES.slice(index + 1));
      t.equal(await schemaStatus(db), 'current', 'the guards are there');
      const now = await readTables(raw, schema);
      for (const [table, rows] of before) {
        t.not(rows.length, 0, `${table} held something`);
        t.same(pickColumns(rows, now.get(table) ?? []), rows, `${table} as it was`);
      }

      await t.rejects(raw.exec(`UPDATE runs SET body = 'forged'`), { message: /never change/ });
      await assertWorks(t, db, data);
      await writeReleasedData(url, schema, 'second');
      t.pass('what the older program writes is still taken, by one that is not replaced yet');
    });
  }
});

/** The old runs are answered byte for byte, the next one takes the next number, and the key goes on where it was. */
async function assertWorks(
  t: Test,
  db: Database,
  { accountId, siteId, key, used, bodies }: ReleasedData,
): Promise<void> {
  const runs = createTestRuns(db);
  for (const [index, body] of bodies.entries()) {
    const stored = await runs.byNumber({ accountId, siteId, number: index + 1 });
    t.ok(body.equals(stored.body), `run ${index + 1} byte for byte`);
  }
  const next = bodies.length + 1;
  const { number, body } = await runs.start({ accountId, siteId, trigger: 'SCHEDULED' });
  t.equal(number, next, 'no gap, no number twice');
  t.match(JSON.parse(textOf(body)), { run: { reference: formatReference(next) } });

  const access = createAccess({ db, clock: new TestClock() });
  t.match(await access.admit(`Bearer ${key}`), { accountId, rateLimit: { limit: QUOTA, remaining: QUOTA - used - 1 } });
  await access.settle();
}
