import { createReadStream, createWriteStream, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Sqlite from 'better-sqlite3';
import { InputError } from '../platform/input-error.js';
import { flushToDisk, makeReady } from './backup.js';
import { isConflict } from './errors.js';
import { sqlitePath } from './sqlite.js';

/** SQLite's side files. */
const SIDES = ['-wal', '-shm'];

/**
 * Puts a backup in the place of the SQLite database, and keeps what was there. It is copied, checked and prepared next to it first; the
 * last step alone changes the database, at once.
 * @param prepare brings the copy to where the service may use it
 * @returns the file that was replaced, if there was one, and what `prepare` answered
 * @throws InputError when the file is not a backup of the service, a process has the database open, or it is not SQLite
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
  // Now, too, rather than after a large copy that was in vain.
  holdAlone(target)?.release();
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
 * SQLite can open a database in WAL mode only where it may write next to it, and a backup may lie in a read-only folder. What was written last
 * may still be in the log next to it, when it is not a copy that `backup` made. Whatever the modes of those files, nobody else may read the draft.
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
  try {
    const connection = new Sqlite(draft, { fileMustExist: true });
    try {
      connection.prepare('SELECT name FROM knex_migrations').all();
    } finally {
      connection.close();
    }
  } catch (error) {
    throw new InputError(`${file} is not a backup of the service: ${error instanceof Error ? error.message : ''}.`);
  }
}

interface Hold {
  /** @param isKept the file stays the database, and has to be as the service needs it */
  release(isKept?: boolean): void;
}

/**
 * Nobody else has the database open: leaving WAL mode needs it alone, and puts everything into one file. Null for a file that is not
 * there, or so damaged that it cannot be opened.
 * @throws InputError while another process has it open
 */
function holdAlone(target: string): Hold | null {
  if (!existsSync(target)) return null;
  const connection = new Sqlite(target, { timeout: 1000 });
  const close = (isKept = true): void => {
    if (isKept) connection.pragma('journal_mode = WAL');
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
  const hold = holdAlone(target);
  const isThere = existsSync(target);
  try {
    // Those of a damaged file: they would be taken for the new one's.
    for (const side of SIDES) if (existsSync(target + side)) renameSync(target + side, replaced + side);
    // A second name first: at no time is there no database, which the next start would take for a new one.
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
