import { createReadStream, createWriteStream, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Sqlite from 'better-sqlite3';
import { InputError } from '../platform/input-error.js';
import { flushToDisk, makeReady } from './backup.js';
import { isConflict } from './errors.js';
import { assertBackupSchema, readSqliteSchemas } from './schema-check.js';
import { sqlitePath } from './sqlite.js';

/** SQLite's side files. */
const SIDES = ['-wal', '-shm'];

/**
 * Replaces the SQLite database by a backup, and keeps the old file. The backup is copied, checked and prepared first; only the last step
 * changes the database, atomically.
 * @param prepare makes the copy ready for the service
 * @returns the file that was replaced, if there was one, and what `prepare` answered
 * @throws InputError when the file is not a backup of this version, or a process has the database open
 */
export async function restoreDatabase<T>(
  url: string,
  { file, now, prepare }: { readonly file: string; readonly now: Date; prepare(copyUrl: string): Promise<T> },
): Promise<{ readonly replaced: string | null; readonly prepared: T }> {
  const target = sqlitePath(url);
  assertFiles(file, target);
  const draft = `${target}.${process.pid}.restoring`;
  const replaced = `${target}.replaced-${now.toISOString().replaceAll(/[-:.]/g, '')}`;
  if (existsSync(replaced)) throw new InputError(`${replaced} exists already.`);
  // Fails now rather than after a large copy.
  lockExclusively(target)?.release();
  try {
    await copyFiles(file, draft);
    assertBackup(file, draft);
    makeReady(draft);
    const prepared = await prepare(`sqlite:${draft}`);
    if (existsSync(`${draft}-wal`)) throw new Error('the copy was not closed');
    flushToDisk(draft);
    const isReplaced = swap({ draft, target, replaced });
    return { replaced: isReplaced ? replaced : null, prepared };
  } finally {
    for (const side of ['', ...SIDES]) rmSync(draft + side, { force: true });
  }
}

/**
 * Copies the backup, because SQLite must write next to a database in WAL mode, and a backup may be in a read-only folder. A file that
 * `backup` did not make may have a log with the last writes. Only the owner may read the copy, whatever the modes of those files.
 */
async function copyFiles(file: string, draft: string): Promise<void> {
  for (const side of ['', '-wal'].filter((side) => existsSync(file + side))) {
    const target = createWriteStream(draft + side, { flags: 'wx', mode: 0o600 });
    await pipeline(createReadStream(file + side), target);
  }
}

function assertFiles(file: string, target: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new InputError(`There is no file ${file}.`);
  const current = statSync(target, { throwIfNoEntry: false });
  if (current?.ino === stats.ino && current.dev === stats.dev) throw new InputError(`${file} is the database itself.`);
  if (!existsSync(dirname(target))) throw new InputError(`There is no folder ${dirname(target)}.`);
}

function assertBackup(file: string, draft: string): void {
  let names: string[];
  try {
    names = readSqliteSchemas(draft);
  } catch (error) {
    throw new InputError(`${file} is not a backup of the service: ${error instanceof Error ? error.message : ''}.`);
  }
  assertBackupSchema(names, file);
}

/** Reads the excluded hosts of a SQLite database; null if there is no database or it cannot be read. */
export function readExcludedHosts(url: string): readonly string[] | null {
  try {
    const connection = new Sqlite(sqlitePath(url), { readonly: true, fileMustExist: true });
    try {
      const rows = connection.prepare('SELECT host FROM excluded_hosts ORDER BY host').all() as { host: string }[];
      return rows.map(({ host }) => host);
    } finally {
      connection.close();
    }
  } catch {
    return null;
  }
}

interface ExclusiveLock {
  /** @param restoresWal true if the file stays the service's database */
  release(restoresWal?: boolean): void;
}

/**
 * Locks the database exclusively by leaving WAL mode, which also puts everything into one file. Null for a file that is not there, or
 * so damaged that it cannot be opened.
 * @throws InputError while another process has it open
 */
function lockExclusively(target: string): ExclusiveLock | null {
  if (!existsSync(target)) return null;
  const connection = new Sqlite(target, { timeout: 1000 });
  const close = (restoresWal = true): void => {
    if (restoresWal) connection.pragma('journal_mode = WAL');
    connection.close();
  };
  try {
    connection.pragma('journal_mode = DELETE');
    return { release: close };
  } catch (error) {
    connection.close();
    if (isConflict(error)) throw new InputError('The database is in use. Stop the service first.');
    return null;
  }
}

/** @returns whether there was a database */
function swap({ draft, target, replaced }: Readonly<Record<'draft' | 'target' | 'replaced', string>>): boolean {
  const hold = lockExclusively(target);
  const isThere = existsSync(target);
  try {
    // SQLite would read the WAL of the old file as the new one's.
    for (const side of SIDES) if (existsSync(target + side)) renameSync(target + side, replaced + side);
    // A second name first: if the database were missing for a moment, the next start would create an empty one.
    if (isThere) linkSync(target, replaced);
    renameSync(draft, target);
    flushToDisk(dirname(target));
  } catch (error) {
    hold?.release();
    throw error;
  }
  hold?.release(false);
  return isThere;
}
