import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { runOne, type Database } from './database.js';
import { defineQuery } from './query.js';
import { sqlitePath } from './sqlite.js';

/**
 * A SQLite database and a small file next to it hold the same number, which counts up with each start of the service and each day. One who
 * puts an older copy in the place of the database without `restore` leaves the file as it is: then the database is older than its mark.
 * Where there is no file, nothing is known and nothing is said.
 */
interface Mark {
  readonly id: string;
  readonly number: number;
}

const selectMark = defineQuery<Mark>((sql) => sql('database_mark').select('id', 'number'));

/** No row on the day on which it has moved. */
const moveOnNewDay = defineQuery<Mark, { day: string }>((sql, { day }) =>
  sql('database_mark')
    .whereNot({ day })
    .update({ number: sql.raw('number + 1'), day })
    .returning(['id', 'number']),
);

const moveAnyway = defineQuery<Mark, { day: string }>((sql, { day }) =>
  sql('database_mark')
    .update({ number: sql.raw('number + 1'), day })
    .returning(['id', 'number']),
);

const raise = defineQuery<never, { number: number }>((sql, { number }) =>
  sql('database_mark').update({ number: sql.raw('max(number, ?)', [number]) }),
);

/** Whether an older copy lies in the place of the database. */
export async function isOlderThanMark(db: Database): Promise<boolean> {
  if (db.dialect !== 'sqlite') return false;
  const [stored, marked] = [await runOne(db, selectMark({})), readMark(db.url)];
  return marked?.id === stored?.id && (marked?.number ?? 0) > (stored?.number ?? 0);
}

/**
 * Counts up at a start, or once a day, and in the database first: a process that dies between the two leaves a database that is newer. Leaves
 * both where an older copy was put in place, so that each start says so until it was restored properly.
 */
export async function moveMark(db: Database, day: string, { isStart = false } = {}): Promise<void> {
  if (db.dialect !== 'sqlite' || (await isOlderThanMark(db))) return;
  const moved = await runOne(db, (isStart ? moveAnyway : moveOnNewDay)({ day }));
  if (moved) writeMark(db.url, moved);
}

/** For a copy that takes the place of the database at `url`: it is not older than the mark there, since `restore` has seen to it. */
export async function catchUpWithMark(copy: Database, url: string): Promise<void> {
  const marked = readMark(url);
  if (marked) await copy.run(raise({ number: marked.number }));
}

function pathOf(url: string): string {
  return `${sqlitePath(url)}.mark`;
}

/** Null also for a file that holds something else. */
function readMark(url: string): Mark | null {
  const path = pathOf(url);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const [, id, number] = /^([0-9a-f]+) (\d{1,15})\n$/.exec(text) ?? [];
  return id === undefined ? null : { id, number: Number(number) };
}

/** At once: no start finds half of it. */
function writeMark(url: string, { id, number }: Mark): void {
  const path = pathOf(url);
  writeFileSync(`${path}.new`, `${id} ${number}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
