import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first of these programs in PATH; null where there is none. */
export function findProgram(...names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable) ?? null;
}

/** The first file of a pattern that can be run. */
export function findFile(pattern: string): string | null {
  return globSync(pattern).find(isExecutable) ?? null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
