import { housekeepingOf } from '../support/removal.js';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { keepHouse } from '../../src/app/data/housekeeping.js';
import { workOff } from '../../src/queue/steps.js';
import { catchUpWithMark, isOlderThanMark, moveMark } from '../../src/store/database-mark.js';
import { openDatabase } from '../../src/store/open-database.js';
import { sqlitePath } from '../../src/store/sqlite.js';
import { onPostgres, onSqlite } from '../support/databases.js';
import { freePort, runCommand, startBuilt } from '../support/program.js';

const [FIRST, SECOND] = ['2026-03-15', '2026-03-16'];

onSqlite(async (t, engine) => {
  /** A database that is opened again each time, as a start does. */
  const prepare = async () => {
    const url = await engine.newMigratedUrl(t);
    const path = sqlitePath(url);
    const use = async <T>(work: (db: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>): Promise<T> => {
      const db = await openDatabase(url);
      try {
        return await work(db);
      } finally {
        await db.close();
      }
    };
    return {
      ...{ url, path, use, mark: `${path}.mark` },
      start: (day = FIRST) => use((db) => moveMark(db, day, { isStart: true })),
      isOlder: () => use(isOlderThanMark),
    };
  };

  t.test('the mark moves with each start and each day, for the owner of the file alone', async (t) => {
    const { use, start, isOlder, mark } = await prepare();
    t.notOk(existsSync(mark));
    t.notOk(await isOlder(), 'without a mark nothing is said');
    const numberIn = () => Number(readFileSync(mark, 'utf8').split(' ')[1]);
    await start();
    t.equal(numberIn(), 1);
    await start();
    t.equal(numberIn(), 2);
    const housekeep = (day: string) =>
      use((db) => workOff(keepHouse(db, new Date(`${day}T12:00:00.000Z`), housekeepingOf(90)), Infinity));
    await housekeep(FIRST);
    t.equal(numberIn(), 2, 'once a day');
    await housekeep(SECOND);
    await housekeep(SECOND);
    t.equal(numberIn(), 3);
    t.notOk(await isOlder());
  });

  t.test('a copy of before is noticed, at each start, until it is restored', async (t) => {
    const { url, path, use, start, isOlder, mark } = await prepare();
    await start();
    const copy = `${t.testdir()}/copy.db`;
    t.equal((await runCommand(['backup', copy], { DATABASE_URL: url })).exitCode, 0);
    await start(SECOND);
    const kept = readFileSync(mark, 'utf8');
    for (const side of ['-wal', '-shm']) rmSync(path + side, { force: true });
    copyFileSync(copy, path);
    for (const day of [FIRST, SECOND]) {
      t.ok(await isOlder());
      await start(day);
      t.equal(readFileSync(mark, 'utf8'), kept);
    }
    chmodSync(path, 0o600);
    const environment = { DATABASE_URL: url, PORT: String(await freePort()) };
    const program = startBuilt(['serve'], environment);
    const line = await program.lineMatching(/older than the mark/);
    t.match(JSON.parse(line), {
      level: 'error',
      msg: /run "agent-readiness backup FILE", then "agent-readiness restore/,
    });
    await program.lineMatching(/"listening"/);
    t.equal(await program.stop('SIGTERM'), 0);

    const now = `${t.testdirName}/now.db`;
    for (const command of ['backup', 'restore']) {
      t.equal((await runCommand([command, now], { DATABASE_URL: url })).exitCode, 0, command);
    }
    t.notOk(await isOlder(), 'what is said to do ends it');
    await start();
    t.notOk(await isOlder());
    t.equal((await runCommand(['restore', copy], { DATABASE_URL: url })).exitCode, 0);
    t.notOk(await isOlder(), 'a backup that is put back properly is not an older copy');
    await use((db) => catchUpWithMark(db, url));
  });

  t.test('where the mark cannot be written, the service starts all the same', async (t) => {
    const { url, mark } = await prepare();
    mkdirSync(`${mark}.new`);
    const program = startBuilt(['serve'], { DATABASE_URL: url, PORT: String(await freePort()) });
    await program.lineMatching(/"cannot move the database mark"/);
    await program.lineMatching(/"listening"/);
    t.equal(await program.stop('SIGTERM'), 0);
  });

  t.test('the mark of another database, and what is not a mark, say nothing', async (t) => {
    const { start, isOlder, mark } = await prepare();
    for (const text of [`${'a'.repeat(20)} 999\n`, '', 'x', '999\n']) {
      writeFileSync(mark, text);
      t.notOk(await isOlder(), JSON.stringify(text));
    }
    await start();
    t.match(readFileSync(mark, 'utf8'), /^[0-9a-f]{20} 1\n$/);
  });
});

onPostgres(async (t, engine) => {
  t.test('PostgreSQL has no file to mark', async (t) => {
    const db = await engine.openDb(t);
    await moveMark(db, FIRST, { isStart: true });
    t.notOk(await isOlderThanMark(db));
  });
});
