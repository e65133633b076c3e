import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Sqlite from 'better-sqlite3';
import { InputError } from '../platform/errors.js';
import { isFailure } from './database.js';
import { isOtherSchema, readSqliteSchemas } from './open.js';
import { sqlitePath } from './sqlite.js';

/**
 * Copies a consistent snapshot of the SQLite database into `file` while others read and write it; every write acknowledged before
 * the start is included. As with the database, only the file's owner may read it.
 * @throws InputError when the file already exists, its folder does not, or the database is not SQLite
 */
export function backUpDatabase(url: string, file: string): { readonly file: string; readonly bytes: number } {
  if (!url.startsWith('sqlite:')) {
    // The command reads the URL from the environment, so that no password appears in a shell's history.
    const command = `pg_dump --format=custom --file='${file.replaceAll("'", "'\\''")}' "$DATABASE_URL"`;
    throw new InputError(`"backup" supports only SQLite. For PostgreSQL run: ${command}`);
  }
  const source = sqlitePath(url);
  if (!existsSync(source)) throw new InputError(`There is no database at ${source}.`);
  requireFolder(file);
  const draft = `${file}.partial`;
  try {
    // The draft reserves the name, so that a second backup to the same file fails. The file appears only when complete.
    writeFileSync(draft, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const why = 'another backup is writing it, or was interrupted. Delete it, or name a new file.';
    throw existsSync(draft) ? new InputError(`${draft} already exists: ${why}`) : error;
  }
  try {
    if (existsSync(file)) throw new InputError(`${file} already exists. Name a new file.`);
    // VACUUM INTO is one long read. In WAL mode it sees one snapshot and does not block writers.
    withConnection(source, { readonly: true }, (connection) => connection.prepare('VACUUM INTO ?').run(draft));
    makeReady(draft);
    renameSync(draft, file);
    flushToDisk(dirname(file));
  } finally {
    rmSync(draft, { force: true });
  }
  return { file, bytes: statSync(file).size };
}

function requireFolder(file: string): void {
  if (!existsSync(dirname(file))) throw new InputError(`There is no folder ${dirname(file)}.`);
}

/**
 * Replaces the SQLite database with a backup, and keeps the old file. Copies, checks and prepares the backup first; only the last step
 * changes the database, atomically.
 * @param prepare makes the copy ready for the service
 * @returns the file that was replaced, if there was one, and what `prepare` returned
 * @throws InputError when the file is not a backup of this version, or a process has the database open
 */
export async function restoreDatabase<T>(
  url: string,
  { file, now, prepare }: { readonly file: string; readonly now: Date; prepare(copyUrl: string): Promise<T> },
): Promise<{ readonly replaced: string | null; readonly prepared: T }> {
  const target = sqlitePath(url);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new InputError(`There is no file ${file}.`);
  const current = statSync(target, { throwIfNoEntry: false });
  if (current?.ino === stats.ino && current.dev === stats.dev) throw new InputError(`${file} is the database itself.`);
  requireFolder(target);
  const lock = current ? lockDatabase(target) : null;
  const draft = `${target}.${process.pid}.restoring`;
  let isReplaced = false;
  try {
    // Uses a copy, because SQLite must write next to a database in WAL mode, and a backup may be in a read-only folder. A file that
    // `backup` did not make may have a log with the last writes.
    for (const side of ['', '-wal'].filter((side) => existsSync(file + side))) {
      await pipeline(createReadStream(file + side), createWriteStream(draft + side, { flags: 'wx', mode: 0o600 }));
    }
    assertBackup(file, draft);
    makeReady(draft);
    const prepared = await prepare(`sqlite:${draft}`);
    if (existsSync(`${draft}-wal`)) throw new Error('the copy was not closed');
    flushToDisk(draft);
    const replaced = `${target}.replaced-${now.toISOString().replaceAll(/[-:.]/g, '')}`;
    // SQLite would replay the log of a damaged or deleted file into the new one.
    for (const side of ['-wal', '-shm']) if (existsSync(target + side)) renameSync(target + side, replaced + side);
    // Links rather than renames: if the file were missing for a moment, the next start would create an empty one.
    if (current) linkSync(target, replaced);
    renameSync(draft, target);
    isReplaced = true;
    flushToDisk(dirname(target));
    return { replaced: current ? replaced : null, prepared };
  } finally {
    if (!isReplaced) lock?.exec('ROLLBACK').pragma('journal_mode = WAL');
    lock?.close();
    for (const side of ['', '-wal', '-shm']) rmSync(draft + side, { force: true });
  }
}

function assertBackup(file: string, draft: string): void {
  try {
    if (!isOtherSchema(readSqliteSchemas(draft), 'sqlite')) return;
  } catch (error) {
    throw new InputError(`${file} is not a backup of the service: ${error instanceof Error ? error.message : ''}.`);
  }
  throw new InputError(
    `The backup ${file} was created by another version of this program and cannot be restored by this one.`,
  );
}

/**
 * Locks the database until the connection is closed. Leaves WAL mode, so that everything is in one file. Returns null for a database that
 * is too damaged to open.
 * @throws InputError while another process has it open
 */
function lockDatabase(path: string): Sqlite.Database | null {
  const connection = new Sqlite(path, { fileMustExist: true, timeout: 1000 });
  try {
    // Keeps the lock when the journal mode changes.
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.pragma('journal_mode = DELETE');
    return connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (isFailure(error, 'conflict')) throw new InputError('The database is in use. Stop the service first.');
    return null;
  }
}

/** Checks the copy now rather than when it is needed, sets the journal mode that the service relies on, and flushes it. */
function makeReady(draft: string): void {
  withConnection(draft, {}, (connection) => {
    const found = connection.pragma('integrity_check', { simple: true });
    if (found !== 'ok') throw new Error(`the copy is damaged: ${String(found)}`);
    connection.pragma('journal_mode = WAL');
  });
  flushToDisk(draft);
}

function withConnection(path: string, options: Sqlite.Options, use: (connection: Sqlite.Database) => void): void {
  const connection = new Sqlite(path, { fileMustExist: true, ...options });
  try {
    use(connection);
  } finally {
    connection.close();
  }
}

function flushToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
