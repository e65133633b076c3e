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
 * Copies a consistent snapshot of the SQLite database into `file` while others read and write it; every write acknowledged before
 * the start is included. The file stays empty until the copy is complete, checked and on disk. Only its owner may read it, as
 * with the database.
 * @throws InputError when the file already exists, its folder does not, or the database is not SQLite
 */
export function backUpDatabase(url: string, file: string): Backup {
  if (!url.startsWith('sqlite:')) {
    throw new InputError(`"backup" supports only SQLite. For PostgreSQL run: ${dumpLine(file)}`);
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

/**
 * The equivalent command for PostgreSQL. It reads the URL from the environment, so that no password appears in a shell's
 * history.
 */
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
  EEXIST: (file) => `${file} already exists. Name a new file.`,
  ENOENT: (file) => `There is no folder ${dirname(file)}.`,
  EACCES: (file) => `The user of this process may not create files in ${dirname(file)}.`,
};

function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

/** VACUUM INTO is one long read. In WAL mode it sees one snapshot and does not block writers. */
function copyInto(source: string, draft: string): void {
  const connection = new Sqlite(source, { readonly: true, fileMustExist: true });
  try {
    connection.prepare('VACUUM INTO ?').run(draft);
  } finally {
    connection.close();
  }
}

/** Checks the copy now rather than on the day it is needed. */
export function makeReady(draft: string): void {
  const connection = new Sqlite(draft, { fileMustExist: true });
  try {
    const found = connection.pragma('integrity_check', { simple: true });
    if (found !== 'ok') throw new Error(`the copy is damaged: ${String(found)}`);
    // The mode that the service relies on; VACUUM INTO does not copy it.
    connection.pragma('journal_mode = WAL');
  } finally {
    connection.close();
  }
}

export function flushToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
