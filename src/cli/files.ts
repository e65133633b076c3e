import { randomUUID } from 'node:crypto';
import { access, constants, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InputError } from '../platform/errors.js';

/**
 * Checks before the scan that a file can be saved.
 * @param option the option that names the file
 * @returns the absolute path with links resolved, so that saving replaces the target, not the link
 * @throws InputError if it cannot be saved
 */
export async function checkSavePath(file: string | undefined, option: '--save' | '--record'): Promise<string | null> {
  if (file === undefined) return null;
  const refuse = (reason: string): never => {
    throw new InputError(`${option}: ${file} cannot be written: ${reason}.`);
  };
  if (file === '') refuse('the file name is empty');
  const path = await realpath(file).catch(() => resolve(file));
  const existing = await stat(path).catch(() => null);
  // Saving must not replace a device or a pipe.
  if (existing && !existing.isFile()) refuse(existing.isDirectory() ? 'it is a folder' : 'it is not a regular file');
  const folder = dirname(path);
  // The dot makes `access` fail if the path is a file.
  await access(`${folder}/.`, constants.W_OK).catch(() => refuse(`there is no folder to write into at ${folder}`));
  return path;
}

/** Writes the file atomically. A failure leaves the old file unchanged. */
export async function saveFile(path: string, data: string | Iterable<Uint8Array>): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, data, { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

export function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
