import { Slots } from '../../../src/platform/slots.js';
import { mapDatabaseError } from '../../../src/store/errors.js';
import { scanReport } from '../../support/accounts.js';
import { changeDatabase } from '../../support/changed-database.js';
import { onEitherDatabase } from '../../support/databases.js';
import { createRunServices, openRuns } from '../../support/run-scene.js';

/** Something else holds a row: serialisation, deadlock, the limits of a lock and of a statement; another process writes. */
const BUSY = {
  postgres: ['40001', '40P01', '55P03', '57014'],
  sqlite: ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT'],
};
const TRIES = 4;

onEitherDatabase(async (t, engine) => {
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
