import { readdir } from 'node:fs/promises';
import type { AnyOperation } from './operation.js';

const FOLDER = new URL('operations/', import.meta.url);

/**
 * The files of `operations/` by operation: each is named like its operation's id.
 * @throws Error for an operation without a file, and for a file without an operation
 */
export async function loadOperations(ids: readonly string[]): Promise<ReadonlyMap<string, AnyOperation>> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.js'));
  const stray = files.find((name) => !ids.some((id) => fileOf(id) === name));
  if (stray !== undefined)
    throw new Error(`src/api/operations/${stray.replace('.js', '.ts')} is not an operation of the document`);
  return new Map(await Promise.all(ids.map(async (id) => [id, await load(id, files)] as const)));
}

async function load(id: string, files: readonly string[]): Promise<AnyOperation> {
  const file = fileOf(id);
  if (!files.includes(file))
    throw new Error(`the operation ${id} has no file src/api/operations/${file.replace('.js', '.ts')}`);
  const { operation } = (await import(new URL(file, FOLDER).href)) as { readonly operation: AnyOperation };
  return operation;
}

/** `getLatestRun` → `get-latest-run.js`. */
function fileOf(id: string): string {
  return `${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.js`;
}
