import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { InputError } from '../platform/input-error.js';
import { sqlitePath } from './sqlite.js';

export interface Backup {
  readonly file: string;
  readonly bytes: number;
}

/**
 * Copies the SQLite database as it is at one moment into `file`, while others read and write it: whatever was acknowledged before is in
 * the copy. The file has no content until the copy is whole, checked and on the disk. Only its owner may read it, as with the database.
 * @throws InputError when the file is there already, its folder is not, or the database is not SQLite's
 */
export function backUpDatabase(url: string, file: string): Backup {
  if (!url.startsWith('sqlite:')) {
    throw new InputError(`backup is for SQLite. Here run: ${dumpLine(file)}`);
  }
  const source = sqlitePath(url);
  if (!existsSync(source)) throw new InputError(`There is no database at ${source}.`);
  reserve(file);
  const draft = `${file}.${process.pid}.partial`;
  try {
    createPrivateFile(draft);
    copyInto(source, draft);
    makeReady(draft);
    flushToDisk(draft);
    renameSync(draft, file);
    flushToDisk(dirname(file));
  } catch (error) {
    for (const path of [draft, file]) rmSync(path, { force: true });
    throw error;
  }
  return { file, bytes: statSync(file).size };
}

/** What does the same on PostgreSQL. The address comes from the environment, so that no password is shown or kept in a shell's history. */
function dumpLine(file: string): string {
  return `pg_dump --format=custom --file='${file.replaceAll("'", "'\\''")}' "$DATABASE_URL"`;
}

function reserve(file: string): void {
  try {
    createPrivateFile(file);
  } catch (error) {
    const fault = FAULTS[error instanceof Error && 'code' in error ? String(error.code) : ''];
    throw fault ? new InputError(fault(file)) : error;
  }
}

const FAULTS: Readonly<Record<string, (file: string) => string>> = {
  EEXIST: (file) => `${file} is there already: name a file that is not.`,
  ENOENT: (file) => `There is no folder ${dirname(file)}.`,
  EACCES: (file) => `The user of this process may not make a file in ${dirname(file)}.`,
};

function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

/** In WAL mode a reader sees one moment, and writers go on: VACUUM INTO is one long read. */
function copyInto(source: string, draft: string): void {
  const connection = new Sqlite(source, { readonly: true, fileMustExist: true });
  try {
    connection.prepare('VACUUM INTO ?').run(draft);
  } finally {
    connection.close();
  }
}

/** A copy that cannot be relied on is none: it is checked now, not on the day that it is needed. */
function makeReady(draft: string): void {
  const connection = new Sqlite(draft, { fileMustExist: true });
  try {
    const found = connection.pragma('integrity_check', { simple: true });
    if (found !== 'ok') throw new Error(`the copy is damaged: ${String(found)}`);
    // The mode that the service relies on; VACUUM INTO does not take it over.
    connection.pragma('journal_mode = WAL');
  } finally {
    connection.close();
  }
}

function flushToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
