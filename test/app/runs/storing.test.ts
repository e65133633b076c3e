import tap from 'tap';
import { type CheckResult, formatResults, parseResults } from '../../../src/app/runs/run-rows.js';
import { ERROR_TYPES, type ErrorType, type Result, RESULTS } from '../../../src/scanner/verdict/vocabulary.js';
import { scanReport } from '../../support/accounts.js';
import { onEitherDatabase } from '../../support/databases.js';
import { finding } from '../../support/reports.js';
import { type Database, mapDatabaseError } from '../../../src/store/database.js';
import { scanFixture } from '../../support/golden.js';
import { connectRaw } from '../../support/raw-connection.js';
import { perfect } from '../../fixtures/sites/perfect.js';
import { shop } from '../../fixtures/sites/shop.js';
import { Slots } from '../../../src/platform/slots.js';
import { changeDatabase } from '../../support/changed-database.js';
import { createRunServices, openRuns } from '../../support/runs.js';

const results = Object.keys(RESULTS) as Result[];
const FINDINGS = [
  ...results.map((result, index) => finding({ checkId: `C-SITE-0${index}`, result, scored: index % 2 === 0 })),
  ...(Object.keys(ERROR_TYPES) as ErrorType[]).map((errorType, index) =>
    finding({ checkId: `C-LLMS-${index}`, result: 'FAIL', errorType }),
  ),
];

tap.test('the results of a run come back', async (t) => {
  const expected = FINDINGS.map(({ checkId, scored, result, errorType }): CheckResult => ({
    ...{ checkId, scored, result, errorType },
  }));
  t.same(parseResults(formatResults({ findings: FINDINGS })), expected);
  t.same(parseResults(formatResults({ findings: [] })), []);
});

const RUNS = 400;
/** Limit for all rows of a run and their entries in indexes, without evidence. */
const BYTES_MAX = 900;

const SIZES = {
  sqlite:
    'SELECT s.tbl_name AS name, sum(d.pgsize) AS bytes FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY s.tbl_name',
  postgres: `SELECT relname AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`,
};

/** Something else holds a row: serialisation, deadlock, the limits of a lock and of a statement; another process writes. */
const BUSY = {
  postgres: ['40001', '40P01', '55P03', '57014'],
  sqlite: ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT'],
};
const TRIES = 4;

onEitherDatabase(async (t, engine) => {
  t.test(`a run takes at most ${BYTES_MAX} bytes`, async (t) => {
    const db = await engine.openDb(t);
    const reports = [await scanFixture(perfect), await scanFixture(shop)];
    let turn = 0;
    const scan = async () => {
      const report = reports[(turn += 1) % reports.length];
      if (!report) throw new Error('no report');
      return { ...report, evidence: null };
    };
    const { runs, at, start } = await openRuns(db, { scan });
    const store = () => start('SCHEDULED');
    const [first] = [await store(), await store()];
    const before = await measure(db);
    for (let run = 0; run < RUNS; run += 1) await store();
    const after = await measure(db);
    // Where rows are changed in place, PostgreSQL keeps the old ones until it comes to clear them away: no run takes these.
    const grown = [...after].filter(([table, { rows }]) => rows > (before.get(table)?.rows ?? 0));
    t.ok(grown.some(([table]) => table === 'runs'));
    const bytes = grown.reduce((sum, [table, { bytes }]) => sum + bytes - (before.get(table)?.bytes ?? 0), 0) / RUNS;
    t.ok(bytes <= BYTES_MAX, `${bytes.toFixed(0)} bytes`);
    t.same((await runs.read({ ...at, number: 1 })).body, first.body, 'the same bytes');
  });

  const prepare = async (code: string, failures: number) => {
    const db = await engine.openDb(t);
    const seen = { scans: 0, tries: 0 };
    const busy = changeDatabase(db, {
      transaction: async (work) => {
        // Not the admission, which comes before the scan.
        if (seen.scans > 0) seen.tries += 1;
        const isRefused = seen.tries > 0 && seen.tries <= failures;
        if (isRefused) throw mapDatabaseError(Object.assign(new Error('injected'), { code }));
        return db.transaction(work);
      },
    });
    const scan = async () => {
      seen.scans += 1;
      return scanReport();
    };
    const { at } = await openRuns(db);
    const { runs } = createRunServices({ db: busy, scan, slots: new Slots(1) });
    return { seen, start: () => runs.start({ ...at, trigger: 'API' }) };
  };

  t.test('a finished scan is stored however often its rows are busy, up to a limit, and not made again', async (t) => {
    for (const code of BUSY[engine.name]) {
      const { seen, start } = await prepare(code, TRIES - 1);
      t.equal((await start()).number, 1, code);
      t.same(seen, { scans: 1, tries: TRIES });
    }
  });

  t.test('past the limit the run is refused as over load', async (t) => {
    const { seen, start } = await prepare(BUSY[engine.name][0] ?? '', TRIES - 1);
    const now = performance.now.bind(performance);
    // Each try that waits for a row takes seconds.
    t.intercept(performance, 'now', { value: () => now() + seen.tries * 5000 });
    await t.rejects(start(), { code: 'overloaded' });
    t.same(seen, { scans: 1, tries: TRIES }, 'the last transaction gives the day its run back');
    t.equal((await start()).number, 1);
  });

  t.test('nothing else is tried again', async (t) => {
    for (const code of engine.name === 'sqlite' ? ['SQLITE_FULL', 'SQLITE_CORRUPT'] : ['57P01', '53100', '23514']) {
      const { seen, start } = await prepare(code, 1);
      await t.rejects(start(), Error, code);
      t.equal(seen.tries, 2, code);
    }
  });
});

/** Returns the rows of each table, and the bytes that they take on disk with their indexes; only as exact as a page. */
async function measure({
  dialect,
  url,
}: Database): Promise<Map<string, { readonly bytes: number; readonly rows: number }>> {
  const raw = await connectRaw(url);
  try {
    const measured = new Map<string, { bytes: number; rows: number }>();
    for (const { name, bytes } of await raw.read(SIZES[dialect])) {
      if (name === 'run_evidence') continue;
      const [row] = await raw.read(`SELECT count(*) AS n FROM ${String(name)}`);
      measured.set(String(name), { bytes: Number(bytes), rows: Number(row?.n) });
    }
    return measured;
  } finally {
    await raw.close();
  }
}
